package charset

import (
	"encoding/binary"
	"math"
	"unicode/utf16"
	"unicode/utf8"
)

// wide is UTF-16 or UTF-32.
type wide struct {
	size int // bytes of a unit
	big  bool
}

// next returns the first character of b, which must not be empty, and its length. r is U+FFFD
// for a lone surrogate, a value beyond Unicode or an incomplete unit.
func (w *wide) next(b []byte) (r rune, n int) {
	if len(b) < w.size {
		return utf8.RuneError, len(b)
	}
	if w.size == 4 {
		v := binary.LittleEndian.Uint32(b)
		if w.big {
			v = binary.BigEndian.Uint32(b)
		}
		if v > utf8.MaxRune || !utf8.ValidRune(rune(v)) {
			return utf8.RuneError, 4
		}
		return rune(v), 4
	}
	c := w.unit(b)
	if !utf16.IsSurrogate(c) {
		return c, 2
	}
	if len(b) >= 4 {
		if r := utf16.DecodeRune(c, w.unit(b[2:])); r != utf8.RuneError {
			return r, 4
		}
	}
	return utf8.RuneError, 2
}

func (w *wide) unit(b []byte) rune {
	if w.big {
		return rune(binary.BigEndian.Uint16(b))
	}
	return rune(binary.LittleEndian.Uint16(b))
}

// nextOfText is like next for text, which contains no U+0000: UTF-32 read as UTF-16 has one for
// each character.
func (w *wide) nextOfText(b []byte) (r rune, n int) {
	if r, n = w.next(b); r == 0 {
		r = utf8.RuneError
	}
	return r, n
}

// decode decodes raw.
func (w *wide) decode(raw []byte) (text string, unknown, first int) {
	first = -1
	out := make([]byte, 0, len(raw)/2+len(raw)/8)
	for i := 0; i < len(raw); {
		r, n := w.next(raw[i:])
		if r == utf8.RuneError && (n != w.size || w.unitValue(raw[i:]) != utf8.RuneError) {
			if unknown++; first < 0 {
				first = i
			}
		}
		out = utf8.AppendRune(out, r)
		i += n
	}
	return asText(out), unknown, first
}

// unitValue returns the value of the first unit of b.
func (w *wide) unitValue(b []byte) rune {
	if w.size == 2 {
		return w.unit(b)
	}
	if w.big {
		return rune(binary.BigEndian.Uint32(b))
	}
	return rune(binary.LittleEndian.Uint32(b))
}

// The number of bytes that are searched for a zero byte, and that are read if there is one.
const (
	wideScan = 2 << 10
	wideRead = 512
	wideText = 8 << 10
)

// wideByReading returns the UTF-16 or UTF-32 encoding in which raw reads as text, nil if there
// is none. At most 1 in 50 units may be invalid, and the characters may cost at most wideBits
// each.
func (d *Detector) wideByReading(raw []byte) *codec {
	const wideBits = 16.0
	s := d.pool.Get().(*scratch)
	defer d.pool.Put(s)
	head := raw[:min(len(raw), wideRead)&^3]
	if len(head) < 8 {
		head = raw[:min(len(raw), wideRead)&^1]
	}
	d.t().context(s, nil)
	var best *codec
	low := wideBits
	for _, c := range codecs {
		if c.wide == nil || !d.allowed[c] || len(head) < 2*c.wide.size {
			continue
		}
		limit := 1 + len(head)/c.wide.size/50
		r, chars, ok := d.t().walk(s, head, c.wide.nextOfText, true, limit, math.Inf(1))
		if per := r.bits / float64(max(chars, 1)); ok && per < low {
			best, low = c, per
		}
	}
	if best == nil { // in a script that is not in the model
		switch order, _ := UTF16(raw[:min(len(raw), wideText)]); {
		case order == binary.LittleEndian && d.allowed[codecOf["utf-16le"]]:
			best = codecOf["utf-16le"]
		case order == binary.BigEndian && d.allowed[codecOf["utf-16be"]]:
			best = codecOf["utf-16be"]
		}
	}
	return best
}
