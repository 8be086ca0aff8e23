package pdf

import "chaffinch/format/pdf/internal/wire"

// spacing describes how a font of a page separates words.
type spacing struct {
	glyphs, uneven int
	gaps           [gapBins]int // gaps between glyphs by width
	least          float32      // least gap between words, in sizes
}

const (
	gapBins  = 20
	gapWidth = .02 // of a bin, in sizes
	firstBin = 2   // gaps below are kerning
)

// add counts a gap in sizes.
func (s *spacing) add(gap float32) {
	if bin := int(gap / gapWidth); gap > 0 && bin < gapBins {
		s.gaps[bin]++
	}
}

// gap returns the least gap between words, in sizes: the middle of the widths that are rarest
// between kerning and spaces.
func (s *spacing) gap() float32 {
	const few = 40
	n := 0
	for _, k := range s.gaps[firstBin:] {
		n += k
	}
	if n < few {
		if s.uneven*4 > s.glyphs { // boxes without the space beside glyphs
			return .2
		}
		return .15
	}
	best, from, length := n, 0, 0
	for i := firstBin; i <= 15; { // up to .3
		j := i
		for j < 16 && s.gaps[j] == s.gaps[i] {
			j++
		}
		if s.gaps[i] < best || s.gaps[i] == best && j-i > length {
			best, from, length = s.gaps[i], i, j-i
		}
		i = j
	}
	return (float32(from) + float32(length)/2) * gapWidth
}

// spacingOf measures the gaps after the glyphs of each font.
func spacingOf(p *wire.Page) []spacing {
	out := make([]spacing, len(p.Fonts))
	top := make([]float32, len(p.Fonts))
	var last *wire.Char
	for i := range p.Chars {
		c := &p.Chars[i]
		if isSpace(c.Rune) {
			continue
		}
		s := &out[c.Font]
		s.glyphs++
		rise := (c.Base - c.Y0) / max(c.Size, .1)
		if s.glyphs > 1 && !near1(rise, top[c.Font], .02) {
			s.uneven++
		}
		top[c.Font] = rise
		if last != nil && last.Font == c.Font && near1(last.Base, c.Base, .1*c.Size) && c.Size > 0 {
			s.add(max(c.X0-last.X1, last.X0-c.X1) / c.Size)
		}
		last = c
	}
	for i := range out {
		out[i].least = out[i].gap()
	}
	return out
}

// separated reports whether the gap between two characters separates words.
func separated(a, b *wire.Char, guessed bool, size float32, spaces []spacing) bool {
	gap := b.X0 - a.X1
	limit := spaces[b.Font].least
	if guessed {
		limit = min(limit, .1)
	}
	if unspaced(a.Rune) && unspaced(b.Rune) {
		limit = max(limit, .6)
	}
	return gap > limit*max(min(a.Size, b.Size), size*.6)
}
