package corpus

import "context"

// Numbers of a row of OpMeasures.
const (
	measuredDocs = iota
	measuredFirst
	measuredLast
	measuredWhole
	measuredShort
	measuredEntropy
	measuredHits   // excess of the parts for the deviation of proportions
	measuredTokens // of these parts
	measuredRest   // hits in no part
	measured       // hits by value of By follow, then hits by value of DP
)

// askMeasures returns for each item the document frequency, the sums of its dispersion within the shard, the
// sums of its deviation of proportions, and the frequencies by value. If DP names an attribute, the text of a row holds the values with hits, and the last
// numbers are the hits.
func (c *Corpus) askMeasures(ctx context.Context, r *Request, out *Counts) error {
	cfg := *r.Words
	cfg.By = r.By
	v, l, err := c.lister(ctx, cfg)
	if err != nil {
		return err
	}
	if l.by != nil {
		l.regroup(r.Values, r.Rest)
	}
	out.Rows = func(yield func(Row, error) bool) {
		for i, item := range r.Items {
			if !yield(l.sums(v, item, r.ItemFreqs[i], r.Total), ctx.Err()) {
				return
			}
		}
	}
	return nil
}

// sums returns the row of an item that occurs freq times in size tokens of all shards.
func (l *wordLister) sums(v *vocabulary, item []string, freq, size int64) Row {
	row := Row{N: make([]int64, measured)}
	e, ok := entry{freq: 1}, len(item) == l.n
	for j := 0; ok && j < len(item); j++ {
		e.keys[j], ok = v.key(item[j])
	}
	d := dispersionSum{freq: freq, size: size, first: -1}
	if ok {
		l.spread = &d
		l.measure(&e)
	}
	n := row.N
	n[measuredDocs], n[measuredFirst], n[measuredLast] = e.docf, d.first, d.last
	n[measuredWhole], n[measuredShort], n[measuredEntropy] = d.whole, d.short, int64(d.entropy)
	if l.by != nil && e.parts == nil {
		e.parts = make([]int64, len(l.sizes))
	}
	row.N = append(row.N, e.parts...)
	if l.divided != nil && ok {
		l.excess(&row, freq, size)
	}
	return row
}

// excess adds the counts of an item in the parts for the deviation of proportions, and removes them.
func (l *wordLister) excess(row *Row, freq, size int64) {
	d := l.divided
	x := excess{freq: freq, all: size}
	for _, i := range d.touched {
		switch {
		case i == len(d.hits)-1:
			row.N[measuredRest] = d.hits[i]
		case d.of != nil:
			row.Text, row.N = append(row.Text, d.values[i].Value), append(row.N, d.hits[i])
		default:
			x.add(d.hits[i], d.tokens[i])
		}
	}
	row.N[measuredHits], row.N[measuredTokens] = x.hits, x.tokens
	d.clear()
}

// askDivision returns the sizes of the parts for the deviation of proportions.
func (c *Corpus) askDivision(ctx context.Context, r *Request, out *Counts) error {
	l := &wordLister{ctx: ctx, c: c, cfg: *r.Words}
	if err := l.open(); err != nil {
		return err
	}
	row := Row{N: []int64{0, c.Size()}}
	if d := l.divided; d != nil {
		rest := d.tokens[len(d.tokens)-1]
		row.N[1] = rest
		for _, n := range d.tokens[:len(d.tokens)-1] {
			if n > 0 && (row.N[0] == 0 || n < row.N[0]) {
				row.N[0] = n
			}
		}
	}
	out.Rows = listed([]Row{row})
	return nil
}

// regroup numbers the values of By as in the list. All others are counted together after them, if
// rest is set.
func (l *wordLister) regroup(list []string, rest bool) {
	at := map[string]uint32{}
	for i, x := range list {
		at[x] = uint32(i)
	}
	number := make([]uint32, len(l.by.sizes))
	for i, s := range l.by.sizes {
		n, ok := at[s.Value]
		if !ok {
			n = uint32(len(list))
		}
		number[i] = n
	}
	for i, k := range l.by.of {
		if int(k) < len(number) { // otherwise the index is damaged, or the part lacks the value
			l.by.of[i] = number[k]
		}
	}
	l.sizes = make([]ValueSize, len(list))
	if rest {
		l.sizes = append(l.sizes, ValueSize{})
	}
}
