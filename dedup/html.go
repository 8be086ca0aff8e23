package dedup

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"chaffinch/internal/align"
	"chaffinch/internal/files"
	"chaffinch/internal/report"
	"chaffinch/internal/sorts"
)

//go:embed view/report.html
var reportHTML string

var reportTemplate = report.Template("dedup", reportHTML, template.FuncMap{"link": report.IsLink})

// shownSites is the maximum number of sites that the report lists.
const shownSites = 60

// reportView holds the data of the report in HTML.
type reportView struct {
	Frame     report.Frame
	Title     string
	Method    string
	TestSets  bool // the method compares with test sets, whose text is not kept
	Report    *Result
	Share     float64 // of the words that stay
	Reasons   []reasonRow
	Sizes     []sizeRow
	Kept      int64 // documents with dropped copies
	Sites     []siteRow
	MoreSites int
	Samples   []sampleView
}

type reasonRow struct {
	Name, Help string
	Tally
	Share float64 // of the words read
}

type sizeRow struct {
	Name  string
	Docs  int64
	Share float64 // of the longest bar
}

type siteRow struct {
	Name string
	SiteTally
	Share float64 // of its words that were dropped
}

type sampleView struct {
	*Sample
	Pairs []pairView
}

// pairView is a copy beside the kept text. Words that the other side lacks are marked.
type pairView struct {
	*Copy
	Left, Right         []segment
	LessLeft, LessRight bool // words before Left and Right are not shown
	MoreLeft, MoreRight bool // words after them are not shown
}

// segment is a part of a quotation.
type segment struct {
	Text    string
	Differs bool
}

var reasonHelp = map[string]string{
	Copied.String(): "text of a better ranked document", Template.String(): "text on many pages of one host", Stub.String(): "short rest between copies",
	Near.String(): "near-duplicate of a kept document", Same.String(): "same text as a kept unit", SameURL.String(): "another fetch of the same address",
	Contaminated.String(): "shares n-grams with a test set", Indexed.String(): "copy of a document of the index", tooShort: "too few words remain",
}

// writeReport writes the report in HTML.
func (r *run) writeReport(rep *Result) error {
	if r.cfg.ReportFile == "" {
		return nil
	}
	var out bytes.Buffer
	if err := reportTemplate().Execute(&out, newReportView(r.cfg.Inputs, rep)); err != nil {
		return err
	}
	return files.WriteFile(r.cfg.ReportFile, out.Bytes())
}

func newReportView(inputs []string, rep *Result) *reportView {
	method, _, _ := strings.Cut(rep.Method, "/") // without its version
	v := &reportView{Method: method, TestSets: method == "decontaminate", Title: clip(report.BaseNames(inputs), nameBytes), Report: rep, Share: report.Share(rep.Out.Tokens, rep.In.Tokens)}
	v.Frame = report.NewFrame(v.Title + " · deduplicated by chaffinch")
	for name, t := range rep.Reasons {
		v.Reasons = append(v.Reasons, reasonRow{name, reasonHelp[name], *t, report.Share(t.Tokens, rep.In.Tokens)})
	}
	slices.SortFunc(v.Reasons, func(a, b reasonRow) int {
		return cmp.Or(cmp.Compare(b.Tokens, a.Tokens), strings.Compare(a.Name, b.Name))
	})
	details := rep.Details.withMaps()
	v.sizes(details.Sizes)
	v.sites(details.Sites)
	for _, s := range details.Samples {
		view := sampleView{Sample: s}
		for _, c := range s.Dropped {
			view.Pairs = append(view.Pairs, newPair(s, c))
		}
		v.Samples = append(v.Samples, view)
	}
	return v
}

func (v *reportView) sizes(sizes []int64) {
	most := int64(1)
	for _, n := range sizes {
		most = max(most, n)
		v.Kept += n
	}
	for i, n := range sizes {
		name := "1"
		if low := int64(1) << i; low > 1 {
			name = report.Grouped(low) + " to " + report.Grouped(2*low-1)
		}
		v.Sizes = append(v.Sizes, sizeRow{name, n, report.Share(n, most)})
	}
}

