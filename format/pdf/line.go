package pdf

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"chaffinch/format/pdf/internal/wire"
	"chaffinch/internal/truth"
)

// line is a line of text in a column, or the part of one between wide gaps.
type line struct {
	wire.Box
	base, size float32
	first      float32 // width of the first word
	order      int     // position in the content of the page
	page       int     // index
	rtl        bool
	bold       bool
	tag        int32  // element of the structure, or -1
	block      int32  // block of the structure, or -1
	kind       string // type of the block
	turn       int    // quarter turns clockwise
	artifact   bool
	chars      []wire.Char // in logical order, with spaces
	text       string
	styled     string     // text with marks of styles; "" if all of it is plain
	role       string     // role of the document that was found, such as a running head
	sheet      *wire.Page // the page, turned so that the line is upright
	links      *linkTree  // links of the page
}

func (l *line) width() float32 { return l.X1 - l.X0 }

// boldAt reports whether a character is bold.
func (l *line) boldAt(i int) bool { return l.sheet.Fonts[l.chars[i].Font].Bold }

// byPosition compares lines from top to bottom, then from left to right.
func byPosition(a, b *line) int {
	return cmp.Or(cmp.Compare(a.base, b.base), cmp.Compare(a.X0, b.X0))
}

// run is a sequence of characters on a baseline in content order.
type run struct {
	chars      []wire.Char
	x0, x1     float32
	base, size float32
	order      int
	body       float32 // most frequent size of the page
}

const (
	runGap   = 1   // widest gap between characters in a run, in sizes
	spaceGap = 3   // widest gap with a space
	joinGap  = .7  // widest gap between runs of a line that do not follow each other
	baseGap  = .25 // largest distance between baselines of a line
	riseGap  = .65 // ... if one is a superscript or subscript
	raised   = .85 // largest size of a superscript, relative
	upright  = 5   // largest angle of upright text in degrees
)

// isSpace reports whether a character separates words and has no ink.
func isSpace(r rune) bool { return unicode.IsSpace(r) || r == 0 || r == '\u200b' || r == '\ufeff' }

// guessed reports whether PDFium added a space without a position. It separates words only if
// there is a gap.
func guessed(c wire.Char) bool { return isSpace(c.Rune) && c.X1 <= c.X0 }

// divide removes guessed spaces. The characters after each are in another word, whose number is
// returned for each character.
func divide(chars []wire.Char) (out []wire.Char, words map[wire.Box]int) {
	words = map[wire.Box]int{}
	n := 0
	for _, c := range chars {
		if guessed(c) {
			n++
			continue
		}
		words[c.Box] = n
		out = append(out, c)
	}
	return out, words
}

// bodySize returns the most frequent size of characters.
func bodySize(chars []wire.Char) float32 {
	bySize := map[float32]int{}
	for i := range chars {
		bySize[round1(chars[i].Size)]++
	}
	return most(bySize)
}

// begins reports whether r is a drop cap or large initial, which is not in the line of text of a size.
func (r *run) begins(size float32) bool {
	return len(r.chars) <= 2 && r.size > 1.7*r.body && size < 1.3*r.body && isInitial(r.chars[0].Rune)
}

// isInitial reports whether r may be a drop cap.
func isInitial(r rune) bool {
	return unicode.IsLetter(r) || strings.ContainsRune("\"“„«‘¿¡", r)
}

// runs groups the upright characters of a page.
func runs(p *wire.Page) []*run {
	body := bodySize(p.Chars)
	var out []*run
	var last *run
	var space bool // a space precedes the character
	for i, c := range p.Chars {
		if q, ok := quarter(c.Angle); q != 0 || !ok {
			continue
		}
		if isSpace(c.Rune) {
			if last != nil && near1(c.Base, last.base, riseGap*last.size) {
				last.chars = append(last.chars, c)
				space = true
			}
			continue
		}
		if last == nil || !last.takes(c, space) {
			last = &run{x0: c.X0, x1: c.X1, base: c.Base, size: c.Size, order: i, body: body}
			out = append(out, last)
		} else if last.doubles(c) {
			continue
		}
		last.add(c)
		space = false
	}
	return out
}

