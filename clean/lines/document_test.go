package lines

import (
	"slices"
	"strings"
	"testing"
)

// crawled is a document as a crawler dumps it, written for these tests.
var crawled = []string{
	"Home | News | Contact",
	"The old mill by the river",
	"",
	"The mill was built in 1787, and for a hundred years it ground the corn of the whole valley.",
	"Today it is a museum; it is open on Sundays from 10:00 to 16:30.",
	"Read more...",
	"Posted on 12/03/2014 by anna@example.org",
	"Read more...",
	"© 2014 The Valley Museum. All rights reserved. http://example.org/imprint",
	"Phone: +44 20 7946 0958",
}

// column values of a line by name.
func value(t testing.TB, s *sheet, line int, name string) float32 {
	t.Helper()
	c := slices.Index(columnNames[:], name)
	if c < 0 {
		t.Fatalf("no column %q", name)
	}
	return s.row(line)[c]
}

func TestRead(t *testing.T) {
	s := new(sheet)
	read(s, "en", crawled)
	for _, c := range []struct {
		line int
		name string
		want float32
	}{
		{0, "bars", log1(2)}, {3, "bars", 0},
		{1, "words", log1(6)}, {1, "end-letter", 1}, {1, "start-upper", 1}, {1, "function", 2. / 3},
		{2, "empty", 1}, {2, "words", 0}, {1, "empty", 0},
		{3, "year", 0}, {8, "year", 1}, {6, "year", 1}, {3, "end-stop", 1}, {3, "time", 0}, {4, "time", 1}, {4, "date", 0}, {6, "date", 1},
		{5, "cut", 1}, {5, "later", 1}, {5, "earlier", 0}, {7, "earlier", 1}, {7, "later", 0}, {7, "copies", log1(1)},
		{7, "distance", .5}, {7, "twin", 0},
		{6, "at", 1}, {8, "at", 0}, {8, "right", 1}, {8, "url", 1}, {9, "phone", 1}, {4, "phone", 0}, {6, "phone", 0},
		{0, "place", 0}, {9, "place", 1}, {0, "lines", log1(10)}, {9, "lines", log1(10)},
	} {
		if got := value(t, s, c.line, c.name); got != c.want {
			t.Errorf("line %d %q: %s is %v, wanted %v", c.line, crawled[c.line], c.name, got, c.want)
		}
	}
	if n := len(s.wordIDs(2)) + len(s.charIDs(2)); n != 0 {
		t.Errorf("an empty line has %d n-grams", n)
	}
	if !slices.Equal(s.wordIDs(5), s.wordIDs(7)) || !slices.Equal(s.charIDs(5), s.charIDs(7)) || len(s.wordIDs(5)) != 3 {
		t.Errorf("the same line has n-grams %v and %v", s.wordIDs(5), s.wordIDs(7))
	}
}

// TestReadAgain checks that a used sheet gives what a new one gives.
func TestReadAgain(t *testing.T) {
	used, fresh := new(sheet), new(sheet)
	read(used, "de", slices.Repeat(crawled, 5))
	read(used, "en", crawled)
	read(fresh, "en", crawled)
	if !slices.Equal(used.values, fresh.values) || !slices.Equal(used.words, fresh.words) || !slices.Equal(used.chars, fresh.chars) {
		t.Error("a used sheet gives other columns than a new one")
	}
}

// TestReadAllocates checks that a sheet that is large enough allocates nothing.
func TestReadAllocates(t *testing.T) {
	s := new(sheet)
	read(s, "en", crawled)
	if n := testing.AllocsPerRun(20, func() { read(s, "en", crawled) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestColumnGroups(t *testing.T) {
	var all []string
	for _, g := range ColumnGroups() {
		if len(g.Columns) == 0 {
			t.Errorf("group %s has no columns", g.Name)
		}
		all = append(all, g.Columns...)
	}
	if !slices.Equal(all, columnNames[:]) {
		t.Errorf("the groups have %d columns, wanted all %d in order", len(all), columns)
	}
	kept, err := keptColumns([]string{"length", "document"})
	if err != nil || len(kept) == 0 || kept[0] != colCommas || kept[len(kept)-1] != colLines-1 {
		t.Errorf("without length and document: %v, %v", kept, err)
	}
	if _, err := keptColumns([]string{"lenght"}); err == nil || !strings.Contains(err.Error(), "length punctuation") {
		t.Errorf("a group that is none: %v", err)
	}
}

// FuzzRead checks that any text gives finite columns and n-grams within the
// table.
func FuzzRead(f *testing.F) {
	f.Add("en", strings.Join(crawled, "\n"))
	f.Add("", "\xff\xfe\n\u200b\ufeff\n日本語の文章です。\n- \n...\n"+strings.Repeat("ab ", 500))
	f.Add("sv-SE", strings.Repeat("Läs mer\n", 40)+"12.12.2012 12:12 0800-12 12 12\t|\t|")
	s := new(sheet)
	f.Fuzz(func(t *testing.T, lang, text string) {
		lines := strings.Split(text, "\n")
		read(s, lang, lines)
		for i := range lines {
			for c, v := range s.row(i) {
				if !(v > -20 && v < 50) {
					t.Fatalf("%q: %s is %v", lines[i], columnNames[c], v)
				}
			}
			for _, ids := range [][]uint32{s.wordIDs(i), s.charIDs(i)} {
				for _, id := range ids {
					if id >= 1<<s.bits {
						t.Fatalf("%q: n-gram %d", lines[i], id)
					}
				}
			}
		}
	})
}
