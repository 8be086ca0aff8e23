package vertical

import (
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"chaffinch/internal/testkit/must"
	"chaffinch/internal/testkit/property"
)

// TestWords reads verticals by lines, and by runs of words with known tags: the tokens, the blanks between them, and
// the report are the same.
func TestWords(t *testing.T) {
	lines := []string{"a", "word", "seventh", "eight888", "é", "中文", "<g/>", "<g/>", "<s>", "</s>", "<doc id=\"1\">", "<doc id=\"a&amp;b\">", "<doc id=1x->", "</doc>", "<p a=\"x\" b=\"y\">", "</p>", "", " ", "a b", "a\tb", "&lt;", "x&", "cr\r", "<", "<g>", "<gg/>", "\xff",
		"!", "\"", "~", "\x7f", "\x01", strings.Repeat("l", 39), strings.Repeat("l", 40), strings.Repeat("é", 30)}
	property.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(lines), 0, 60).Draw(t, "lines"), "\n")
		if rapid.Bool().Draw(t, "feed") {
			text += "\n"
		}
		n := rapid.IntRange(1, 20).Draw(t, "words at once")
		var want []string
		var report ReaderReport
		r := NewReader(strings.NewReader(text), ReaderConfig{})
		for l, err := range r.All() {
			must.Succeed(t, err)
			want = append(want, lineOf(l))
		}
		var in io.Reader = strings.NewReader(text)
		if rapid.Bool().Draw(t, "in pieces") {
			in = iotest.HalfReader(iotest.OneByteReader(in))
		}
		var got []string
		must.Succeed(t, ReadAhead(in, ReaderConfig{}, func(f *Reader) error {
			for {
				w := f.Words(n)
				if w.Len() > n {
					t.Fatalf("%d words, wanted %d at most", w.Len(), n)
				}
				before := len("old\n")
				var glued []int
				words, ends := w.Append([]byte("old\n"), []uint32{4}, func(words int) { glued = append(glued, words) })
				for i, end := range ends[1:] {
					for len(glued) > 0 && glued[0] == i {
						got, glued = append(got, "<g/>"), glued[1:]
					}
					got = append(got, string(words[before:end-1]))
					before = int(end)
				}
				for range glued {
					got = append(got, "<g/>")
				}
				l, err := f.Next()
				if report = f.Report(); err == io.EOF {
					return nil
				}
				must.Succeed(t, err)
				got = append(got, lineOf(l))
			}
		}))
		if !slices.Equal(got, want) {
			t.Fatalf("%q: %q, wanted %q", text, got, want)
		}
		if report != r.Report() {
			t.Fatalf("%q: %+v, wanted %+v", text, report, r.Report())
		}
	})
}

func lineOf(l *Line) string {
	switch {
	case l.Kind == Token:
		return string(slices.Concat(l.Fields...))
	case l.Kind == Empty && string(l.Name) == "g" && len(l.Attrs) == 0:
		return "<g/>"
	}
	return string(AppendLine(nil, l))
}
