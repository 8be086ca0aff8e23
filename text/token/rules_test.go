package token

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestRuleFiles reads every rule file, and checks that each language has what
// a splitter of sentences needs.
func TestRuleFiles(t *testing.T) {
	for _, lang := range Languages() {
		r := builtinRules(lang)
		n := map[mean]int{}
		for _, m := range r.words {
			for b := mean(1); b <= unit; b <<= 1 {
				if m&b != 0 {
					n[b]++
				}
			}
		}
		if For(lang).Lang() != lang || n[titleAbbr] < 20 || n[numberAbbr] < 10 || n[commonAbbr] < 20 || n[starter] < 50 {
			if r.ends != 0 && n[starter] == 0 {
				continue // only settings
			}
			t.Errorf("text/token/rules/%s.txt has %d entries of [title], %d of [number], %d of [abbreviation] and %d of [starter]: wanted 20, 10, 20 and 50 at least, or [settings] alone with ends",
				lang, n[titleAbbr], n[numberAbbr], n[commonAbbr], n[starter])
		}
	}
	docs, err := os.ReadFile("../../docs/explanation/token.md")
	if want := fmt.Sprintf("Lists and settings of %d languages", len(Languages())); err != nil || !strings.Contains(string(docs), want) {
		t.Errorf("docs/explanation/token.md does not say %q: correct the number, %v", want, err)
	}
	for tag, want := range map[string]string{"": "common", "und": "common", "xx": "common", "de-AT": "de", "pt_BR": "pt", "no": "nb", "ZH-hant": "common", "bs": "hr", "deu": "de", "SWE-FI": "sv", "nob": "nb", "nno": "nb", "bos": "hr", "oci": "ca", "ltz": "de", "ell": "el", "xyz": "common"} {
		if got := For(tag).Lang(); got != want {
			t.Errorf("For(%q) has rules %q, want %q", tag, got, want)
		}
	}
}
