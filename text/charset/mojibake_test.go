package charset

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// again reads text as a program does that takes its UTF-8 for another encoding.
func again(name, text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		r := codecOf[name].single()[c]
		if r == utf8.RuneError {
			r = rune(c) // as browsers do
		}
		b.WriteRune(r)
	}
	return b.String()
}

func TestRepairMojibake(t *testing.T) {
	french := "L’été dernier, à Évian : « déjà vu », ça va — où ?"
	czech := "Příliš žluťoučký kůň úpěl ďábelské ódy."
	russian := "Съешь же ещё этих мягких французских булок."
	for _, c := range []struct{ about, text, want, through string }{
		{"windows-1252", again("windows-1252", french), french, "windows-1252"},
		{"twice", again("windows-1252", again("windows-1252", french)), french, "windows-1252"},
		{"windows-1251", again("windows-1251", russian), russian, "windows-1251"},
		{"windows-1250", again("windows-1250", czech), czech, "windows-1250"},
		{"macintosh", again("macintosh", french), french, "macintosh"},
		{"one character", "caf" + again("windows-1252", "é") + " noir", "café noir", "windows-1252"},
		{"part of a page", french + " " + again("windows-1252", "à côté de là, où l’été s’étend, près d’ici: é, ü, ö"), french + " à côté de là, où l’été s’étend, près d’ici: é, ü, ö", "windows-1252"},
		{"sound French", french, french, ""},
		{"sound Russian", russian, russian, ""},
		{"sound Czech", czech, czech, ""},
		{"sound capitals", "Ã É Â, SÃO TOMÉ, ÂNGELA", "Ã É Â, SÃO TOMÉ, ÂNGELA", ""},
		{"sound Greek", "Η γρήγορη καφέ αλεπού «πηδά» πάνω από το σκυλί", "Η γρήγορη καφέ αλεπού «πηδά» πάνω από το σκυλί", ""},
		{"sound Japanese", "「日本語」のテキスト。", "「日本語」のテキスト。", ""},
		{"sound Russian, bytes in ibm866", "Там сад, там рак, сам там.", "Там сад, там рак, сам там.", ""},
		{"sound French, bytes in macintosh", "Il n’était pas inspiré.", "Il n’était pas inspiré.", ""},
		{"empty", "", "", ""},
	} {
		got, m := RepairMojibake(c.text)
		if got != c.want || m.Through != c.through {
			t.Errorf("%s: %q through %q, want %q through %q", c.about, got, m.Through, c.want, c.through)
		}
		if (m.Rounds > 0) != (c.through != "") || (m.Sequences > 0) != (c.through != "") {
			t.Errorf("%s: %+v", c.about, m)
		}
	}
}

func FuzzRepairMojibake(f *testing.F) {
	for _, s := range []string{"Ã©", "caf\u00c3\u00a9", "ÐŸÑ€Ð¸Ð²ÐµÑ‚", "é", "Ã", "\xFF", strings.Repeat("Ã¢â‚¬â„¢", 4)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, m := RepairMojibake(s)
		if utf8.ValidString(s) && !utf8.ValidString(got) {
			t.Fatalf("%q became %q", s, got)
		}
		if (m.Rounds == 0) != (m.Through == "") || m.Rounds == 0 && got != s {
			t.Fatalf("%+v: %q became %q", m, s, got)
		}
	})
}
