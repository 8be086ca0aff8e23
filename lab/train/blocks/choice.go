package blocks

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"chaffinch/clean/blocks"
	"chaffinch/internal/boost"
)

// maxShift is the maximum distance of neighbours that the trees use.
const maxShift = 3

// shifted lists the columns that the trees also use from neighbours.
var shifted = []string{
	"words", "chars", "link-density", "commas", "terminators", "first", "last", "capitals", "digits", "kind", "tag", "score", "path-good", "twin-blocks", "twin-mean", "attr", "attr-near", "lexical", "hints-title", "hints-byline", "hints-body", "hints-heading", "hints-related", "hints-navigation", "records", "record-heads",
}

// columnGroups maps names to groups of columns that can be omitted from training, each from one
// column to before another, "" for the end. The group "neighbours" has no columns: it stands for
// the columns of other blocks.
var columnGroups = map[string][2]string{
	"text":       {"chars", "tag"},
	"tags":       {"tag", "c1-words"},
	"containers": {"c1-words", "path-blocks"},
	"templates":  {"path-blocks", "up-prev"},
	"sequence":   {"up-prev", "unit"},
	"units":      {"unit", "page-blocks"},
	"page":       {"page-blocks", "page-article"},
	"types":      {"page-article", "attr"},
	"attributes": {"attr", "lexical"},
	"words":      {"lexical", "policy"},
	"policy":     {"policy", "site-pages"},
	"sites":      {"site-pages", "hints-title"},
	"hints":      {"hints-title", "meta-title"},
	"metadata":   {"meta-title", "records"},
	"records":    {"records", "section-level"},
	"sections":   {"section-level", ""},
	"neighbours": {},
}

// chosenFeatures returns the candidate features of the trees.
func chosenFeatures(without []string) (features []boost.Feature, err error) {
	names := blocks.Columns()
	skip := make([]bool, len(names))
	alone := false
	for _, name := range without {
		if c := slices.Index(names, name); c >= 0 {
			skip[c] = true
			continue
		}
		g, ok := columnGroups[name]
		if !ok {
			return nil, fmt.Errorf("blocks: without %q: neither a column nor a group: the groups are %s", name, strings.Join(groupNames(), ", "))
		}
		alone = alone || name == "neighbours"
		from, to := slices.Index(names, g[0]), slices.Index(names, g[1])
		if to < 0 {
			to = len(names)
		}
		for c := from; c >= 0 && c < to; c++ {
			skip[c] = true
		}
	}
	for c := range names {
		if !skip[c] {
			features = append(features, boost.Feature{Col: c})
		}
	}
	for _, name := range shifted {
		c := slices.Index(names, name)
		if alone || skip[c] {
			continue
		}
		for s := -maxShift; s <= maxShift; s++ {
			if s != 0 {
				features = append(features, boost.Feature{Col: c, Shift: s})
			}
		}
	}
	return features, nil
}

func groupNames() []string { return slices.Sorted(maps.Keys(columnGroups)) }

// bestFeatures returns the features of the cfg.Columns columns with the highest gain in a small
// forest. Rarely used columns bring little and cost as much as others. The columns of the purpose
// of a page are always included.
func bestFeatures(features []boost.Feature, cfg TrainConfig, grow growForest, weight []float32) ([]boost.Feature, error) {
	if cfg.Columns == 0 {
		return features, nil
	}
	one := cfg.Trees
	one.Trees = cfg.Scouts
	_, gain, err := grow(weight, one, nil)
	if err != nil {
		return nil, err
	}
	gain[slices.Index(blocks.Columns(), "policy")] = math.Inf(1)
	var order []int
	for c := range gain {
		order = append(order, c)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(gain[b], gain[a]) })
	best := order[:min(cfg.Columns, len(order))]
	return slices.DeleteFunc(slices.Clone(features), func(f boost.Feature) bool { return !slices.Contains(best, f.Col) }), nil
}
