package corpus

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// wordRow is a row of a word list with its tokens.
type wordRow struct {
	tokens []string
	WordFreq
}

// wordOrder returns the order of the rows of a word list. late reports whether it needs figures of OpMeasures.
func wordOrder(sort string) (order func(a, b wordRow) int, late bool, err error) {
	by := func(x func(r *wordRow) float64) func(a, b wordRow) int {
		return func(a, b wordRow) int { return cmp.Or(cmp.Compare(x(&b), x(&a)), strings.Compare(a.Word, b.Word)) }
	}
	switch sort {
	case "", "freq":
		return func(a, b wordRow) int {
			return cmp.Or(cmp.Compare(b.Freq, a.Freq), strings.Compare(a.Word, b.Word))
		}, false, nil
	case "word":
		return func(a, b wordRow) int { return strings.Compare(a.Word, b.Word) }, false, nil
	case "docf":
		return by(func(r *wordRow) float64 { return float64(r.DocFreq) }), false, nil
	case "arf":
		return by(func(r *wordRow) float64 { return r.ARF }), true, nil
	case "aldf":
		return by(func(r *wordRow) float64 { return r.ALDF }), true, nil
	case "dp":
		return by(func(r *wordRow) float64 { return -*r.DPNorm }), true, nil
	}
	return nil, false, inField("Sort", fmt.Errorf("no order %q: have freq, docf, arf, aldf, dp, word", sort))
}

// WordList lists words or n-grams, as [Corpus.WordList] does.
func (s *Shards) WordList(ctx context.Context, cfg WordListConfig) (*WordList, error) {
	order, late, err := wordOrder(cfg.Sort)
	if err != nil {
		return nil, err
	}
	cfg.DocFreq = cfg.DocFreq || cfg.Sort == "docf"
	cfg.ARF = cfg.ARF || cfg.Sort == "arf" || cfg.Sort == "aldf"
	if cfg.Sort == "dp" {
		cfg.DP = cmp.Or(cfg.DP, "doc")
	}
	out := &WordList{Tokens: s.Size()}
	m, err := s.measures(ctx, cfg, out)
	if err != nil {
		return nil, err
	}
	ask := cfg
	ask.DocFreq, ask.ARF, ask.By, ask.DP, ask.Limit = false, false, "", "", 0
	if late {
		ask.Sort = ""
	}
	rows, err := s.rows(ctx, &Request{Op: OpWords, Words: &ask})
	if err != nil {
		return nil, err
	}
	best := top[wordRow]{ends: newDeadline(ctx), limit: cfg.Limit, compare: order}
	counted := func(yield func(wordRow, error) bool) {
		for r, err := range rows {
			if err != nil {
				yield(wordRow{}, err)
				return
			}
			f := r.N[0]
			if f < cfg.MinFreq || cfg.MaxFreq > 0 && f > cfg.MaxFreq {
				continue
			}
			out.Types++
			out.Hits += f
			x := wordRow{r.Key, WordFreq{Word: strings.Join(r.Key, " "), Freq: f, PerMillion: PerMillion(f, out.Tokens)}}
			if len(r.N) > 1 {
				x.DocFreq = r.N[1]
			}
			if !yield(x, nil) {
				return
			}
		}
	}
	if late {
		counted = m.addAll(ctx, counted)
	}
	for x, err := range counted {
		if err != nil {
			return nil, err
		}
		best.add(x)
	}
	list := best.sorted()
	if err := best.ends.Err(); err != nil {
		return nil, err
	}
	if !late {
		if err := m.add(ctx, list); err != nil {
			return nil, err
		}
	}
	for _, x := range list {
		out.Rows = append(out.Rows, x.WordFreq)
	}
	return out, nil
}

// wordMeasures adds figures that need positions to the rows of a word list.
type wordMeasures struct {
	s       *Shards
	cfg     WordListConfig
	list    *WordList
	request Request
	// The parts for the deviation of proportions: tokens by value, if the parts are values, tokens in no part, and
	// tokens of the smallest part.
	tokens      map[string]int64
	rest, least int64
}

// measures returns the figures of a word list, and sets its values.
func (s *Shards) measures(ctx context.Context, cfg WordListConfig, out *WordList) (*wordMeasures, error) {
	m := &wordMeasures{s: s, cfg: cfg, list: out}
	if cfg.By != "" {
		list, err := s.Breakdown(ctx, cfg.By)
		if err != nil {
			return nil, err
		}
		out.Values, out.Rest = largestValues(list, cmp.Or(cfg.MaxValues, 10))
	}
	ask := cfg
	ask.By, ask.Limit, ask.Sort = "", 0, ""
	m.request = Request{Op: OpMeasures, Words: &ask, By: cfg.By, Total: out.Tokens, Rest: out.Rest}
	for i, v := range out.Values {
		if !out.Rest || i < len(out.Values)-1 {
			m.request.Values = append(m.request.Values, v.Value)
		}
	}
	if cfg.DP == "" {
		return m, nil
	}
	return m, m.divide(ctx, &ask)
}

