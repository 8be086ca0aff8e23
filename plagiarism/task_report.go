package plagiarism

import "fmt"

// Report returns a report of all documents with a detected source, and a list of the
// other documents. The texts must have been kept. align finds the passages of two
// texts, like [Align].
func (r *Result) Report(title string, align func(suspicious, source string) []Passage) *ReportPage {
	out := &ReportPage{Title: title, Notes: []string{fmt.Sprintf("Precision %.2f, recall %.2f, F1 %.2f by the method %v on the column %v (%v similarity, at least %.2f).",
		r.Precision(), r.Recall(), r.F1(), r.Config.Method, r.Config.Column, r.Config.Similarity, r.Config.Threshold)}}
	for i := range r.Detections {
		d := &r.Detections[i]
		if d.Source == nil {
			out.Unfound = append(out.Unfound, ReportText{ID: d.Essay.name(), Note: "its real source is " + d.Essay.Source})
			continue
		}
		p := ReportPair{
			Suspicious: ReportText{ID: d.Essay.name(), Text: d.Essay.Text}, Source: ReportText{ID: d.Source.name(), Text: d.Source.Text},
			Similarity: d.Score, Note: "the right source", Wrong: !d.Right(),
		}
		if p.Wrong {
			p.Note = "wrong: the real source is " + d.Essay.Source
		}
		if len(out.Pairs) < MaxReportPairs {
			p.Passages = align(d.Essay.Text, d.Source.Text)
		}
		out.Pairs = append(out.Pairs, p)
	}
	return out
}

// name returns the id preceded by the author.
func (e *Essay) name() string {
	if e.Author == "" {
		return e.ID
	}
	return e.Author + " " + e.ID
}
