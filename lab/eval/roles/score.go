package roles

import (
	"math"

	"chaffinch/lab/eval/stats"
	"chaffinch/lab/gold"
	"chaffinch/page"
)

// count is the number of roles including NoRole.
const count = page.RoleCount + 1

// Matrix counts blocks, or their words, by gold role and predicted role.
type Matrix [count][count]int

func (m *Matrix) plus(o *Matrix) {
	for g := range m {
		for r := range m[g] {
			m[g][r] += o[g][r]
		}
	}
}

// total returns the sum of all cells.
func (m *Matrix) total() (n int) {
	for g := range m {
		for _, x := range m[g] {
			n += x
		}
	}
	return n
}

// gold returns the number of units with a gold role.
func (m *Matrix) gold(r page.Role) (n int) {
	for _, x := range m[r] {
		n += x
	}
	return n
}

// given returns the number of units with a predicted role.
func (m *Matrix) given(r page.Role) (n int) {
	for g := range m {
		n += m[g][r]
	}
	return n
}

// accuracy returns the fraction with the right role, NaN if empty.
func (m *Matrix) accuracy() float64 {
	right := 0
	for r := range m {
		right += m[r][r]
	}
	return share(right, m.total())
}

// kappa returns Cohen's kappa: agreement beyond chance, given the frequencies of the roles. It is
// NaN if undefined.
func (m *Matrix) kappa() float64 {
	n := float64(m.total())
	chance := 0.0
	for r := page.NoRole; int(r) < count; r++ {
		chance += float64(m.gold(r)) / n * float64(m.given(r)) / n
	}
	if chance == 1 {
		return math.NaN()
	}
	return (m.accuracy() - chance) / (1 - chance)
}

// Precision returns the fraction of right roles among the units with the predicted role, NaN
// without such units.
func (m *Matrix) Precision(r page.Role) float64 { return share(m[r][r], m.given(r)) }

// recall returns the fraction of right roles among the units with the gold role, NaN without such
// units.
func (m *Matrix) recall(r page.Role) float64 { return share(m[r][r], m.gold(r)) }

// f returns the harmonic mean of precision and recall, NaN if undefined.
func (m *Matrix) f(r page.Role) float64 { return share(2*m[r][r], m.gold(r)+m.given(r)) }

// macroF returns the mean of F over the gold roles that occur.
func (m *Matrix) macroF() float64 {
	sum, n := 0.0, 0
	for r := page.RoleTitle; int(r) < count; r++ {
		if m.gold(r) > 0 {
			sum += m.f(r)
			n++
		}
	}
	return sum / float64(n)
}

func share(a, b int) float64 {
	if b == 0 {
		return math.NaN()
	}
	return float64(a) / float64(b)
}

// Config configures the intervals.
type Config struct {
	// Samples is the number of bootstrap samples of pages, 0 for no intervals.
	Samples int
	// Level is the confidence level of an interval.
	Level float64
	// Seed seeds the samples.
	Seed uint64
}

// Default is the default Config of the command.
var Default = Config{Samples: 1000, Level: 0.95, Seed: 1}

// Value is a figure with its interval. The bounds are NaN without samples.
type Value struct{ Value, Low, High float64 }

// Figures holds the figures of a role.
type Figures struct {
	Role page.Role
	// Blocks and Words are the numbers of blocks and words with the gold role.
	Blocks, Words int
	// Precision, Recall and F count blocks. The figures for words weight each block by its words.
	Precision, Recall, F             Value
	WordPrecision, WordRecall, WordF Value
	// Second is the F of the second annotation, over blocks, on the pages that have one: an upper
	// bound for systems. It is NaN without a second annotation.
	Second float64
}

// Result holds the scores of a system on annotated pages.
type Result struct {
	System string
	// Field and Value identify the pages of a group, such as "page_type" and "forum"; "" for all
	// pages.
	Field, Value string
	Pages        int
	// Blocks and Words are confusion matrices.
	Blocks, Words Matrix
	// Accuracy, Kappa and MacroF count blocks; WordAccuracy is weighted by words.
	Accuracy, WordAccuracy, Kappa, MacroF Value
	// Roles holds the figures of each role that occurs in the gold or the predictions.
	Roles []Figures
	// Second holds the scores of the second annotation; nil without one.
	Second *Result
	Notes  []string

	pages []tally
}

// tally holds the matrices of one page.
type tally struct {
	item          *gold.Item
	blocks, words Matrix
}

