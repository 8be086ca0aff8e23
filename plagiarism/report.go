package plagiarism

import (
	"bufio"
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/internal/report"
	"chaffinch/internal/sorts"
)

// ReportPage is a page that shows pairs of documents side by side, with their shared
// passages.
type ReportPage struct {
	// Title describes the comparison.
	Title string
	// Notes are sentences above the table.
	Notes []string
	Pairs []ReportPair
	// Unfound lists the suspicious documents without a detected source.
	Unfound []ReportText
}

// ReportPair is a suspicious document and one of its sources.
type ReportPair struct {
	Suspicious, Source ReportText
	// Passages holds the passages of the two documents. Parts beyond the end of a
	// text are dropped. Ids are ignored.
	Passages []Passage
	// Similarity of the two documents, from 0 to 1. Negative if not computed.
	Similarity float64
	// Note is a remark about the pair, such as its real source. Wrong indicates that
	// the pair is a mistake.
	Note  string
	Wrong bool
}

// ReportText is a document of a report.
type ReportText struct{ ID, Text, Note string }

// Limits of a report.
const (
	// MaxReportPairs is the maximum number of pairs shown, and of documents without a
	// source listed. The rest is only counted.
	MaxReportPairs = 1000
	// In a text longer than longText bytes, every run of uniform color longer than
	// longRun bytes is shortened in the middle to twice keptRun.
	longText = 200_000
	longRun  = 20_000
	keptRun  = 4_000
)

//go:embed view/report.html
var reportHTML string

//go:embed view/report.css
var reportCSS string

//go:embed view/report.js
var reportJS string

// Script returns the script of the reports, for content security policies that allow
// only this script.
func Script() string { return reportJS }

var reportTemplate = report.Template("report", reportHTML, template.FuncMap{
	"percent": func(x float64) string { return strconv.FormatFloat(100*x, 'f', 0, 64) + " %" },
	"two":     func(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) },
})

// reportRow is a pair in the table of pairs.
type reportRow struct {
	*ReportPair
	Number                int // from 1
	ShareSuspicious, Part float64
	passages              []Passage
	places                map[string][]span // of the passages on each side, in bytes
	susEnd, srcEnd        int               // code points
}

// WriteHTML writes the report as one self-contained HTML file. Passages are links to
// their partners and work without scripts. Scripts only align the partner's vertical
// position. The output is deterministic.
func (r *ReportPage) WriteHTML(w io.Writer) error {
	shown := r.Pairs[:min(len(r.Pairs), MaxReportPairs)]
	rows := make([]reportRow, len(shown))
	passages, wrong := 0, 0
	for i := range shown {
		rows[i] = newReportRow(&shown[i], i+1)
		passages += len(rows[i].passages)
		if shown[i].Wrong {
			wrong++
		}
	}
	notes := slices.Clone(r.Notes)
	if n := len(r.Pairs) - len(shown); n > 0 {
		notes = append(notes, fmt.Sprintf("%d more pairs are not shown.", n))
	}
	unfound := r.Unfound[:min(len(r.Unfound), MaxReportPairs)]
	if n := len(r.Unfound) - len(unfound); n > 0 {
		notes = append(notes, fmt.Sprintf("%d more documents for which nothing was found are not listed.", n))
	}
	frame := report.NewFrameWith(r.Title+" · compared by chaffinch", reportCSS, reportJS)
	b := bufio.NewWriter(w)
	err := reportTemplate().Execute(b, struct {
		Frame           report.Frame
		Title           string
		Notes           []string
		Rows            []reportRow
		Unfound         []ReportText
		Passages, Wrong int
		// Similarity and Remarks report whether any pair has a value. Columns without
		// values are omitted.
		Similarity, Remarks bool
	}{
		frame, r.Title, notes, rows, unfound, passages, wrong,
		slices.ContainsFunc(shown, func(p ReportPair) bool { return p.Similarity >= 0 }),
		slices.ContainsFunc(shown, func(p ReportPair) bool { return p.Note != "" }),
	})
	for i := 0; err == nil && i < len(rows); i++ {
		row := &rows[i]
		err = reportTemplate().ExecuteTemplate(b, "pair", struct {
			*reportRow
			Left, Right []run
		}{row, row.runs(row.Suspicious.Text, "a"), row.runs(row.Source.Text, "b")})
	}
	if err == nil {
		err = reportTemplate().ExecuteTemplate(b, "end", frame)
	}
	if err != nil {
		return err
	}
	return b.Flush()
}

