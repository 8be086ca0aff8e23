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
	keyed  int // numbers of the keys
	width  int // numbers of a record
	most   int
	total  int64 // matches added
	chunks [][]uint32
	// order holds the numbers of the records. Once there are most of them, they are a
	// heap with the last one in sort order at the root, and spare is the next record.
	order []uint32
	spare uint32
}

// newSorter returns a sorter of matches with a number of labels.
func newSorter(keys []sortKey, labels, most int) *sorter {
	s := &sorter{keys: keys, most: most}
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
		if s.most > 0 {
			n = min(chunk, s.most+1)
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
	s.total += other.total - int64(len(other.order))
	for _, i := range other.order {
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
	if s.most == 0 || len(s.order) < s.most {
		if len(s.order) == maxSorted {
			return fmt.Errorf("concordance: more than %d matches to sort: limit the lines, take a sample, or make the query narrower", maxSorted)
		}
		s.order = append(s.order, s.spare)
		s.spare++
		if len(s.order) == s.most {
			for i := s.most/2 - 1; i >= 0; i-- {
				s.sink(i)
			}
		}
		return nil
	}
	if s.compare(s.spare, s.order[0]) < 0 {
		s.spare, s.order[0] = s.order[0], s.spare
		s.sink(0)
	}
	return nil
}

// sink restores the heap below node i.
func (s *sorter) sink(i int) {
	for {
		child := 2*i + 1
		if child >= len(s.order) {
			return
		}
		if r := child + 1; r < len(s.order) && s.compare(s.order[r], s.order[child]) > 0 {
			child = r
		}
		if s.compare(s.order[child], s.order[i]) <= 0 {
			return
		}
		s.order[i], s.order[child] = s.order[child], s.order[i]
		i = child
	}
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
	sortUntil(d, s.order, s.compare)
	out := make([]Match, len(s.order))
	for i, n := range s.order {
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
