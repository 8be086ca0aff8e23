package token_test

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"

	"chaffinch/internal/testkit/must"
	"chaffinch/text/token"
)

// FuzzRules reads any bytes as a rule file: an error, or a tokenizer that keeps
// its contract.
func FuzzRules(f *testing.F) {
	for _, s := range []string{
		"", "# only a comment\n[settings]\ndecimal ,\nordinal joined\ncolon yes\ncapitals yes\nends ;\n", "[title]\ndr. --prof\n[split]\ncan|not --gon|na\n",
		"[word]\nc++ 'tis o'clock\n[enclitic]\n's -li n't\n[proclitic]\nl'\n[unit]\nkm\n[number]\nno\n[ordinal]\nmai\n[starter]\nthe\n",
		"[settings]\ndecimal\n", "[split]\n|a\n", "[x]\n", "a\n", "[title]\n\xff\xfe \u0130 --\n",
	} {
		f.Add(s, "It's Dr. L'Eau, can't c++ 5km. 3. Mai; EU:n 'tis je-li.")
	}
	f.Fuzz(func(t *testing.T, rules, text string) {
		tok, err := token.New(token.Config{Lang: "en", Rules: rules})
		if err != nil {
			if !strings.HasPrefix(err.Error(), "rules:") {
				t.Errorf("error without a place: %v", err)
			}
			return
		}
		checkText(t, tok, text)
	})
}

// FuzzReadLines reads any bytes as lines of tokens: it ends, with an error or
// with text.
func FuzzReadLines(f *testing.F) {
	for _, s := range []string{"<p>\n<s>\na\n<g/>\n.\n</s>\n</p>\n", "<sp s=\"&#10;&#32;\"/>\n", "<sp s=\"&#x;\"/>", "a\tb\n&lt;\n<p end=\"no\">\n</p>", "\xff\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, lines string) {
		var out bytes.Buffer
		if err := token.ReadLines(&out, strings.NewReader(lines), "lines"); err != nil && !strings.HasPrefix(err.Error(), "lines:") {
			t.Errorf("error without a place: %v", err)
		}
		// The tokens can be joined and tokenized again.
		var again, back bytes.Buffer
		must.Succeed(t, token.For("").WriteLines(&again, bytes.NewReader(out.Bytes())))
		if err := token.ReadLines(&back, io.Reader(&again), "again"); err != nil || back.String() != out.String() {
			t.Errorf("%q came back as %q, %v", out.String(), back.String(), err)
		}
	})
}

// FuzzSegments finds the words that the segments of UAX 29 are, one after the other.
func FuzzSegments(f *testing.F) {
	for _, s := range []string{"Don't stop, at 3.5% (now)!", "a_b._c 'd' 1,2;3 e\u0301. \u0301f", "x.\u00adу :\u200dz\r\n a\"b \u05d0\"\u05d1", "a\xff.b \xe2\x80", "日本 語, ไทย"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var want []token.Span
		for it := words.FromString(text); it.Next(); {
			if r, _ := utf8.DecodeRuneInString(it.Value()); unicode.In(r, unicode.L, unicode.N) {
				want = append(want, token.Span{Start: it.Start(), End: it.End()})
			}
		}
		if got := token.Words(text, nil); !slices.Equal(got, want) {
			t.Errorf("%q: words %v, wanted %v", text, got, want)
		}
	})
}
