package blocks

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"chaffinch/clean"
	"chaffinch/clean/blocks"
	"chaffinch/internal/align"
	"chaffinch/internal/boost"
	"chaffinch/internal/parallel"
	"chaffinch/internal/pytext"
	"chaffinch/internal/truth"
	"chaffinch/lab/gold"
	"chaffinch/lab/train/trees"
	"chaffinch/page"
)

// ConfidenceConfig configures the training of the model of page confidence.
type ConfidenceConfig struct {
	// Folds is the number of folds of the sites. The pages of each fold are labelled by a forest of
	// Trees trees, with leaves scaled by Rate, trained without it. With fewer than 2 folds no
	// confidence is trained.
	Folds int     `json:"folds"`
	Trees int     `json:"trees"`
	Rate  float64 `json:"rate"`
	// MinPages is the minimum number of pages for training a confidence.
	MinPages int `json:"min_pages"`
	// Forest configures the model of the confidence. Bins is the number of bins per clue.
	Forest trees.Config `json:"forest"`
	Bins   int          `json:"bins"`
}

// Check returns an error if the settings are invalid.
func (cfg ConfidenceConfig) Check() error {
	if cfg.Folds >= 2 && (cfg.Trees < 1 || !(cfg.Rate > 0) || cfg.Bins < 2) {
		return fmt.Errorf("blocks: confidence of %d trees at rate %v, %d bins: wanted at least 1, above 0, at least 2", cfg.Trees, cfg.Rate, cfg.Bins)
	}
	return nil
}

// outcome is the result for a page that was labelled by a forest trained without its site.
type outcome struct {
	clues  []float32
	f      float64 // word F
	weight float32
}

// growForest trains a forest of roles on the rows of a table.
type growForest func(weight []float32, cfg trees.Config, progress func(done, total int)) (*boost.Classes, []float64, error)

// learnConfidence labels all pages by forests trained without their sites, and trains the model of
// the confidence on the results. It returns nil if there are too few pages.
func (m *parts) learnConfidence(ctx context.Context, cfg TrainConfig, t *table, examples []*Example, grow growForest, progress func(step string, done, total int)) (*blocks.Confidence, error) {
	own := 0
	for _, x := range examples {
		if !x.lent {
			own++
		}
	}
	if cfg.Confidence.Folds < 2 || own < cfg.Confidence.MinPages {
		return nil, nil
	}
	one := cfg.Trees
	one.Trees, one.Rate = cfg.Confidence.Trees, cfg.Confidence.Rate
	models := make([]*blocks.Model, cfg.Confidence.Folds)
	weight := make([]float32, len(t.weight))
	for f := range models {
		copy(weight, t.weight)
		for i, x := range examples {
			if confidenceFold(x, len(models)) == f {
				clear(weight[t.starts[i]:][:x.sheet.Blocks()])
			}
		}
		roles, _, err := grow(weight, one, func(done, total int) { progress("confidence", f*total+done, len(models)*total) })
		if err != nil {
			return nil, err
		}
		rest := blocks.Parts{Attr: m.Attr, Words: m.Words, Pages: m.Pages, Cuts: m.Cuts}
		if rest.Roles, err = roles.AppendBinary(nil); err != nil {
			return nil, err
		}
		if models[f], err = blocks.NewModel(rest); err != nil {
			return nil, err
		}
	}
	pages, err := outcomes(models, examples, cfg.Workers)
	if err != nil {
		return nil, err
	}
	return fitConfidence(ctx, cfg.Confidence, pages, cfg.Workers)
}

// confidenceFold returns the fold of x by its site.
func confidenceFold(x *Example, folds int) int { return int(x.site >> 40 % uint64(folds)) }

// outcomes labels each page by the model trained without its site.
func outcomes(models []*blocks.Model, examples []*Example, workers int) ([]outcome, error) {
	lists, errs := make([][]outcome, len(examples)), make([]error, len(examples))
	parallel.Each(workers, len(examples), func(i int) {
		if x := examples[i]; !x.lent {
			lists[i], errs[i] = x.outcomes(models[confidenceFold(x, len(models))])
		}
	})
	return slices.Concat(lists...), errors.Join(errs...)
}

// oneOfMany is the weight of a page under each of several policies.
const oneOfMany = .5

