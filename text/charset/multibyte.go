package charset

import (
	_ "embed"
	"encoding/binary"
	"sync"
	"unicode/utf8"

	"chaffinch/text/charset/alphabet"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/korean"
)

// multi describes an encoding with one byte for an ASCII character and two or more for others.
// Its tables are built on first use.
type multi struct {
	enc   encoding.Encoding           // decodes the pairs, or
	pair  func(lead, trail byte) rune // this function does
	kana  bool                        // single bytes A1 to DF are half-width kana, as in Shift_JIS
	three byte                        // first byte of a sequence of three, 0 for none
	four  bool                        // whether there are sequences of four, as in GB 18030
	plane func(lead, trail byte) rune // decodes the pairs after 8E A2, nil for none

	once  sync.Once
	pairs *[1 << 16]rune // by lead<<8|trail; 0 means no character
	after *[1 << 16]rune // the same after the byte three
	lead  [256]bool      // bytes that begin a pair
}

// tables builds the tables.
func (m *multi) tables() {
	m.once.Do(func() {
		m.pairs = new([1 << 16]rune)
		if m.pair == nil {
			fill(m.pairs, m.enc, nil)
		} else {
			for i := range m.pairs {
				m.pairs[i] = m.pair(byte(i>>8), byte(i))
			}
		}
		for i, r := range m.pairs {
			if r != 0 {
				m.lead[i>>8] = true
			}
		}
		if m.kana { // user-defined characters, which x/text does not support
			for i := range 10 * 188 {
				trail := 0x40 + i%188
				if trail >= 0x7F {
					trail++
				}
				m.pairs[(0xF0+i/188)<<8|trail] = 0xE000 + rune(i)
				m.lead[0xF0+i/188] = true
			}
		}
		if m.three != 0 {
			m.after = new([1 << 16]rune)
			fill(m.after, m.enc, []byte{m.three})
		}
	})
}

// fill decodes every pair after prefix with enc.
func fill(t *[1 << 16]rune, enc encoding.Encoding, prefix []byte) {
	dec := enc.NewDecoder()
	src := append([]byte(nil), prefix...)
	src = append(src, 0, 0)
	n := len(prefix)
	var dst [64]byte
	for i := 0x8000; i < 1<<16; i++ {
		src[n], src[n+1] = byte(i>>8), byte(i)
		dec.Reset()
		size, read, err := dec.Transform(dst[:], src, true)
		if err != nil || read != len(src) {
			continue
		}
		if r, k := utf8.DecodeRune(dst[:size]); k == size && r != utf8.RuneError && r >= utf8.RuneSelf {
			t[i] = r
		}
	}
}

