package explain

import (
	"math"
	"unicode/utf8"

	"chaffinch/clean"
	"chaffinch/clean/justext"
	"chaffinch/page"
	"chaffinch/text/token"
)

// maxSentences is the most sentences of a block that are written down.
const maxSentences = 2000

// setRules writes the verdicts of all methods into d, and how they follow from
// the thresholds where that is known.
func (e *Explainer) setRules(d *data, p *page.Page, found []answer) {
	for i, m := range e.methods {
		verdicts := found[i].labels
		if verdicts == nil {
			continue
		}
		md := d.Methods[i]
		md.Verdicts, md.Figures = []verdictData{}, [][]int{}
		switch l := unwrap(m.labeller).(type) {
		case clean.Scored:
			setScored(d, md, l, p, verdicts)
		case clean.Vote:
			setVote(d, md, e.voters(l), p, verdicts, found)
		case *justext.Labeller:
			setJustext(d, md, l, p, verdicts)
		default:
			setFixed(d, md, p, verdicts)
		}
		for k := range md.Verdicts {
			if v, f := &md.Verdicts[k], &found[i].verdicts[k]; v.Label != f.Label {
				v.settled(d, f)
			}
		}
	}
}

// settled makes v the verdict in force, where that is for the sake of a table or a
// list; its scores stay, for the rule.
func (v *verdictData) settled(d *data, f *page.Verdict) {
	v.Label, v.Why = f.Label, d.why(f.Reason)
	if v.Fixed {
		v.Sentences, v.Kept = nil, nil
	}
}

// setFixed writes verdicts that no threshold moves.
func setFixed(d *data, md *methodData, p *page.Page, verdicts []page.Verdict) {
	for i := range verdicts {
		v := d.verdict(&p.Blocks[i], &verdicts[i], nil)
		v.Fixed = true
		md.Verdicts = append(md.Verdicts, v)
	}
}

// setScored writes the verdicts of a method with one threshold.
func setScored(d *data, md *methodData, l clean.Scored, p *page.Page, verdicts []page.Verdict) {
	t := l.Threshold(verdicts)
	low, high := math.Inf(1), math.Inf(-1)
	span := func(x float64) {
		if x == x && !math.IsInf(x, 0) && !(t.Log && x <= 0) {
			low, high = min(low, x), max(high, x)
		}
	}
	span(t.Value)
	moves := false
	for i := range verdicts {
		b, v := &p.Blocks[i], &verdicts[i]
		vd := d.verdict(b, v, t.Keeps)
		vd.Fixed = vd.Hidden || v.Label == page.Unknown || vd.Score == nil || !l.ByScore(p, i, v) || len(vd.Kept) > 0 || !follows(t, v)
		if !vd.Fixed {
			moves = true
			span(v.Score)
			for _, s := range v.Sentences {
				span(s.Score)
			}
		}
		md.Verdicts = append(md.Verdicts, vd)
	}
	if !moves {
		return
	}
	if t.Log {
		low, high = low/1.1, high*1.1
	} else {
		low, high = low-float64(0.02*(high-low))-1e-3, high+float64(0.02*(high-low))+1e-3
	}
	md.Rule = "score"
	md.Thresholds = []thresholdData{{Name: t.Name, Help: t.Help, Value: t.Value, Low: low, High: high, Log: t.Log, Below: t.Below}}
}

// follows reports whether the verdict agrees with the threshold. If not, the method violates
// its contract, and the block gets no slider.
func follows(t clean.Threshold, v *page.Verdict) bool {
	if len(v.Sentences) == 0 {
		return v.Label.Keep() == t.Keeps(v.Score)
	}
	keep := false
	for _, s := range v.Sentences {
		if s.Label.Keep() != t.Keeps(s.Score) || math.IsNaN(s.Score) || math.IsInf(s.Score, 0) {
			return false
		}
		keep = keep || s.Label.Keep()
	}
	return v.Label.Keep() == keep
}

// voters returns the indices of the methods that vote, nil if one is not in
// the table.
func (e *Explainer) voters(vote clean.Vote) []int {
	var out []int
	for _, l := range vote.Methods {
		at := -1
		for i, m := range e.methods {
			if m.labeller != nil && m.labeller.Name() == l.Name() {
				at = i
			}
		}
		if at < 0 {
			return nil
		}
		out = append(out, at)
	}
	return out
}

