package desk

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strings"

	"chaffinch/internal/sorts"
	"chaffinch/lab/annotate"
	"chaffinch/lab/eval/stats"
	"chaffinch/serve/desk/journal"
)

// Agreement is the agreement of the annotators of a set on pages that several have finished.
type Agreement struct {
	People []Pair `json:"people" doc:"All annotators together, then each pair."`
	// Differences are blocks with several labels, from the page with most of them.
	Differences []Difference `json:"differences"`
	// Open is the number of differences without an adjudicated label.
	Open int `json:"open"`
}

// Pair is the agreement of two annotators, or of all.
type Pair struct {
	Names  []string `json:"names"`
	Pages  int      `json:"pages"`
	Blocks int      `json:"blocks"`
	Same   float64  `json:"same" doc:"Share of blocks with the same label, 0 to 1."`
	Kappa  *float64 `json:"kappa,omitempty" doc:"Cohen's kappa of two annotators; missing if undefined."`
	Alpha  *float64 `json:"alpha,omitempty" doc:"Krippendorff's alpha for nominal labels; missing if undefined."`
}

// Difference is a block with different labels.
type Difference struct {
	Page   string            `json:"page"`
	Title  string            `json:"title,omitempty"`
	Block  int               `json:"block"`
	Before string            `json:"before,omitempty" doc:"Text of the block before."`
	Text   string            `json:"text"`
	After  string            `json:"after,omitempty"`
	Two    bool              `json:"two,omitempty" doc:"The labels are text and boilerplate."`
	Labels map[string]string `json:"labels" doc:"By annotator."`
	Judged string            `json:"judged,omitempty" doc:"The adjudicated label."`
	By     string            `json:"by,omitempty" doc:"The adjudicator."`
}

// maxDifferences is the most differences of one answer.
const maxDifferences = 500

type agreementOutput struct{ Body Agreement }

// agreement compares the people.
func (a *api) agreement(ctx context.Context, _ *struct{}) (*agreementOutput, error) {
	a.mu.Lock()
	out := a.compare()
	a.mu.Unlock()
	for i := range out.Differences {
		x := &out.Differences[i]
		if err := a.texts(ctx, a.byID[x.Page], x); err != nil {
			return nil, err
		}
	}
	return &agreementOutput{out}, nil
}

// texts fills in the text of a block and its neighbours. It keeps the last page, since
// differences are sorted by page.
func (a *api) texts(ctx context.Context, d *doc, x *Difference) error {
	a.seen.Lock()
	defer a.seen.Unlock()
	if a.lastDoc != d {
		p, err := a.read(ctx, d)
		if err != nil {
			return err
		}
		a.lastDoc, a.lastPage = d, p
	}
	b := a.lastPage.Blocks
	x.Text = b[x.Block].Text
	if x.Block > 0 {
		x.Before = b[x.Block-1].Text
	}
	if x.Block+1 < len(b) {
		x.After = b[x.Block+1].Text
	}
	return nil
}

