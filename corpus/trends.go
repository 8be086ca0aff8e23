package corpus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"chaffinch/internal/chart"
	"chaffinch/internal/timecheck"
)

// TrendConfig configures a search for words whose frequency changes over time.
type TrendConfig struct {
	// By is an attribute of a structure with the time, such as doc.year. Values count by the number
	// at their start, so that 2019 and 2019-05-31 are one epoch. Other values are left out.
	By string
	// Attr is the attribute of tokens. Default: the default attribute. Fold, Pattern and Words
	// are as in [WordListConfig].
	Attr    string
	Fold    bool
	Pattern string
	Words   bool
	// MinFreq is the minimum frequency of a word in all epochs. Default: 20.
	MinFreq int64
	// MaxQ is the maximum adjusted p-value of a row; 0 means 1, all words.
	MaxQ float64
	// Sort is p (the p-value), change (the largest relative change first), slope (the largest
	// absolute change first), or word. Default: p. Rows with equal p-values are sorted by change.
	Sort string
	// Limit is the maximum number of rows. 0 means no limit.
	Limit int
}

// minEpochs is the minimum number of epochs of a trend.
const minEpochs = 3

// Epoch is a part of the corpus by time.
type Epoch struct {
	Time   float64 `json:"time"`
	Tokens int64   `json:"tokens"`
}

// Trend is the change of the frequency of a word.
type Trend struct {
	Word string `json:"word"`
	Freq int64  `json:"freq"`
	// Hits and PerMillion hold the frequency and the hits per million tokens of each epoch.
	Hits       []int64   `json:"hits"`
	PerMillion []float64 `json:"per_million"`
	// Slope is the Theil-Sen slope: the median of the slopes between all pairs of epochs, in hits
	// per million tokens per unit of time. Change is the slope divided by the mean of PerMillion.
	Slope  float64 `json:"slope"`
	Change float64 `json:"change"`
	// P is the p-value of the Mann-Kendall test, two-sided. Q is P adjusted for the number of words
	// tested (Benjamini-Hochberg).
	P float64 `json:"p"`
	Q float64 `json:"q"`
}

// Trends is a table of trends.
type Trends struct {
	By     string  `json:"by"`
	Epochs []Epoch `json:"epochs"`
	// Tokens is the number of tokens in epochs, Undated the number of other tokens.
	Tokens  int64 `json:"tokens"`
	Undated int64 `json:"undated"`
	// Tested is the number of words tested: those with the minimum frequency.
	Tested int64   `json:"tested"`
	Rows   []Trend `json:"rows"`
}

// Trends finds words whose frequency rises or falls over time.
func (c *Corpus) Trends(ctx context.Context, cfg TrendConfig) (*Trends, error) {
	keep, err := filter(cfg.Pattern, cfg.Words)
	if err != nil {
		return nil, err
	}
	if _, err := trendOrder(cfg.Sort); err != nil {
		return nil, inField("Sort", err)
	}
	v, err := newVocabulary(ctx, cfg.Attr, cfg.Fold, keep, c)
	if err != nil {
		return nil, inField("Attr", err)
	}
	out := &Trends{By: cfg.By}
	of, err := c.epochs(ctx, cfg.By, out)
	if err != nil {
		return nil, inField("By", err)
	}
	words, err := c.hitsByEpoch(ctx, v, of, len(out.Epochs), cmp.Or(cfg.MinFreq, 20))
	if err != nil {
		return nil, err
	}
	return out.test(ctx, cfg, words, v.word)
}

// test computes the trends of words with their hits by epoch, and selects the rows.
func (out *Trends) test(ctx context.Context, cfg TrendConfig, words []wordTrend, word func(key uint32) string) (*Trends, error) {
	order, err := trendOrder(cfg.Sort)
	if err != nil {
		return nil, inField("Sort", err)
	}
	out.Tested = int64(len(words))
	x := make([]float64, len(out.Epochs))
	for i, e := range out.Epochs {
		x[i] = e.Time
	}
	w := timecheck.New(ctx)
	test := kendall{}
	slopes := make([]float64, 0, len(x)*(len(x)-1)/2)
	for i := range words {
		if err := w.Done(cap(slopes)); err != nil {
			return nil, err
		}
		t := &words[i]
		t.y = make([]float64, len(x))
		mean := 0.0
		for e, n := range t.hits {
			t.y[e] = PerMillion(int64(n), out.Epochs[e].Tokens)
			mean += t.y[e] / float64(len(x))
		}
		t.slope = theilSen(x, t.y, slopes)
		t.change = t.slope / mean
		t.p = test.p(t.y)
	}
	adjust(words)
	best := top[wordTrend]{ends: newDeadline(ctx), limit: cfg.Limit, compare: func(a, b wordTrend) int {
		if d := order(&a, &b); d != 0 || a.key == b.key {
			return d
		}
		return strings.Compare(word(a.key), word(b.key))
	}}
	for _, t := range words {
		if t.q <= cmp.Or(cfg.MaxQ, 1) {
			best.add(t)
		}
	}
	for _, t := range best.sorted() {
		row := Trend{Word: word(t.key), PerMillion: t.y, Slope: t.slope, Change: t.change, P: t.p, Q: t.q}
		for _, n := range t.hits {
			row.Hits = append(row.Hits, int64(n))
			row.Freq += int64(n)
		}
		out.Rows = append(out.Rows, row)
	}
	return out, best.ends.Err()
}