// outcomes labels x for the roles that its gold keeps, and for each policy whose text is known: of
// annotated blocks, or about the same as the gold.
func (x *Example) outcomes(m *blocks.Model) ([]outcome, error) {
	kept, clues, err := m.Judge(x.sheet, x.keep)
	if err != nil {
		return nil, err
	}
	weight := float32(x.scale)
	out := []outcome{{clues, x.wordF(kept), weight}}
	annotated := x.annotated()
	for _, p := range page.Policies() {
		if !annotated && (p.Roles == x.keep || !near(p.Roles, x.keep)) {
			continue
		}
		kept, clues, err := m.Judge(x.sheet, p.Roles)
		if err != nil {
			return nil, err
		}
		f := x.wordF(kept)
		if annotated {
			f = x.roleF(kept, p.Roles)
		}
		out = append(out, outcome{clues, f, oneOfMany * weight})
	}
	return out, nil
}

// near reports whether gold text with the roles of gold measures a policy with the roles of p: they
// differ in one or two roles of short blocks.
func near(p, gold page.Roles) bool {
	short := page.RolesOf(page.RoleTitle, page.RoleByline, page.RoleStandfirst, page.RoleCaption, page.RoleEmbed)
	if !gold.Has(page.RolePost) {
		short |= page.RolesOf(page.RolePost) // no post is on the page
	}
	differ := (p ^ gold) &^ page.RolesOf(page.RoleNote) // no web page has notes
	return differ&^short == 0 && bits.OnesCount32(uint32(differ&^page.RolesOf(page.RoleEmbed))) <= 2
}

// wordF returns the word F of the kept blocks against the gold.
func (x *Example) wordF(kept []bool) float64 {
	var words []int32
	for i, w := range x.words {
		if kept[i] && !x.sheet.Hidden(i) {
			words = append(words, w...)
		}
	}
	if len(words) == 0 {
		return 0
	}
	return 2 * float64(align.Matched(words, x.gold)) / float64(len(words)+len(x.gold))
}

// measured returns the words of the blocks of p and of the gold text, divided as the evaluation
// divides them for the word F.
func measured(p *page.Page, text string) (blocks [][]int32, of []int32) {
	var v align.Vocabulary
	spread := gold.Unspaced(text)
	words := func(s string) []int32 {
		if spread {
			s = gold.Spread(s)
		}
		return v.IDs(pytext.Fields(s))
	}
	of = words(text)
	for i := range p.Blocks {
		blocks = append(blocks, words(p.Blocks[i].Text))
	}
	return blocks, of
}

// annotated reports whether nearly all shown words of x have annotated roles.
func (x *Example) annotated() bool {
	if x.roles == nil {
		return false
	}
	known, all := 0, 0
	for i, r := range x.roles {
		if !x.sheet.Hidden(i) {
			all += x.sheet.Words(i)
			if r != page.NoRole {
				known += x.sheet.Words(i)
			}
		}
	}
	return known*100 >= all*95
}

// roleF returns the word F of the kept blocks against the blocks with the wanted roles.
func (x *Example) roleF(keeps []bool, want page.Roles) float64 {
	hits, kept, all := 0, 0, 0
	for i, r := range x.roles {
		if x.sheet.Hidden(i) {
			continue
		}
		w := x.sheet.Words(i)
		if want.Has(r) {
			all += w
		}
		if keeps[i] {
			kept += w
			if want.Has(r) {
				hits += w
			}
		}
	}
	if hits == 0 {
		return 0
	}
	return 2 * float64(hits) / float64(kept+all)
}

// fitConfidence trains the model of the confidence on the outcomes of pages.
func fitConfidence(ctx context.Context, cfg ConfidenceConfig, pages []outcome, workers int) (*blocks.Confidence, error) {
	c := &blocks.Confidence{Cuts: make([][]float32, len(pages[0].clues))}
	m := boost.NewMatrix(len(pages), len(c.Cuts))
	var features []boost.Feature
	values := make([]float32, len(pages))
	for k := range c.Cuts {
		for i := range pages {
			values[i] = pages[i].clues[k]
		}
		c.Cuts[k] = trees.Cuts(values, nil, cfg.Bins)
		for i, v := range values {
			m.Cols[k][boost.Pad+i] = boost.Bin(v, c.Cuts[k])
		}
		features = append(features, boost.Feature{Col: k})
	}
	good, weight := make([]float32, len(pages)), make([]float32, len(pages))
	for i := range pages {
		good[i] = truth.Float32(pages[i].f > clean.GoodF)
		weight[i] = pages[i].weight
	}
	forest := cfg.Forest
	forest.Workers = workers
	f, err := trees.Train(ctx, forest, m, features, good, weight, nil, nil)
	if err != nil {
		return nil, err
	}
	c.Forest, err = f.AppendBinary(nil)
	return c, err
}
