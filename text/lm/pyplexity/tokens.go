package pyplexity

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// appendTokens appends the tokens of a sentence to dst, separated by one blank. The rules are
// PyPlexity's:
//
//   - A to Z and thirteen capitals of Portuguese and Spanish (ÁÉÍÓÚÇÃÕÂÊÔÀÈ)
//     become lower case; other capitals do not;
//   - a blank is inserted before , ; : and on both sides of
//     ( ) " < > = ' ` ? ¿ ! ¡;
//   - a full stop followed by a blank becomes a token, and the letters, digits
//     and underscores right after that blank are deleted, so that the first
//     word of a second sentence is lost;
//   - a full stop at the end becomes a token;
//   - tokens are separated by white space, including the separators U+001C to
//     U+001F.
//
// Bytes that are not valid UTF-8 are dropped.
func appendTokens(dst []byte, sentence string) []byte {
	if !utf8.ValidString(sentence) {
		sentence = strings.ToValidUTF8(sentence, "")
	}
	base := len(dst)
	blank := func() {
		if len(dst) > base && dst[len(dst)-1] != ' ' {
			dst = append(dst, ' ')
		}
	}
	for i := 0; i < len(sentence); {
		c := sentence[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(sentence[i:])
			i += n
			switch {
			case r == '¿' || r == '¡':
				blank()
				dst = append(utf8.AppendRune(dst, r), ' ')
			case unicode.IsSpace(r):
				blank()
			default:
				dst = utf8.AppendRune(dst, foldAccent(r))
			}
			continue
		}
		i++
		switch class[c] {
		case plain:
			dst = append(dst, c)
		case capital:
			dst = append(dst, c+'a'-'A')
		case white:
			blank()
		case before:
			blank()
			dst = append(dst, c)
		case around:
			blank()
			dst = append(dst, c, ' ')
		case stop:
			rest := sentence[i:]
			switch {
			case rest == "" || rest == "\n":
				blank()
				dst = append(dst, '.')
			case rest[0] == ' ':
				blank()
				dst = append(dst, '.', ' ')
				i += 1 + wordLen(rest[1:])
			case class[rest[0]&0x7f] == before && rest[0] < utf8.RuneSelf:
				blank() // the rule sees the blank before the comma
				dst = append(dst, '.', ' ')
			default:
				dst = append(dst, '.')
			}
		}
	}
	if len(dst) > base && dst[len(dst)-1] == ' ' {
		dst = dst[:len(dst)-1]
	}
	return dst
}

// wordLen returns the length in bytes of the letters, digits and underscores
// at the start of s.
func wordLen(s string) int {
	n := 0
	for n < len(s) {
		r, size := utf8.DecodeRuneInString(s[n:])
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsNumber(r) {
			break
		}
		n += size
	}
	return n
}

// The classes of the ASCII characters.
const (
	plain = iota
	capital
	white
	before // , ; :
	around // ( ) " < > = ' ` ? !
	stop
)

var class = func() (t [128]byte) {
	for c := 'A'; c <= 'Z'; c++ {
		t[c] = capital
	}
	for _, c := range "\t\n\v\f\r\x1c\x1d\x1e\x1f " {
		t[c] = white
	}
	for _, c := range ",;:" {
		t[c] = before
	}
	for _, c := range "()\"<>='`?!" {
		t[c] = around
	}
	t['.'] = stop
	return t
}()

// foldAccent returns the lower case of the thirteen capitals that PyPlexity folds in addition
// to A to Z.
func foldAccent(r rune) rune {
	switch r {
	case 'Á', 'É', 'Í', 'Ó', 'Ú', 'Ç', 'Ã', 'Õ', 'Â', 'Ê', 'Ô', 'À', 'È':
		return r + 'á' - 'Á'
	}
	return r
}