func (v *reportView) sites(sites map[string]*SiteTally) {
	names := sorts.ByCount(sites, func(s *SiteTally) int64 { return s.DroppedTokens })
	v.MoreSites = max(0, len(names)-shownSites)
	for _, name := range names[:min(len(names), shownSites)] {
		s := sites[name]
		v.Sites = append(v.Sites, siteRow{clip(cmp.Or(name, "(no address)"), nameBytes), *s, report.Share(s.DroppedTokens, s.Tokens)})
	}
}

// newPair sets a copy beside the kept text: beside the paragraph of it with the most common words
// if the copy is a paragraph. Of whole documents it shows the first passage that both share, or the
// end of this passage if both begin with the same text and differ after it.
func newPair(s *Sample, c *Copy) pairView {
	kept := s.Text
	if c.Para != Whole {
		kept = likest(c.Text, kept)
	}
	v := pairView{Copy: c}
	a, b := strings.Fields(clip(kept, copyBytes)), strings.Fields(c.Text)
	var words align.Vocabulary
	inA, inB := make([]bool, len(a)), make([]bool, len(b))
	found, fromA, fromB := false, 0, 0
	for _, m := range align.Blocks(words.IDs(a), words.IDs(b)) {
		for i := range m.Len {
			inA[m.A+i], inB[m.B+i] = true, true
		}
		if m.Len >= passageWords && !found {
			found, fromA, fromB = true, max(m.A-wordsBefore, 0), max(m.B-wordsBefore, 0)
			if m.A == 0 && m.B == 0 && (m.Len < len(a) || m.Len < len(b)) {
				fromA = beforeDifference(b[:m.Len])
				fromB = fromA
			}
		}
	}
	if len(a) == 0 { // no text to compare with: mark nothing
		for i := range inB {
			inB[i] = true
		}
	}
	v.Left, v.LessLeft, v.MoreLeft = segments(a, inA, fromA)
	v.Right, v.LessRight, v.MoreRight = segments(b, inB, fromB)
	return v
}

// Words of quotations.
const (
	passageWords = 6 // shared words in a row that make a passage
	wordsBefore  = 8 // words shown before it
)

// beforeDifference returns the index of the first word to show of a passage at the beginning of both
// texts: 0 if the passage fits in half of a quotation, else the index of one of its last words, so
// that the quotation shows the difference after it.
func beforeDifference(passage []string) int {
	size := 0
	for _, w := range passage {
		if size += len(w) + 1; size > quoteBytes/2 {
			return len(passage) - min(3*wordsBefore, len(passage))
		}
	}
	return 0
}

// likest returns the line of text that shares the most different words with a paragraph, relative
// to the words of both.
func likest(para, text string) (best string) {
	words := map[string]bool{}
	for _, w := range strings.Fields(para) {
		words[w] = true
	}
	most := 0.0
	for line := range strings.Lines(text) {
		found, all := map[string]bool{}, map[string]bool{}
		for _, w := range strings.Fields(line) {
			if all[w] = true; words[w] {
				found[w] = true
			}
		}
		if score := float64(len(found)) / float64(max(len(words)+len(all)-len(found), 1)); score > most {
			best, most = strings.TrimSpace(line), score
		}
	}
	return best
}

// segments joins words from one on into runs of the same kind, up to quoteBytes. It reports whether
// words before and after them are missing.
func segments(words []string, same []bool, from int) (list []segment, before, after bool) {
	size := 0
	for i := from; i < len(words); i++ {
		w := words[i]
		if size += len(w) + 1; size > quoteBytes {
			return list, from > 0, true
		}
		if n := len(list); n == 0 || list[n-1].Differs == same[i] {
			list = append(list, segment{Differs: !same[i]})
		}
		s := &list[len(list)-1]
		if s.Text != "" {
			s.Text += " "
		}
		s.Text += w
	}
	return list, from > 0, false
}

// Facts describes the decision on a copy.
func (c *Copy) Facts() string {
	facts := c.Why
	if c.Share > 0 {
		facts += fmt.Sprintf(" · %.0f %% seen before", 100*c.Share)
	}
	if c.Similarity > 0 {
		facts += fmt.Sprintf(" · similarity %.2f", c.Similarity)
	}
	return facts
}
