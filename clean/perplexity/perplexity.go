// Package perplexity keeps text that is likely under a language model. [New] returns a
// labeller of pages with the models that a [Config] names; [Filter.Process] filters plain
// text.
//
// Paper: Fernández-Pichel, Prada-Corral, Losada, Pichel and Gamallo, "An unsupervised
// perplexity-based method for boilerplate removal", Natural Language Engineering, 2023. The
// paper computes the perplexity of each sentence (equation 1) and removes sentences above a
// limit (section 3, figure 1). [Paper] configures exactly this rule.
//
// Headings, names and other short sentences have extreme perplexities. [Default] therefore
// differs from the paper in two ways. A sentence is scored together with the text around it,
// and words in links count as less likely.
//
// [Measure] also offers the two scores that the paper leaves for future work: the difference
// of the cross-entropies of two models and the Kullback-Leibler divergence.
//
// Unstable: this package may change in any release.
package perplexity

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"

	"chaffinch/internal/timecheck"
	"chaffinch/page"
	"chaffinch/text/lm/pyplexity"
	"chaffinch/text/token"
)

// Unit names the stretch of text that gets one score and is kept or dropped as a whole.
type Unit string

// The units.
const (
	Sentence Unit = "sentence"
	Block    Unit = "block"
	Page     Unit = "page"
)

// Config configures a [Labeller]. [Default] holds the defaults.
type Config struct {
	// Model is the name of an embedded model or the path of a model file in Chaffinch, ARPA
	// or PyPlexity format.
	Model string `json:"model,omitempty"`
	// Compat is "" or "pyplexity", which reproduces PyPlexity's scores including its errors.
	// It requires a PyPlexity model.
	Compat string `json:"compat,omitempty"`
	// Background is the second model, for the measure [Difference].
	Background string `json:"background,omitempty"`
	// Measure selects the score.
	Measure Measure `json:"measure,omitempty"`
	// Unit is the unit that is kept or dropped as a whole.
	Unit Unit `json:"unit,omitempty"`
	// Limit is the score from which a unit is dropped: a perplexity, or bits per token for
	// the other measures. 0 means the model's own limit for the share Keep of clean
	// sentences, except for [Difference], where 0 is the limit.
	Limit float64 `json:"limit,omitempty"`
	// Keep is the share of clean sentences that the model's own limit keeps, 0.95 or 0.99.
	Keep float64 `json:"keep,omitempty"`
	// Reach is the range of context in tokens: a token at distance d from a unit counts as
	// exp(-d/Reach) tokens of the unit. 0 scores each unit separately.
	Reach float64 `json:"reach"`
	// LinkBits is added to the information of each token in a link, in bits. The share of
	// linked tokens of a unit is the link density of its block.
	LinkBits float64 `json:"link_bits"`
}

// Default holds the settings that were best on the development pages of CleanEval
// (docs/explanation/perplexity.md).
var Default = Config{Model: "en", Measure: Perplexity, Unit: Sentence, Keep: 0.99, Reach: 20, LinkBits: 3}

// Paper holds the rule of the paper: each sentence is scored separately, with the limit that
// was best for the paper's model of the British National Corpus.
var Paper = Config{Model: "en", Measure: Perplexity, Unit: Sentence, Limit: pyplexity.Limit}

// Labeller labels the blocks of pages. It implements clean.Labeller.
type Labeller struct {
	cfg     Config
	model   Model
	back    Model
	limit   float64 // Config.Limit, resolved
	maxBits float64 // the limit in bits per token
}

// Cells reports whether the labels of table cells and list items are final. They are in
// compatibility mode, since PyPlexity does not handle tables.
func (l *Labeller) Cells() bool { return l.cfg.Compat != "" }

// New returns a labeller with the models that cfg names.
func New(cfg Config) (*Labeller, error) {
	m, err := Load(cfg.Model, cfg.Compat)
	if err != nil {
		return nil, err
	}
	var back Model
	if cfg.Background != "" {
		if back, err = Load(cfg.Background, ""); err != nil {
			return nil, err
		}
	}
	return newWith(cfg, m, back)
}

