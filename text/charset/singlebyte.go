package charset

import (
	"encoding/binary"
	"unicode/utf8"

	"chaffinch/internal/swar"
)

// decodeSingle decodes raw from a single-byte encoding, in one pass into one allocation. The
// results are the results of [codec.decode].
func decodeSingle(raw []byte, runes *[256]rune) (text string, unknown, first int) {
	var size [256]uint8
	for i, r := range runes {
		size[i] = uint8(utf8.RuneLen(r))
	}
	ascii := true // most, but not all, encodings agree with ASCII
	for i := range utf8.RuneSelf {
		ascii = ascii && runes[i] == rune(i)
	}
	first = -1
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
			if unknown++; first < 0 {
				first = i
			}
		}
		out = utf8.AppendRune(out, r)
		i++
	}
	return asText(out), unknown, first
}

// asciiPrefix returns the number of bytes before the first above 127.
func asciiPrefix(raw []byte) int {
	i := 0
	for ; i+32 <= len(raw); i += 32 {
		b := raw[i : i+32]
		if (binary.LittleEndian.Uint64(b)|binary.LittleEndian.Uint64(b[8:])|binary.LittleEndian.Uint64(b[16:])|binary.LittleEndian.Uint64(b[24:]))&swar.Tops != 0 {
			break
		}
	}
	for ; i+8 <= len(raw); i += 8 {
		if binary.LittleEndian.Uint64(raw[i:])&swar.Tops != 0 {
			break
		}
	}
	for i < len(raw) && raw[i] < utf8.RuneSelf {
		i++
	}
	return i
}
