package termsafe

import (
	"strings"
	"testing"
)

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"a\tline\n":            "a\tline\n",
		"Füße 汉字 \u00a0\u200d": "Füße 汉字 \u00a0\u200d",
		"\x1b[31mred\r\x07":    `\x1b[31mred\x0d\x07`,
		"\u009b2J\u0085":       `\u009b2J\u0085`,
		"\u202eexe.txt\u2069":  `\u202eexe.txt\u2069`,
		"\xff\xfea\x80":        `\xff\xfea\x80`,
		"\ufffd \x7f":          "\ufffd " + `\x7f`,
	} {
		if got := Quote(in); got != want {
			t.Errorf("%q: %q, wanted %q", in, got, want)
		}
		var b strings.Builder
		if n, err := NewWriter(&b).Write([]byte(in)); n != len(in) || err != nil || b.String() != want {
			t.Errorf("%q: wrote %q", in, b.String())
		}
		b.Reset()
		w := NewWriter(&b)
		for i := range len(in) { // byte by byte
			w.Write([]byte{in[i]})
		}
		if w.Flush(); b.String() != want {
			t.Errorf("%q, byte by byte: wrote %q", in, b.String())
		}
	}
}

func TestField(t *testing.T) {
	if got := Field("a\nb\tc\r\x1b[1m.txt"); got != `a\nb\tc\r`+"\x1b[1m.txt" {
		t.Errorf("field %q", got)
	}
	if got := Line("a\r\nb\x1b\n"); got != `a | b\x1b` {
		t.Errorf("line %q", got)
	}
}
