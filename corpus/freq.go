package corpus

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// FreqConfig configures how the hits of a query are divided.
type FreqConfig struct {
	// By names one or more attributes. word (an attribute of tokens) is the whole hit,
	// word@-1 the token left of it, word@1 the token right of it, and word@0 its first
	// token. 2.word is the token with the label 2. doc.lang is an attribute of the
	// structure in which the hit begins.
	By []string
	// Fold counts values of tokens that differ only in case as one value.
	Fold bool
	// MinHits is the minimum number of hits of a row. Default: 1.
	MinHits int64
	// Sort is freq, word (by the values), or relative (by hits per million tokens
	// of the part, for attributes of a structure). Default: freq.
	Sort string
	// Limit is the maximum number of rows. 0 means no limit.
	Limit int
}

// FreqRow is a row of a frequency distribution.
type FreqRow struct {
	Values     []string `json:"values"` // one for each By; "" if missing
	Hits       int64    `json:"hits"`
	Share      float64  `json:"share"`       // of all hits
	PerMillion float64  `json:"per_million"` // hits per million tokens of the corpus
	// PartTokens is the number of tokens in the part of the corpus with the value, or without one.
	// PartPerMillion is the number of hits per million of these tokens. Relative
	// is the ratio to the whole corpus; 1 means the same frequency. All three are
	// set if exactly one attribute is an attribute of a structure.
	PartTokens     int64   `json:"part_tokens,omitempty"`
	PartPerMillion float64 `json:"part_per_million,omitempty"`
	Relative       float64 `json:"relative,omitempty"`
}

// Freqs is a frequency distribution.
type Freqs struct {
	By     []string  `json:"by"`
	Tokens int64     `json:"tokens"` // of the corpus
	Hits   int64     `json:"hits"`   // of the query
	Types  int64     `json:"types"`  // rows that pass the bounds
	Parts  bool      `json:"-"`      // rows have figures for parts
	Rows   []FreqRow `json:"rows"`
}

// Freqs counts the hits of a query by their values or by their places. Rows with
// equal sort keys are sorted by their values.
func (c *Corpus) Freqs(ctx context.Context, cql string, cfg FreqConfig) (*Freqs, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	q, err := c.Query(ctx, cql)
	if err != nil {
		return nil, err
	}
	n, err := q.countBy(ctx, cfg)
	if err != nil {
		return nil, err
	}
	out := &n.Freqs
	order, err := freqOrder(cfg.Sort, out.Parts)
	if err != nil {
		return nil, inField("Sort", err)
	}
	best := top[FreqRow]{ends: newDeadline(ctx), limit: cfg.Limit, compare: order}
	for row := range n.rows {
		if best.ends.Over(0) {
			break
		}
		if row.Hits < cfg.MinHits {
			continue
		}
		out.Types++
		row.measure(out)
		best.add(row)
	}
	out.Rows = best.sorted()
	return out, best.ends.Err()
}

// measure computes the figures of a row from its hits and PartTokens.
func (r *FreqRow) measure(all *Freqs) {
	r.Share, r.PerMillion = float64(r.Hits)/float64(all.Hits), PerMillion(r.Hits, all.Tokens)
	if r.PartTokens > 0 {
		r.PartPerMillion = PerMillion(r.Hits, r.PartTokens)
		r.Relative = r.PartPerMillion / PerMillion(all.Hits, all.Tokens)
	}
}

// hitCounts holds the counts of the hits of a query by their encoded values.
type hitCounts struct {
	Freqs
	divs   []*divider
	part   int // index of the first attribute of a structure, or -1
	counts map[string]*int64
	spaced bool // different encoded values may have the same text
}