func near1(a, b, limit float32) bool { return a-b <= limit && b-a <= limit }

// level reports whether text of a size on a baseline may be in the line of r.
func (r *run) level(base, size float32) bool {
	big, small := max(r.size, size), min(r.size, size)
	limit := baseGap * big
	if small < raised*big {
		limit = riseGap * big
	}
	return near1(base, r.base, limit)
}

// takes reports whether c continues r.
func (r *run) takes(c wire.Char, space bool) bool {
	gap := max(c.X0-r.x1, r.x0-c.X1) // on either side
	widest := float32(runGap)
	if space {
		widest = spaceGap
	}
	return !r.begins(c.Size) && r.level(c.Base, c.Size) && gap <= widest*max(r.size, c.Size)
}

// doubles reports whether c is drawn over an equal character, which imitates bold type or a
// shadow. Characters of one glyph have the same box and follow each other.
func (r *run) doubles(c wire.Char) bool {
	for i := len(r.chars) - 1; i >= max(0, len(r.chars)-300); i-- {
		o := &r.chars[i]
		if o.Box == c.Box && i == len(r.chars)-1 {
			return false
		}
		if o.Rune == c.Rune && near1(o.X0, c.X0, .12*c.Size) && near1(o.Base, c.Base, .12*c.Size) && o.X1-o.X0 > .2*c.Size {
			return true
		}
	}
	return false
}

func (r *run) add(c wire.Char) {
	if len(r.chars) > 0 && c.Size > r.size*1.05 { // the run began with a superscript
		r.base, r.size = c.Base, c.Size
	}
	r.chars = append(r.chars, c)
	r.x0, r.x1 = min(r.x0, c.X0), max(r.x1, c.X1)
}

// joins reports whether two runs are parts of a line.
func (r *run) joins(o *run) bool {
	return !r.begins(o.size) && !o.begins(r.size) && r.level(o.base, o.size) && max(o.x0-r.x1, r.x0-o.x1) <= joinGap*min(r.size, o.size)
}

// linesOf returns the lines of a page in content order.
func linesOf(p *wire.Page, number int) []*line {
	markMirrored(p.Chars)
	rs := runs(p)
	// Join runs from left to right: each with the nearest run that ends at its left.
	slices.SortStableFunc(rs, func(a, b *run) int {
		return cmp.Or(cmp.Compare(math.Round(float64(a.base)), math.Round(float64(b.base))), cmp.Compare(a.x0, b.x0))
	})
	var joined []*run
	for _, r := range rs {
		found := false
		for i := len(joined) - 1; i >= 0 && i >= len(joined)-200; i-- {
			o := joined[i]
			if r.base-o.base > 2*max(r.size, o.size) {
				break
			}
			if o.joins(r) {
				o.append(r)
				found = true
				break
			}
		}
		if !found {
			joined = append(joined, r)
		}
	}
	spaces, rtl, links := spacingOf(p), mostlyRTL(p.Chars), newLinkTree(p.Links)
	var out []*line
	for _, r := range joined {
		if l := r.line(p, number, spaces, rtl, links); l != nil {
			out = append(out, l)
		}
	}
	out = rejoin(out)
	slices.SortStableFunc(out, func(a, b *line) int { return cmp.Compare(a.order, b.order) })
	return out
}