// setVote writes the verdicts of the majority. They follow from the shown verdicts of the
// voters if the voters have the same settings.
func setVote(d *data, md *methodData, voters []int, p *page.Page, verdicts []page.Verdict, found []answer) {
	setFixed(d, md, p, verdicts)
	if len(voters) == 0 {
		return
	}
	for i := range verdicts {
		if !countsUp(i, voters, verdicts, found) {
			return
		}
	}
	md.Rule, md.Voters = "vote", voters
	for i := range md.Verdicts {
		v := &md.Verdicts[i]
		v.Sentences = nil // the parts of a voter
		v.Fixed = v.Hidden || v.Label == page.Unknown || len(v.Kept) > 0
	}
}

// countsUp reports whether the votes on block i give its verdict.
func countsUp(i int, voters []int, verdicts []page.Verdict, found []answer) bool {
	if isHidden(&verdicts[i]) {
		return true
	}
	cast, kept := 0, 0
	for _, m := range voters {
		if found[m].verdicts[i].Label != page.Unknown {
			cast++
		}
		if found[m].verdicts[i].Label.Keep() {
			kept++
		}
	}
	return cast == 0 && verdicts[i].Label == page.Unknown || cast > 0 && verdicts[i].Label.Keep() == (2*kept > cast)
}

// setJustext writes the verdicts of jusText with the figures that they follow
// from.
func setJustext(d *data, md *methodData, l *justext.Labeller, p *page.Page, verdicts []page.Verdict) {
	setFixed(d, md, p, verdicts)
	q := *p
	q.Blocks = nil
	for i := range p.Blocks {
		if !isHidden(&verdicts[i]) {
			q.Blocks = append(q.Blocks, p.Blocks[i])
		}
	}
	t, figures, err := l.Measure(&q)
	if err != nil {
		return
	}
	for i := range p.Blocks {
		if isHidden(&verdicts[i]) {
			md.Figures = append(md.Figures, nil)
			continue
		}
		f := figures[0]
		figures = figures[1:]
		flags := 0
		if f.Heading {
			flags |= 1
		}
		if f.Sign {
			flags |= 2
		}
		md.Figures = append(md.Figures, []int{f.Length, f.Words, f.Stops, flags})
		md.Verdicts[i].Fixed = false
	}
	md.Rule = "justext"
	md.Settings = configOf(struct {
		justext.Config
		Doubt bool `json:"doubt"`
	}{t.Config, t.Doubt})
	md.Thresholds = []thresholdData{
		{Name: "max_link_density", Help: "maximum share of characters in links", Value: t.MaxLinkDensity, High: 1},
		{Name: "length_low", Help: "characters below which a block is too short to judge", Value: float64(t.LengthLow), High: max(300, 2*float64(t.LengthLow)), Whole: true},
		{Name: "length_high", Help: "characters above which a block is good without context", Value: float64(t.LengthHigh), High: max(600, 2*float64(t.LengthHigh)), Whole: true},
	}
	if t.StopwordsHigh > 0 {
		md.Thresholds = append(md.Thresholds,
			thresholdData{Name: "stopwords_low", Help: "share of stop words below which a block is bad", Value: t.StopwordsLow, High: 1},
			thresholdData{Name: "stopwords_high", Help: "share of stop words from which a long block is good", Value: t.StopwordsHigh, High: 1})
	}
	md.Thresholds = append(md.Thresholds,
		thresholdData{Name: "max_heading_distance", Help: "characters between a heading and good text", Value: float64(t.MaxHeadingDistance), High: max(1000, 2*float64(t.MaxHeadingDistance)), Whole: true})
}

// isHidden reports whether v is of a block that the method did not see.
func isHidden(v *page.Verdict) bool { return v.By == "hidden" }

// verdict writes v down; scores keep the digits that keeps needs.
func (d *data) verdict(b *page.Block, v *page.Verdict, keeps func(float64) bool) verdictData {
	out := verdictData{Label: v.Label, Free: v.ContextFree, Score: score(v.Score, keeps), Why: d.why(v.Reason), Role: v.Role, Hidden: isHidden(v)}
	if len(v.Sentences) == 0 {
		return out
	}
	if len(v.Sentences) > maxSentences {
		whole := page.Block{Text: b.Text, Verdict: *v}
		kept := whole.Kept()
		out.Kept = []int{token.Count(kept), utf8.RuneCountInString(kept)}
		return out
	}
	offsets := make([]int, 0, 2*len(v.Sentences))
	for _, s := range v.Sentences {
		offsets = append(offsets, s.Start, s.End)
	}
	places := units(b.Text, offsets)
	for i, s := range v.Sentences {
		text, keep := b.Text[s.Start:s.End], 0
		if s.Label.Keep() {
			keep = 1
		}
		out.Sentences = append(out.Sentences, sentenceData{places[2*i], places[2*i+1], token.Count(text), utf8.RuneCountInString(text), keep, score(s.Score, keeps)})
	}
	return out
}