// rows yields the rows with Values, Hits and PartTokens, in no order. No two rows have the same values.
func (n *hitCounts) rows(yield func(FreqRow) bool) {
	merged := map[string]*FreqRow{}
	for key, hits := range n.counts {
		row := FreqRow{Hits: *hits}
		for i, d := range n.divs {
			var value string
			tokens := int64(0)
			value, tokens, key = d.cut(key)
			row.Values = append(row.Values, value)
			if n.Parts && i == n.part {
				row.PartTokens = tokens
			}
		}
		if !n.spaced {
			if !yield(row) {
				return
			}
			continue
		}
		name := fmt.Sprintf("%q", row.Values)
		if r := merged[name]; r != nil {
			r.Hits += row.Hits
		} else {
			merged[name] = &row
		}
	}
	for _, row := range merged {
		if !yield(*row) {
			return
		}
	}
}

// Check returns an error if there is nothing to divide the hits by.
func (cfg *FreqConfig) Check() error {
	if len(cfg.By) == 0 {
		return inField("By", errors.New("nothing to divide the hits by: name an attribute such as word, word@-1 or doc.lang"))
	}
	return nil
}

// maxFreqKeys is the maximum size of the different values of hits in bytes, 4 for each token. It is a
// variable for tests.
var maxFreqKeys = 1 << 30

// countBy counts the hits by their values.
func (q *Query) countBy(ctx context.Context, cfg FreqConfig) (*hitCounts, error) {
	out := &hitCounts{Freqs: Freqs{By: cfg.By, Tokens: q.c.Size()}, part: -1, counts: map[string]*int64{}}
	for i, by := range cfg.By {
		d, err := q.divider(ctx, by, cfg.Fold)
		if err != nil {
			return nil, inField("By", err)
		}
		if out.divs = append(out.divs, d); d.values != nil {
			out.Parts, out.part = out.part < 0, i
		}
		out.spaced = out.spaced || d.whole && d.values == nil && bytes.IndexByte(d.v.attrs[0].text, ' ') >= 0
	}
	if _, err := freqOrder(cfg.Sort, out.Parts); err != nil {
		return nil, inField("Sort", err)
	}
	var key []byte
	held := 0 // bytes of the keys
	for m, err := range q.Matches(ctx) {
		if err != nil {
			return nil, err
		}
		out.Hits++
		key = key[:0]
		for _, d := range out.divs {
			key = d.append(key, m)
		}
		n := out.counts[string(key)]
		if n == nil {
			if held += len(key); held > maxFreqKeys {
				return nil, fmt.Errorf("frequencies by %s: the different hits exceed %d MiB: bound the repetitions, as in []{0,20}, or count by a token, as in word@0", strings.Join(cfg.By, ","), maxFreqKeys>>20)
			}
			n = new(int64)
			out.counts[string(key)] = n
		}
		*n++
	}
	return out, nil
}

func freqOrder(name string, parts bool) (func(a, b FreqRow) int, error) {
	words := func(a, b FreqRow) int { return slices.Compare(a.Values, b.Values) }
	switch name {
	case "", "freq":
		return func(a, b FreqRow) int { return cmp.Or(cmp.Compare(b.Hits, a.Hits), words(a, b)) }, nil
	case "word":
		return words, nil
	case "relative":
		if !parts {
			return nil, errors.New("nothing is relative here: name one attribute of a structure, such as doc.lang")
		}
		return func(a, b FreqRow) int {
			return cmp.Or(cmp.Compare(b.PartPerMillion, a.PartPerMillion), cmp.Compare(b.Hits, a.Hits), words(a, b))
		}, nil
	}
	return nil, fmt.Errorf("no order %q: have freq, word, relative", name)
}

// divider extracts one value of a match.
type divider struct {
	v      *vocabulary
	values *values // of an attribute of a structure
	place  place
	whole  bool
	label  int // index in Match.Labels of the token; -1: none
	offset int64
	c      *Corpus
	empty  []byte // the encoded value "", also of hits without a value
	rest   int64  // tokens without a value of an attribute of a structure
}