// rejoin joins parts of lines whose gap is no gap between columns: a line above or below crosses
// it. Gaps of justified lines in narrow columns can be wider than gaps between columns.
func rejoin(lines []*line) []*line {
	const widest, nearest = 9, 1.9 // in sizes
	slices.SortStableFunc(lines, byPosition)
	crossed := func(i int, from float32) bool { // the gap before line i
		l := lines[i]
		for _, step := range []int{-1, 1} {
			for j := i + step; j >= 0 && j < len(lines); j += step {
				o := lines[j]
				if !near1(o.base, l.base, nearest*l.size) {
					break
				}
				if !near1(o.base, l.base, .5*l.size) && o.X0 < from && o.X1 > l.X0 && near1(o.size, l.size, .1*l.size) {
					return true
				}
			}
		}
		return false
	}
	inRow := func(i int) int { // lines on the baseline of line i
		n := 1
		for _, step := range []int{-1, 1} {
			for j := i + step; j >= 0 && j < len(lines) && near1(lines[j].base, lines[i].base, riseGap*lines[i].size); j += step {
				n++
			}
		}
		return n
	}
	var out []*line
	for i, l := range lines {
		joined := false
		for j := len(out) - 1; j >= 0 && near1(out[j].base, l.base, riseGap*l.size); j-- {
			o := out[j]
			gap := l.X0 - o.X1
			if isLabel(o, l) && inRow(i) == 2 || near1(o.base, l.base, baseGap*l.size) &&
				gap > 0 && gap < widest*l.size && near1(o.size, l.size, .1*l.size) && crossed(i, o.X1) {
				o.join(l)
				joined = true
				break
			}
		}
		if !joined {
			out = append(out, l)
		}
	}
	return out
}

// isLabel reports whether o is the mark of a list item, note or section whose text is l.
func isLabel(o, l *line) bool {
	const widest, longest = 5, 5 // gap in sizes, characters
	gap := l.X0 - o.X1
	return len(o.chars) <= longest && len(l.chars) > 12 && gap > 0 && gap < widest*l.size && !l.rtl &&
		(marker(o.text+" x") != "" || strings.Trim(o.text, "0123456789") == "" || romanNumber(strings.ToLower(strings.TrimSuffix(o.text, "."))) > 0)
}

// join adds the characters of a line on the right.
func (l *line) join(o *line) {
	a, b := l, o
	if l.rtl || o.rtl {
		a, b, l.rtl = o, l, true
	}
	last := a.chars[len(a.chars)-1]
	space := wire.Char{Box: wire.Box{X0: l.X1, X1: o.X0, Y0: l.Y0, Y1: l.Y1}, Rune: ' ', Base: l.base, Size: l.size, Font: last.Font, Tag: last.Tag}
	l.chars = slices.Concat(a.chars, []wire.Char{space}, b.chars)
	l.order = min(l.order, o.order)
	if o.size > l.size {
		l.base = o.base
	}
	l.measure()
}

func (r *run) append(o *run) {
	if o.x0 < r.x0 && o.order < r.order {
		r.chars = append(slices.Clone(o.chars), r.chars...)
	} else {
		r.chars = append(r.chars, o.chars...)
	}
	if o.size > r.size {
		r.base, r.size = o.base, o.size
	}
	r.x0, r.x1, r.order = min(r.x0, o.x0), max(r.x1, o.x1), min(r.order, o.order)
}

// line returns r as a line with its characters in logical order; nil if it has no text. Lines with
// letters of both directions have the direction of the page.
func (r *run) line(p *wire.Page, number int, spaces []spacing, rtl bool, links *linkTree) *line {
	l := &line{size: r.size, base: r.base, order: r.order, page: number, tag: -1, block: -1, sheet: p, links: links}
	chars, words := divide(r.chars)
	left := hasRTL(chars)
	if left {
		l.rtl = rtl || mostlyRTL(chars)
	}
	reorder := left && !p.OCR // which returns logical order
	if reorder {
		chars = visual(chars)
	}
	out := make([]wire.Char, 0, len(chars)+len(chars)/5)
	var prev *wire.Char
	space := false
	for i := range chars {
		c := &chars[i]
		if isSpace(c.Rune) {
			space = prev != nil
			continue
		}
		if prev != nil && (space || separated(prev, c, words[prev.Box] != words[c.Box], r.size, spaces)) && (left || !unicode.Is(unicode.Mn, c.Rune)) {
			out = append(out, wire.Char{Box: wire.Box{X0: min(prev.X1, c.X0), X1: max(prev.X1, c.X0), Y0: c.Y0, Y1: c.Y1}, Rune: ' ', Base: c.Base, Size: c.Size, Font: prev.Font, Tag: prev.Tag})
		}
		out = append(out, *c)
		prev, space = c, false
	}
	if reorder {
		out = logical(out, l.rtl)
	}
	if len(out) == 0 {
		return nil
	}
	l.chars = out
	l.measure()
	return l
}

