package blocks

// A unit is what a reader takes or leaves as a whole: a table of data, or a list
// whose items are a block each. Lists of more than that, such as threads and
// cards, are taken apart, as tables are that only place things on the page.

// unitKind is what a unit is.
type unitKind uint8

const (
	noUnit unitKind = iota
	listUnit
	tableUnit
)

// listSlack is the number of blocks that an item of a list may have on average.
const listSlack = 1.5

// readUnits finds the units. The first one stands for none.
func (s *sheet) readUnits() {
	s.units = append(s.units[:0], noUnit)
	els := s.page.Elements
	s.elems[0].unit = 0
	for e := 1; e < len(s.elems); e++ {
		x := &s.elems[e]
		if x.unit = s.elems[x.parent].unit; x.unit > 0 {
			continue
		}
		kind := noUnit
		switch x.tag.group {
		case groupTable:
			if els[e-1].Data {
				kind = tableUnit
			}
		case groupList, groupDl:
			if isList(els[e-1].Name) && x.odd == 0 && x.blocks > 1 && float64(x.blocks) <= listSlack*float64(x.items) {
				kind = listUnit
			}
		}
		if kind != noUnit {
			x.unit = int32(len(s.units))
			s.units = append(s.units, kind)
		}
	}
	for i := range s.blocks {
		s.blocks[i].unit = s.elems[s.blocks[i].element].unit
	}
}

func isList(name string) bool { return name != "dt" && name != "dd" }

// listMean is the weight of the mean of a list against the value of an item.
const listMean = .5

// settle gives all blocks of a table the mean of their values, weighted by
// words, and those of a list the part list of it.
func (s *sheet) settle(values []float32, list float32) {
	s.running = grow(s.running, 2*len(s.units))
	sums, weights := s.running[:len(s.units)], s.running[len(s.units):]
	clear(s.running)
	for i, v := range values {
		u, w := s.blocks[i].unit, float64(s.blocks[i].words+1)
		sums[u] += w * float64(v)
		weights[u] += w
	}
	for i, v := range values {
		u := s.blocks[i].unit
		if u == 0 {
			continue
		}
		mean := float32(sums[u] / weights[u])
		if s.units[u] == tableUnit {
			values[i] = mean
		} else {
			values[i] = v + list*(mean-v)
		}
	}
}

// Bounds of a series: short blocks that stand in elements of the same names and
// classes, such as the names of those who wrote the posts of a thread.
const (
	minSeries      = 3
	maxSeriesWords = 8 // on average
)

// seriesMean is the weight of the mean of a series against the value of a block.
const seriesMean = .75

// settleSeries draws the blocks of a series together: the name of the first
// one to post is not lost where the others stay.
func (s *sheet) settleSeries(values []float32) {
	n := len(s.twins.list)
	s.running = grow(s.running, n)
	clear(s.running)
	for i, v := range values {
		s.running[s.blocks[i].twin] += float64(v)
	}
	for i, v := range values {
		t := s.blocks[i].twin
		if g := &s.twins.list[t]; g.blocks >= minSeries && g.words <= maxSeriesWords*g.blocks && s.blocks[i].unit == 0 {
			values[i] = v + seriesMean*(float32(s.running[t]/float64(g.blocks))-v)
		}
	}
}
