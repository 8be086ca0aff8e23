package blocks

import "chaffinch/page"

// Records are elements of one kind that repeat on a page and have several blocks each: cards
// in a list of articles, comments, search hits, sections of a text. Their common features
// identify them, such as a link at the beginning of each, even if their class names are
// uninformative.

// Limits of records.
const (
	minRecords      = 3
	minRecordBlocks = 2   // mean number of blocks of a record
	linkedHead      = .8  // minimum share of the characters of a head in links
	maxDateWords    = 12  // maximum words of a block with the date of a record
	noRecord        = -1. // column value of blocks outside records
)

// recordStats holds statistics of all records of one kind.
type recordStats struct {
	members       int32
	blocks, words int32
	linkWords     float64
	good          int32
	runs          int32   // runs of blocks of one record
	heads         int32   // runs that begin with a link or a linked heading
	dates         int32   // runs that have a short block with numbers
	first, last   int     // block index, or -1
	before, after float64 // share of the words in good blocks before and after
}

// recordKind returns the hash of an element's tag name and its first class without digits.
// Without a class, it is the hash of the tag name and the element around it.
func (a *alike) recordKind(around uint64) uint64 {
	if !a.classed {
		return mix(a.name, around+1)
	}
	return mix(a.name, uint64(a.class))
}

// firstClass returns the hash of the first class of a class attribute without digits, and whether
// there is one.
func firstClass(class string) (h uint32, ok bool) {
	h = wordSeed
	for i := 0; i < len(class) && i < maxAttribute; i++ {
		c := class[i]
		if c == ' ' || c == '\n' || c == '\t' {
			if ok {
				break
			}
			continue
		}
		ok = true
		if !isDigit(c) {
			h = (h ^ uint32(c)) * wordPrime
		}
	}
	return h, ok
}

// records finds the records of the page and sets their columns.
func (s *sheet) records() {
	s.findRecords()
	s.sumRecords()
	if !s.wants(colRecords, colRecordAfter) {
		return
	}
	s.recordOf = grow(s.recordOf, s.n)
	of := s.recordOf
	run := recordRun{}
	for i := range of {
		of[i] = recordPlace{kind: -1}
		at := s.record[s.blocks[i].element]
		if at == 0 {
			continue
		}
		g := s.elems[at].group
		if run.step(i, at); run.place == 0 {
			s.recordRuns[g]++
		}
		of[i] = recordPlace{g, int32(run.place), s.recordRuns[g] - 1}
	}
	kinds := s.recordStats
	allGood := float64(s.goodWords(s.n))
	all := float64(s.elems[0].words)
	for g := range kinds {
		r := &kinds[g]
		r.members = s.kinds.list[g].blocks
		if r.runs > 0 {
			r.before = ratio(float64(s.goodWords(r.first)), allGood)
			r.after = ratio(allGood-float64(s.goodWords(r.last+1)), allGood)
		}
	}
	each(s.want(colRecords), func(i int) float64 {
		if of[i].kind < 0 {
			return 0
		}
		return log1(kinds[of[i].kind].members)
	})
	eachRecord(s.want(colRecordBlocks), of, func(p recordPlace) float64 { return float64(kinds[p.kind].blocks) / float64(kinds[p.kind].members) })
	eachRecord(s.want(colRecordWords), of, func(p recordPlace) float64 { return float64(kinds[p.kind].words) / float64(kinds[p.kind].members) })
	eachRecord(s.want(colRecordLinks), of, func(p recordPlace) float64 { return ratio(kinds[p.kind].linkWords, float64(kinds[p.kind].words)) })
	eachRecord(s.want(colRecordGood), of, func(p recordPlace) float64 { return float64(kinds[p.kind].good) / float64(kinds[p.kind].members) })
	eachRecord(s.want(colRecordShare), of, func(p recordPlace) float64 { return ratio(float64(kinds[p.kind].words), all) })
	eachRecord(s.want(colRecordHeads), of, func(p recordPlace) float64 { return float64(kinds[p.kind].heads) / float64(kinds[p.kind].runs) })
	eachRecord(s.want(colRecordDates), of, func(p recordPlace) float64 { return float64(kinds[p.kind].dates) / float64(kinds[p.kind].runs) })
	eachRecord(s.want(colRecordPlace), of, func(p recordPlace) float64 { return float64(p.place) })
	eachRecord(s.want(colRecordIndex), of, func(p recordPlace) float64 { return log1(p.index) })
	eachRecord(s.want(colRecordBefore), of, func(p recordPlace) float64 { return kinds[p.kind].before })
	eachRecord(s.want(colRecordAfter), of, func(p recordPlace) float64 { return kinds[p.kind].after })
}

