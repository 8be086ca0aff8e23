package charset

import (
	"bufio"
	"encoding/hex"
	"os"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestReference reads what the codecs of Python 3.11 and iconv of glibc 2.36
// wrote (reference.py).
func TestReference(t *testing.T) {
	f := must.Get(os.Open("testdata/reference.tsv"))(t)
	defer f.Close()
	seen := map[string]bool{}
	for in := bufio.NewScanner(f); in.Scan(); {
		col := strings.Split(in.Text(), "\t")
		raw, err := hex.DecodeString(col[1])
		if err != nil || len(col) != 3 {
			t.Fatalf("%q: %v", in.Text(), err)
		}
		r, ok := DecodeAs(raw, col[0])
		if !ok {
			t.Fatalf("no encoding %q", col[0])
		}
		seen[r.Name] = true
		if r.Text != col[2] || r.Replaced != 0 || r.FirstReplaced != -1 {
			t.Errorf("%s: %q, %d replaced, want %q", col[0], r.Text, r.Replaced, col[2])
		}
	}
	for _, name := range Encodings() {
		if !seen[name] && name != "utf-8" {
			t.Errorf("%s is in no line of the reference", name)
		}
	}
}

func TestBroken(t *testing.T) {
	for _, c := range []struct {
		name, raw, text string
		replaced, first int
	}{
		{"shift_jis", "a\x82\xA0\x82", "aあ\uFFFD", 1, 3},
		{"shift_jis", "\xFFa", "\uFFFDa", 1, 0},
		{"euc-jp", "\xA4\xA2\xA4a", "あ\uFFFDa", 1, 2},
		{"gb18030", "\xD6\xD0\x81\x30\x81\x30\xD6", "中\u0080\uFFFD", 1, 6},
		{"johab", "\x84\x41x", "\uFFFDAx", 1, 0},
		{"iso-2022-kr", "\x1B$)C\n\x0EGQ1", "\n한\uFFFD", 1, 4},
		{"utf-16le", "a\x00\x00\xD8b\x00\x01", "a\uFFFDb\uFFFD", 2, 2},
		{"utf-16be", "\xFF\xFD\x00a", "\uFFFDa", 0, -1},
		{"utf-32le", "a\x00\x00\x00\xFF\xFF\xFF\xFF", "a\uFFFD", 1, 4},
		{"utf-8", "é\xC3 \xA9", "é\uFFFD \uFFFD", 2, 2},
		{"cp857", "a\x8Db\xE7", "aıb\uFFFD", 1, 3},
	} {
		r, ok := DecodeAs([]byte(c.raw), c.name)
		if !ok || r.Text != c.text || r.Replaced != c.replaced || c.name != "iso-2022-kr" && r.FirstReplaced != c.first {
			t.Errorf("%s %q: %q, %d replaced, the first at %d; want %q, %d, %d", c.name, c.raw, r.Text, r.Replaced, r.FirstReplaced, c.text, c.replaced, c.first)
		}
	}
}

func TestName(t *testing.T) {
	for label, want := range map[string]string{
		"latin1": "windows-1252", "ISO-8859-1": "windows-1252", "iso8859_15": "iso-8859-15", "cp1252": "windows-1252", "CP932": "shift_jis", "gb2312": "gb18030",
		"GBK": "gb18030", "mac_roman": "macintosh", "MacCyrillic": "x-mac-cyrillic", "maccentraleurope": "mac-latin2", "ibm852": "cp852", "IBM866": "ibm866",
		"TIS-620": "windows-874", "UHC": "euc-kr", "utf_16_be": "utf-16be", "UTF-16": "utf-16le", "utf-8-sig": "utf-8", "hz": "hz-gb-2312", "cp037": "cp037", "IBM037": "cp037", "ebcdic-cp-he": "cp424", "cp038": "", "": "",
	} {
		if got := Name(label); got != want {
			t.Errorf("Name(%q) = %q, want %q", label, got, want)
		}
	}
	for _, name := range Encodings() {
		if Name(name) != name {
			t.Errorf("Name(%q) = %q", name, Name(name))
		}
	}
	if !IsWeb("utf-8") || !IsWeb("big5") || IsWeb("cp852") || IsWeb("none") {
		t.Error("IsWeb is wrong")
	}
}
