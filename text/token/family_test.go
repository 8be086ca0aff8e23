package token

import (
	"strings"
	"sync"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestFamily: the rules of each language, and after them the rules of the family.
func TestFamily(t *testing.T) {
	f := must.Get(NewFamily(Config{Rules: "[split]\nchaf|bird\n", RulesName: "own"}))(t)
	words := func(k *Tokenizer, text string) string {
		var out []string
		for _, s := range k.Words(text, nil) {
			out = append(out, text[s.Start:s.End])
		}
		return strings.Join(out, " ")
	}
	for _, c := range []struct{ lang, text, family, alone string }{
		{"en", "don't chafbird", "do n't chaf bird", "do n't chafbird"},
		{"fr-CA", "l'eau chafbird", "l' eau chaf bird", "l' eau chafbird"},
		{"und", "l'eau chafbird", "l'eau chaf bird", "l'eau chafbird"},
	} {
		if got := words(f.For(c.lang), c.text); got != c.family {
			t.Errorf("%s: %q, want %q", c.lang, got, c.family)
		}
		if got := words((*Family)(nil).For(c.lang), c.text); got != c.alone {
			t.Errorf("%s without rules: %q, want %q", c.lang, got, c.alone)
		}
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if f.For("de") != f.For("de-AT") {
				t.Error("two tokenizers of one language")
			}
		})
	}
	wg.Wait()
	if _, err := NewFamily(Config{Rules: "[lists]\n", RulesName: "own"}); err == nil || !strings.Contains(err.Error(), "own:1: unknown list") {
		t.Error(err)
	}
}
