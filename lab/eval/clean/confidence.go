package clean

import (
	"cmp"
	"fmt"
	"html/template"
	"io"
	"math"
	"strconv"

	"chaffinch/clean"
	"chaffinch/internal/chart"
)

// reliabilityBins is the number of bins of a reliability table.
const reliabilityBins = 10

// sureFrom is the minimum confidence of a page counted as sure.
const sureFrom = .9

// Reliability measures the confidences of a system: how many pages with a confidence are labelled
// well, with a word F above [clean.GoodF].
type Reliability struct {
	System string `json:"system"`
	// Set is the set, "" for all sets together.
	Set   string `json:"set,omitempty"`
	Pages int    `json:"pages"`
	// Good is the fraction of pages labelled well, Mean the mean confidence of the pages.
	Good float64 `json:"good"`
	Mean float64 `json:"mean"`
	// Brier is the mean squared difference of confidence and outcome. ECE is the expected
	// calibration error: the mean difference, over the bins, of mean confidence and fraction
	// labelled well, weighted by pages.
	Brier float64 `json:"brier"`
	ECE   float64 `json:"ece"`
	// Sure is the fraction of pages with a confidence above .9, SureGood the fraction of these that
	// are labelled well, 0 without such pages.
	Sure     float64 `json:"sure"`
	SureGood float64 `json:"sure_good"`
	// Bins counts the pages by confidence in ten bins of equal width.
	Bins []ReliabilityBin `json:"bins"`
}

// ReliabilityBin counts the pages whose confidence is at least From and below To.
type ReliabilityBin struct {
	From  float64 `json:"from"`
	To    float64 `json:"to"`
	Pages int     `json:"pages"`
	// Mean is the mean confidence, Good the fraction labelled well. Both are 0 without pages.
	Mean float64 `json:"mean"`
	Good float64 `json:"good"`
}

// newReliability measures the confidences of the scores with a confidence and a word F. It returns
// nil if there are none.
func newReliability(system, set string, scores []*Score) *Reliability {
	r := &Reliability{System: system, Set: set, Bins: make([]ReliabilityBin, reliabilityBins)}
	sure, sureGood := 0, 0
	for _, s := range scores {
		f, c := wordF(s), s.Confidence
		if !(c > 0) || math.IsNaN(f) {
			continue
		}
		good := 0.
		if f > clean.GoodF {
			good = 1
		}
		b := &r.Bins[min(int(c*reliabilityBins), reliabilityBins-1)]
		b.Pages++
		b.Mean += c
		b.Good += good
		r.Pages++
		r.Mean += c
		r.Good += good
		r.Brier += float64((c - good) * (c - good))
		if c > sureFrom {
			sure++
			sureGood += int(good)
		}
	}
	if r.Pages == 0 {
		return nil
	}
	n := float64(r.Pages)
	r.Mean, r.Good, r.Brier, r.Sure = r.Mean/n, r.Good/n, r.Brier/n, float64(sure)/n
	r.SureGood = float64(sureGood) / float64(max(sure, 1))
	for i := range r.Bins {
		b := &r.Bins[i]
		b.From, b.To = float64(i)/reliabilityBins, float64(i+1)/reliabilityBins
		if b.Pages > 0 {
			r.ECE += math.Abs(b.Mean-b.Good) / n
			b.Mean, b.Good = b.Mean/float64(b.Pages), b.Good/float64(b.Pages)
		}
	}
	return r
}

// Reliabilities measures the confidences of each system that reports them, over all views and, if
// there are several, for each set.
func Reliabilities(views []View) (out []*Reliability) {
	var systems []string
	scores, sets := map[string][]*Score{}, map[string][]*Reliability{}
	for _, v := range views {
		for _, res := range v.Results {
			r := newReliability(res.System, res.Set, res.Scores)
			if r == nil {
				continue
			}
			if sets[res.System] == nil {
				systems = append(systems, res.System)
			}
			sets[res.System] = append(sets[res.System], r)
			scores[res.System] = append(scores[res.System], res.Scores...)
		}
	}
	for _, name := range systems {
		out = append(out, newReliability(name, "", scores[name]))
		if len(sets[name]) > 1 {
			out = append(out, sets[name]...)
		}
	}
	return out
}

// WriteReliability writes for each system its pages by confidence, and then its measures of
// reliability, over all sets and by set.
func WriteReliability(w io.Writer, all []*Reliability) error {
	for i := 0; i < len(all); {
		r := all[i]
		if _, err := fmt.Fprintf(w, "confidence of pages, %s: probability of a word F above %g\n", r.System, 100*clean.GoodF); err != nil {
			return err
		}
		rows := [][]string{{"confidence", "pages", "mean", "good"}}
		for _, b := range r.Bins {
			row := []string{fmt.Sprintf("%.1f–%.1f", b.From, b.To), strconv.Itoa(b.Pages), "-", "-"}
			if b.Pages > 0 {
				row[2], row[3] = percent(b.Mean, 1), percent(b.Good, 1)
			}
			rows = append(rows, row)
		}
		if err := writeAligned(w, rows); err != nil {
			return err
		}
		rows = [][]string{{"set", "pages", "mean", "good", "above 90", "of these good", "Brier", "ECE"}}
		for ; i < len(all) && all[i].System == r.System; i++ {
			x := all[i]
			name := cmp.Or(x.Set, "all")
			sureGood := "-"
			if x.Sure > 0 {
				sureGood = percent(x.SureGood, 1)
			}
			rows = append(rows, []string{name, strconv.Itoa(x.Pages), percent(x.Mean, 1), percent(x.Good, 1), percent(x.Sure, 1),
				sureGood, fmt.Sprintf("%.4f", x.Brier), fmt.Sprintf("%.4f", x.ECE)})
		}
		if err := writeAligned(w, rows); err != nil {
			return err
		}
	}
	return nil
}

// reliabilityCurves draws the fraction of pages labelled well by confidence, for each system that
// reports confidences, with the number of pages of each bin.
func reliabilityCurves(results []*Result) template.HTML {
	img, x, y := square("confidence", "% with word F above 90")
	img.Line(x.At(0), y.At(0), x.At(1), y.At(1), "class", "axis", "stroke-dasharray", "4 3")
	names := chart.Placer{Left: x.Start, Right: x.End + 14, Top: 0, Bottom: y.Start}
	drawn := false
	for _, res := range results {
		r := newReliability(res.System, res.Set, res.Scores)
		if r == nil {
			continue
		}
		var curve []chart.Point
		for _, b := range r.Bins {
			if b.Pages == 0 {
				continue
			}
			at := chart.Point{X: x.At(b.Mean), Y: y.At(b.Good)}
			curve = append(curve, at)
			title := fmt.Sprintf("%s, confidence %s: %d pages, %s good", r.System, percent(b.Mean, 1), b.Pages, percent(b.Good, 1))
			img.Circle(at.X, at.Y, 2+float64(7*math.Sqrt(float64(b.Pages)/float64(r.Pages))), title, "fill", colourOf(results, res))
			if p, anchor, ok := names.Place(at.X, at.Y, strconv.Itoa(b.Pages), 11); ok {
				img.Text(p.X, p.Y, strconv.Itoa(b.Pages), "class", "count", "text-anchor", anchor)
			}
		}
		img.Curve(curve, r.System, "stroke", colourOf(results, res), "stroke-width", "2")
		drawn = true
	}
	if !drawn {
		return ""
	}
	return template.HTML(img.String())
}
