package extract

import (
	"context"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// TestLineEnds wants lines to end at LF, CR, CR LF and form feeds, and an empty
// line to be told from a line end of several bytes.
func TestLineEnds(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a\nb\rc\r\nd\fe", "+a b c d e"},
		{"a\r\r\nb", "+a b"},
		{"a\r\rb\n\nc\f\fd", "+a +b +c +d"},
		{"a\r\r\rb", "+a +b"},
		{"a\n\rb\n \nc\r", "+a +b +c"},
		{"\r\n\r\na\f\nb", "+a +b"},
	} {
		var s scan
		cfg := Default
		s.reset(&cfg, c.text)
		must.Succeed(t, s.readLines(context.Background()))
		var got []string
		for _, l := range s.lines {
			text := c.text[l.start:l.end]
			if l.first {
				text = "+" + text
			}
			got = append(got, text)
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("%q: lines %q, want %q", c.text, g, c.want)
		}
	}
}

// TestMarksAreNodes wants markup that spans many blocks to count in each, since
// it is recorded there.
func TestMarksAreNodes(t *testing.T) {
	cfg := Default
	cfg.MaxNodes, cfg.Inline = 1000, true
	e := must.Get(New(cfg))(t)
	p := &page.Page{Raw: []byte(strings.Repeat("<b><i>", 50) + strings.Repeat("<p>word</p>", 400))}
	must.Succeed(t, e.Do(t.Context(), p))
	marks := 0
	for i := range p.Blocks {
		marks += len(p.Blocks[i].Inline)
	}
	if marks > 1000 || p.Cut != page.TooManyNodes {
		t.Errorf("%d marks in %d blocks, cut %q, want at most 1000 marks and a cut", marks, len(p.Blocks), p.Cut)
	}
}

// TestNodes wants blocks to count as nodes as tags and lines do, since they are
// what takes memory.
func TestNodes(t *testing.T) {
	cfg := Default
	cfg.MaxNodes = 100
	e := must.Get(New(cfg))(t)
	for _, c := range []struct {
		about, raw string
		blocks     int
	}{
		{"paragraphs", strings.Repeat("<p>x", 100), 50},
		{"end tags alone", "<p>" + strings.Repeat("x</p>", 200), 100},
		{"rows", "<table>" + strings.Repeat("<tr><td>x<td>y", 100), 40},
		{"inline tags", "<p>" + strings.Repeat("<i>x</i>", 98), 1},
		{"lines", strings.Repeat("x\n", 200), 50},
		{"lines that are wrapped", strings.Repeat(strings.Repeat("the rain fell on us through the long dark nights and so\n", 20)+"\n", 4), 4},
	} {
		p := &page.Page{Raw: []byte(c.raw)}
		must.Succeed(t, e.Do(t.Context(), p))
		want := page.TooManyNodes
		if c.about == "inline tags" || c.about == "lines that are wrapped" {
			want = page.None
		}
		if len(p.Blocks) != c.blocks || p.Cut != want {
			t.Errorf("%s: %d blocks, cut %q, want %d, %q", c.about, len(p.Blocks), p.Cut, c.blocks, want)
		}
	}
}
