package langid

import (
	"strings"
	"testing"
)

// Tags and English names are languages; other words get a hint.
func TestParseTag(t *testing.T) {
	for s, want := range map[string]string{"en": "en", "pt-BR": "pt-BR", "English": "en", " scottish  Gaelic ": "gd", "xx": "xx"} {
		if got, err := ParseTag(s); got != want || err != nil {
			t.Errorf("%q: %q, %v; want %q", s, got, err, want)
		}
	}
	for s, want := range map[string]string{"germn": "did you mean german (de)?", "qwxzqwxz": "an English name", "!": "wanted a tag", "": "wanted a tag"} {
		if got, err := ParseTag(s); got != "" || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q, %v; want %s", s, got, err, want)
		}
	}
}
