package corpus

import (
	"math/bits"
	"sync"

	"chaffinch/internal/mapfile"
)

// valuePlaces finds the places of any of some values. All parts of a search share it.
type valuePlaces struct {
	a     *Attr    // not derived
	ids   []uint32 // values, sorted
	total int64    // places

	mu       sync.Mutex
	split    bool
	frequent []uint32 // values whose lists are read piece by piece
	// rare holds the places of the other values. Bucket i is rare[starts[i]:starts[i+1]]
	// and covers 1<<shift places.
	rare   []uint32
	starts []uint32
	shift  uint
}

// newValuePlaces returns the places of the values ids of a, which must be sorted.
func newValuePlaces(a *Attr, ids []uint32) *valuePlaces {
	u := &valuePlaces{a: a, ids: ids}
	for _, id := range ids {
		u.total += int64(a.places(id))
	}
	return u
}

const (
	// mergeLists is the maximum number of lists of places that are merged. Places of
	// more values are collected piece by piece.
	mergeLists = 64
	// The text is scanned if one place in scanShare has one of the values, or if
	// opening the lists of the frequent values for all pieces costs more. Opening a
	// list costs as much as scanning openCost places.
	scanShare = 8
	openCost  = 256
	// At most one place in rareShare is held as a place of rare values, or leastRare
	// places if these are more.
	rareShare = 64
	leastRare = 1 << 16
)

// stream returns the places from first to end-1, and possibly more. It yields no places
// once d has expired.
func (u *valuePlaces) stream(d *deadline, first, end uint32) stream {
	size := u.a.ids.Len()
	scan := func() stream { return &scanStream{d, u.a, newIDSet(u.a.n, u.ids), min(end, uint32(size))} }
	switch {
	case len(u.ids) == 1:
		s := new(listStream)
		u.a.open(&s.c, u.ids[0])
		return s
	case u.total > int64(size/scanShare):
		return scan()
	case len(u.ids) <= mergeLists:
		m := make(mergeStream, len(u.ids))
		for i, id := range u.ids {
			u.a.open(&m[i], id)
		}
		return m
	}
	u.splitRare(d, max(size/rareShare, leastRare))
	if len(u.frequent)*(size/mostPiece+1)*openCost > size {
		return scan()
	}
	return &pieceStream{d: d, u: u, end: first, last: min(end, uint32(size)), length: max(uint32(size/firstPiece), leastPiece)}
}

// splitRare splits the values by frequency and collects the places of the rare ones, at most
// most places. Most values are rare. So the other lists are few enough to be opened for each
// piece.
func (u *valuePlaces) splitRare(d *deadline, most int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.split {
		return
	}
	size := u.a.ids.Len()
	var sums [33]int // places of the values whose frequency has so many bits
	for _, id := range u.ids {
		n := u.a.places(id)
		sums[bits.Len(uint(n))] += n
	}
	level, held := 0, 0
	for level < len(sums) && held+sums[level] <= most {
		held += sums[level]
		level++
	}
	u.frequent, u.shift = nil, uint(max(bits.Len(uint(size))-10, 0))
	u.rare, u.starts = make([]uint32, held), make([]uint32, size>>u.shift+2)
	for _, id := range u.ids {
		if bits.Len(uint(u.a.places(id))) >= level {
			u.frequent = append(u.frequent, id)
		}
	}
	for _, count := range []bool{true, false} {
		var c cursor
		for _, id := range u.ids {
			if d.Over(0) {
				return
			}
			if bits.Len(uint(u.a.places(id))) >= level {
				continue
			}
			for u.a.open(&c, id); ; c.step() {
				x, ok := c.peek()
				if !ok {
					break
				}
				if b := x >> u.shift; count {
					u.starts[b+1]++
				} else {
					u.rare[u.starts[b]] = x
					u.starts[b]++
				}
			}
		}
		if count {
			for i := 1; i < len(u.starts); i++ {
				u.starts[i] += u.starts[i-1]
			}
		}
	}
	copy(u.starts[1:], u.starts) // each start is now the end of its bucket
	u.starts[0] = 0
	u.split = true
	if size >= large {
		_ = mapfile.Release(u.a.lists) // rare values are anywhere in it; an error only means that the memory is not released
	}
}

// rareIn returns the places of rare values from start to end-1, and possibly more, in no
// order.
func (u *valuePlaces) rareIn(start, end uint32) []uint32 {
	return u.rare[u.starts[start>>u.shift]:u.starts[(end-1)>>u.shift+1]]
}

// pieceStream collects the places of pieces of the text, each larger than the previous
// one. So the first places are available without waiting for the last.
type pieceStream struct {
	d          *deadline
	u          *valuePlaces
	start, end uint32 // of the piece
	last       uint32 // exclusive upper bound of the requested places
	length     uint32 // length of the next piece, if enough text remains
	places     idSet  // of the piece, from its start
}

const (
	firstPiece  = 512  // the first piece is this fraction of the text,
	leastPiece  = 4096 // but at least this many tokens
	pieceGrowth = 8
	mostPiece   = 8 << 20 // one bit each
)

func (s *pieceStream) next(from uint32) (place uint32, ok bool) {
	for {
		if from < s.end {
			// from may precede the piece: the tokens between have none of the values.
			if at, ok := s.places.next(max(from, s.start) - s.start); ok {
				return s.start + at, true
			}
		}
		if from = max(s.end, from); from >= s.last || s.d.Over(0) {
			return 0, false
		}
		s.start, s.end = from, from+min(s.length, s.last-from)
		s.length = min(s.length*pieceGrowth, mostPiece)
		s.collect()
	}
}

// collect finds the places of the piece.
func (s *pieceStream) collect() {
	s.places = make(idSet, (s.end-s.start+63)/64)
	for _, x := range s.u.rareIn(s.start, s.end) {
		if s.start <= x && x < s.end {
			s.places.add(x - s.start)
		}
	}
	var c cursor
	for _, id := range s.u.frequent {
		if s.d.Over(0) {
			return
		}
		s.u.a.open(&c, id)
		if s.start > 0 {
			c.seek(s.start)
		}
		for ; ; c.step() {
			x, ok := c.peek()
			if !ok || x >= s.end {
				break
			}
			if x >= s.start { // otherwise the list is damaged
				s.places.add(x - s.start)
			}
		}
	}
}
