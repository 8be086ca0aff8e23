package lines

import (
	"fmt"
	"io"
	"math"
	"slices"
)

// Figure is a mean with its standard deviation over the seeds, in percent.
type Figure struct {
	Mean float64 `json:"mean"`
	SD   float64 `json:"sd"`
}

// GroupSummary is a group of lines in the JSON output.
type GroupSummary struct {
	Name    string            `json:"name"`
	Docs    int               `json:"docs"`
	Lines   int               `json:"lines"`
	Counts  []Counts          `json:"counts"`
	Figures map[string]Figure `json:"figures"`
}

// RegisterSummary is a register in the JSON output, with the accuracy of its documents.
type RegisterSummary struct {
	Lang     string `json:"lang,omitempty"`
	Register string `json:"register"`
	Docs     int    `json:"docs"`
	Figure
}

// ResultSummary is a result in the JSON output.
type ResultSummary struct {
	System     string            `json:"system"`
	Protocol   string            `json:"protocol"`
	Seeds      []uint64          `json:"seeds"`
	Notes      []string          `json:"notes,omitempty"`
	All        GroupSummary      `json:"all"`
	LangMean   *Figure           `json:"mean_of_languages,omitempty"`
	Langs      []GroupSummary    `json:"languages"`
	Registers  []RegisterSummary `json:"registers,omitempty"`
	DocLength  []GroupSummary    `json:"lines_of_document"`
	Position   []GroupSummary    `json:"number_of_line"`
	LineLength []GroupSummary    `json:"characters_of_line"`
}

// TestSummary is a comparison in the JSON output.
type TestSummary struct {
	A         string   `json:"a"`
	B         string   `json:"b"`
	Docs      int      `json:"docs"`
	Lines     float64  `json:"difference_lines"`
	Documents float64  `json:"difference_documents"`
	PairedT   *float64 `json:"paired_t,omitempty"`
	PairedP   *float64 `json:"paired_p,omitempty"`
	RanksP    float64  `json:"signed_ranks_p"`
	SeedsT    *float64 `json:"seeds_t,omitempty"`
	SeedsP    *float64 `json:"seeds_p,omitempty"`
	OnlyA     int      `json:"only_a"`
	OnlyB     int      `json:"only_b"`
	McNemarP  float64  `json:"mcnemar_p"`
}

// VariantSummary is a variant of an ablation in the JSON output.
type VariantSummary struct {
	Group string `json:"group,omitempty"`
	Alone bool   `json:"alone,omitempty"`
	Figure
	PairedP *float64 `json:"paired_p,omitempty"`
}

// CurveSummary is a point of an adaptation curve in the JSON output.
type CurveSummary struct {
	Lang   string `json:"lang"`
	Docs   int    `json:"docs"`
	Scored int    `json:"scored"`
	Figure
}

// Report is the JSON output.
type Report struct {
	Set        string           `json:"set"`
	SHA256     string           `json:"sha256"`
	Docs       int              `json:"docs"`
	Lines      int              `json:"lines"`
	Results    []ResultSummary  `json:"results"`
	Tests      []TestSummary    `json:"tests,omitempty"`
	Ablation   []VariantSummary `json:"ablation,omitempty"`
	Adaptation []CurveSummary   `json:"adaptation,omitempty"`
}

// figure converts a fraction to percent.
func figure(m, sd float64) Figure { return Figure{100 * m, 100 * sd} }

// finite returns nil for a number that JSON cannot represent.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

func summaries(groups []Group) (out []GroupSummary) {
	for _, g := range groups {
		s := GroupSummary{Name: g.Name, Docs: g.Docs, Lines: g.Lines(), Counts: g.Counts, Figures: map[string]Figure{}}
		for _, m := range Measures {
			if mean, sd := g.mean(m.Of); !math.IsNaN(mean) {
				s.Figures[m.Name] = figure(mean, sd)
			}
		}
		out = append(out, s)
	}
	return out
}

// Summary returns all measurements for the JSON output.
func Summary(s *Set, results []*Result, tests []Comparison, variants []Variant, curves []Curve) Report {
	out := Report{Set: s.Name, SHA256: s.SHA256, Docs: len(s.Docs), Lines: s.Lines()}
	for _, r := range results {
		x := ResultSummary{System: r.System, Protocol: r.Protocol, Notes: r.Notes, All: summaries([]Group{r.over("all", nil)})[0], Langs: summaries(r.byLang()),
			DocLength: summaries(r.byDocLength()), Position: summaries(r.byPosition()), LineLength: summaries(r.byLineLength())}
		if m, sd := langMean(r.byLang()); !math.IsNaN(m) {
			f := figure(m, sd)
			x.LangMean = &f
		}
		for _, run := range r.Runs {
			x.Seeds = append(x.Seeds, run.Seed)
		}
		for _, lang := range append(s.langs(), "") {
			for _, f := range r.byRegister(lang) {
				if f.Docs > 0 {
					x.Registers = append(x.Registers, RegisterSummary{lang, f.Tag, f.Docs, figure(f.Mean, f.SD)})
				}
			}
		}
		out.Results = append(out.Results, x)
	}
	for _, c := range tests {
		if c.Docs == 0 {
			continue
		}
		out.Tests = append(out.Tests, TestSummary{A: c.A, B: c.B, Docs: c.Docs, Lines: 100 * c.Lines, Documents: 100 * c.Documents, PairedT: finite(c.Paired.Statistic), PairedP: finite(c.Paired.P),
			RanksP: c.Ranks.P, SeedsT: finite(c.Seeds.Statistic), SeedsP: finite(c.Seeds.P), OnlyA: c.OnlyA, OnlyB: c.OnlyB, McNemarP: c.McNemar.P})
	}
	for i, v := range variants {
		x := VariantSummary{Group: v.Group, Alone: v.Alone, Figure: figure(v.Result.over("", nil).mean(Counts.Accuracy))}
		if i > 0 {
			x.PairedP = finite(v.Test.Paired.P)
		}
		out.Ablation = append(out.Ablation, x)
	}
	for _, c := range curves {
		for _, p := range c.Points {
			out.Adaptation = append(out.Adaptation, CurveSummary{c.Lang, p.Docs, c.Held, figure(p.Mean, p.SD)})
		}
	}
	return out
}

// HasRegisters reports whether the register of a scored document is known.
func (r *Result) HasRegisters() bool {
	return slices.ContainsFunc(r.byRegister(""), func(f RegisterFigure) bool { return f.Docs > 0 })
}

// WriteDocuments writes a table (TSV) with a row for each document, result and
// seed.
func WriteDocuments(w io.Writer, results []*Result) error {
	if _, err := fmt.Fprintln(w, "system\tprotocol\tseed\tfold\tdocument\tlang\tsplit\tregister\tlines\ttext\tlost\tkept\taccuracy"); err != nil {
		return err
	}
	for _, r := range results {
		for _, run := range r.Runs {
			for i, scores := range run.Scores {
				if scores == nil {
					continue
				}
				d, c := r.Set.Docs[i], countLines(r.Set.Docs[i].Labels, scores)
				if _, err := fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%s\t%s\t%s\t%s\t%d\t%d\t%d\t%d\t%.4f\n", r.System, r.Protocol, run.Seed, run.Folds[i], d.ID, d.Lang, d.Split, d.Register,
					c.Lines(), c.TP+c.FN, c.FN, c.FP, c.Accuracy()); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