// wordTrend is a row without its word.
type wordTrend struct {
	key                 uint32
	hits                []uint32
	y                   []float64
	slope, change, p, q float64
}

// trendOrder returns the comparison function for rows. Equal rows are sorted by their words.
func trendOrder(name string) (func(a, b *wordTrend) int, error) {
	by := func(x func(*wordTrend) float64) func(a, b *wordTrend) int {
		return func(a, b *wordTrend) int { return cmp.Compare(math.Abs(x(b)), math.Abs(x(a))) }
	}
	change := by(func(t *wordTrend) float64 { return t.change })
	switch name {
	case "", "p":
		return func(a, b *wordTrend) int { return cmp.Or(cmp.Compare(a.p, b.p), change(a, b)) }, nil
	case "change":
		return change, nil
	case "slope":
		return by(func(t *wordTrend) float64 { return t.slope }), nil
	case "word":
		return func(a, b *wordTrend) int { return 0 }, nil
	}
	return nil, fmt.Errorf("no order %q: have p, change, slope, word", name)
}

// epochs sets the epochs of out, in the order of time. It returns the part of the corpus of each
// epoch: the number of the epoch of each structure, or -1.
func (c *Corpus) epochs(ctx context.Context, by string, out *Trends) (*epochOf, error) {
	if by == "" {
		return nil, errors.New("no attribute with the time: name one, such as doc.year")
	}
	v, err := c.values(ctx, by)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", by, err)
	}
	if err := out.addEpochs(v.sizes, c.Size()); err != nil {
		return nil, err
	}
	e := &epochOf{s: v.s, of: v.of, epoch: make([]int, len(v.sizes))}
	for i, s := range v.sizes {
		e.epoch[i] = -1
		if t, ok := timeOf(s.Value); ok && s.Tokens > 0 {
			e.epoch[i], _ = slices.BinarySearchFunc(out.Epochs, t, func(x Epoch, t float64) int { return cmp.Compare(x.Time, t) })
		}
	}
	return e, nil
}

// addEpochs adds the epochs of a corpus with these values and tokens.
func (out *Trends) addEpochs(sizes []ValueSize, size int64) error {
	tokens := map[float64]int64{}
	for _, s := range sizes {
		if t, ok := timeOf(s.Value); ok && s.Tokens > 0 {
			tokens[t] += s.Tokens
			out.Tokens += s.Tokens
		}
	}
	out.Undated = size - out.Tokens
	for t, n := range tokens {
		out.Epochs = append(out.Epochs, Epoch{t, n})
	}
	slices.SortFunc(out.Epochs, func(a, b Epoch) int { return cmp.Compare(a.Time, b.Time) })
	if len(out.Epochs) < minEpochs {
		return fmt.Errorf("%s: %d different times (wanted at least %d): a time is a number at the start of the value, such as 2019 or 2019-05-31", out.By, len(out.Epochs), minEpochs)
	}
	return nil
}

// epochOf finds the epochs of structures.
type epochOf struct {
	s     *Struct
	of    []uint32 // value of each structure
	epoch []int    // epoch of each value
}

// timeOf returns the number at the start of a value.
func timeOf(value string) (float64, bool) {
	n := 0
	for n < len(value) && '0' <= value[n] && value[n] <= '9' {
		n++
	}
	t, err := strconv.ParseFloat(value[:n], 64)
	return t, err == nil
}

// hitsByEpoch counts the words with a minimum frequency in each epoch.
func (c *Corpus) hitsByEpoch(ctx context.Context, v *vocabulary, of *epochOf, epochs int, least int64) ([]wordTrend, error) {
	freq, err := v.counts(ctx, 0)
	if err != nil {
		return nil, err
	}
	var words []wordTrend
	row := make([]uint32, len(freq)) // index in words of each key, from 1
	for k, n := range freq {
		if n >= least {
			words = append(words, wordTrend{key: uint32(k), hits: make([]uint32, epochs)})
			row[k] = uint32(len(words))
		}
	}
	if err := c.addHits(ctx, v, of, row, words); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(words, func(t wordTrend) bool {
		n := int64(0)
		for _, x := range t.hits {
			n += int64(x)
		}
		return n < max(least, 1)
	}), nil
}

