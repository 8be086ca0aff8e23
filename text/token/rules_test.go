package token

import "testing"

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
			t.Errorf("%s: %v", lang, n)
		}
	}
	for tag, want := range map[string]string{"": "common", "und": "common", "xx": "common", "de-AT": "de", "pt_BR": "pt", "no": "nb", "ZH-hant": "common", "bs": "hr"} {
		if got := For(tag).Lang(); got != want {
			t.Errorf("For(%q) has rules %q, want %q", tag, got, want)
		}
	}
}
