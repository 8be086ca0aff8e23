package clean

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// columns returns the metrics to show: the main metrics, or all, that apply to any result.
func columns(results []*Result, all bool) []Metric {
	var out []Metric
	for _, m := range Metrics {
		if !m.Main && !all {
			continue
		}
		for _, r := range results {
			if _, ok := r.Values[m.Name]; ok {
				out = append(out, m)
				break
			}
		}
	}
	return out
}

// percent formats a fraction in percent, "-" for NaN.
func percent(v float64, digits int) string {
	if math.IsNaN(v) {
		return "-"
	}
	return strconv.FormatFloat(100*v, 'f', digits, 64)
}

// WriteTable writes the results on one set as a table in percent: a line for each system and, if
// there are intervals, a second line with them. With all, it shows all metrics instead of the main
// ones.
func WriteTable(w io.Writer, results []*Result, all bool) error {
	cols := columns(results, all)
	rows := [][]string{{"system", "pages"}}
	for _, m := range cols {
		rows[0] = append(rows[0], m.Name)
	}
	for _, r := range results {
		row := []string{r.System, strconv.Itoa(len(r.Scores))}
		second := []string{"", ""}
		intervals := false
		for _, m := range cols {
			v, ok := r.Values[m.Name]
			if !ok {
				v = Value{math.NaN(), math.NaN(), math.NaN()}
			}
			row = append(row, percent(v.Value, 2))
			if math.IsNaN(v.Low) {
				second = append(second, "")
			} else {
				second = append(second, percent(v.Low, 1)+"–"+percent(v.High, 1))
				intervals = true
			}
		}
		rows = append(rows, row)
		if intervals {
			rows = append(rows, second)
		}
	}
	return writeAligned(w, rows)
}

// writeAligned writes rows with the first column left-aligned and the others right-aligned.
func writeAligned(w io.Writer, rows [][]string) error {
	var width []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(width) {
				width = append(width, 0)
			}
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	out := bufio.NewWriter(w)
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
			if i == 0 {
				line.WriteString(cell + pad)
			} else {
				line.WriteString("  " + pad + cell)
			}
		}
		fmt.Fprintln(out, strings.TrimRight(line.String(), " "))
	}
	return out.Flush()
}

// WriteComparison writes paired comparisons as a table, with differences in percentage points.
func WriteComparison(w io.Writer, cs []Comparison) error {
	if len(cs) == 0 {
		return nil
	}
	if _, err := fmt.Fprintf(w, "%s minus %s, page by page\n", cs[0].A, cs[0].B); err != nil {
		return err
	}
	rows := [][]string{{"metric", "pages", "difference", "better", "worse", "Wilcoxon p", "paired t", "t-test p"}}
	for _, c := range cs {
		rows = append(rows, []string{c.Metric.Name, strconv.Itoa(c.Pages), fmt.Sprintf("%+.2f", 100*c.Difference),
			strconv.Itoa(c.Better), strconv.Itoa(c.Worse), probability(c.Wilcoxon.P), fmt.Sprintf("%.2f", c.T.Statistic), probability(c.T.P)})
	}
	return writeAligned(w, rows)
}

func probability(p float64) string {
	switch {
	case math.IsNaN(p):
		return "-"
	case p >= 0.001:
		return strconv.FormatFloat(p, 'f', 4, 64)
	}
	return strconv.FormatFloat(p, 'e', 1, 64)
}

// perPage lists the columns of the table of pages in the order of Score.
var perPage = []struct {
	name string
	of   func(*Score) any
}{
	{"confidence", func(s *Score) any { return s.Confidence }},
	{"lev", func(s *Score) any { return s.Lev }},
	{"lev_raw", func(s *Score) any { return s.LevRaw }},
	{"lev_strip", func(s *Score) any { return s.LevStrip }},
	{"lev_indel", func(s *Score) any { return s.LevIndel }},
	{"w_tp", func(s *Score) any { return s.Words.TP }},
	{"w_fp", func(s *Score) any { return s.Words.FP }},
	{"w_fn", func(s *Score) any { return s.Words.FN }},
	{"w_f", func(s *Score) any { return wordF(s) }},
	{"rg_p", func(s *Score) any { return s.RougeP }},
	{"rg_r", func(s *Score) any { return s.RougeR }},
	{"rg_f", func(s *Score) any { return s.RougeF }},
	{"sh_p", func(s *Score) any { return s.ShingleP }},
	{"sh_r", func(s *Score) any { return s.ShingleR }},
	{"sh_acc", func(s *Score) any { return equalPage(s) }},
	{"bw_f", func(s *Score) any { return s.BagF }},
	{"sn_with", func(s *Score) any { return s.With }},
	{"sn_without", func(s *Score) any { return s.Without }},
	{"tag_tp", func(s *Score) any { return s.Markers.TP }},
	{"tag_fp", func(s *Score) any { return s.Markers.FP }},
	{"tag_fn", func(s *Score) any { return s.Markers.FN }},
	{"com_tp", func(s *Score) any { return s.CommentWords.TP }},
	{"com_fp", func(s *Score) any { return s.CommentWords.FP }},
	{"com_fn", func(s *Score) any { return s.CommentWords.FN }},
	{"seg_tp", func(s *Score) any { return s.Snippets.TP }},
	{"seg_fp", func(s *Score) any { return s.Snippets.FP }},
	{"seg_fn", func(s *Score) any { return s.Snippets.FN }},
	{"seg_tn", func(s *Score) any { return s.Absent }},
}

