package vertical

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/internal/testkit/property"
)

// byLength returns numberers that return the lengths of values. The table is the number of the worker.
func byLength(workers, columns int) (all [][]Numberer) {
	for w := range workers {
		all = append(all, slices.Repeat([]Numberer{func(c *Column) error {
			c.Table = w
			for _, v := range c.Values {
				c.Numbers = append(c.Numbers, v.To-v.From)
			}
			return nil
		}}, columns))
	}
	return all
}

// TestTokens reads verticals by lines, and by runs of tokens with known tags: the tokens, the blanks between them, and
// the report are the same.
func TestTokens(t *testing.T) {
	lines := []string{"a", "word", "seventh", "eight888", "é", "中文", "<g/>", "<g/>", "<s>", "</s>", "<doc id=\"1\">", "<doc id=\"a&amp;b\">", "<doc id=1x->", "</doc>", "<p a=\"x\" b=\"y\">", "</p>", "", " ", "a b", "a\tb", "&lt;", "x&", "cr\r", "<", "<g>", "<gg/>", "\xff",
		"!", "\"", "~", "\x7f", "\x01", strings.Repeat("l", 39), strings.Repeat("l", 40), strings.Repeat("é", 30),
		"a\t", "\tb", "\t", "\t\t", "a \tb", "a\t b", "a b\tc d", "a\tb\r", "x\ty\tz", "&lt;\tb", "a\t&amp;lt;&amp;", "&#34;", ",&#34;", "&bad;", "a&\tb&", "<\tb", strings.Repeat("l", 2*plainLine) + "\tb"}
	property.Check(t, func(t *rapid.T) {
		columns := rapid.IntRange(1, 3).Draw(t, "columns")
		text := "first" + strings.Repeat("\tfield", columns-1) + "\n"
		text += strings.Join(rapid.SliceOfN(rapid.SampledFrom(lines), 0, 60).Draw(t, "lines"), "\n")
		if rapid.Bool().Draw(t, "feed") {
			text += "\n"
		}
		n := rapid.IntRange(1, 20).Draw(t, "tokens at once")
		cfg := ReaderConfig{Doc: rapid.SampledFrom([]string{"doc", "g"}).Draw(t, "doc")}
		var want []string
		var report ReaderReport
		r := NewReader(strings.NewReader(text), cfg)
		for l, err := range r.All() {
			must.Succeed(t, err)
			want = append(want, lineOf(l))
		}
		var in io.Reader = strings.NewReader(text)
		if rapid.Bool().Draw(t, "in pieces") {
			in = iotest.HalfReader(iotest.OneByteReader(in))
		}
		var got []string
		must.Succeed(t, ReadAhead(in, cfg, byLength(2, columns), func(f *Reader) error {
			for {
				w := f.Tokens(n)
				if w.Lines() > n {
					t.Fatalf("%d lines, wanted %d at most", w.Lines(), n)
				}
				var glued []int
				w.Glue(func(tokens int) { glued = append(glued, tokens) })
				for i := range w.Len() {
					for len(glued) > 0 && glued[0] == i {
						got, glued = append(got, "<g/>"), glued[1:]
					}
					got = append(got, w.token(t, i, columns))
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
		return string(bytes.Join(l.Fields, []byte("|")))
	case l.Kind == Empty && string(l.Name) == "g" && len(l.Attrs) == 0:
		return "<g/>"
	}
	return string(AppendLine(nil, l))
}

// token returns the fields of token i.
func (t *Tokens) token(tb rapid.TB, i, columns int) string {
	var fields []string
	for k := range columns {
		c := t.Column(k)
		value := string(c.Data[c.Values[i].From:c.Values[i].To])
		if int(c.Numbers[i]) != len(value) {
			tb.Fatalf("%q has number %d", value, c.Numbers[i])
		}
		fields = append(fields, value)
	}
	return strings.Join(fields, "|")
}

// TestReadAheadBusy wants nearly all of 16 goroutines busy with the tokens of documents. The clock of synctest only
// runs while all of them sleep, so the time for reading does not count.
func TestReadAheadBusy(t *testing.T) {
	const workers = 16
	text := strings.Repeat("<doc>\n<p>\n"+strings.Repeat("word\n", 500)+"</p>\n</doc>\n", 8000)
	synctest.Test(t, func(t *testing.T) {
		var busy testkit.Busy
		sleeps := func(c *Column) error {
			busy.Sleep(time.Duration(len(c.Values)) * time.Microsecond)
			c.Numbers = slices.Grow(c.Numbers, len(c.Values))[:len(c.Values)]
			return nil
		}
		start := time.Now()
		tokens := 0
		must.Succeed(t, ReadAhead(strings.NewReader(text), ReaderConfig{}, slices.Repeat([][]Numberer{{sleeps}}, workers), func(r *Reader) error {
			for {
				if t := r.Tokens(1000); t.Lines() > 0 {
					tokens += t.Len()
				} else if _, err := r.Next(); err == io.EOF {
					return nil
				} else if err != nil {
					return err
				}
			}
		}))
		if mean := busy.Mean(time.Since(start)); busy.Most() != workers || mean < 14 {
			t.Errorf("at most %d goroutines busy at once, %.1f on average; wanted %d and at least 14", busy.Most(), mean, workers)
		}
		if tokens != 500*8000 {
			t.Errorf("%d tokens", tokens)
		}
	})
}

// TestReadAheadEnds lets either side stop or fail first: both end.
func TestReadAheadEnds(t *testing.T) {
	text := strings.Repeat("word\n", 1<<20)
	bad := errors.New("bad")
	if err := ReadAhead(strings.NewReader(text), ReaderConfig{}, byLength(2, 1), func(r *Reader) error {
		if _, err := r.Next(); err != nil {
			return err
		}
		return bad
	}); err != bad {
		t.Errorf("stops early: %v", err)
	}
	if err := ReadAhead(strings.NewReader(text), ReaderConfig{}, byLength(2, 1), func(*Reader) error { panic("fault") }); err == nil {
		t.Error("a panic is no error")
	}
	if err := ReadAhead(readPanics{}, ReaderConfig{}, byLength(2, 1), func(r *Reader) error {
		_, err := r.Next()
		return err
	}); err == nil || !strings.Contains(err.Error(), "fault of the program") {
		t.Errorf("the reader panics: %v", err)
	}
	if err := ReadAhead(strings.NewReader(strings.Repeat("x", 1<<20)), ReaderConfig{MaxLine: 100}, byLength(2, 1), func(r *Reader) error {
		_, err := r.Next()
		return err
	}); err == nil || !strings.Contains(err.Error(), "longer than 100 bytes") {
		t.Errorf("a long line: %v", err)
	}
	fails := [][]Numberer{{func(*Column) error { return bad }}}
	if err := ReadAhead(strings.NewReader(text), ReaderConfig{}, fails, func(r *Reader) error {
		_, err := r.Next()
		return err
	}); !errors.Is(err, bad) {
		t.Errorf("a numberer fails: %v", err)
	}
}

type readPanics struct{}

func (readPanics) Read([]byte) (int, error) { panic("fault") }
