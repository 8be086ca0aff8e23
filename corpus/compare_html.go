package corpus

import (
	_ "embed"
	"html/template"
	"io"
	"strconv"
	"strings"

	"chaffinch/internal/chart"
	"chaffinch/internal/report"
)

//go:embed view/compare.html
var compareHTML string

//go:embed view/compare.css
var compareCSS string

var compareTemplate = report.Template("compare", compareHTML, template.FuncMap{
	"grouped": report.Grouped, "percent": percent, "perMillion": perMillion, "keptOf": keptOf, "orNone": orNone, "rank": rank, "bar": bar, "twin": twin,
	"score":   func(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) },
	"keyness": func(i int) Keyness { return KeynessMeasures[i] },
	"link":    func(s string) bool { return strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://") },
	"most": func(rows []PartChange) (n int64) {
		for _, r := range rows {
			n = max(n, r.Before.Tokens)
		}
		return n
	},
	"company": company,
})

// sequences names n-grams by their length.
var sequences = [maxNGram]string{"words", "pairs of words", "three words", "four words", "five words", "six words"}

// keywordsView is a table of keywords as displayed on the page.
type keywordsView struct {
	Title, What, Other string
	*Keywords
}

func keywordsViews(tables []*Keywords, what, other string) (out []keywordsView) {
	for n, k := range tables {
		out = append(out, keywordsView{sequences[n], what, other, k})
	}
	return out
}

// companyView is a table of collocates as displayed on the page.
type companyView struct {
	Title, Other, Kind, Measure string
	Rows                        []RankedCollocate
}

func company(c CollocateChange, m Measure) []companyView {
	name := m.Name
	return []companyView{{"before", "after", "lost", name, c.Before}, {"after", "before", "held", name, c.After}}
}

// WriteHTML writes the comparison as one self-contained HTML file with plots. Only
// sorting its tables requires a script. The output is deterministic.
func (c *Comparison) WriteHTML(w io.Writer) error {
	type slopes struct{ Wide, Narrow template.HTML }
	view := struct {
		*Comparison
		Frame                 report.Frame
		Window                string
		Scatter, ScatterSmall template.HTML
		Slopes                []slopes
		Histogram             template.HTML
		All                   float64
		Summary               []string
		Gone, Left            []keywordsView
		Ranked                Measure
	}{Comparison: c, Frame: report.NewFrameWith(c.Before.Name+" and "+c.After.Name+" · compared by chaffinch", compareCSS, report.Script), Window: c.window(), All: c.KeptTokens(), Ranked: c.measure()}
	view.Scatter = c.scatter("wide", 860, 620, 44)
	view.ScatterSmall = c.scatter("narrow", 380, 420, 14)
	for i := range c.Collocates {
		view.Slopes = append(view.Slopes, slopes{c.slope(&c.Collocates[i], "wide", 620), c.slope(&c.Collocates[i], "narrow", 370)})
	}
	view.Histogram = c.Documents.histogram()
	view.Summary = c.topWords()
	view.Gone, view.Left = keywordsViews(c.Removed, "removed", "kept"), keywordsViews(c.Kept, "kept", "removed")
	return compareTemplate().Execute(w, view)
}

// topWords returns the words that the head of the page names.
func (c *Comparison) topWords() (words []string) {
	for i := len(c.Removed) - 1; i >= 0; i-- {
		for _, r := range c.Removed[i].Rows[:min(3, len(c.Removed[i].Rows))] {
			words = append(words, r.Word)
		}
	}
	return words
}

// bar draws a share from 0 to 1 and a mark at the share of the whole text.
func bar(x, mark float64) template.HTML {
	s := newBar()
	s.Rect(0, 0, 100, 10, "class", "rail")
	s.Rect(0, 0, 100*min(max(x, 0), 1), 10, "class", changeClass(x, mark))
	if mark > 0 && mark < 1 {
		s.Line(100*mark, 0, 100*mark, 10, "class", "mark")
	}
	return template.HTML(s.String())
}

// twin draws the size of a part before and after, as shares of the largest part.
func twin(before, after, largest int64) template.HTML {
	s := newBar()
	s.Rect(0, 0, 100*report.Share(before, largest), 10, "class", "had")
	s.Rect(0, 0, 100*report.Share(min(after, before), largest), 10, "class", "has")
	return template.HTML(s.String())
}

// newBar returns an image as wide as its cell.
func newBar() *chart.Image {
	return chart.New("", 100, 10, "class", "bar", "preserveAspectRatio", "none")
}

// histogram draws the number of documents by the share of their tokens that remains.
func (d *DocumentChange) histogram() template.HTML {
	if d == nil {
		return ""
	}
	names := []string{"0"}
	counts := []int64{d.Gone}
	for i, n := range d.Bins {
		names, counts = append(names, strconv.Itoa(10*i+10)), append(counts, n)
	}
	names, counts = append(names, "all"), append(counts, d.Whole)
	most := int64(1)
	for _, n := range counts {
		most = max(most, n)
	}
	const width, height, base, step = 620.0, 220.0, 182.0, 50.0
	s := chart.New("documents by the share of their tokens that is left", width, height, "class", "histogram")
	for i, n := range counts {
		x, h := 10+float64(step*float64(i)), 150*float64(n)/float64(most)
		kind := "same"
		switch i {
		case 0:
			kind = "lost"
		case len(counts) - 1:
			kind = "held"
		}
		s.Rect(x+3, base-h, step-6, h, "class", kind)
		s.Text(x+step/2, base-h-6, report.Grouped(n), "class", "count mid")
		s.Text(x+step/2, base+16, names[i], "class", "tick mid")
	}
	s.Line(10, base, width-10, base, "class", "base")
	s.Text(width/2, height-4, "tokens left of a document, up to … percent", "class", "axis mid")
	return template.HTML(s.String())
}
