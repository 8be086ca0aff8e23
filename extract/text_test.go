package extract

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestPlainRun compares plainRun, spaceRun and isPlain with loops over the bytes.
func TestPlainRun(t *testing.T) {
	slow := func(src string, i, to int) int {
		j := i
		for j < to && class[src[j]] == plain {
			for j++; j < to && class[src[j]] == plain; {
				j++
			}
			if j+1 >= to || src[j] != ' ' || class[src[j+1]] != plain {
				break
			}
			j++
		}
		return j
	}
	pieces := []string{"a", "word", "longer words and more", " ", "  ", "\n", "&", "é", "ж", "слово", "’", "\u00a0", "漢", "\x7f", "~", "<", "\x01", "Ā", "\U0001F600", "\n\t\t\t\t", "          ", "\v\f\r"}
	rng := rand.New(rand.NewPCG(5, 6))
	for range 20000 {
		src := ""
		for range 1 + rng.IntN(9) {
			src += pieces[rng.IntN(len(pieces))]
		}
		to := len(src) - rng.IntN(min(len(src), 9))
		if got, want := isPlain(src), strings.IndexFunc(src, func(r rune) bool { return r >= utf8.RuneSelf || class[r] != plain }) < 0; got != want {
			t.Fatalf("%q is plain: %v, want %v", src, got, want)
		}
		for i := range to {
			if class[src[i]] == space {
				want := i
				for want < to && class[src[want]] == space {
					want++
				}
				if got := spaceRun(src, i, to); got != want {
					t.Fatalf("%q from %d to %d: space up to %d, want %d", src, i, to, got, want)
				}
			}
			if class[src[i]] != plain {
				continue
			}
			if got, want := plainRun(src, i, to), slow(src, i, to); got != want {
				t.Fatalf("%q from %d to %d: %d, want %d", src, i, to, got, want)
			}
		}
	}
}

// TestCollapse compares collapse with one that adds each character alone.
func TestCollapse(t *testing.T) {
	slow := func(s string, attribute bool) string {
		var b strings.Builder
		blank := false
		put := func(r rune) {
			switch classOf(r) {
			case space:
				blank = b.Len() > 0
			case plain:
				if blank {
					b.WriteByte(' ')
					blank = false
				}
				b.WriteRune(r)
			}
		}
		for i := 0; i < len(s); {
			if s[i] == '&' {
				if val, n := decodeRef(s[i:]); n > 0 && (!attribute || s[i+n-1] == ';') {
					for _, r := range val {
						put(r)
					}
					i += n
					continue
				}
			}
			r, n := utf8.DecodeRuneInString(s[i:])
			put(r)
			i += n
		}
		return b.String()
	}
	pieces := []string{"a", "words of text", " ", "  ", "\n", "&", "&amp;", "&nbsp;", "&#x23", "&nGt;", "é", "漢", "\u00a0", "\u200b", "\ufffd", "\x80", "\xe2\x82", "\x01", "\x7f"}
	rng := rand.New(rand.NewPCG(7, 8))
	for i := range 20000 {
		src := ""
		for range rng.IntN(7) {
			src += pieces[rng.IntN(len(pieces))]
		}
		if got, want := collapse(src, i%2 == 0), slow(src, i%2 == 0); got != want {
			t.Fatalf("%q: %q, want %q", src, got, want)
		}
	}
}
