package blocks

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"chaffinch/internal/boost"
	"chaffinch/page"
)

// maxShift is how far the trees look at neighbours.
const maxShift = 3

// shifted are the columns that the trees look at in neighbours too.
var shifted = []column{
	colWords, colChars, colLinkDensity, colCommas, colTerminators, colFirst, colLast, colCapitals, colDigits, colKind, colTag,
	colScore, colPathGood, colTwinBlocks, colTwinMean, colAttr, colAttrNear, colLexical,
	hint(page.RoleTitle), hint(page.RoleByline), hint(page.RoleBody), hint(page.RoleHeading), hint(page.RoleRelated), hint(page.RoleNavigation),
	colRecords, colRecordHeads,
}

// ColumnGroups names groups of columns that can be left out of the training
// together, each from one column up to another. The group "neighbours" has none
// of its own: it stands for the columns of other blocks that the trees look at.
var ColumnGroups = map[string][2]column{
	"text":       {colChars, colTag},
	"tags":       {colTag, colC1Words},
	"containers": {colC1Words, colPathBlocks},
	"templates":  {colPathBlocks, colUpPrev},
	"sequence":   {colUpPrev, colUnit},
	"units":      {colUnit, colPageBlocks},
	"page":       {colPageBlocks, structural},
	"types":      {colPageArticle, colAttr},
	"attributes": {colAttr, colLexical},
	"words":      {colLexical, colPolicy},
	"policy":     {colPolicy, colSitePages},
	"sites":      {colSitePages, colHints},
	"hints":      {colHints, colMetaTitle},
	"metadata":   {colMetaTitle, colRecords},
	"records":    {colRecords, columns},
	"neighbours": {},
}

// chosenFeatures returns what the trees choose from.
func chosenFeatures(without []string) (features []boost.Feature, err error) {
	var skip [columns]bool
	alone := false
	for _, name := range without {
		if c := slices.Index(columnNames[:], name); c >= 0 {
			skip[c] = true
			continue
		}
		g, ok := ColumnGroups[name]
		if !ok {
			return nil, fmt.Errorf("blocks: without %q: neither a column nor a group: the groups are %s", name, strings.Join(groupNames(), ", "))
		}
		alone = alone || name == "neighbours"
		for c := g[0]; c < g[1]; c++ {
			skip[c] = true
		}
	}
	for c := range columns {
		if !skip[c] {
			features = append(features, boost.Feature{Col: int(c)})
		}
	}
	for _, c := range shifted {
		if alone || skip[c] {
			continue
		}
		for s := -maxShift; s <= maxShift; s++ {
			if s != 0 {
				features = append(features, boost.Feature{Col: int(c), Shift: s})
			}
		}
	}
	return features, nil
}

func groupNames() (names []string) {
	for n := range ColumnGroups {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// bestFeatures returns those of the cfg.Columns columns that gain most in a small
// forest: what is rarely asked for brings little and costs as much as all else.
// What the page is read for is always among them.
func bestFeatures(features []boost.Feature, cfg TrainConfig, grow growForest, weight []float32) ([]boost.Feature, error) {
	if cfg.Columns == 0 {
		return features, nil
	}
	trees := cfg.Trees
	trees.Trees = cfg.Scouts
	_, gain, err := grow(weight, trees, nil)
	if err != nil {
		return nil, err
	}
	gain[colPolicy] = math.Inf(1)
	var order []int
	for c := range gain {
		order = append(order, c)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(gain[b], gain[a]) })
	best := order[:min(cfg.Columns, len(order))]
	return slices.DeleteFunc(slices.Clone(features), func(f boost.Feature) bool { return !slices.Contains(best, f.Col) }), nil
}
