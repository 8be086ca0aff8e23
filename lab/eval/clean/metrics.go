package clean

import (
	"math"
	"slices"

	"chaffinch/lab/eval/stats"
)

// Metric is a figure of a system on a set. Larger values are better.
type Metric struct {
	// Name is the short name in flags, JSON and floors; Title is the heading in tables.
	Name, Title string
	// Help is a one-line description.
	Help string
	// Overall computes the figure from the scores of all pages, NaN if it does not apply.
	Overall func([]*Score) float64
	// Page returns the value of one page for tables and paired tests, NaN if it does not apply. It
	// is nil for figures that exist only over several pages.
	Page func(*Score) float64
	// Main is set if tables show the figure by default.
	Main bool
}

// Metrics lists all measures in the order of the tables.
var Metrics = []Metric{
	mean("lev", "Levenshtein", "1 - edit distance / longer length, white space collapsed", true, func(s *Score) float64 { return s.Lev }),
	mean("lev_raw", "Lev raw", "the same on the unchanged texts", false, func(s *Score) float64 { return s.LevRaw }),
	mean("lev_strip", "Lev strip", "the same against the gold without address line and markers", false, func(s *Score) float64 { return s.LevStrip }),
	mean("lev_indel", "Lev indel", "1 - insertions and deletions / both lengths", false, func(s *Score) float64 { return s.LevIndel }),
	micro("w_p", "word P", "precision of words, aligned by difflib, all pages pooled", true, wordP, words),
	micro("w_r", "word R", "recall of the same", true, wordR, words),
	micro("w_f", "word F", "F score of the same", true, wordF, words),
	mean("wM_p", "page P", "precision of words, mean over pages", false, wordP),
	mean("wM_r", "page R", "recall of words, mean over pages", false, wordR),
	mean("wM_f", "page F", "F score of words, mean over pages", true, wordF),
	mean("rg_p", "ROUGE P", "ROUGE-LSum precision, mean over pages", false, func(s *Score) float64 { return s.RougeP }),
	mean("rg_r", "ROUGE R", "ROUGE-LSum recall, mean over pages", false, func(s *Score) float64 { return s.RougeR }),
	mean("rg_f", "ROUGE-LSum", "ROUGE-LSum F, mean over pages", true, func(s *Score) float64 { return s.RougeF }),
	median("rgm_p", "ROUGE P median", "ROUGE-LSum precision, median over pages", func(s *Score) float64 { return s.RougeP }),
	median("rgm_r", "ROUGE R median", "ROUGE-LSum recall, median over pages", func(s *Score) float64 { return s.RougeR }),
	median("rgm_f", "ROUGE F median", "ROUGE-LSum F, median over pages", func(s *Score) float64 { return s.RougeF }),
	{"sh_p", "shingle P", "precision of 4-word shingles, mean over pages with output", shingleP, func(s *Score) float64 { return s.ShingleP }, false},
	{"sh_r", "shingle R", "recall of 4-word shingles, mean over pages with gold", shingleR, func(s *Score) float64 { return s.ShingleR }, false},
	{"sh_f", "shingle F", "F score of the two means", shingleF, pageShingleF, true},
	mean("sh_acc", "equal", "share of pages with exactly the words of the gold", false, equalPage),
	mean("bw_f", "bag F", "F score of the multisets of words, mean over pages", true, func(s *Score) float64 { return s.BagF }),
	mean("sn_with", "must", "share of required snippets found, mean over pages", true, func(s *Score) float64 { return s.With }),
	mean("sn_without", "must not", "share of forbidden snippets absent, mean over pages", true, func(s *Score) float64 { return s.Without }),
	micro("tag_p", "marker P", "precision of segment markers with type, all pages pooled", false, markerP, markers),
	micro("tag_r", "marker R", "recall of segment markers with type", false, markerR, markers),
	micro("tag_f", "marker F", "F score of segment markers with type (labelled segmentation)", true, markerF, markers),
	micro("bound_f", "bounds F", "F score of segment markers without type", false, boundF, bounds),
	micro("com_p", "comment P", "precision of the words of readers' comments, all pages pooled", false, commentP, comments),
	micro("com_r", "comment R", "recall of the same", false, commentR, comments),
	micro("com_f", "comment F", "F score of the same", true, commentF, comments),
	tableMetric("tb_rows", "table rows", "share of the rows of tables kept or dropped as they should be, mean over tables", func(t *tableScore) float64 { return t.rows }),
	tableMetric("tb_whole", "tables whole", "share of tables with all rows right", func(t *tableScore) float64 { return float64(t.whole) }),
	tableMetric("tb_kind", "table kind", "share of tables classified right: data or layout", func(t *tableScore) float64 { return float64(t.kind) }),
	micro("seg_p", "snippet P", "precision on snippets, all pages pooled", true, snippetP, snippets),
	micro("seg_r", "snippet R", "recall on snippets", true, snippetR, snippets),
	micro("seg_f", "snippet F", "F score on snippets", true, snippetF, snippets),
	{"seg_acc", "snippet acc", "share of snippets judged right", snippetAccuracy, pageSnippetAccuracy, true},
}

