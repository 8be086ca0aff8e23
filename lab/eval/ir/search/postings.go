package search

import (
	"encoding/binary"
	"slices"

	"chaffinch/internal/bitpack"
)

// blockLen is the number of list entries packed together. pad is the number of bytes after the
// lists, so that numbers can be read with 8-byte loads.
const (
	blockLen = 128
	pad      = 8
)

// stepLen is the length of a step, which allows a block to be skipped: its last document and its
// end relative to the end of the steps, 4 bytes each.
const stepLen = 8

// steps returns the number of steps before a list: one for each block except the last.
func steps(df int) int { return max(0, df-1) / blockLen }

// encoder packs lists. A list is its steps, then blocks of up to blockLen entries. A block is the
// bit widths of documents and counts, one byte each, then the document gaps less 1, and the counts
// less 1. Positions are packed likewise: gaps within a document, in blocks that may span documents.
type encoder struct {
	docs, counts, positions []uint32
}

// append appends a list and its positions. The documents and counts remain in e.
func (e *encoder) append(docs, positions []byte, places []place) (_, _ []byte) {
	e.docs, e.counts, e.positions = e.docs[:0], e.counts[:0], e.positions[:0]
	for i, p := range places {
		if i == 0 || places[i-1].doc != p.doc {
			gap := p.doc
			if i > 0 {
				gap = p.doc - places[i-1].doc - 1
			}
			e.docs, e.counts = append(e.docs, gap), append(e.counts, 0)
			e.positions = append(e.positions, p.pos)
			continue
		}
		e.counts[len(e.counts)-1]++
		e.positions = append(e.positions, p.pos-places[i-1].pos)
	}
	toSteps := len(docs)
	docs = append(docs, make([]byte, steps(len(e.docs))*stepLen)...)
	from, next := len(docs), uint32(0)
	for i := 0; i < len(e.docs); i += blockLen {
		if i > 0 {
			binary.LittleEndian.PutUint32(docs[toSteps:], next-1)
			binary.LittleEndian.PutUint32(docs[toSteps+4:], uint32(len(docs)-from))
			toSteps += stepLen
		}
		d, c := e.docs[i:min(i+blockLen, len(e.docs))], e.counts[i:min(i+blockLen, len(e.docs))]
		wd, wc := bitpack.Width(uint64(slices.Max(d))), bitpack.Width(uint64(slices.Max(c)))
		docs = append(docs, byte(wd), byte(wc))
		docs = bitpack.Append(bitpack.Append(docs, d, wd), c, wc)
		for _, gap := range d {
			next += gap + 1
		}
	}
	for part := range slices.Chunk(e.positions, blockLen) {
		w := bitpack.Width(uint64(slices.Max(part)))
		positions = bitpack.Append(append(positions, byte(w)), part, w)
	}
	return docs, positions
}

// postings reads a list.
type postings struct {
	x *Index
	// df is the number of documents, total the number of positions, left the number of unread
	// documents.
	df, total, left int
	most            uint32 // the largest count
	next            uint32 // the document for a gap of 0
	steps           []byte // from the step of the next block
	blocks          []byte // from the first block
	data            []byte // from the next block
	// docs and counts hold the list of a phrase, which is not in the file.
	docs, counts []uint32
}

// block reads the next block and returns its number of entries.
func (p *postings) block(s *scratch) (int, error) {
	n := min(p.left, blockLen)
	p.left -= n
	if p.docs != nil {
		copy(s.docs[:n], p.docs)
		copy(s.counts[:n], p.counts)
		p.docs, p.counts = p.docs[n:], p.counts[n:]
		return n, nil
	}
	if len(p.data) < 2+pad {
		return 0, p.x.damaged("a list that breaks off")
	}
	wd, wc := uint(p.data[0]), uint(p.data[1])
	size := 2 + (uint(n)*wd+7)/8 + (uint(n)*wc+7)/8
	if wd > 32 || wc > 32 || uint(len(p.data)) < size+pad {
		return 0, p.x.damaged("a list that breaks off")
	}
	p.data = p.data[2:]
	p.data = p.data[bitpack.Unpack(s.docs[:n], p.data, wd):]
	p.data = p.data[bitpack.Unpack(s.counts[:n], p.data, wc):]
	p.steps = p.steps[min(len(p.steps), stepLen):]
	at := p.next
	for i := range n {
		at += s.docs[i]
		s.docs[i] = at
		at++
		s.counts[i]++
	}
	p.next = at
	return n, nil
}