// compare compares the people. The caller holds s.mu.
func (s *Desk) compare() Agreement {
	names := slices.DeleteFunc(s.names(), func(n string) bool {
		for _, w := range s.people.All()[n].works {
			if w.done {
				return false
			}
		}
		return true
	})
	out := Agreement{People: []Pair{}, Differences: []Difference{}}
	units := map[string][][]string{} // labels of the blocks, by the names of who is compared
	pages := map[string]int{}
	var groups [][]string
	if len(names) > 2 {
		groups = append(groups, names)
	}
	for i, x := range names {
		for _, y := range names[i+1:] {
			groups = append(groups, []string{x, y})
		}
	}
	of := map[*doc][]Difference{}
	for _, d := range s.docs {
		done := map[string]*work{}
		for _, n := range names {
			if w := s.people.All()[n].works[d]; w != nil && w.done {
				done[n] = w
			}
		}
		if len(done) < 2 {
			continue
		}
		for _, g := range groups {
			who := slices.DeleteFunc(slices.Clone(g), func(n string) bool { return done[n] == nil })
			if len(who) < 2 {
				continue
			}
			key := strings.Join(g, " ")
			pages[key]++
			for i := range d.spans {
				u := make([]string, len(g))
				for k, n := range g {
					if w := done[n]; w != nil {
						u[k] = strings.TrimSuffix(w.marks[i].Label, "*")
					}
				}
				units[key] = append(units[key], u)
			}
		}
		for i := range d.spans {
			if x := s.difference(d, i, done); x != nil {
				of[d] = append(of[d], *x)
				if x.Judged == "" {
					out.Open++
				}
			}
		}
	}
	for _, g := range groups {
		key := strings.Join(g, " ")
		if units[key] == nil {
			continue
		}
		n := annotate.Nominally(units[key])
		p := Pair{Names: g, Pages: pages[key], Blocks: n.Units, Same: float64(n.Same) / float64(n.Units)}
		if n.KappaOK {
			p.Kappa = &n.Kappa
		}
		if n.AlphaOK {
			p.Alpha = &n.Alpha
		}
		out.People = append(out.People, p)
	}
	docs := slices.SortedFunc(maps.Keys(of), func(x, y *doc) int {
		return cmp.Or(cmp.Compare(len(of[y]), len(of[x])), cmp.Compare(x.ID, y.ID))
	})
	for _, d := range docs {
		out.Differences = append(out.Differences, of[d]...)
	}
	if len(out.Differences) > maxDifferences {
		sorts.StableFunc(out.Differences, func(x, y Difference) int { return cmp.Compare(x.Judged, y.Judged) }) // open differences first
		out.Differences = out.Differences[:maxDifferences]
	}
	return out
}

// difference returns the difference between the annotators on a block, nil if they agree.
func (s *Desk) difference(d *doc, block int, done map[string]*work) *Difference {
	labels := map[string]string{}
	first := ""
	differ := false
	for n, w := range done {
		l := w.marks[block].Label
		if labels[n] = l; first == "" {
			first = l
		}
		differ = differ || l != first
	}
	if !differ {
		return nil
	}
	x := &Difference{Page: d.ID, Title: d.title, Block: block, Labels: labels, Two: d.two}
	if j := s.people.All()[judgedPerson]; j != nil {
		if w := j.works[d]; w != nil {
			x.Judged, x.By = w.marks[block].Label, w.by[block]
		}
	}
	return x
}

type judgeInput struct {
	journal.Who
	ID   string `path:"id" doc:"Id of a page from /v1/desk."`
	Body struct {
		Block int    `json:"block"`
		Label string `json:"label" doc:"Label of the block; empty to undo the decision."`
	}
}

// judge stores the adjudicated label of a block.
func (a *api) judge(ctx context.Context, in *judgeInput) (*changeOutput, error) {
	if _, err := in.Name(); err != nil {
		return nil, err
	}
	judged, err := a.person(judgedPerson)
	if err != nil {
		return nil, err
	}
	d, err := a.doc(in.ID)
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	c := change{What: didLabel, Seq: judged.work(d).seq, Labels: []LabelItem{{in.Body.Block, in.Body.Label}}, By: in.Person}
	a.mu.Unlock()
	return a.change(ctx, judged, d, c, nil)
}

// Bias measures how often a person keeps proposals.
type Bias struct {
	Person string `json:"person"`
	// Shown and Blank are the shares of blocks with the proposed label, on pages with shown
	// and with hidden proposals, mean over pages, 0 to 1.
	Shown Share `json:"shown"`
	Blank Share `json:"blank"`
	// Pull is Shown - Blank with its 95 % interval (bootstrap over pages): the influence of
	// the proposals, for similar pages. Nil without both.
	Pull *Interval `json:"pull,omitempty"`
	// ByScore holds the shares of kept proposals by their probability, on pages with shown
	// proposals.
	ByScore []Share `json:"by_score"`
	// Seconds is the median time that a page took, Keys the median number of steps.
	Seconds float64 `json:"seconds"`
	Keys    float64 `json:"keys"`
	// Fives are the shares kept on each five pages, in the order in which they were done.
	Fives []Share `json:"fives"`
}

