package lines

import (
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"

	_ "chaffinch/model/data/languages"
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
	must.Fail(t, must.Err(keptColumns([]string{"lenght"})), "length punctuation")
}

// FuzzRead checks that any text gives finite columns, counts of at most the length of a line,
// and n-grams within the table.
func FuzzRead(f *testing.F) {
	f.Add("en", strings.Join(crawled, "\n"))
	f.Add("", "\xff\xfe\n\u200b\ufeff\n日本語の文章です。\n- \n...\n"+strings.Repeat("ab ", 500))
	f.Add("sv-SE", strings.Repeat("Läs mer\n", 40)+"12.12.2012 12:12 0800-12 12 12\t|\t|")
	f.Add("en", ",V"+strings.Repeat("@", 2*headBytes)) // one word, all signs
	s := new(sheet)
	f.Fuzz(func(t *testing.T, lang, text string) {
		lines := strings.Split(text, "\n")
		read(s, lang, lines)
		for i := range lines {
			for c, v := range s.row(i) {
				if !(v > -20 && v <= headBytes+tailBytes) {
					t.Fatalf("%q: %s is %v", lines[i], columnNames[c], v)
				}
			}
			for _, ids := range [][]uint32{s.wordIDs(i), s.charIDs(i)} {
				for _, id := range ids {
					if id >= 1<<defaultTableBits {
						t.Fatalf("%q: n-gram %d", lines[i], id)
					}
				}
			}
		}
	})
}

// TestReadBadInput reads what no writer meant to write.
func TestReadBadInput(t *testing.T) {
	long := strings.Repeat("The wheel turns and turns, ", 4<<20)
	doc := []string{long, "\ufeff\u200b\u00ad", "\ufeffThe mill", "The mill", "\xff\xfe\x80 mill\xc3", "\x00\x01", strings.Repeat("\u0301", 2000), "日本語の文章です。"}
	s := new(sheet)
	read(s, "en", doc)
	for _, c := range []struct {
		line     int
		name     string
		from, to float32
	}{
		{0, "words", log1(5 * (4 << 20) * .95), log1(5 * (4 << 20) * 1.05)},
		{1, "empty", 1, 1}, {5, "empty", 1, 1}, {2, "empty", 0, 0},
		{2, "later", 1, 1}, {3, "earlier", 1, 1}, // a byte order mark changes nothing
		{4, "wrong", .5, 1}, {3, "wrong", 0, 0},
		{7, "words", log1(5), log1(6)}, // eight letters without spaces
		{7, "end-stop", 1, 1}, {7, "foreign", .5, 1}, {3, "foreign", 0, .5},
	} {
		if got := value(t, s, c.line, c.name); got < c.from-1e-4 || got > c.to+1e-4 {
			t.Errorf("line %d: %s is %v, wanted %v to %v", c.line, c.name, got, c.from, c.to)
		}
	}
	if n := len(s.wordIDs(0)) + len(s.charIDs(0)); n > 3*(headWords+tailWords+headChars+tailChars) {
		t.Errorf("a long line has %d n-grams", n)
	}
	if len(s.hashes) > 4000 {
		t.Errorf("%d words were kept of %d lines", len(s.hashes), len(doc))
	}
	read(s, "en", nil)
	read(s, "", []string{"", ""})
	must.Equal(t, value(t, s, 1, "empty"), 1, "an empty line after another: empty")
}

// TestReadLongDocument reads more lines than any quadratic way would take.
func TestReadLongDocument(t *testing.T) {
	lines := slices.Repeat([]string{"The mill", "Read more", "The old mill grinds the corn"}, 100_000)
	s := new(sheet)
	read(s, "en", lines)
	must.Equal(t, value(t, s, 7, "copies"), log1(99_999), "copies")
	must.Equal(t, value(t, s, 299_999, "run"), log1(300_000), "run")
}

// TestReadLanguages reads documents without a stated language, and lines in another language.
func TestReadLanguages(t *testing.T) {
	doc := []string{
		"Die alte Mühle steht dort, wo der Fluss das Tal verlässt, und sie hat sich nie bewegt.",
		"Jeden Sonntag kann man zusehen, wie sich das Rad dreht.",
		"This is what the browser of the reader has to do with it.",
		"Река выходит из долины.",
	}
	s, known := new(sheet), new(sheet)
	read(s, "", doc)
	read(known, "de-DE", doc)
	if !slices.Equal(s.values, known.values) {
		t.Error("a German document reads otherwise when its language is not given")
	}
	if g, e := value(t, s, 0, "function-lead"), value(t, s, 2, "function-lead"); g <= 0 || e >= 0 {
		t.Errorf("function words above those of the document: German %v, English %v", g, e)
	}
	if g, e := value(t, s, 1, "english"), value(t, s, 2, "english"); g >= e {
		t.Errorf("English function words: German %v, English %v", g, e)
	}
	if g, r := value(t, s, 1, "foreign"), value(t, s, 3, "foreign"); g >= .5 || r <= .5 {
		t.Errorf("letters of another script: German %v, Russian %v", g, r)
	}
	read(s, "xx-unknown-language", doc)
	must.Equal(t, value(t, s, 0, "listed"), 0, "a language without a list: listed")
}
