package corpus

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"
)

// maxSorted is the maximum number of matches that are held in order.
const maxSorted = 4 << 20

// chunk is the number of records that are allocated at a time.
const chunk = 1 << 12

// sorter holds the first most matches in sort order, or all matches if most is 0. A match
// is a record of numbers: its keys, start, end and labels. So sorting reads no text, and
// memory depends on the number of matches that are shown.
type sorter struct {
	keys   []sortKey
	keyed  int   // numbers of the keys
	width  int   // numbers of a record
	total  int64 // matches added
	chunks [][]uint32
	best   top[uint32] // numbers of the records
	spare  uint32      // number of the next record
}

// newSorter returns a sorter of matches with a number of labels.
func newSorter(keys []sortKey, labels, most int) *sorter {
	s := &sorter{keys: keys}
	s.best = top[uint32]{limit: most, compare: s.compare}
	for _, k := range keys {
		s.keyed += k.size
	}
	s.width = s.keyed + 2 + labels
	return s
}

// record returns the record with number i.
func (s *sorter) record(i uint32) []uint32 {
	return s.chunks[i/chunk][int(i%chunk)*s.width:][:s.width]
}

// next returns the record for the next match.
func (s *sorter) next() []uint32 {
	if int(s.spare/chunk) == len(s.chunks) {
		n := chunk
		if most := s.best.limit; most > 0 {
			n = min(chunk, most+1)
		}
		s.chunks = append(s.chunks, make([]uint32, n*s.width))
	}
	return s.record(s.spare)
}

// add adds a match.
func (s *sorter) add(m Match) error {
	to := s.next()
	for _, k := range s.keys {
		k.fill(to[:k.size], m)
		to = to[k.size:]
	}
	to[0], to[1] = uint32(m.Start), uint32(m.End)
	for i, p := range m.Labels {
		to[2+i] = uint32(p) // -1 is unbound
	}
	return s.keep()
}

// merge adds the matches of another sorter with the same keys and labels.
func (s *sorter) merge(other *sorter) error {
	s.total += other.total - int64(len(other.best.items))
	for _, i := range other.best.items {
		copy(s.next(), other.record(i))
		if err := s.keep(); err != nil {
			return err
		}
	}
	return nil
}

// keep adds the record that next returned, or drops it if enough records precede it.
func (s *sorter) keep() error {
	s.total++
	if len(s.best.items) == maxSorted && (s.best.limit == 0 || s.best.limit > maxSorted) {
		return fmt.Errorf("concordance: more than %d matches to sort: limit the lines, take a sample, or make the query narrower", maxSorted)
	}
	if dropped, full := s.best.add(s.spare); full {
		s.spare = dropped
	} else {
		s.spare++
	}
	return nil
}

// compare compares two records by keys, the first one being the most significant, then by
// place.
func (s *sorter) compare(i, j uint32) int {
	a, b := s.record(i), s.record(j)
	at := 0
	for _, k := range s.keys {
		if x := slices.Compare(a[at:at+k.size], b[at:at+k.size]); x != 0 {
			return x
		}
		if at += k.size; k.rest != nil {
			if x := k.rest(s.span(a), s.span(b)); x != 0 {
				return x
			}
		}
	}
	return cmp.Or(cmp.Compare(a[at], b[at]), cmp.Compare(a[at+1], b[at+1]))
}

// span returns the match of a record without its labels.
func (s *sorter) span(record []uint32) Match {
	return Match{Start: int64(record[s.keyed]), End: int64(record[s.keyed+1])}
}

// matches returns the matches in order. If d expires, they are in any order.
func (s *sorter) matches(d *deadline) []Match {
	sortUntil(d, s.best.items, s.compare)
	out := make([]Match, len(s.best.items))
	for i, n := range s.best.items {
		r := s.record(n)
		out[i] = s.span(r)
		for _, p := range r[s.keyed+2:] {
			at := int64(-1)
			if p != unbound {
				at = int64(p)
			}
			out[i].Labels = append(out[i].Labels, at)
		}
	}
	return out
}

// sortMatches returns the first most of ms in the order of keys, or all if most is 0.
func sortMatches(ctx context.Context, ms []Match, keys []sortKey, most int) ([]Match, error) {
	if len(ms) == 0 {
		return ms, nil
	}
	d, s := newDeadline(ctx), newSorter(keys, len(ms[0].Labels), most)
	for _, m := range ms {
		if d.Over(0) {
			break
		}
		if err := s.add(m); err != nil {
			return nil, err
		}
	}
	return s.matches(d), d.Err()
}

// sorted collects the first most matches in the order of keys, or all if most is 0.
func (q *Query) sorted(ctx context.Context, keys []sortKey, most int) (*sorter, error) {
	var mu sync.Mutex
	all := newSorter(keys, len(q.labels), most)
	err := q.inParts(ctx, func(ms iter.Seq2[Match, error]) error {
		part := newSorter(keys, len(q.labels), most)
		for m, err := range ms {
			if err != nil {
				return err
			}
			if err := part.add(m); err != nil {
				return inField("Sort", err)
			}
		}
		mu.Lock()
		defer mu.Unlock()
		return inField("Sort", all.merge(part))
	})
	return all, err
}
