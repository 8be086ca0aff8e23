package sketch

import (
	"context"
	"sync"

	"chaffinch/corpus"
	"chaffinch/internal/timecheck"
)

// keptTotals is the maximum number of parts of a corpus whose totals stay in memory.
const keptTotals = 4

// partTotals holds f(*,*,w) in parts of a corpus, by their conditions.
type partTotals struct {
	mu   sync.Mutex
	of   map[string][]uint32
	keys []string // oldest first
}

// in returns the sketches of a part of the corpus, or s for the whole corpus.
func (s *Sketches) in(c *corpus.Corpus) *Sketches {
	if c.Condition() == "" {
		return s
	}
	part := *s
	part.part = c
	return &part
}

// inPart reports whether a pair of positions is in the part: both are in the same interval of tokens.
func (s *Sketches) inPart(p pair) bool {
	if s.part == nil {
		return true
	}
	start, end, ok := s.part.Interval(int64(p.at))
	return ok && start <= int64(p.collAt) && int64(p.collAt) < end
}

// freq returns the frequency of a headword in the corpus or its part.
func (s *Sketches) freq(ctx context.Context, head uint32) (n int64, err error) {
	if s.part == nil {
		return s.key.Freq(head), nil
	}
	w := timecheck.New(ctx)
	for p := range s.key.Positions(head) {
		if err := w.Done(0); err != nil {
			return 0, err
		}
		if _, _, ok := s.part.Interval(p); ok {
			n++
		}
	}
	return n, nil
}

// totalsOf returns a function for f(*,*,w2), the number of instances of a collocate. In a part, it
// counts the instances of all headwords once, and remembers them.
func (s *Sketches) totalsOf(ctx context.Context) (func(coll uint32) int64, error) {
	if s.part == nil {
		return func(coll uint32) int64 { return int64(s.totals.At(int(coll))) }, nil
	}
	s.known.mu.Lock()
	defer s.known.mu.Unlock()
	where := s.part.Condition()
	sums := s.known.of[where]
	if sums == nil {
		var err error
		if sums, err = s.sumPart(ctx); err != nil {
			return nil, err
		}
		if s.known.of == nil {
			s.known.of = map[string][]uint32{}
		}
		if len(s.known.keys) == keptTotals {
			delete(s.known.of, s.known.keys[0])
			s.known.keys = s.known.keys[1:]
		}
		s.known.of[where], s.known.keys = sums, append(s.known.keys, where)
	}
	return func(coll uint32) int64 { return int64(sums[coll]) }, nil
}

// sumPart counts the instances of each collocate in the part.
func (s *Sketches) sumPart(ctx context.Context) ([]uint32, error) {
	sums := make([]uint32, s.key.Len())
	w := timecheck.New(ctx)
	for head := range sums {
		parts, err := s.parts(uint32(head))
		if err != nil {
			return nil, err
		}
		for i := range parts {
			if s.meta.Relations[parts[i].relation].Unary {
				continue
			}
			list, err := s.collocates(&parts[i])
			if err != nil {
				return nil, err
			}
			for _, e := range list {
				pairs, err := e.pairs(s.meta.Tokens)
				if err != nil {
					return nil, err
				}
				for _, p := range pairs {
					if err := w.Done(0); err != nil {
						return nil, err
					}
					if s.inPart(p) {
						sums[e.coll]++
					}
				}
			}
		}
	}
	return sums, nil
}