// divide reads the sizes of the parts for the deviation of proportions.
func (m *wordMeasures) divide(ctx context.Context, ask *WordListConfig) error {
	smaller := func(n int64) {
		if n > 0 && (m.least == 0 || n < m.least) {
			m.least = n
		}
	}
	all, err := m.s.ask(ctx, &Request{Op: OpDivision, Words: &WordListConfig{DP: ask.DP}})
	if err != nil {
		return err
	}
	values := strings.Contains(ask.DP, ".")
	err = m.s.eachRow(all, func(_ int, row Row) error {
		if len(row.N) != 2 {
			return fmt.Errorf("%d sizes of parts (wanted 2)", len(row.N))
		}
		if m.rest += row.N[1]; !values {
			smaller(row.N[0])
		}
		return nil
	})
	if err != nil {
		return err
	}
	if values {
		list, err := m.s.Breakdown(ctx, ask.DP)
		if err != nil {
			return err
		}
		m.tokens = map[string]int64{}
		for _, v := range list {
			m.tokens[v.Value] = v.Tokens
			smaller(v.Tokens)
		}
	}
	smaller(m.rest)
	return nil
}

// addAll adds the figures to rows, some thousand at a time.
func (m *wordMeasures) addAll(ctx context.Context, rows iter.Seq2[wordRow, error]) iter.Seq2[wordRow, error] {
	return func(yield func(wordRow, error) bool) {
		var list []wordRow
		flush := func() bool {
			if err := m.add(ctx, list); err != nil {
				yield(wordRow{}, err)
				return false
			}
			for _, x := range list {
				if !yield(x, nil) {
					return false
				}
			}
			list = list[:0]
			return true
		}
		for x, err := range rows {
			if err != nil {
				yield(wordRow{}, err)
				return
			}
			if list = append(list, x); len(list) == atOnceItems && !flush() {
				return
			}
		}
		flush()
	}
}

// add adds the figures to rows.
func (m *wordMeasures) add(ctx context.Context, list []wordRow) error {
	cfg := m.cfg
	if !cfg.ARF && cfg.By == "" && cfg.DP == "" && (!cfg.DocFreq || cfg.Sort == "docf") {
		return nil
	}
	items, freqs := make([][]string, len(list)), make([]int64, len(list))
	for i, x := range list {
		items[i], freqs[i] = x.tokens, x.Freq
	}
	return m.s.items(ctx, m.request, items, freqs, func(i int, rows []Row) error { return m.row(&list[i], rows) })
}

// row adds the figures to a row, from the rows of the shards.
func (m *wordMeasures) row(x *wordRow, rows []Row) error {
	sum := dispersionSum{freq: x.Freq, size: m.list.Tokens, first: -1}
	over := excess{freq: x.Freq, all: m.list.Tokens}
	byValue := map[string]int64{}
	rest, docs, before := int64(0), int64(0), int64(0)
	if m.cfg.By != "" {
		x.Parts = make([]int64, len(m.list.Values))
	}
	for k, row := range rows {
		n := row.N
		if len(n) != measured+len(x.Parts)+len(row.Text) {
			return m.s.failed(k, fmt.Errorf("%d figures of a word (wanted %d)", len(n), measured+len(x.Parts)+len(row.Text)))
		}
		sum.join(dispersionSum{first: n[measuredFirst], last: n[measuredLast], whole: n[measuredWhole], short: n[measuredShort], entropy: uint64(n[measuredEntropy])}, before)
		over.hits += n[measuredHits]
		over.tokens += n[measuredTokens]
		rest += n[measuredRest]
		docs += n[measuredDocs]
		for j := range x.Parts {
			x.Parts[j] += n[measured+j]
		}
		for j, v := range row.Text {
			byValue[v] += n[measured+len(x.Parts)+j]
		}
		before += m.s.sizes[k].Tokens
	}
	if m.cfg.DocFreq {
		x.DocFreq = docs
	}
	if m.cfg.ARF {
		x.ARF, x.ALDF = sum.result()
	}
	if m.cfg.DP != "" {
		for v, hits := range byValue {
			over.add(hits, m.tokens[v])
		}
		over.add(rest, m.rest)
		dp, norm := over.result(m.least)
		x.DP, x.DPNorm = &dp, &norm
	}
	return nil
}

// largestValues returns the first values, and the sum of the others as the last one.
func largestValues(list []ValueSize, most int) (out []ValueSize, rest bool) {
	if len(list) <= most {
		return list, false
	}
	last := ValueSize{}
	for _, x := range list[most:] {
		last.Structs += x.Structs
		last.Tokens += x.Tokens
	}
	return append(slices.Clone(list[:most]), last), true
}
