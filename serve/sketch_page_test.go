package serve

import (
	"fmt"
	"net/url"
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
	open := viewer(t, dir)
	open("words", "Keywords", "!Word sketch", "!Thesaurus")
	grammar := must.File(t, "grammar", "*DUAL\n=words after \"%w\"/words before \"%w\"\n*UNIMAP next/before\n1:[] 2:[]\n*UNARY\n=at the end\n1:[] </s>\n")
	_, _, err := sketch.Update(t.Context(), dir, grammar, sketch.DefaultBuild)
	must.Succeed(t, err)
	open("words", "Word sketch", "Thesaurus")
	open("sketch", "Enter a word in the settings")
	open("hits?patt=finch", "sketch?patt=finch&word=finch", "profile?patt=finch&word=finch")
	open("hits?patt="+url.QueryEscape(`[lemma="finch"]`), "sketch?patt=%5Blemma%3D%22finch%22%5D&word=finch")
	open("hits?patt="+url.QueryEscape("finch drinks"), "!&word=")
	open("hits?patt="+url.QueryEscape("fin*"), "!&word=")
	open("sketch?word=finch&patt=gull", "profile?patt=gull&word=finch", "thesaurus?patt=gull&word=finch")
	open("sketch?word=finch", "finch: 30 tokens", `words after "finch"`, "drinks", "14.00", "patt=%5Bws%28%22finch%22%2C+%22words+after+%5C%22finch%5C%22%22%2C+%22drinks%22%29%5D")
	open("sketch?word=finch&second=water", "finch and water: 30 and 30 tokens", `words after "finch/water"`)
	open("sketch?word=gull", "no word sketch of")
	open("sketch?word=finch&filter="+url.QueryEscape(`doc.year="2001"`), "finch: 6 tokens")
	open("thesaurus?word=no1&min_freq=1", "no1: 8 tokens", "no2", "second=no2")
	open("profile?word=finch", "finch: 30 tokens", "30 documents", "Word forms", "By time", "doc.year%3D%3D%222001%22", "documents have none of the attributes register", "drinks", "Nothing found", "Full view", "!Loading")
}

// viewer returns a function that opens a view of a corpus and checks that its text or links contain
// parts, or lack a part after !.
func viewer(t *testing.T, dir string) func(view string, parts ...string) {
	s := start(t, Config{Corpora: map[string]string{"finches": dir}})
	return func(view string, parts ...string) {
		t.Helper()
		doc := testkit.Visit(t, s.URL+"/#corpus/finches/"+view, 1300)
		text := textOf(classed(doc, "div", "out")...)
		links := ""
		for _, a := range classed(doc, "nav", "tabs") {
			text += textOf(a)
		}
		for n := range doc.Descendants() {
			links += attribute(n, "href") + "\n" + attribute(n, "aria-label") + "\n"
		}
		for _, p := range parts {
			absent := strings.TrimPrefix(p, "!")
			if strings.Contains(text+links, absent) == (absent != p) {
				t.Errorf("%s: %q in %q", view, p, text)
			}
		}
	}
}

// TestPageTrends: the views of trends and terms show their rows, charts and references. A corpus
// without parts of speech or times lacks them.
func TestPageTrends(t *testing.T) {
	dir, cfg := filepath.Join(t.TempDir(), "finches"), corpus.DefaultBuild
	cfg.Columns = []string{"word", "pos"}
	var text strings.Builder
	for i := range 40 {
		fmt.Fprintf(&text, "<doc year=\"%d\" kind=\"%c\">\n<s>\nsmall\tADJ\nfinch\tNOUN\ndrinks\tVERB\n%s</s>\n</doc>\n", 2000+i%10, 'a'+i%2, strings.Repeat("gull\tNOUN\n", i%10))
	}
	must.Succeed(t, must.Err(corpus.Build(t.Context(), strings.NewReader(text.String()), dir, cfg)))
	open := viewer(t, dir)
	open("trends", "Trends", "4 words tested in 10 epochs of doc.year", "Rising words", "Falling words", "gull, 2009: 750,000 per million, 36 hits", "group=doc.year", "!Loading")
	open("terms", "No reference", "finch", "small finch", "patt=%5Bword%3D%3D%22small%22%5D+%5Bword%3D%3D%22finch%22%5D")
	open("terms?filter="+url.QueryEscape(`doc.kind="a"`), "terms in ", "of the rest of this corpus", "!No reference")
	open("hits?sort=good&patt=gull", "hits", "small finch drinks")
	plain := filepath.Join(t.TempDir(), "plain")
	must.Succeed(t, must.Err(corpus.Build(t.Context(), strings.NewReader("<doc>\nfinch\n</doc>\n"), plain, corpus.DefaultBuild)))
	viewer(t, plain)("words", "!Trends", "!Terms", "Word profile")
}
