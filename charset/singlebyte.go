package charset

import (
	"encoding/binary"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// decodeSingle decodes raw from an encoding with one byte a character, in one
// pass into one allocation. It returns the text and how many of its characters
// beyond ASCII are known and unknown in the encoding.
func decodeSingle(raw []byte, enc *charmap.Charmap) (text string, known, unknown int) {
	var runes [256]rune
	var size [256]uint8
	for i := range runes {
		r := enc.DecodeByte(byte(i))
		runes[i], size[i] = r, uint8(utf8.RuneLen(r))
	}
	ascii := true // most, but not all, agree with ASCII
	for i := range utf8.RuneSelf {
		ascii = ascii && runes[i] == rune(i)
	}
	n := 0
	for _, c := range raw {
		n += int(size[c])
	}
	out := make([]byte, 0, n)
	for i := 0; i < len(raw); {
		if ascii {
			if k := asciiPrefix(raw[i:]); k > 0 {
				out = append(out, raw[i:i+k]...)
				i += k
				continue
			}
		}
		r := runes[raw[i]]
		if r == utf8.RuneError {
			unknown++
		} else if r >= utf8.RuneSelf {
			known++
		}
		out = utf8.AppendRune(out, r)
		i++
	}
	return asText(out), known, unknown
}

// asciiPrefix returns the number of bytes before the first above 127.
func asciiPrefix(raw []byte) int {
	i := 0
	for ; i+8 <= len(raw); i += 8 {
		if binary.LittleEndian.Uint64(raw[i:])&0x8080808080808080 != 0 {
			break
		}
	}
	for i < len(raw) && raw[i] < utf8.RuneSelf {
		i++
	}
	return i
}