// eachRecord sets col to f of the record place of each block. col may be nil.
func eachRecord(col []float32, of []recordPlace, f func(p recordPlace) float64) {
	for i := range col {
		if col[i] = noRecord; of[i].kind >= 0 {
			col[i] = float32(f(of[i]))
		}
	}
}

// recordPlace is the position of a block among the records.
type recordPlace struct{ kind, place, index int32 }

// recordRun is a run of blocks of one record.
type recordRun struct {
	element     int32
	from, place int
}

// step moves to block i in the record of element at.
func (r *recordRun) step(i int, at int32) {
	if at != r.element || i != r.from+r.place+1 {
		*r = recordRun{at, i, 0}
		return
	}
	r.place = i - r.from
}

// findRecords sets the record of each element, 0 for none: the ancestor or self with the
// most elements of its kind, the outermost on ties.
func (s *sheet) findRecords() {
	s.kinds.reset(len(s.elems))
	s.recordStats = s.recordStats[:0]
	var none blockStats
	for e := 1; e < len(s.elems); e++ {
		x := &s.elems[e]
		if x.blocks == 0 {
			continue
		}
		x.group = s.kinds.add(x.kind, &none)
		if int(x.group) == len(s.recordStats) {
			s.recordStats = append(s.recordStats, recordStats{first: -1})
		}
		r := &s.recordStats[x.group]
		r.blocks += x.blocks
		r.words += x.words
		r.linkWords += x.linkWords
		r.good += x.good
	}
	s.record = grow(s.record, len(s.elems))
	s.record[0] = 0
	for e := 1; e < len(s.elems); e++ {
		x := &s.elems[e]
		best := s.record[x.parent]
		s.record[e] = best
		if x.blocks == 0 {
			continue
		}
		n := s.kinds.list[x.group].blocks
		if n >= minRecords && s.recordStats[x.group].blocks >= minRecordBlocks*n &&
			(best == 0 || n > s.kinds.list[s.elems[best].group].blocks) {
			s.record[e] = int32(e)
		}
	}
}

// sumRecords computes the statistics of the records from their runs.
func (s *sheet) sumRecords() {
	s.recordRuns = grow(s.recordRuns, len(s.recordStats))
	clear(s.recordRuns)
	run := recordRun{}
	head, date := false, false // seen in this run
	s.goods = grow(s.goods, s.n+1)
	good := int32(0)
	for i := range s.blocks {
		b := &s.blocks[i]
		s.goods[i] = good
		if b.good {
			good += b.words
		}
		at := s.record[b.element]
		if at == 0 {
			continue
		}
		r := &s.recordStats[s.elems[at].group]
		run.step(i, at)
		if run.place == 0 {
			r.runs++
			head, date = false, false
		}
		if r.first < 0 {
			r.first = i
		}
		r.last = i
		if !head && (run.place == 0 || b.kind == page.Heading) && b.linkWords >= linkedHead*float64(b.words) && b.words > 0 {
			head = true
			r.heads++
		}
		if !date && b.numbers > 0 && b.words <= maxDateWords {
			date = true
			r.dates++
		}
	}
	s.goods[s.n] = good
}

// goodWords returns the number of words in good blocks before block i.
func (s *sheet) goodWords(i int) int { return int(s.goods[i]) }
