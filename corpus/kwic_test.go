package corpus

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"chaffinch/internal/testkit/must"
	"chaffinch/internal/testkit/property"
)

// kwicText is the concordance of X as text.
func kwicText(t interface {
	rapid.TB
	Context() context.Context
}, c *Corpus, cfg ConcordanceConfig) []string {
	t.Helper()
	q := must.Get(c.Query(t.Context(), `".*X.*"`))(t)
	k := must.Get(q.Concordance(t.Context(), cfg))(t)
	var b strings.Builder
	must.Succeed(t, k.Write(t.Context(), &b, "text"))
	return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
}

// TestKWICAligned: matches begin at one column for all characters in references and text (wide
// ones, marks, right-to-left text) and for all units of the context.
func TestKWICAligned(t *testing.T) {
	words := []string{"a", "word", "漢字", "ｶﾅ", "e\u0301", "हिन्दी", "שלום", "שָׁלוֹם", "مرحبا", "\u1112\u1161\u11ab", "\u202eevil", "\u2067x", "🙂", "co\u00adop", "\u200f", "1"}
	property.Check(t, func(t *rapid.T) {
		var b strings.Builder
		word := rapid.SampledFrom(words)
		many := rapid.SliceOfN(word, 0, 30)
		for range rapid.IntRange(1, 5).Draw(t, "documents") {
			fmt.Fprintf(&b, "<doc url=\"%s\" n=\"%s\">\n", strings.Join(many.Draw(t, "url"), ""), word.Draw(t, "n"))
			for _, w := range append(append(many.Draw(t, "left"), "X"+word.Draw(t, "match")), many.Draw(t, "right")...) {
				b.WriteString(w + "\n")
			}
			b.WriteString("</doc>\n")
		}
		c := buildTemp(t, b.String(), DefaultBuild)
		defer c.Close()
		cfg := ConcordanceConfig{View: KWIC, Context: rapid.IntRange(0, 30).Draw(t, "context"), Tokens: rapid.Bool().Draw(t, "tokens"), Refs: []string{"doc.url", "doc.n", "doc"}}
		column := -1
		for _, l := range kwicText(t, c, cfg) {
			at := width(l[:strings.IndexByte(l, '<')])
			if column < 0 {
				column = at
			}
			if at != column {
				t.Fatalf("match at column %d, the first one at %d: %q", at, column, l)
			}
			if open, shut := strings.Count(l, isolate), strings.Count(l, isolateEnd); open != shut || strings.ContainsAny(l, "\u202e\u2067") {
				t.Fatalf("%d isolates begin, %d end: %q", open, shut, l)
			}
		}
	})
}

func TestKWICText(t *testing.T) {
	c := build(t, "<doc url=\"https://www.example.org/a/long/path/to/some/page-17.html\">\nthe\nX\nruns\n</doc>\n<doc url=\"b\">\nשלום\nX\n</doc>\n<doc url=\"c\">\na\nשלוםX\nb\n</doc>\n", "word")
	cfg := ConcordanceConfig{View: KWIC, Context: 6, Refs: []string{"doc.url"}}
	want := []string{
		"https://www.example.org/a/…/page-17.html    the <X> runs",
		"\u200e\u2068b\u2069" + strings.Repeat(" ", 39) + "   \u2068שלום \u2069<\u2068X\u2069>\u2068\u2069",
		"\u200f\u2068c\u2069" + strings.Repeat(" ", 39) + "      \u2068a \u2069<\u2068שלוםX\u2069>\u2068 b\u2069",
	}
	for i, l := range kwicText(t, c, cfg) {
		if l != want[i] {
			t.Errorf("got\n%q\nwant\n%q", l, want[i])
		}
	}
	cfg.Color, cfg.Refs = true, []string{"doc"}
	if l := kwicText(t, c, cfg)[0]; l != "\x1b[2m1\x1b[0m    the \x1b[1;31mX\x1b[0m runs" {
		t.Errorf("%q", l)
	}
}
