package extract

import (
	"slices"
	"strings"

	"chaffinch/page"
)

// rewriter writes a page that is read in place of src, and maps its bytes to bytes of src.
type rewriter struct {
	src    string
	out    strings.Builder
	pieces []piece
}

// piece maps part of a rewritten page to the original page. Bytes from at on map to bytes from from
// on, but at most to limit.
type piece struct{ at, from, limit int }

// copy writes a part of src.
func (w *rewriter) copy(from, to int) {
	if from >= to {
		return
	}
	n := len(w.pieces) - 1
	if n < 0 || w.pieces[n].limit != from || w.pieces[n].from == from { // the last piece is an insertion
		w.pieces = append(w.pieces, piece{w.out.Len(), from, from})
	}
	w.out.WriteString(w.src[from:to])
	w.pieces[len(w.pieces)-1].limit = to
}

// insert writes HTML that is not in src and represents src[from:limit].
func (w *rewriter) insert(html string, from, limit int) {
	limit = min(limit, len(w.src)-1)
	from = min(from, limit)
	w.pieces = append(w.pieces, piece{w.out.Len(), from, limit})
	w.out.WriteString(html)
}

// origin returns the offset in the original page of byte i of the rewritten page.
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

// remap converts the byte spans of p, which was read from a rewritten page, to spans of the
// original page. Each layer is one rewriting.
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