// Share is a share of blocks.
type Share struct {
	From   float32 `json:"from,omitempty" doc:"Minimum probability."`
	Pages  int     `json:"pages"`
	Blocks int     `json:"blocks"`
	Value  float64 `json:"value" doc:"0 to 1; 0 without blocks."`
}

// Interval is a figure with the interval that holds it with 95 %.
type Interval struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

type biasOutput struct{ Body []Bias }

// bias returns the Bias of each person.
func (a *api) bias(context.Context, *struct{}) (*biasOutput, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	out := []Bias{}
	for _, name := range a.names() {
		out = append(out, a.biasOf(name))
	}
	return &biasOutput{out}, nil
}

// scoreSteps are the probabilities at which the shares by score begin.
var scoreSteps = []float32{0, .5, .75, .9, .98}

// biasOf returns the Bias of a person. The caller holds s.mu.
func (s *Desk) biasOf(name string) Bias {
	b := Bias{Person: name, ByScore: make([]Share, len(scoreSteps)), Fives: []Share{}}
	for i, f := range scoreSteps {
		b.ByScore[i].From = f
	}
	type one struct {
		*work
		kept, blocks int
	}
	var done []one
	var seconds, keys []float64
	for _, d := range s.docs {
		w := s.people.All()[name].works[d]
		if w == nil || !w.done {
			continue
		}
		x := one{work: w}
		for i := range w.marks {
			m := &w.marks[i]
			if m.Proposed == "" {
				continue
			}
			kept := 0
			if strings.TrimSuffix(m.Label, "*") == m.Proposed {
				kept = 1
			}
			x.blocks++
			x.kept += kept
			if !w.blank {
				k := len(scoreSteps) - 1
				for scoreSteps[k] > m.Score {
					k--
				}
				b.ByScore[k].Blocks++
				b.ByScore[k].Value += float64(kept)
			}
		}
		if x.blocks > 0 {
			done = append(done, x)
		}
		seconds, keys = append(seconds, float64(w.millis)/1000), append(keys, float64(w.keys))
	}
	for i := range b.ByScore {
		b.ByScore[i].Value /= float64(max(b.ByScore[i].Blocks, 1))
	}
	slices.Sort(seconds)
	slices.Sort(keys)
	if len(seconds) > 0 {
		b.Seconds, b.Keys = stats.Quantile(seconds, .5), stats.Quantile(keys, .5)
	}
	sorts.StableFunc(done, func(x, y one) int { return cmp.Compare(x.last, y.last) })
	var shown, blank []float64
	for i, x := range done {
		to, v := &b.Shown, float64(x.kept)/float64(x.blocks)
		if x.blank {
			to, blank = &b.Blank, append(blank, v)
		} else {
			shown = append(shown, v)
		}
		to.Pages++
		to.Blocks += x.blocks
		if i%5 == 0 {
			b.Fives = append(b.Fives, Share{})
		}
		f := &b.Fives[len(b.Fives)-1]
		f.Value = (float64(f.Value*float64(f.Pages)) + v) / float64(f.Pages+1)
		f.Pages++
		f.Blocks += x.blocks
	}
	if len(shown) > 0 {
		b.Shown.Value = stats.Mean(shown)
	}
	if len(blank) > 0 {
		b.Blank.Value = stats.Mean(blank)
	}
	if len(shown) > 1 && len(blank) > 1 {
		b.Pull = &Interval{Value: b.Shown.Value - b.Blank.Value}
		diffs := stats.ResampledMeans(shown, samples, 1)
		for i, m := range stats.ResampledMeans(blank, samples, 2) {
			diffs[i] -= m
		}
		b.Pull.Low, b.Pull.High = stats.Interval(diffs, .95)
	}
	return b
}

// samples is the number of bootstrap samples of an interval.
const samples = 2000

// intervalOf returns the mean of values with its interval; nil for fewer than two.
func intervalOf(values []float64) *Interval {
	if len(values) < 2 {
		return nil
	}
	x := &Interval{Value: stats.Mean(values)}
	if x.Low, x.High = stats.Interval(stats.ResampledMeans(values, samples, 1), .95); math.IsNaN(x.Low) {
		return nil
	}
	return x
}