// Lookup returns the metric called name.
func Lookup(name string) (Metric, bool) {
	i := slices.IndexFunc(Metrics, func(m Metric) bool { return m.Name == name })
	if i < 0 {
		return Metric{}, false
	}
	return Metrics[i], true
}

// mean returns a metric that is the mean over the pages to which it applies.
func mean(name, title, help string, main bool, page func(*Score) float64) Metric {
	return Metric{name, title, help, func(ss []*Score) float64 {
		sum, n := 0.0, 0
		for _, s := range ss {
			if v := page(s); !math.IsNaN(v) {
				sum += v
				n++
			}
		}
		return sum / float64(n)
	}, page, main}
}

func median(name, title, help string, page func(*Score) float64) Metric {
	return Metric{name, title, help, func(ss []*Score) float64 {
		v := make([]float64, 0, len(ss))
		for _, s := range ss {
			if x := page(s); !math.IsNaN(x) {
				v = append(v, x)
			}
		}
		slices.Sort(v)
		return stats.Quantile(v, 0.5)
	}, page, false}
}

// micro returns a metric of pooled counts. of returns the figure of a page with the counts. counts
// returns the counts and reports whether they were measured.
func micro(name, title, help string, main bool, of func(*Score) float64, counts func(*Score) (*Counts, bool)) Metric {
	return Metric{name, title, help, func(ss []*Score) float64 {
		var pool Score
		sum, _ := counts(&pool)
		measured := false
		for _, s := range ss {
			if c, ok := counts(s); ok {
				sum.Add(*c)
				measured = true
			}
		}
		if !measured {
			return math.NaN()
		}
		pool.Lev, pool.Typed, pool.Segmented, pool.Commented = 0, true, true, true
		return of(&pool)
	}, of, main}
}

// The counts of a score, and whether they were measured.
func words(s *Score) (*Counts, bool)    { return &s.Words, !math.IsNaN(s.Lev) }
func markers(s *Score) (*Counts, bool)  { return &s.Markers, s.Typed }
func bounds(s *Score) (*Counts, bool)   { return &s.Bounds, s.Segmented }
func comments(s *Score) (*Counts, bool) { return &s.CommentWords, s.Commented }
func snippets(s *Score) (*Counts, bool) { return &s.Snippets, s.Snippets != Counts{} || s.Absent > 0 }

func figure(c *Counts, measured bool, which int) float64 {
	if !measured {
		return math.NaN()
	}
	p, r, f := c.prf()
	return [...]float64{p, r, f}[which]
}

func of(counts func(*Score) (*Counts, bool), which int) func(*Score) float64 {
	return func(s *Score) float64 {
		c, ok := counts(s)
		return figure(c, ok, which)
	}
}

var (
	wordP, wordR, wordF          = of(words, 0), of(words, 1), of(words, 2)
	markerP, markerR, markerF    = of(markers, 0), of(markers, 1), of(markers, 2)
	boundF                       = of(bounds, 2)
	commentP, commentR, commentF = of(comments, 0), of(comments, 1), of(comments, 2)
	snippetP, snippetR, snippetF = of(snippets, 0), of(snippets, 1), of(snippets, 2)
)

// shingleMeans returns the mean precision and recall of shingles over the pages with values. A mean
// over no page is 0, as in the Scrapinghub benchmark.
func shingleMeans(ss []*Score) (p, r float64) {
	var np, nr, n int
	for _, s := range ss {
		if !math.IsNaN(s.Lev) {
			n++
		}
		if !math.IsNaN(s.ShingleP) {
			p += s.ShingleP
			np++
		}
		if !math.IsNaN(s.ShingleR) {
			r += s.ShingleR
			nr++
		}
	}
	if n == 0 {
		return math.NaN(), math.NaN()
	}
	return p / float64(max(1, np)), r / float64(max(1, nr))
}

func shingleP(ss []*Score) float64 { p, _ := shingleMeans(ss); return p }
func shingleR(ss []*Score) float64 { _, r := shingleMeans(ss); return r }
func shingleF(ss []*Score) float64 { return stats.Harmonic(shingleMeans(ss)) }

// pageShingleF returns the F score of one page: 1 if gold and output are empty, 0 if one of them
// is.
func pageShingleF(s *Score) float64 {
	p, r := s.ShingleP, s.ShingleR
	switch {
	case math.IsNaN(s.Lev):
		return math.NaN()
	case math.IsNaN(p) && math.IsNaN(r):
		return 1
	case math.IsNaN(p) || math.IsNaN(r):
		return 0
	}
	return stats.Harmonic(p, r)
}

func equalPage(s *Score) float64 {
	switch {
	case math.IsNaN(s.Lev):
		return math.NaN()
	case s.Equal:
		return 1
	}
	return 0
}

func snippetAccuracy(ss []*Score) float64 {
	right, all := 0, 0
	for _, s := range ss {
		right += s.Snippets.TP + s.Absent
		all += s.Snippets.TP + s.Snippets.FN + s.Snippets.FP + s.Absent
	}
	if all == 0 {
		return math.NaN()
	}
	return float64(right) / float64(all)
}

func pageSnippetAccuracy(s *Score) float64 { return snippetAccuracy([]*Score{s}) }