// unspaced reports whether r is of a script without spaces between words.
func unspaced(r rune) bool {
	return r >= 0x0E00 && (unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan, unicode.Bopomofo) ||
		r >= 0x3000 && r <= 0x303F || r >= 0xFF00 && r <= 0xFFEF)
}

// measure sets the fields that depend on the characters.
func (l *line) measure() {
	l.X0, l.X1 = l.chars[0].X0, l.chars[0].X1
	bySize := map[float32]int{}
	tags := map[int32]int{}
	bold, artifact, ink, unbroken := 0, 0, 0, 0
	word := true
	from, to := l.X0, l.X1 // of the first word
	for i := range l.chars {
		c := &l.chars[i]
		if c.Rune == ' ' {
			word = false
			continue
		}
		ink++
		l.X0, l.X1 = min(l.X0, c.X0), max(l.X1, c.X1)
		if word {
			from, to = min(from, c.X0), max(to, c.X1)
			if unspaced(c.Rune) { // lines end after any character or few of them
				unbroken++
				word = unbroken < 2 || unbroken < 20 && c.Rune < 0x2000
			}
		}
		bySize[round1(c.Size)]++
		tags[c.Tag]++
		bold += truth.Int(l.sheet.Fonts[c.Font].Bold)
		artifact += truth.Int(c.Flags&wire.Artifact != 0)
	}
	l.first = to - from
	l.size = most(bySize)
	l.tag = most(tags)
	l.bold, l.artifact = bold*10 > ink*8, artifact*2 > ink
	// Boxes of fonts have different heights; the baseline and size are exact.
	l.Y0, l.Y1 = l.base-float32(.8*l.size), l.base+float32(.2*l.size)
	l.text, l.styled = l.write(nil), ""
	if styles := l.styles(); styles != nil {
		l.styled = l.write(styles)
	}
}

// write returns the text of the line, with marks around superscripts and of styles.
func (l *line) write(styles []style) string {
	const longest = 4 // characters of a superscript
	var b strings.Builder
	var last style
	isRaised := func(c *wire.Char) bool {
		return c.Rune != ' ' && c.Size < raised*l.size && l.base-c.Base > .12*l.size
	}
	for i := 0; i < len(l.chars); {
		if styles != nil && styles[i] != last {
			last = styles[i]
			b.WriteString(last.mark())
		}
		j := i
		for j < len(l.chars) && isRaised(&l.chars[j]) && (styles == nil || styles[j] == last) {
			j++
		}
		if j == i || j-i > longest {
			j = max(j, i+1)
			for _, c := range l.chars[i:j] {
				b.WriteRune(c.Rune)
			}
		} else {
			b.WriteRune(supBegin)
			for _, c := range l.chars[i:j] {
				b.WriteRune(c.Rune)
			}
			b.WriteRune(supEnd)
		}
		i = j
	}
	if last != 0 {
		b.WriteString(style(0).mark())
	}
	return b.String()
}

func round1(x float32) float32 { return float32(math.Round(float64(x)*4) / 4) }

// most returns the key with the largest count, the smallest of equal ones.
func most[K cmp.Ordered](counts map[K]int) (key K) {
	n := 0
	for k, v := range counts {
		if v > n || v == n && k < key {
			key, n = k, v
		}
	}
	return key
}
