package langid

import (
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// Tags and English names are languages; other words get a hint.
func TestParseTag(t *testing.T) {
	for s, want := range map[string]string{"en": "en", "pt-BR": "pt-BR", "English": "en", " scottish  Gaelic ": "gd", "und": "und", "zxx": "zxx", "en_US": "en_US", "de-QQ": "de-QQ"} {
		if got, err := ParseTag(s); got != want || err != nil {
			t.Errorf("%q: %q, %v; want %q", s, got, err, want)
		}
	}
	for s, want := range map[string]string{"germn": "did you mean German (de)?", "qwxzqwxz": "an English name", "!": "wanted a tag", "": "wanted a tag", "xx": `"xx" is not a language`, "zz-Latn": "is not a language"} {
		if got, err := ParseTag(s); got != "" || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q, %v; want %s", s, got, err, want)
		}
	}
}

func TestCanonical(t *testing.T) {
	for stated, want := range map[string]string{
		"de": "de", "DE": "de", "deu": "de", "ger": "de", "german": "de", "German ": "de", "de-AT": "de-AT", "de_at": "de-AT", "zh_hant": "zh-Hant", "no": "no", "tl": "tl",
		"und": "und", "zxx": "zxx", "x-klingon": "x-klingon", "qqq-Latn": "qqq-Latn", "Deutsch": "de", "français": "fr", "Deutschland": "", "en, de": "", "N/A": "", "": "",
	} {
		if got := Canonical(stated); got != want {
			t.Errorf("%q is %q, want %q", stated, got, want)
		}
	}
}

// TestNames wants each language of the model to have a name, each name to be accepted as a language, and
// codes not to be names of other languages.
func TestNames(t *testing.T) {
	d := must.Get(New(Default))(t)
	for _, l := range d.Langs() {
		if name := Name(l); name == "" {
			t.Errorf("%s has the name %q", l, name)
		}
	}
	all := names()
	if len(all.byTag) < 1500 || len(all.tags) < len(all.byTag) {
		t.Errorf("%d languages, %d names", len(all.byTag), len(all.tags))
	}
	for name, tag := range all.tags {
		if w, err := ParseWanted(" " + name + ":.9"); err != nil || w.Lang != tag || w.MinConfidence != .9 {
			t.Errorf("%s: %+v, %v, want %s", name, w, err, tag)
		}
		if _, err := ParseTag(tag); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for given, want := range map[string]string{"English": "en", " scottish  gaelic ": "gd", "pt-BR": "pt-BR", "x": "x", "": "", "dan": "dan", "en": "en", "Lao": "lo", "Nepali": "ne", "Bokmål": "nb", "maori": "mi"} {
		if got := Tag(given); got != want {
			t.Errorf("%q is %q, want %q", given, got, want)
		}
	}
	for tag, want := range map[string]string{"nn": "Nynorsk (nn)", "sr-Latn": "Serbian, Latin (sr-Latn)", "pt-BR": "Portuguese, Brazil (pt-BR)", "zh-Hans": "Simplified Chinese (zh-Hans)",
		"und": "undetermined (und)", "zxx": "no language (zxx)", "cnr": "Montenegrin (cnr)", "qqq": "qqq", "": ""} {
		if got := Label(tag); got != want {
			t.Errorf("label %q, want %q", got, want)
		}
	}
}
