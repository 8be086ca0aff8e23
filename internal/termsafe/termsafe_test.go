package termsafe

import (
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
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
		must.Equal(t, Quote(in), want, in)
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
	must.Equal(t, Field("a\nb\tc\r\x1b[1m.txt"), `a\nb\tc\r`+"\x1b[1m.txt", "field")
	must.Equal(t, Line("a\r\nb\x1b\n"), `a | b\x1b`, "line")
}
