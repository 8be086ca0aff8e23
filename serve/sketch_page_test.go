package serve

import (
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/corpus"
	"chaffinch/corpus/sketch"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// TestPageSketch: the views of word sketches show collocates with their concordance, differences and
// similar words. They appear for corpora with sketches.
func TestPageSketch(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "finches")
	must.Succeed(t, must.Err(corpus.Build(t.Context(), strings.NewReader(vertical()), dir, corpus.DefaultBuild)))
	s := start(t, Config{Corpora: map[string]string{"finches": dir}})
	open := func(view string, parts ...string) {
		t.Helper()
		doc := testkit.Visit(t, s.URL+"/#corpus/finches/"+view, 1300)
		text := textOf(classed(doc, "div", "out")...)
		links := ""
		for _, a := range classed(doc, "nav", "tabs") {
			text += textOf(a)
		}
		for n := range doc.Descendants() {
			links += attribute(n, "href") + "\n"
		}
		for _, p := range parts {
			absent := strings.TrimPrefix(p, "!")
			if strings.Contains(text+links, absent) == (absent != p) {
				t.Errorf("%s: %q in %q", view, p, text)
			}
		}
	}
	open("words", "Keywords", "!Word sketch", "!Thesaurus")
	grammar := filepath.Join(t.TempDir(), "grammar")
	must.Write(t, grammar, "*DUAL\n=words after \"%w\"/words before \"%w\"\n*UNIMAP next/before\n1:[] 2:[]\n*UNARY\n=at the end\n1:[] </s>\n")
	_, _, err := sketch.Update(t.Context(), dir, grammar, sketch.DefaultBuild)
	must.Succeed(t, err)
	open("words", "Word sketch", "Thesaurus")
	open("sketch", "Enter a word in the settings")
	open("sketch?word=finch", "finch: 30 tokens", `words after "finch"`, "drinks", "14.00", "patt=%5Bws%28%22finch%22%2C+%22words+after+%5C%22finch%5C%22%22%2C+%22drinks%22%29%5D")
	open("sketch?word=finch&second=water", "finch and water: 30 and 30 tokens", `words after "finch/water"`)
	open("sketch?word=gull", "no word sketch of")
	open("thesaurus?word=no1&min_freq=1", "no1: 8 tokens", "no2", "second=no2")
}