// next returns the first character of b and its length. r is U+FFFD if there is no character.
// As in the Encoding standard, an invalid pair is then skipped, but not an ASCII character. A
// sequence of four bytes is alphabet.RareHan.
func (m *multi) next(b []byte) (r rune, n int) {
	c := b[0]
	if c < utf8.RuneSelf {
		return rune(c), 1
	}
	if m.kana && 0xA1 <= c && c <= 0xDF {
		return 0xFF61 + rune(c) - 0xA1, 1
	}
	if m.three != 0 && c == m.three && len(b) >= 3 {
		if r := m.after[int(b[1])<<8|int(b[2])]; r != 0 {
			return r, 3
		}
	}
	if m.plane != nil && len(b) >= 4 && c == 0x8E && b[1] == 0xA2 {
		if r := m.plane(b[2], b[3]); r != 0 {
			return r, 4
		}
	}
	if len(b) >= 2 {
		if r := m.pairs[int(c)<<8|int(b[1])]; r != 0 {
			return r, 2
		}
		if m.four && len(b) >= 4 && digit(b[1]) && b[2] >= 0x81 && b[2] < 0xFF && digit(b[3]) {
			return alphabet.RareHan, 4
		}
	}
	return m.broken(b)
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// decode decodes raw. x/text decodes pairs that are two characters in Unicode, and sequences of
// four bytes.
func (m *multi) decode(raw []byte) (text string, unknown, first int) {
	m.tables()
	first = -1
	out := make([]byte, 0, len(raw)+len(raw)/2)
	for i := 0; i < len(raw); {
		if k := asciiPrefix(raw[i:]); k > 0 {
			out = append(out, raw[i:i+k]...)
			i += k
			continue
		}
		r, n := m.next(raw[i:])
		switch {
		case r == alphabet.RareHan && n == 4 && m.four, r == utf8.RuneError && m.enc != nil:
			if m.four {
				if r, read := gbRune(raw[i:]); read > 0 {
					out, n = utf8.AppendRune(out, r), read
					break
				}
			}
			var dst [16]byte
			dec := m.enc.NewDecoder()
			if size, read := m.decodeOne(dec, dst[:], raw[i:min(i+4, len(raw))]); read > 0 {
				out, n = append(out, dst[:size]...), read
				break
			}
			r, n = m.broken(raw[i:])
			fallthrough
		default:
			out = utf8.AppendRune(out, r)
			if r == utf8.RuneError {
				if unknown++; first < 0 {
					first = i
				}
			}
		}
		i += n
	}
	return asText(out), unknown, first
}

// broken returns the replacement for the invalid sequence at the start of b, and its length.
func (m *multi) broken(b []byte) (rune, int) {
	if len(b) >= 2 && m.lead[b[0]] && b[1] >= utf8.RuneSelf {
		return utf8.RuneError, 2
	}
	return utf8.RuneError, 1
}

// decodeOne decodes the shortest prefix of src that is one or two characters.
func (m *multi) decodeOne(dec *encoding.Decoder, dst, src []byte) (size, read int) {
	for n := 1; n <= len(src); n++ {
		dec.Reset()
		size, read, err := dec.Transform(dst, src[:n], true)
		if err != nil || read != n {
			continue
		}
		ok := size > 0
		for _, r := range string(dst[:size]) {
			ok = ok && r != utf8.RuneError && r >= utf8.RuneSelf
		}
		if ok {
			return size, read
		}
	}
	return 0, 0
}

// johabRune returns the character of a pair in Johab (KS X 1001, annex 3). A syllable has 5
// bits each for the initial, the vowel and the final. The other rows of KS X 1001 are at D8 to
// F9.
func johabRune(lead, trail byte) rune {
	if lead >= 0xD8 {
		if trail < 0x31 || 0x7E < trail && trail < 0x91 || trail == 0xFF || lead > 0xF9 || lead == 0xDF {
			return 0
		}
		row, t := 0, int(trail)-0x31
		if trail >= 0x91 {
			t = int(trail) - 0x43
		}
		if lead < 0xE0 {
			row = 2 * (int(lead) - 0xD9)
		} else {
			row = 2*int(lead) - 0x197
		}
		if row < 0 {
			return 0 // D8: user-defined characters
		}
		row += t / 94
		src := [2]byte{byte(row + 0xA1), byte(t%94 + 0xA1)}
		var dst [8]byte
		size, _, err := korean.EUCKR.NewDecoder().Transform(dst[:], src[:], true)
		if r, k := utf8.DecodeRune(dst[:size]); err == nil && k == size && r != utf8.RuneError {
			return r
		}
		return 0
	}
	if lead < 0x84 || lead > 0xD3 {
		return 0
	}
	v := int(lead)<<8 | int(trail)
	initial, vowel, final := v>>10&31-2, johabVowels[v>>5&31], johabFinals[v&31]
	switch {
	case initial >= 0 && initial < 19 && vowel > 0 && final >= 0:
		return rune(0xAC00 + (initial*21+vowel-1)*28 + final)
	case initial >= 0 && initial < 19 && vowel == 0 && final == 0:
		return []rune("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ")[initial]
	case initial == -1 && vowel > 0 && final == 0:
		return rune(0x314F + vowel - 1)
	case initial == -1 && vowel == 0 && final > 0:
		return []rune(" ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ")[final]
	}
	return 0
}

// johabVowels maps to the vowels from 1 on, 0 for the filler, -1 for none. johabFinals maps to
// the finals, 0 for the filler.
var (
	johabVowels = [32]int{-1, -1, 0, 1, 2, 3, 4, 5, -1, -1, 6, 7, 8, 9, 10, 11, -1, -1, 12, 13, 14, 15, 16, 17, -1, -1, 18, 19, 20, 21, -1, -1}
	johabFinals = [32]int{-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, -1, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, -1, -1}
)

// eucTW holds planes 1 and 2 of CNS 11643 (tables.py).
//
//go:embed euctw.bin
var eucTW []byte

func eucTWRune(lead, trail byte) rune   { return cns(0, lead, trail) }
func eucTWPlane2(lead, trail byte) rune { return cns(1, lead, trail) }

func cns(plane int, lead, trail byte) rune {
	if lead < 0xA1 || lead == 0xFF || trail < 0xA1 || trail == 0xFF {
		return 0
	}
	return rune(binary.LittleEndian.Uint16(eucTW[2*((plane*94+int(lead)-0xA1)*94+int(trail)-0xA1):]))
}