// newWith returns a labeller with loaded models. background may be nil unless the measure is
// [Difference]. cfg.Model and cfg.Background are ignored.
func newWith(cfg Config, model, background Model) (*Labeller, error) {
	switch cfg.Unit {
	case Sentence, Block, Page:
	default:
		return nil, fmt.Errorf("perplexity: unit %q, wanted sentence, block or page", cfg.Unit)
	}
	if cfg.Reach < 0 || cfg.LinkBits < 0 || math.IsNaN(cfg.Reach+cfg.LinkBits) {
		return nil, fmt.Errorf("perplexity: reach %v and link bits %v, wanted 0 or more", cfg.Reach, cfg.LinkBits)
	}
	l := &Labeller{cfg: cfg, model: model, limit: cfg.Limit}
	switch cfg.Measure {
	case Perplexity:
		if l.limit == 0 {
			limit, err := model.Limit(cfg.Keep, cfg.Reach > 0)
			if err != nil {
				return nil, err
			}
			l.limit = limit
		}
		if !(l.limit > 1) {
			return nil, fmt.Errorf("perplexity: limit %v, wanted a perplexity above 1", l.limit)
		}
		l.maxBits = math.Log2(l.limit)
	case Difference:
		if background == nil {
			return nil, errors.New("perplexity: the measure difference compares two models: name the second one as background")
		}
		l.back = background
		l.maxBits = l.limit
	case Divergence:
		if !(l.limit > 0) {
			return nil, errors.New("perplexity: the measure divergence needs a limit in bits: calibrate one on texts that are clean")
		}
		l.maxBits = l.limit
	default:
		return nil, fmt.Errorf("perplexity: measure %q, wanted perplexity, difference or divergence", cfg.Measure)
	}
	return l, nil
}

// Limit returns the limit in use.
func (l *Labeller) Limit() float64 { return l.limit }

const name = "perplexity/1"

// whyNoText is the Why of blocks without sentences.
const whyNoText = "no text"

// Name returns the method's name and version.
func (l *Labeller) Name() string { return name }

// unit is a stretch of text with one score.
type unit struct {
	block      int // index of the first block
	start, end int // byte span in the block; unused if the unit is a block or a page
	bits       float64
	tokens     float64
}

// Label returns one verdict for each block. The score of a block is the score of its unit,
// or for sentences the mean score weighted by tokens. Scores can be compared with other
// limits without another run.
func (l *Labeller) Label(ctx context.Context, p *page.Page) ([]page.Verdict, error) {
	units, err := l.units(ctx, p)
	if err != nil {
		return nil, err
	}
	value := smooth(units, l.cfg.Reach)
	verdicts := make([]page.Verdict, len(p.Blocks))
	sentences := make([]page.Sentence, 0, len(units))
	for first := 0; first < len(units); {
		last := first + 1
		for last < len(units) && units[last].block == units[first].block {
			last++
		}
		v, kept := l.verdict(units[first:last], value[first:last])
		if last-first > 1 {
			n := len(sentences)
			for i := first; i < last; i++ {
				u := &units[i]
				sentences = append(sentences, page.Sentence{Start: u.start, End: u.end, Label: l.label(value[i]), Score: l.score(value[i])})
			}
			v.Sentences = sentences[n:len(sentences):len(sentences)]
			if kept > 0 && kept < last-first {
				v.Reason = strconv.Itoa(last-first-kept) + " of " + strconv.Itoa(last-first) + " sentences ≥ " + number(l.limit)
			}
		}
		if l.cfg.Unit == Page {
			for i := range verdicts {
				verdicts[i] = v
			}
			break
		}
		verdicts[units[first].block] = v
		first = last
	}
	for i := range verdicts {
		if verdicts[i].By == "" {
			verdicts[i] = page.Verdict{By: name, Label: page.Bad, Reason: whyNoText}
		}
	}
	return verdicts, nil
}