// skip moves to the first block whose last document is not before doc, or to the last block.
func (p *postings) skip(doc uint32) error {
	for ; p.docs != nil && p.left > blockLen && p.docs[blockLen-1] < doc; p.left -= blockLen {
		p.docs, p.counts = p.docs[blockLen:], p.counts[blockLen:]
	}
	for len(p.steps) > 0 {
		last, end := binary.LittleEndian.Uint32(p.steps), binary.LittleEndian.Uint32(p.steps[4:])
		if last >= doc {
			break
		}
		if uint64(end) > uint64(len(p.blocks)) {
			return p.x.damaged("a list that breaks off")
		}
		p.next, p.data, p.steps = last+1, p.blocks[end:], p.steps[stepLen:]
		p.left -= blockLen
	}
	return nil
}

// all reads the complete list.
func (p postings) all() (docs, counts []uint32, err error) {
	var s scratch
	for p.left > 0 {
		n, err := p.block(&s)
		if err != nil {
			return nil, nil, err
		}
		docs, counts = append(docs, s.docs[:n]...), append(counts, s.counts[:n]...)
	}
	return docs, counts, nil
}

// positions reads all positions of a list, document by document.
func (x *Index) positions(term int, total int, counts []uint32) ([]uint32, error) {
	data, err := x.from(x.positionData, x.positionsAt, term)
	if err != nil {
		return nil, err
	}
	out := make([]uint32, 0, min(total, len(data)*8+blockLen))
	for len(out) < total {
		n := min(blockLen, total-len(out))
		if len(data) < 1+pad {
			return nil, x.damaged("positions that break off")
		}
		w := uint(data[0])
		if w > 32 || uint(len(data)) < 1+(uint(n)*w+7)/8+pad {
			return nil, x.damaged("positions that break off")
		}
		out = slices.Grow(out, n)[:len(out)+n]
		data = data[1:]
		data = data[bitpack.Unpack(out[len(out)-n:], data, w):]
	}
	i := 0
	for _, c := range counts {
		for j := i + 1; j < i+int(c) && j < len(out); j++ {
			out[j] += out[j-1]
		}
		i += int(c)
	}
	if i != len(out) {
		return nil, x.damaged("counts do not match the positions")
	}
	return out, nil
}

// phrase finds the positions at which words are adjacent.
func (x *Index) phrase(terms []int) (p postings, err error) {
	type list struct {
		docs, counts, positions []uint32
		at, from                int // entry, and the start of its positions
	}
	lists := make([]list, len(terms))
	for i, t := range terms {
		one, err := x.posting(t)
		if err != nil {
			return p, err
		}
		l := &lists[i]
		if l.docs, l.counts, err = one.all(); err != nil {
			return p, err
		}
		if l.positions, err = x.positions(t, one.total, l.counts); err != nil {
			return p, err
		}
	}
	p = postings{x: x, docs: []uint32{}, counts: []uint32{}}
	for i := range lists[0].docs {
		doc, here := lists[0].docs[i], lists[0].positions[lists[0].from:lists[0].from+int(lists[0].counts[i])]
		lists[0].from += int(lists[0].counts[i])
		found := slices.Clone(here)
		for k := range lists[1:] {
			l := &lists[k+1]
			for l.at < len(l.docs) && l.docs[l.at] < doc {
				l.from += int(l.counts[l.at])
				l.at++
			}
			if l.at == len(l.docs) || l.docs[l.at] != doc {
				found = nil
				break
			}
			theirs := l.positions[l.from : l.from+int(l.counts[l.at])]
			found = slices.DeleteFunc(found, func(pos uint32) bool {
				_, ok := slices.BinarySearch(theirs, pos+uint32(k)+1)
				return !ok
			})
		}
		if len(found) > 0 {
			p.docs, p.counts = append(p.docs, doc), append(p.counts, uint32(len(found)))
			p.total += len(found)
			p.most = max(p.most, uint32(len(found)))
		}
	}
	p.df, p.left = len(p.docs), len(p.docs)
	return p, nil
}