// addHits adds the hits of words in each epoch. row holds for each key its index in words, from 1.
func (c *Corpus) addHits(ctx context.Context, v *vocabulary, of *epochOf, row []uint32, words []wordTrend) error {
	w := timecheck.New(ctx)
	a, part := v.attrs[0], follower{c: c}
	for i := range of.s.Len() {
		e := -1
		if x := of.of[i]; int(x) < len(of.epoch) { // otherwise the index is damaged
			e = of.epoch[x]
		}
		if e < 0 {
			continue
		}
		start, end := of.s.Span(i)
		for start < end {
			from, to, ok := part.find(start)
			if !ok || from >= end {
				break
			}
			for p := max(start, from); p < min(end, to); p++ {
				if err := w.Done(0); err != nil {
					return err
				}
				if k := v.keys[0][a.At(p)]; k != none && row[k] > 0 {
					words[row[k]-1].hits[e]++
				}
			}
			start = to
		}
	}
	return nil
}

// sparks are the heights of bars in text.
const sparks = "▁▂▃▄▅▆▇█"

// Spark returns the hits per million tokens of the epochs as bars of text. The highest bar is the
// maximum of the word; an epoch without hits is a space.
func (t *Trend) Spark() string {
	most := slices.Max(t.PerMillion)
	bars := []rune(sparks)
	out := make([]rune, len(t.PerMillion))
	for i, y := range t.PerMillion {
		out[i] = ' '
		if y > 0 {
			out[i] = bars[max(int(math.Ceil(y/most*float64(len(bars)))), 1)-1]
		}
	}
	return string(out)
}

// trendCharts is the number of trends that are drawn.
const trendCharts = 8

// Pictures returns a plot of the first trends that rise and one of the first that fall.
func (t *Trends) Pictures() []Picture {
	var out []Picture
	for _, side := range []struct {
		name string
		of   func(slope float64) bool
	}{{"Rising", func(x float64) bool { return x > 0 }}, {"Falling", func(x float64) bool { return x < 0 }}} {
		var rows []Trend
		for _, r := range t.Rows {
			if side.of(r.Slope) && len(rows) < trendCharts {
				rows = append(rows, r)
			}
		}
		if len(rows) > 0 {
			out = append(out, Picture{side.name, fmt.Sprintf("Hits per million tokens of each epoch of %s, for the first %d words. The scale is logarithmic; epochs without hits are left out.", t.By, len(rows)), template.HTML(t.plot(side.name, rows))})
		}
	}
	return out
}

// plot draws lines over time, with the words at their right ends.
func (t *Trends) plot(name string, rows []Trend) string {
	const width, height, left, right, top, bottom = 720, 360, 64, 150, 14, 46
	first, last := t.Epochs[0].Time, t.Epochs[len(t.Epochs)-1].Time
	x := chart.Scale{From: first, To: last, Start: left, End: width - right}
	y := chart.Scale{Start: height - bottom, End: top, Log: true}
	for _, r := range rows {
		for _, v := range r.PerMillion {
			y.Include(v)
		}
	}
	m := chart.New(name+" words by "+t.By, width, height, "class", "plot")
	var ticks []chart.Tick
	for i, e := range t.Epochs {
		if every := (len(t.Epochs) + 9) / 10; i%every == 0 {
			ticks = append(ticks, chart.Tick{Value: e.Time, Name: strconv.FormatFloat(e.Time, 'f', -1, 64)})
		}
	}
	m.Grid(x, y, ticks, powers(y), t.By, "per million")
	place := chart.Placer{Left: left, Right: width, Top: top, Bottom: height - bottom}
	for _, r := range rows {
		var line []chart.Point
		for e, v := range r.PerMillion {
			if v > 0 {
				line = append(line, chart.Point{X: x.At(t.Epochs[e].Time), Y: y.At(v)})
			}
		}
		m.Curve(line, fmt.Sprintf("%s: %+.1f %% a unit of time", r.Word, 100*r.Change), "class", "curve held")
		for _, p := range line {
			m.Circle(p.X, p.Y, 2.5, "", "class", "dot")
		}
		if end := line[len(line)-1]; utf8.ValidString(r.Word) {
			if at, anchor, ok := place.Place(end.X, end.Y, r.Word, 12); ok {
				m.Text(at.X, at.Y, r.Word, "class", "name", "text-anchor", anchor)
			}
		}
	}
	return m.String()
}