// Len returns the number of passages.
func (r *reportRow) Len() int { return len(r.passages) }

func newReportRow(p *ReportPair, number int) reportRow {
	r := reportRow{ReportPair: p, Number: number, susEnd: utf8.RuneCountInString(p.Suspicious.Text), srcEnd: utf8.RuneCountInString(p.Source.Text)}
	for _, x := range p.Passages {
		x.SuspiciousStart, x.SuspiciousEnd = max(x.SuspiciousStart, 0), min(x.SuspiciousEnd, r.susEnd)
		x.SourceStart, x.SourceEnd = max(x.SourceStart, 0), min(x.SourceEnd, r.srcEnd)
		if x.SuspiciousStart < x.SuspiciousEnd && x.SourceStart < x.SourceEnd {
			r.passages = append(r.passages, x)
		}
	}
	sorts.StableFunc(r.passages, func(a, b Passage) int {
		return cmp.Or(cmp.Compare(a.SuspiciousStart, b.SuspiciousStart), cmp.Compare(a.SuspiciousEnd, b.SuspiciousEnd), cmp.Compare(a.SourceStart, b.SourceStart))
	})
	r.places = map[string][]span{"a": inBytes(p.Suspicious.Text, r.spans("a")), "b": inBytes(p.Source.Text, r.spans("b"))}
	r.ShareSuspicious = covered(r.spans("a"), r.susEnd)
	r.Part = covered(r.spans("b"), r.srcEnd)
	return r
}

// spans returns the passages in code points, on the suspicious side, "a", or on the
// source side, "b".
func (r *reportRow) spans(side string) []span {
	out := make([]span, len(r.passages))
	for i, p := range r.passages {
		out[i] = span{p.SuspiciousStart, p.SuspiciousEnd, i}
		if side == "b" {
			out[i] = span{p.SourceStart, p.SourceEnd, i}
		}
	}
	return out
}

// span is a piece of one text and the number of its passage.
type span struct{ start, end, passage int }

// inBytes converts spans of a text from code points to bytes, in one pass.
func inBytes(text string, spans []span) []span {
	var places []*int
	for i := range spans {
		places = append(places, &spans[i].start, &spans[i].end)
	}
	slices.SortFunc(places, func(a, b *int) int { return cmp.Compare(*a, *b) })
	at, points := 0, 0
	for _, p := range places {
		n := bytesOf(text[at:], *p-points)
		at, points = at+n, *p
		*p = at
	}
	return spans
}

