package extract

import (
	"slices"
	"strings"

	"chaffinch/page"
)

// rewriter writes a page that is read in place of the page src, and notes which part of it
// is which part of src.
type rewriter struct {
	src    string
	out    strings.Builder
	pieces []piece
}

// piece maps a part of a rewritten page to the page: the bytes from at on begin at byte
// from of the page, and none is after limit.
type piece struct{ at, from, limit int }

// copy writes a part of the page.
func (w *rewriter) copy(from, to int) {
	if from >= to {
		return
	}
	n := len(w.pieces) - 1
	if n < 0 || w.pieces[n].limit != from || w.pieces[n].from == from { // the last of these is an insertion
		w.pieces = append(w.pieces, piece{w.out.Len(), from, from})
	}
	w.out.WriteString(w.src[from:to])
	w.pieces[len(w.pieces)-1].limit = to
}

// insert writes HTML that is not in the page, but represents its bytes from to limit.
func (w *rewriter) insert(html string, from, limit int) {
	limit = min(limit, len(w.src)-1)
	from = min(from, limit)
	w.pieces = append(w.pieces, piece{w.out.Len(), from, limit})
	w.out.WriteString(html)
}

// origin returns the offset in the page of byte i of the rewritten page.
func origin(layers [][]piece, i int) int {
	for _, pieces := range slices.Backward(layers) {
		n, found := slices.BinarySearchFunc(pieces, i, func(p piece, i int) int { return p.at - i })
		if !found {
			n--
		}
		if n >= 0 {
			p := pieces[n]
			i = min(p.from+i-p.at, p.limit)
		}
	}
	return i
}

// remap makes the byte spans of p, which is read from a page that was rewritten once for
// each layer, those of the page.
func remap(p *page.Page, layers [][]piece) {
	for i := range p.Blocks {
		b := &p.Blocks[i]
		start, last := origin(layers, b.Start), origin(layers, b.End-1)
		b.Start, b.End = min(start, last), max(start, last)+1
	}
	for i := range p.Elements {
		if e := &p.Elements[i]; e.Start >= 0 {
			e.Start = int32(origin(layers, int(e.Start)))
		}
	}
	for i := range p.Links {
		p.Links[i].Start = int32(origin(layers, int(p.Links[i].Start)))
	}
}