// Measure scores the predicted roles. Blocks of pages without output have no role.
func Measure(s *Set, o *Output, cfg Config) *Result {
	r := &Result{System: o.Name, Notes: o.Notes}
	r.pages = tallies(s.Pages, func(p *Page, b *Block) page.Role {
		if roles := o.Roles[p.Item]; roles != nil {
			return roles[b.Index]
		}
		return page.NoRole
	})
	r.summarise(cfg)
	if given := r.Blocks.total() - r.Blocks.given(page.NoRole); given == 0 {
		r.Notes = append(r.Notes, "gives no block a role")
	}
	if r.Second = agreement(s, cfg); r.Second != nil {
		for i := range r.Roles {
			r.Roles[i].Second = r.Second.Blocks.f(r.Roles[i].Role)
		}
	}
	return r
}

// agreement scores the second annotation as a system on the pages that have one; nil if there are
// none.
func agreement(s *Set, cfg Config) *Result {
	var twice []*Page
	for _, p := range s.Pages {
		if p.Twice {
			twice = append(twice, p)
		}
	}
	if len(twice) == 0 {
		return nil
	}
	r := &Result{System: "second reading"}
	r.pages = tallies(twice, func(_ *Page, b *Block) page.Role { return b.Second })
	r.summarise(cfg)
	return r
}

// tallies counts the roles that given returns for the blocks of pages.
func tallies(pages []*Page, given func(*Page, *Block) page.Role) []tally {
	out := make([]tally, len(pages))
	for i, p := range pages {
		t := &out[i]
		t.item = p.Item
		for k := range p.Blocks {
			b := &p.Blocks[k]
			got := given(p, b)
			t.blocks[b.Gold][got]++
			t.words[b.Gold][got] += b.Words
		}
	}
	return out
}

// Groups returns a Result for each value of a field of the pages ("set", or a field of meta.jsonl),
// in order of appearance, without intervals.
func (r *Result) Groups(field string) []*Result {
	var out []*Result
	at := map[string]*Result{}
	for _, t := range r.pages {
		value := t.item.Set.Name
		if field != "set" {
			value = t.item.Gold.Field(field)
		}
		g := at[value]
		if g == nil {
			g = &Result{System: r.System, Field: field, Value: value}
			at[value], out = g, append(out, g)
		}
		g.pages = append(g.pages, t)
	}
	for _, g := range out {
		g.summarise(Config{})
	}
	return out
}

// summarise computes the figures of the pages of r.
func (r *Result) summarise(cfg Config) {
	r.Pages = len(r.pages)
	for i := range r.pages {
		r.Blocks.plus(&r.pages[i].blocks)
		r.Words.plus(&r.pages[i].words)
	}
	figures := r.figures()
	for _, f := range figures {
		f.value.Value, f.value.Low, f.value.High = f.of(&r.Blocks, &r.Words), math.NaN(), math.NaN()
	}
	if cfg.Samples <= 0 {
		return
	}
	drawn := make([][]float64, len(figures))
	stats.Resample(len(r.pages), cfg.Samples, cfg.Seed, func(sample []int) {
		var blocks, words Matrix
		for _, i := range sample {
			blocks.plus(&r.pages[i].blocks)
			words.plus(&r.pages[i].words)
		}
		for i, f := range figures {
			if v := f.of(&blocks, &words); !math.IsNaN(v) {
				drawn[i] = append(drawn[i], v)
			}
		}
	})
	for i, f := range figures {
		f.value.Low, f.value.High = stats.Interval(drawn[i], cfg.Level)
	}
}

// figure is a destination for a value and its function.
type figure struct {
	value *Value
	of    func(blocks, words *Matrix) float64
}

// figures initialises r.Roles and returns all figures of r.
func (r *Result) figures() []figure {
	for role := page.RoleTitle; int(role) < count; role++ {
		if r.Blocks.gold(role)+r.Blocks.given(role) > 0 {
			r.Roles = append(r.Roles, Figures{Role: role, Blocks: r.Blocks.gold(role), Words: r.Words.gold(role), Second: math.NaN()})
		}
	}
	out := []figure{
		{&r.Accuracy, func(b, _ *Matrix) float64 { return b.accuracy() }},
		{&r.WordAccuracy, func(_, w *Matrix) float64 { return w.accuracy() }},
		{&r.Kappa, func(b, _ *Matrix) float64 { return b.kappa() }},
		{&r.MacroF, func(b, _ *Matrix) float64 { return b.macroF() }},
	}
	for i := range r.Roles {
		f := &r.Roles[i]
		out = append(out,
			figure{&f.Precision, func(b, _ *Matrix) float64 { return b.Precision(f.Role) }},
			figure{&f.Recall, func(b, _ *Matrix) float64 { return b.recall(f.Role) }},
			figure{&f.F, func(b, _ *Matrix) float64 { return b.f(f.Role) }},
			figure{&f.WordPrecision, func(_, w *Matrix) float64 { return w.Precision(f.Role) }},
			figure{&f.WordRecall, func(_, w *Matrix) float64 { return w.recall(f.Role) }},
			figure{&f.WordF, func(_, w *Matrix) float64 { return w.f(f.Role) }})
	}
	return out
}