// units returns the units of a page in order. It returns only errors of ctx.
func (l *Labeller) units(ctx context.Context, p *page.Page) ([]unit, error) {
	clock := timecheck.New(ctx)
	units := make([]unit, 0, 2*len(p.Blocks))
	var spans []token.Span
	for i := range p.Blocks {
		b := &p.Blocks[i]
		var linked float64
		if b.LinkChars > 0 && l.cfg.LinkBits > 0 {
			linked = l.cfg.LinkBits * min(1, b.LinkDensity())
		}
		spans = token.Sentences(b.Text, spans[:0])
		for _, s := range spans {
			if err := clock.Done(s.End - s.Start); err != nil {
				return nil, err
			}
			bits, n := l.bits(b.Text[s.Start:s.End])
			bits += float64(linked * n)
			if k := len(units) - 1; k >= 0 && (l.cfg.Unit == Page || l.cfg.Unit == Block && units[k].block == i) {
				units[k].bits += bits
				units[k].tokens += n
				continue
			}
			units = append(units, unit{i, s.Start, s.End, bits, n})
		}
	}
	return units, nil
}

// smooth returns the bits per token of each unit together with the text around it: Σ w(t)
// bits(t) / Σ w(t) over the tokens t of the page. The weight w is 1 in the unit and
// exp(-d/reach) at a distance of d tokens. The tokens of a unit share its bits evenly. Two
// passes carry the weighted sums of the text on each side.
func smooth(units []unit, reach float64) []float64 {
	value := make([]float64, len(units))
	if reach == 0 {
		for i, u := range units {
			value[i] = u.bits / u.tokens
		}
		return value
	}
	type sum struct{ bits, tokens float64 }
	before := make([]sum, len(units))
	var s sum
	pass := func(i int) {
		u := &units[i]
		decay := math.Exp(-u.tokens / reach)
		weight := reach * (1 - decay) / u.tokens // mean of exp(-d/reach) over the unit
		s.bits = float64(s.bits*decay) + float64(u.bits*weight)
		s.tokens = float64(s.tokens*decay) + float64(u.tokens*weight)
	}
	for i := range units {
		before[i] = s
		pass(i)
	}
	s = sum{}
	for i := len(units) - 1; i >= 0; i-- {
		u := &units[i]
		value[i] = (u.bits + before[i].bits + s.bits) / (u.tokens + before[i].tokens + s.tokens)
		pass(i)
	}
	return value
}

// verdict returns the verdict of a block with these units, and the number of kept units.
func (l *Labeller) verdict(units []unit, value []float64) (v page.Verdict, kept int) {
	var sum, tokens float64
	for i, u := range units {
		sum += float64(value[i] * u.tokens)
		tokens += u.tokens
		if l.label(value[i]) == page.Good {
			kept++
		}
	}
	v = page.Verdict{By: name, Label: page.Bad, Score: l.score(sum / tokens)}
	sign := " ≥ "
	if kept > 0 {
		v.Label, sign = page.Good, " < "
	}
	v.Reason = string(l.cfg.Measure) + " " + number(v.Score) + sign + number(l.limit)
	return v, kept
}

func (l *Labeller) label(bits float64) page.Label {
	if bits < l.maxBits {
		return page.Good
	}
	return page.Bad
}

// score converts bits per token to the reported score.
func (l *Labeller) score(bits float64) float64 {
	if l.cfg.Measure == Perplexity {
		return math.Exp2(bits)
	}
	return bits
}

// number formats a score with at least three significant digits.
func number(x float64) string {
	if math.Abs(x) >= 100 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

// Cards returns the model cards of the models. PyPlexity models have no card.
func (l *Labeller) Cards() (cards []json.RawMessage) {
	for _, m := range []Model{l.model, l.back} {
		if w, ok := m.(words); ok && w.File != nil && w.File.Card != nil {
			cards = append(cards, w.File.Card)
		}
	}
	return cards
}
