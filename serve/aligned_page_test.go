package serve

import (
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/corpus"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// TestPageAligned: a corpus with an aligned one shows translations below hits, and a list of candidates
// that link to the hits with this translation.
func TestPageAligned(t *testing.T) {
	dir := t.TempDir()
	dirs := map[string]string{"en": filepath.Join(dir, "en"), "de": filepath.Join(dir, "de")}
	german := strings.NewReplacer("finch", "Fink", "water", "Wasser").Replace(vertical())
	for name, text := range map[string]string{"en": vertical(), "de": german} {
		must.Succeed(t, must.Err(corpus.Build(t.Context(), strings.NewReader(text), dirs[name], corpus.DefaultBuild)))
	}
	s := start(t, Config{Corpora: dirs})
	open := func(view string, parts ...string) {
		t.Helper()
		doc := testkit.Visit(t, s.URL+"/#corpus/en/"+view, 1300)
		text := textOf(classed(doc, "div", "out")...)
		for _, a := range append(classed(doc, "nav", "tabs"), classed(doc, "details", "how")...) {
			text += textOf(a)
		}
		for n := range doc.Descendants() {
			text += attribute(n, "href") + "\n"
		}
		for _, p := range parts {
			absent := strings.TrimPrefix(p, "!")
			if strings.Contains(text, absent) == (absent != p) {
				t.Errorf("%s: %q in %q", view, p, text)
			}
		}
	}
	open("hits?patt=finch", "!Translation")
	var of [2]*corpus.Corpus
	for i, name := range []string{"en", "de"} {
		c := must.Get(corpus.Open(dirs[name]))(t)
		defer c.Close()
		of[i] = c
	}
	must.Succeed(t, must.Err(corpus.Align(t.Context(), of[0], of[1], corpus.AlignConfig{})))
	open("hits?patt=finch", "Translations", "Translation", "!Fink")
	open("hits?patt=finch&aligned=de", "The Fink drinks Wasser")
	open("translations?patt=finch", "Fink", "patt=%22finch%22%25c+within+de%3A+%5Bword%3D%3D%22Fink%22%5D", "30 segments with the query")
}