func (q *Query) divider(ctx context.Context, by string, fold bool) (d *divider, err error) {
	c := q.c
	d = &divider{whole: true, label: -1, c: c}
	name, at, placed := strings.Cut(by, "@")
	if label, attr, dotted := strings.Cut(name, "."); dotted {
		if d.label = slices.Index(q.labels, label); d.label >= 0 {
			if placed {
				return nil, fmt.Errorf("%s: a label has no context positions", by)
			}
			d.whole = false
			return d, d.words(ctx, attr, fold)
		}
		if _, err := strconv.Atoi(label); err == nil {
			return nil, fmt.Errorf("%s: the query has no label %s: set it, as in %s:[]", by, label, label)
		}
		if placed {
			return nil, fmt.Errorf("%s: an attribute of a structure has no place", by)
		}
		v, err := c.values(ctx, name)
		if err != nil {
			return nil, err
		}
		d.values, d.place, d.rest = v, place{s: v.s}, c.Size()
		for i, s := range v.sizes {
			if s.Value == "" {
				d.empty = binary.BigEndian.AppendUint32([]byte{1}, uint32(i))
			} else {
				d.rest -= s.Tokens
			}
		}
		return d, nil
	}
	if placed {
		n, err := strconv.ParseInt(at, 10, 32)
		if err != nil {
			return nil, fmt.Errorf("%s: the place is a number: -1 is the token left of the hit, 1 the one right of it, 0 its first one", by)
		}
		d.whole, d.offset = false, n
	}
	return d, d.words(ctx, name, fold)
}

// words sets the attribute of tokens.
func (d *divider) words(ctx context.Context, attr string, fold bool) (err error) {
	if d.v, err = newVocabulary(ctx, attr, fold, nil, d.c); err != nil {
		return err
	}
	if id, ok := d.v.attrs[0].ID(""); ok {
		d.empty = binary.BigEndian.AppendUint32([]byte{1}, d.v.keys[0][id])
	}
	return nil
}

// append appends the value of m: the number of keys, then the keys.
func (d *divider) append(key []byte, m Match) []byte {
	start, end := m.Start, m.End
	switch {
	case d.values != nil:
		i := d.place.find(m.Start)
		if i < 0 || int(d.values.of[i]) >= len(d.values.sizes) { // the latter if the index is damaged
			return d.without(key)
		}
		return binary.BigEndian.AppendUint32(append(key, 1), d.values.of[i])
	case d.whole:
	case d.label >= 0:
		if start = m.Labels[d.label]; start < 0 || start >= d.c.size {
			return d.without(key)
		}
		end = start + 1
	case d.offset > 0:
		start, end = m.End-1+d.offset, m.End+d.offset
	default:
		start, end = m.Start+d.offset, m.Start+d.offset+1
	}
	if lo, hi := d.c.region(uint32(m.Start)); start < int64(lo) || end > int64(hi) {
		return d.without(key)
	}
	key = binary.AppendUvarint(key, uint64(end-start))
	for p := start; p < end; p++ {
		key = binary.BigEndian.AppendUint32(key, d.v.keys[0][d.v.attrs[0].At(p)])
	}
	return key
}

// without appends the value of a hit without one.
func (d *divider) without(key []byte) []byte {
	if d.empty == nil {
		return append(key, 0)
	}
	return append(key, d.empty...)
}

// cut decodes a value written by append. tokens is the size of the part of an attribute of a structure.
func (d *divider) cut(key string) (value string, tokens int64, rest string) {
	b := []byte(key)
	n, used := binary.Uvarint(b)
	b = b[used:]
	if d.values != nil {
		if n == 0 {
			return "", d.rest, string(b)
		}
		part := d.values.sizes[binary.BigEndian.Uint32(b)]
		if part.Value == "" {
			part.Tokens = d.rest
		}
		return part.Value, part.Tokens, string(b[4:])
	}
	words := make([]string, n)
	for i := range words {
		words[i] = d.v.word(binary.BigEndian.Uint32(b))
		b = b[4:]
	}
	return strings.Join(words, " "), 0, string(b)
}
