package charset

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"
)

// encode returns text in the encoding called name.
func encode(t testing.TB, name, text string) []byte {
	t.Helper()
	enc, err := htmlindex.Get(name)
	if err != nil {
		t.Fatalf("no encoding %q", name)
	}
	out, err := enc.NewEncoder().Bytes([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return out
}

func TestDecode(t *testing.T) {
	const meta = `<html><head><meta charset="X"><title>t</title>`
	withMeta := func(label string) string { return strings.Replace(meta, "X", label, 1) }
	for _, c := range []struct {
		about, raw, http string
		name, from, text string
		replaced         int
	}{
		{"byte-order mark before all", "\xEF\xBB\xBFcaf\xC3\xA9", "windows-1252", "utf-8", "bom", "café", 0},
		{"utf-16 with mark", "\xFF\xFE<\x00b\x00>\x00\xE9\x00", "utf-8", "utf-16le", "bom", "<b>é", 0},
		{"utf-16 big-endian with mark", "\xFE\xFF\x00<\x00b\x00>\x00\xE9", "", "utf-16be", "bom", "<b>é", 0},
		{"utf-16 without mark", "<\x00h\x00t\x00m\x00l\x00>\x00\xE9\x00", "", "utf-16le", "detected", "<html>é", 0},
		{"valid utf-8 against a wrong header", "caf\xC3\xA9", "iso-8859-1", "utf-8", "utf-8", "café", 0},
		{"valid utf-8, declared", "caf\xC3\xA9", "UTF8", "utf-8", "http", "café", 0},
		{"header", "caf\xE9 \x80", "latin1", "windows-1252", "http", "café €", 0},
		{"header before meta", withMeta("windows-1251") + "caf\xE9", "iso-8859-2", "iso-8859-2", "http", withMeta("windows-1251") + "café", 0},
		{"meta", withMeta("windows-1251") + "\xEF\xF0\xE8", "", "windows-1251", "meta", withMeta("windows-1251") + "при", 0},
		{"a label that is none", withMeta("windows-1251") + "\xEF\xF0\xE8", "nonsense", "windows-1251", "meta", withMeta("windows-1251") + "при", 0},
		{"utf-16 in a meta tag is a lie", withMeta("utf-16") + "caf\xC3\xA9", "", "utf-8", "meta", withMeta("utf-16") + "café", 0},
		{"ascii takes the declared name", "plain", "Shift_JIS", "shift_jis", "http", "plain", 0},
		{"gb2312 means gb18030", "\xD6\xD0\xCE\xC4", "gb2312", "gb18030", "http", "中文", 0},
		{"one broken character among many", strings.Repeat("é", 40) + "\xE9 x", "windows-1252", "utf-8", "utf-8", strings.Repeat("é", 40) + "\uFFFD x", 1},
		{"broken behind the first megabyte", strings.Repeat("a", 1<<20-1) + "\u00e9 \xE9", "", "utf-8", "utf-8", strings.Repeat("a", 1<<20-1) + "\u00e9 \uFFFD", 1},
		{"iso-2022-jp undeclared", "\x1B$B$3$s\x1B(B", "", "iso-2022-jp", "detected", "こん", 0},
		{"iso-2022-jp declared", "\x1B$B$3$s\x1B(B", "iso-2022-jp", "iso-2022-jp", "http", "こん", 0},
		{"hz declared", "~{VPND~}", "HZ-GB-2312", "hz-gb-2312", "http", "中文", 0},
		{"a brace that is no escape", "a ~{ b", "utf-8", "utf-8", "http", "a ~{ b", 0},
		{"a header that the bytes contradict", "\x83\x65\x83\x58\x83\x67" + strings.Repeat("\x82\xA0", 20), "utf-8", "shift_jis", "detected", "テスト" + strings.Repeat("あ", 20), 0},
		{"a declared name that the bytes are not", strings.Repeat("caf\xE9 \x96 na\xEFve ", 10), "euc-jp", "windows-1252", "detected", strings.Repeat("café – naïve ", 10), 0},
		{"utf-32 with mark", "\xFF\xFE\x00\x00h\x00\x00\x00\xE9\x00\x00\x00", "", "utf-32le", "bom", "hé", 0},
		{"iso-2022-kr undeclared", "\x1B$)C\n\x0EGQ1[\x0F x", "", "iso-2022-kr", "detected", "\n한글 x", 0},
		{"empty", "", "", "utf-8", "utf-8", "", 0},
	} {
		got := Decode([]byte(c.raw), c.http)
		if got.Name != c.name || got.From != c.from || got.Text != c.text || got.Replaced != c.replaced {
			t.Errorf("%s:\n got %+v\nwant %s by %s, %d replaced: %q", c.about, got, c.name, c.from, c.replaced, c.text)
		}
		if (got.FirstReplaced >= 0) != (got.Replaced > 0) {
			t.Errorf("%s: %d replaced, the first at %d", c.about, got.Replaced, got.FirstReplaced)
		}
	}
}

// TestWrongLabels gives a Russian page every label there is.
func TestWrongLabels(t *testing.T) {
	page := encode(t, "windows-1251", strings.Repeat("<p>Привет, мир: это обычный русский текст на странице.</p>\n", 20))
	for _, label := range []string{"utf-8", "utf-16", "shift_jis", "euc-jp", "iso-2022-jp", "big5", "euc-kr", "gbk", "gb18030",
		"iso-2022-kr", "hz-gb-2312", "replacement", "x-user-defined", "", "\x00", strings.Repeat("x", 1000)} {
		r := Decode(page, label)
		if !utf8.ValidString(r.Text) {
			t.Errorf("label %q: text is not valid UTF-8", label)
		}
		if _, err := htmlindex.Get(r.Name); err != nil && codecOf[r.Name] == nil {
			t.Errorf("label %q: name %q is unknown", label, r.Name)
		}
		if label == "utf-8" || label == "" {
			if r.Name != "windows-1251" || !strings.Contains(r.Text, "Привет") {
				t.Errorf("label %q: read as %s: %.40q", label, r.Name, r.Text)
			}
		}
	}
}

func TestDeclared(t *testing.T) {
	for _, c := range [...]struct{ head, want string }{
		{`<meta charset=utf-8>`, "utf-8"},
		{`<META http-equiv="Content-Type" CONTENT="text/html; Charset=ISO-8859-1">`, "windows-1252"},
		{`<meta charset=bogus><meta charset="koi8-r">`, "koi8-r"},
		{`<?xml version="1.0" encoding="bogus"?><meta charset="koi8-r">`, "koi8-r"},
		{`<p title="<meta charset=big5>"><meta charset="koi8-r">`, "koi8-r"},
		{`<meta content="text/html; charset=big5"><meta content="text/html; charset=koi8-r" http-equiv=content-type>`, "koi8-r"},
		{`<meta name="Content-Type" content="text/html; charset=koi8-r">`, "koi8-r"},
		{`<meta charset=koi8-r`, ""},
		{`<!-->` + `<meta charset=koi8-r>` + `-->`, "koi8-r"},
		{`<!-- never closed <meta charset=koi8-r>`, "koi8-r"},
		{`<meta name=x content=y><meta charset = 'big5' >`, "big5"},
		{`<!-- <meta charset="koi8-r"> --><meta charset="euc-kr"/>`, "euc-kr"},
		{`<?xml version="1.0" encoding="windows-1250"?><html>`, "windows-1250"},
		{`<metadata charset=x>`, ""},
		{`<meta charset`, ""},
		{`<meta charset="">`, ""},
		{strings.Repeat("<p>x</p>", 2000) + `<meta charset="utf-8">`, "utf-8"},
	} {
		if got := declared([]byte(c.head)); got != c.want {
			t.Errorf("declared(%.60q) = %q, want %q", c.head, got, c.want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{"", "caf\xE9", "\xFF\xFEa\x00", "\x1B$B$3", "<meta charset=euc-kr>\xB0\xA1", "~{VPND~}", "\xD6\xD0\x80",
		"\x84\x31\xA4\x37", "a\x00b\x00c\x00", "\xEF\xBB\xBF\xFF"} {
		f.Add([]byte(s), "")
		f.Add([]byte(s), "gb2312")
		f.Add([]byte(s), "iso-2022-jp")
	}
	f.Fuzz(func(t *testing.T, raw []byte, label string) {
		r := Decode(raw, label)
		if !utf8.ValidString(r.Text) {
			t.Fatalf("text is not valid UTF-8: %q", r.Text)
		}
		if n := strings.Count(r.Text, "\uFFFD"); r.Replaced < 0 || r.Replaced > n {
			t.Fatalf("replaced %d of %d", r.Replaced, n)
		}
		if r.Name == "" || r.From == "" {
			t.Fatalf("no name or source: %+v", r)
		}
		if r != Decode(raw, label) {
			t.Fatal("a second reading differs")
		}
	})
}