// WritePages writes a line for each page of each result: set, system, id, whether the output is
// missing, and every measure of the page as a fraction or a count. Values that do not apply are
// empty.
func WritePages(w io.Writer, results []*Result) error {
	out := bufio.NewWriter(w)
	out.WriteString("set\tsystem\tid\tmissing")
	for _, c := range perPage {
		out.WriteString("\t" + c.name)
	}
	out.WriteByte('\n')
	for _, r := range results {
		for _, s := range r.Scores {
			fmt.Fprintf(out, "%s\t%s\t%s\t%t", r.Set, r.System, s.ID, s.Missing)
			for _, c := range perPage {
				out.WriteByte('\t')
				switch v := c.of(s).(type) {
				case float64:
					if !math.IsNaN(v) {
						out.WriteString(strconv.FormatFloat(v, 'g', 10, 64))
					}
				case int:
					out.WriteString(strconv.Itoa(v))
				}
			}
			out.WriteByte('\n')
		}
	}
	return out.Flush()
}

// WriteJSON writes a JSON object with the sets, their systems and figures as fractions, the
// comparisons, and against, confidence and page types if present.
func WriteJSON(w io.Writer, results []*Result, comparisons []Comparison, against *Against, confidence []*Reliability, types []*PageTypes) error {
	type figure struct {
		Value float64  `json:"value"`
		Low   *float64 `json:"low,omitempty"`
		High  *float64 `json:"high,omitempty"`
	}
	type system struct {
		Set     string            `json:"set"`
		Field   string            `json:"field,omitempty"`
		Value   string            `json:"value,omitempty"`
		System  string            `json:"system"`
		Pages   int               `json:"pages"`
		Figures map[string]figure `json:"figures"`
		Notes   []string          `json:"notes,omitempty"`
	}
	type test struct {
		Set        string   `json:"set"`
		Metric     string   `json:"metric"`
		A          string   `json:"a"`
		B          string   `json:"b"`
		Pages      int      `json:"pages"`
		Difference float64  `json:"difference"`
		Better     int      `json:"better"`
		Worse      int      `json:"worse"`
		Wilcoxon   *float64 `json:"wilcoxon_p"`
		WilcoxonW  *float64 `json:"wilcoxon_w"`
		Exact      bool     `json:"wilcoxon_exact"`
		T          *float64 `json:"t"`
		TP         *float64 `json:"t_p"`
	}
	var doc struct {
		Results     []system       `json:"results"`
		Comparisons []test         `json:"comparisons,omitempty"`
		Against     any            `json:"against,omitempty"`
		Confidence  []*Reliability `json:"confidence,omitempty"`
		PageTypes   []*PageTypes   `json:"page_types,omitempty"`
	}
	doc.Confidence, doc.PageTypes = confidence, types
	if against != nil {
		doc.Against = against.object()
	}
	for _, r := range results {
		s := system{r.Set, r.Field, r.Value, r.System, len(r.Scores), map[string]figure{}, r.Notes}
		for name, v := range r.Values {
			s.Figures[name] = figure{v.Value, finite(v.Low), finite(v.High)}
		}
		doc.Results = append(doc.Results, s)
	}
	for _, c := range comparisons {
		doc.Comparisons = append(doc.Comparisons, test{c.Set, c.Metric.Name, c.A, c.B, c.Pages, c.Difference, c.Better, c.Worse,
			finite(c.Wilcoxon.P), finite(c.Wilcoxon.Statistic), c.Wilcoxon.Exact, finite(c.T.Statistic), finite(c.T.P)})
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(doc)
}

// finite returns nil for values that JSON cannot represent.
func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// WriteBench writes the figures in percent in the format of Go benchmarks, for benchstat.
func WriteBench(w io.Writer, results []*Result) error {
	out := bufio.NewWriter(w)
	for _, m := range columns(results, true) {
		fmt.Fprintf(out, "Unit %s better=higher assume=exact\n", m.Name)
	}
	for _, r := range results {
		fmt.Fprintf(out, "BenchmarkClean/set=%s/system=%s %d", benchName(r.Set), benchName(r.System), len(r.Scores))
		for _, m := range Metrics {
			if v, ok := r.Values[m.Name]; ok {
				fmt.Fprintf(out, " %s %s", percent(v.Value, 4), m.Name)
			}
		}
		out.WriteByte('\n')
	}
	return out.Flush()
}

// benchName replaces characters that are invalid in names of the format.
func benchName(s string) string {
	return strings.Map(func(r rune) rune {
		if r <= ' ' || r == '/' || r == '=' {
			return '_'
		}
		return r
	}, s)
}