// covered returns the share of a text of n code points that spans cover.
func covered(spans []span, n int) float64 {
	sorts.Func(spans, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	sum, end := 0, 0
	for _, s := range spans {
		if s.end > end {
			sum += s.end - max(s.start, end)
			end = s.end
		}
	}
	return float64(sum) / float64(max(n, 1))
}

// run is a piece of a text with uniform display.
type run struct {
	Text string
	// Cut is the number of characters omitted in the middle, before After.
	Cut   int
	After string
	// Passage is the number of the passage from 1, or 0 if there is none. Colour is
	// the color of its kind. ID is the name of this place, and To the name of the
	// place on the other side. First indicates the start of the passage.
	Passage, Colour int
	ID, To, Title   string
	First           bool
	// Parts holds Text in pieces, if it belongs to a passage and is not shortened.
	Parts []fragment
	// Marks holds the names of passages that are hidden under others.
	Marks []string
}

// fragment is a piece of a passage. Own indicates a word that does not occur in the
// partner.
type fragment struct {
	Text string
	Own  bool
}

// colours is the number of colors of passages.
const colours = 8

// runs splits a text at the boundaries of the passages. If several passages overlap,
// the shortest one is shown.
func (r *reportRow) runs(text, side string) (out []run) {
	other := map[string]string{"a": "b", "b": "a"}[side]
	spans := slices.Clone(r.places[side])
	cuts := []int{0}
	for _, s := range spans {
		cuts = append(cuts, s.start, s.end)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	sorts.Func(spans, func(a, b span) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.passage, b.passage)) })
	name := func(passage int, side string) string { return fmt.Sprintf("p%d-%d%s", r.Number, passage+1, side) }
	var open []span
	shownAt := make([]bool, len(spans))
	for i, start := range cuts {
		rest := text[start:]
		if i+1 < len(cuts) {
			rest = text[start:cuts[i+1]]
		}
		open = slices.DeleteFunc(open, func(s span) bool { return s.end <= start })
		for len(spans) > 0 && spans[0].start == start {
			open, spans = append(open, spans[0]), spans[1:]
		}
		x := shorten(rest, len(text) > longText)
		best := -1
		for k, s := range open {
			if best < 0 || s.end-s.start < open[best].end-open[best].start {
				best = k
			}
		}
		if best >= 0 {
			p := open[best].passage
			x.Passage, x.Colour, x.To = p+1, p%colours, name(p, other)
			x.Title = fmt.Sprintf("passage %d: %.0f %% alike", p+1, 100*r.passages[p].Score)
			if x.Cut == 0 {
				x.Parts = fragments(x.Text, r.partner(p, other))
			}
			if !shownAt[p] {
				x.First, x.ID = true, name(p, side)
				shownAt[p] = true
			}
		}
		for _, s := range open { // passages that ended before they were on top
			if !shownAt[s.passage] && i+1 < len(cuts) && s.end == cuts[i+1] {
				x.Marks = append(x.Marks, name(s.passage, side))
				shownAt[s.passage] = true
			}
		}
		if len(x.Text) > 0 {
			out = append(out, x)
		}
	}
	return out
}

// partner returns the folded words of a passage on one side.
func (r *reportRow) partner(passage int, side string) map[string]bool {
	text, at := r.Suspicious.Text, r.places[side][passage]
	if side == "b" {
		text = r.Source.Text
	}
	text = text[at.start:at.end]
	words := map[string]bool{}
	for _, f := range fragments(text, nil) {
		if f.Own {
			words[foldWord(f.Text)] = true
		}
	}
	return words
}

// fragments splits text into words and the text between them. Adjacent words in known,
// and the text between them, are joined.
func fragments(text string, known map[string]bool) (out []fragment) {
	start := 0
	flush := func(end int) {
		if end > start {
			out = append(out, fragment{Text: text[start:end]})
		}
	}
	for i := 0; i < len(text); {
		end := i
		for end < len(text) {
			c, n := utf8.DecodeRuneInString(text[end:])
			if !unicode.IsLetter(c) && !unicode.IsDigit(c) && !unicode.IsMark(c) {
				break
			}
			end += n
		}
		if w := text[i:end]; w != "" && !known[foldWord(w)] {
			flush(i)
			out = append(out, fragment{w, true})
			start = end
		}
		if i = end; i < len(text) {
			_, n := utf8.DecodeRuneInString(text[i:])
			i += n
		}
	}
	flush(len(text))
	return out
}

// foldWord folds case and look-alike letters.
func foldWord(w string) string {
	return strings.Map(func(r rune) rune { return lookalike(unicode.ToLower(r)) }, w)
}

// bytesOf returns the length in bytes of the first n code points of s.
func bytesOf(s string, n int) int {
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}

// shorten removes the middle of a long run, between characters.
func shorten(s string, long bool) run {
	if !long || len(s) <= longRun {
		return run{Text: s}
	}
	from, to := keptRun, len(s)-keptRun
	for !utf8.RuneStart(s[from]) {
		from--
	}
	for !utf8.RuneStart(s[to]) {
		to++
	}
	return run{Text: s[:from], Cut: utf8.RuneCountInString(s[from:to]), After: s[to:]}
}
