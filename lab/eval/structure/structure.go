// Package structure measures the structure of Markdown that was extracted from a page against gold
// Markdown: tables, code, formulas, lists, footnotes and callouts.
//
// Five measures and their mean follow WebMainBench (package webmainbench 0.1.0 on PyPI). They
// compare characters of whole Markdown texts, so that differences of notation count. The other
// measures compare trees, so that only structure and text count.
package structure

import (
	"math"

	"chaffinch/internal/align"
)

// Measure is the name of a measure. All measures are between 0 and 1; 1 is best.
type Measure string

// The measures.
const (
	// Text is the edit similarity of the whole Markdown texts, including tables, code and formulas.
	Text Measure = "text"
	// CodeEdit is the edit similarity of all code blocks, joined (see codeOf).
	CodeEdit Measure = "code"
	// FormulaEdit is the edit similarity of all formulas, joined (see formulasOf).
	FormulaEdit Measure = "formula"
	// TableEdit is the edit similarity of all tables, written as HTML (see tablesOf).
	TableEdit Measure = "table"
	// TableRoot is the measure that webmainbench 0.1.0 calls table_TEDS. It passes the whole
	// table to the tree edit distance as one node, so the distance is at most 1 if both texts have
	// tables: it is 1 - d/n, where d is the normalised edit distance of the tables' texts and n the
	// number of nodes of the larger table.
	TableRoot Measure = "table-root"
	// TEDS is the tree edit similarity of the tables (Zhong et al., Image-based table recognition,
	// 2020), with a tree for each table of the page: table, rows, cells with their text. Cells that
	// span columns or rows are followed by empty cells, as in Markdown.
	TEDS Measure = "teds"
	// Lists is the tree edit similarity of the lists: list (ordered or not), items with their text,
	// and the lists inside items.
	Lists Measure = "lists"
	// Footnotes is the tree edit similarity of the footnotes in order of definition. Each has its
	// text and one child per reference. Labels do not count.
	Footnotes Measure = "footnotes"
	// Callouts is the tree edit similarity of the callouts (quotes that begin with "[!kind]"). Each
	// has its text, title included, and its kind as a child.
	Callouts Measure = "callouts"
)

// Measures lists the measures in the order of reports.
func Measures() []Measure {
	return []Measure{Text, CodeEdit, FormulaEdit, TableEdit, TableRoot, TEDS, Lists, Footnotes, Callouts}
}

// core holds the measures of the overall figure of WebMainBench.
var core = []Measure{Text, CodeEdit, FormulaEdit, TableEdit, TableRoot}

// Scores holds the measures of one page. A measure is absent if neither text has such structure.
type Scores map[Measure]float64

// compare returns the measures of output against gold.
func compare(output, gold string) Scores {
	s := Scores{}
	s.edit(Text, output, gold)
	s.edit(CodeEdit, codeOf(output), codeOf(gold))
	s.edit(FormulaEdit, formulasOf(output), formulasOf(gold))
	a, b := tablesOf(output), tablesOf(gold)
	s.edit(TableEdit, a, b)
	if a != "" || b != "" {
		s[TableRoot] = tableRoot(a, b)
	}
	x, y := parse(output), parse(gold)
	s.trees(TEDS, x.tables, y.tables)
	s.trees(Lists, x.lists, y.lists)
	s.trees(Footnotes, footnotes(output), footnotes(gold))
	s.trees(Callouts, x.callouts, y.callouts)
	return s
}

// edit records 1 - d/n, where d is the edit distance of a and b in characters and n the length of
// the longer one.
func (s Scores) edit(m Measure, a, b string) {
	if a != "" || b != "" {
		s[m] = 1 - distance(a, b)
	}
}

// trees records the similarity of two sequences of trees.
func (s Scores) trees(m Measure, a, b []*Node) {
	if len(a) > 0 || len(b) > 0 {
		s[m] = similarity(a, b)
	}
}

// distance returns the edit distance of a and b in characters, divided by the length of the longer
// one: 0 if they are equal, 1 if they have nothing in common.
func distance(a, b string) float64 {
	if a == b {
		return 0
	}
	x, y := []rune(a), []rune(b)
	return float64(align.Distance(x, y)) / float64(max(len(x), len(y)))
}

// Means holds the mean of each measure over the pages that have it.
type Means struct {
	Mean  map[Measure]float64 `json:"mean"`
	Pages map[Measure]int     `json:"pages"`
	// Overall is the overall figure of WebMainBench: the mean of the means of text, code, formula,
	// table and table-root, where a measure without pages counts as 0.
	Overall float64 `json:"overall"`
}

// meansOf returns the means over pages.
func meansOf(pages []Scores) Means {
	out := Means{Mean: map[Measure]float64{}, Pages: map[Measure]int{}}
	for _, m := range Measures() {
		sum, n := 0.0, 0
		for _, s := range pages {
			if v, ok := s[m]; ok {
				sum, n = sum+v, n+1
			}
		}
		if n > 0 {
			out.Mean[m], out.Pages[m] = sum/float64(n), n
		}
	}
	for _, m := range core {
		out.Overall += out.Mean[m] / float64(len(core))
	}
	return out
}

// clamp returns v limited to 0 to 1.
func clamp(v float64) float64 { return math.Max(0, math.Min(1, v)) }
