package charset

import (
	"math"
	"unicode"
	"unicode/utf8"
)

// ebcdicRead is the number of bytes that are read in each EBCDIC code page.
const ebcdicRead = 1 << 10

// ebcdicByReading returns the EBCDIC code page in which raw reads as text, nil if there is
// none. At most 1 in 50 bytes may be a control character or no character, and the characters
// may cost at most ebcdicBits each. A declared code page is preferred if raw reads as text in
// it.
func (d *Detector) ebcdicByReading(raw []byte, declared string) *codec {
	const (
		ebcdicBits = 9.0
		stray      = 16.0 // cost of a misplaced sign
	)
	if !LooksEBCDIC(raw) {
		return nil
	}
	s := d.pool.Get().(*scratch)
	defer d.pool.Put(s)
	head := raw[:min(len(raw), ebcdicRead)]
	d.t().context(s, nil)
	var best *codec
	low := ebcdicBits * float64(len(head))
	for _, c := range codecs {
		if c.ebcdic == nil || !d.allowed[c] {
			continue
		}
		runes := c.ebcdic()
		next := func(b []byte) (rune, int) {
			r := runes[b[0]]
			if r < ' ' && r != '\n' && r != '\r' && r != '\t' || 0x7F <= r && r < 0xA0 && r != '\u0085' {
				r = utf8.RuneError
			}
			return r, 1
		}
		r, _, ok := d.t().walk(s, head, next, true, 1+len(head)/50, math.Inf(1))
		if ok && c.name == declared {
			return c
		}
		if bits := r.bits + c.rare + float64(stray*float64(strays(head, runes))); ok && bits < low {
			best, low = c, bits
		}
	}
	return best
}

// strays counts misplaced signs. National versions exchange signs and letters, and code pages
// the positions of signs. A sign is misplaced between two letters. After a word it is misplaced
// unless it is a stop or closes. A < is misplaced before a sign that does not begin a tag.
func strays(b []byte, runes *[256]rune) (n int) {
	for i := 1; i < len(b); i++ {
		before, r, after := runes[b[i-1]], runes[b[i]], ' '
		if i+1 < len(b) {
			after = runes[b[i+1]]
		}
		switch r {
		case '{', '[', '|', '\\', '~', '^', '@', '#', '$', '`', '¬', '¦', '§', '¢', '£', '¨', '´':
			if unicode.IsLetter(before) && (unicode.IsLetter(after) || unicode.IsSpace(after) || after == '<') || before == '<' {
				n++
			}
		case '}', ']', '!', '"':
			if unicode.IsLetter(before) && unicode.IsLetter(after) || before == '<' && r != '!' {
				n++
			}
		}
	}
	return n
}
