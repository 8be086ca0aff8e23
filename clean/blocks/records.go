package blocks

import "chaffinch/page"

// Records are elements of one kind that repeat on a page and hold some blocks each:
// the cards of a list of articles, the comments under one, the hits of a search, the
// sections of a text. What is alike in all of them says what they are, such as that
// each begins with a link, even where the names of their classes say nothing.

// Bounds of records.
const (
	minRecords      = 3
	minRecordBlocks = 2   // of each, on average
	linkedHead      = .8  // share of the characters of a head that are in links
	maxDateWords    = 12  // of a block that tells the date of a record
	noRecord        = -1. // in columns of blocks that stand in none
)

// recordStats is what the records of one kind hold together.
type recordStats struct {
	blocks, words int
	linkWords     float64
	good          int
	runs          int // of blocks of one record
	heads         int // that begin with a link, or have a heading that is one
	dates         int // that have a short block with numbers
	first, last   int // block, -1 for none yet
}

// recordKind returns the hash of the name of an element and of its first class, without
// digits; where it has no class, of that and the element around it.
func recordKind(name uint64, class string, around uint64) uint64 {
	h := wordSeed
	n := 0
	for i := 0; i < len(class) && i < maxAttribute; i++ {
		c := class[i]
		if c == ' ' || c == '\n' || c == '\t' {
			if n > 0 {
				break
			}
			continue
		}
		n++
		if !isDigit(c) {
			h = (h ^ uint32(c)) * wordPrime
		}
	}
	if n == 0 {
		return mix(name, around+1)
	}
	return mix(name, uint64(h))
}

// records finds the records of the page and sets their columns.
func (s *sheet) records() {
	s.findRecords()
	s.sumRecords()
	allGood := float64(s.goodWords(s.n))
	all := float64(s.elems[0].words)
	var cols [colRecordAfter - colRecords + 1][]float32
	for c := range cols {
		cols[c] = s.col(colRecords + column(c))
	}
	run := recordRun{}
	for i := range s.blocks {
		at := s.record[s.blocks[i].element]
		if at == 0 {
			for c := range cols {
				cols[c][i] = noRecord
			}
			cols[0][i] = 0
			continue
		}
		g := s.elems[at].group
		r := &s.recordStats[g]
		run.step(i, at)
		if run.place == 0 {
			s.recordRuns[g]++
		}
		members := float64(s.kinds.list[g].blocks)
		set := func(c column, v float64) { cols[c-colRecords][i] = float32(v) }
		set(colRecords, log1(s.kinds.list[g].blocks))
		set(colRecordBlocks, float64(r.blocks)/members)
		set(colRecordWords, float64(r.words)/members)
		set(colRecordLinks, ratio(r.linkWords, float64(r.words)))
		set(colRecordGood, float64(r.good)/members)
		set(colRecordShare, ratio(float64(r.words), all))
		set(colRecordHeads, float64(r.heads)/float64(r.runs))
		set(colRecordDates, float64(r.dates)/float64(r.runs))
		set(colRecordPlace, float64(run.place))
		set(colRecordIndex, log1(int(s.recordRuns[g])-1))
		set(colRecordBefore, ratio(float64(s.goodWords(r.first)), allGood))
		set(colRecordAfter, ratio(allGood-float64(s.goodWords(r.last+1)), allGood))
	}
}

// recordRun is a run of blocks of one record.
type recordRun struct {
	element     int32
	from, place int
}

// step goes to block i, which stands in the record of element at.
func (r *recordRun) step(i int, at int32) {
	if at != r.element || i != r.from+r.place+1 {
		*r = recordRun{at, i, 0}
		return
	}
	r.place = i - r.from
}

// findRecords notes for each element the record that it is or stands in, 0 for
// none: of those around it the one that has most of its kind, the outermost if these are alike.
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

// sumRecords sums up what the runs of the records have in common.
func (s *sheet) sumRecords() {
	s.recordRuns = grow(s.recordRuns, len(s.recordStats))
	clear(s.recordRuns)
	run := recordRun{}
	head, date := false, false // seen in this run
	s.goods = grow(s.goods, s.n+1)
	good := 0
	for i := range s.blocks {
		b := &s.blocks[i]
		s.goods[i] = int32(good)
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
		if !head && (run.place == 0 || s.page.Blocks[i].Kind == page.Heading) && b.linkWords >= linkedHead*float64(b.words) && b.words > 0 {
			head = true
			r.heads++
		}
		if !date && b.numbers > 0 && b.words <= maxDateWords {
			date = true
			r.dates++
		}
	}
	s.goods[s.n] = int32(good)
}

// goodWords returns the number of words in good blocks before block i.
func (s *sheet) goodWords(i int) int { return int(s.goods[i]) }
