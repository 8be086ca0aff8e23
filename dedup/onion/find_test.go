package onion

import (
	"math"

	"chaffinch/dedup"
	"chaffinch/input/records"
)

// verdict is the decision on a unit.
type verdict struct {
	// Drop reports whether the unit is dropped. Reason is [dedup.Unique],
	// [dedup.Copied], [dedup.Stub] or [dedup.Template]. Template text may stay.
	Drop   bool
	Reason dedup.Reason
	// Share is the share of the tokens that seen n-grams cover, 0 to 1.
	Share float32
	// First is the document in which most of these n-grams were seen first, judged by
	// a sample of them, -1 if none. It is a position in rank order, or for the method
	// the document number.
	First int64
}

// find decides on documents that lie in memory, given in the order of their
// ranks, and returns a verdict for each paragraph of each document, or with the
// unit Document one for each document. It takes some 40 bytes for each token.
// The method of [New] decides the same.
func find(docs []*records.Doc, cfg Config) ([][]verdict, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	f := finder{cfg: &cfg, text: newText(&cfg), seen: map[uint64]int64{}, pages: map[uint64]pages{}}
	if cfg.Template > 0 {
		for i, d := range docs {
			f.text.read(d)
			for _, u := range f.text.units {
				if p := f.pages[u.key]; u.key != 0 && (p.n == 0 || p.last != int64(i)) {
					f.pages[u.key] = pages{p.n + 1, int64(i)}
				}
			}
		}
	}
	verdicts := make([][]verdict, len(docs))
	for i, d := range docs {
		f.text.read(d)
		verdicts[i] = f.document(int64(i))
	}
	return verdicts, nil
}

type finder struct {
	cfg   *Config
	text  *text
	seen  map[uint64]int64 // n-gram or template: the document that it was put in by
	pages map[uint64]pages // template key: how many pages have it
}

type pages struct {
	n    int
	last int64
}

// place is an n-gram at its place.
type place struct {
	hash uint64
	end  int32
}

// document decides on the document that was read.
func (f *finder) document(num int64) []verdict {
	units := f.text.units
	grams := make([][]place, len(units)) // by unit
	templates := make([]bool, len(units))
	u := 0
	s := f.text.sketch(nil)
	s.each(f.cfg.Ngram, func(hash uint64, end int32, flags uint8) {
		for end >= units[u].end {
			u++
		}
		if flags&template != 0 {
			templates[u] = f.pages[hash].n >= f.cfg.Template
			return
		}
		grams[u] = append(grams[u], place{hash, end})
	})
	verdicts := make([]verdict, len(units))
	asked := make([][]uint64, len(units)) // seen n-grams
	mine := map[uint64]bool{}             // n-grams that this document put in
	earlier := map[uint64]bool{}          // n-grams of this document so far
	put := func(i int) {
		for _, g := range grams[i] {
			if _, ok := f.seen[g.hash]; !ok {
				f.seen[g.hash], mine[g.hash] = num, true
			}
		}
		if key := units[i].key; templates[i] {
			if _, ok := f.seen[key]; !ok {
				f.seen[key], mine[key] = num, true
			}
		}
	}
	for i, u := range units {
		covered := make([]bool, u.end-u.start)
		count := func() (n int) {
			for _, c := range covered {
				if c {
					n++
				}
			}
			return n
		}
		for _, g := range grams[i] {
			_, seen := f.seen[g.hash]
			if seen {
				asked[i] = append(asked[i], g.hash)
			}
			if seen || f.cfg.Compat && earlier[g.hash] {
				for t := max(u.start, g.end-int32(f.cfg.Ngram)+1); t <= g.end; t++ {
					covered[t-u.start] = true
				}
			}
			earlier[g.hash] = true
		}
		if _, seen := f.seen[u.key]; seen && templates[i] {
			asked[i] = append(asked[i], u.key)
			for t := range covered {
				covered[t] = true
			}
		}
		v := &verdicts[i]
		v.First = -1
		if len(covered) == 0 {
			continue
		}
		share := float64(count()) / float64(len(covered))
		v.Share = float32(math.Round(share*1e4) / 1e4)
		if f.cfg.Compat {
			v.Drop = share > float64(float32(f.cfg.Percent/100))
		} else {
			v.Drop = share > 0 && float64(count())*100 >= f.cfg.Percent*float64(len(covered))
		}
		if v.Drop {
			v.Reason = dedup.Copied
		}
		if templates[i] {
			v.Reason = dedup.Template
			v.Drop = v.Drop && f.cfg.OnTemplate != Keep || f.cfg.OnTemplate == Drop
		}
		if !f.cfg.Compat && !v.Drop {
			put(i)
		}
	}
	rests := f.rests(verdicts)
	if !f.cfg.Compat && len(rests) > 0 {
		for hash := range mine {
			delete(f.seen, hash)
		}
		clear(mine)
	}
	for _, i := range rests {
		verdicts[i].Drop, verdicts[i].Reason = true, dedup.Stub
	}
	for i := range verdicts {
		if !verdicts[i].Drop {
			put(i)
		}
	}
	for i := range verdicts {
		verdicts[i].First = f.first(asked[i])
	}
	return verdicts
}

// rests returns the units that go by smoothing.
func (f *finder) rests(verdicts []verdict) (rests []int) {
	if f.cfg.Stub == 0 {
		return nil
	}
	copied, own := 0, 0
	for i, v := range verdicts {
		n := int(f.text.units[i].end - f.text.units[i].start)
		if v.Drop && v.Reason == dedup.Copied {
			copied += n
		} else if !v.Drop {
			own += n
		}
	}
	edge := f.cfg.Compat || copied > own
	bounds := func(i int) bool { // whether unit i bounds a rest
		if i < 0 || i == len(verdicts) {
			return edge
		}
		return verdicts[i].Drop && verdicts[i].Reason == dedup.Copied
	}
	for i := range verdicts {
		if verdicts[i].Drop {
			continue
		}
		// The run of unit i reaches to the next bounds or edges.
		from, to := i-1, i+1
		for from >= 0 && !bounds(from) {
			from--
		}
		for to < len(verdicts) && !bounds(to) {
			to++
		}
		length := 0
		for k := from + 1; k < to; k++ {
			if !verdicts[k].Drop {
				length += int(f.text.units[k].end - f.text.units[k].start)
			}
		}
		if bounds(from) && bounds(to) && length <= f.cfg.Stub {
			rests = append(rests, i)
		}
	}
	return rests
}

// first is the document that put in most of a few of the n-grams, the best
// ranked of several.
func (f *finder) first(asked []uint64) int64 {
	if len(asked) > votes {
		few := make([]uint64, votes)
		for i := range few {
			few[i] = asked[(i*(len(asked)-1)+votes-2)/(votes-1)]
		}
		asked = few
	}
	count, best := map[int64]int{}, int64(-1)
	for _, hash := range asked {
		if doc, ok := f.seen[hash]; ok {
			count[doc]++
		}
	}
	for doc, n := range count {
		if best < 0 || n > count[best] || n == count[best] && doc < best {
			best = doc
		}
	}
	return best
}
