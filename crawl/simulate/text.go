package simulate

import (
	"math/rand/v2"
	"strconv"
	"strings"

	"chaffinch/filter"
	"chaffinch/text/token"
)

// Text is the text of a page, with its language as a BCP 47 tag.
type Text struct{ Lang, Text string }

// judge judges the texts of a web by filter rules.
type judge struct {
	web    *Web
	scorer *filter.Scorer
	shares [][]float64 // shares of text that the rules keep, by topic
}

// newJudge returns a judge. It keeps all text if rules is nil.
func newJudge(w *Web, rules *filter.Set) *judge {
	j := &judge{web: w}
	if rules == nil {
		return j
	}
	j.scorer = rules.Scorer()
	for _, topic := range w.cfg.Topics {
		shares := make([]float64, len(topic))
		for i, t := range topic {
			shares[i] = j.share(t)
		}
		j.shares = append(j.shares, shares)
	}
	return j
}

// passed returns the bytes of text that the rules keep of a page with clean bytes of text.
func (j *judge) passed(host uint32, path string, clean int64) int64 {
	switch {
	case j.scorer == nil || clean == 0:
		return clean
	case j.web.hosts[host].kind == Spam:
		return int64(float64(clean) * j.share(Text{"en", j.web.spamText(host, path, int(clean))}))
	case len(j.shares) == 0:
		return clean
	}
	topic := j.shares[int(host)%len(j.shares)]
	return int64(float64(clean) * topic[j.web.rand(host, path, textStream).IntN(len(topic))])
}

// share returns the share of the bytes of a text that the rules keep.
func (j *judge) share(t Text) float64 {
	doc := filter.Text{Lang: t.Lang, Whole: t.Text}
	for start := 0; start < len(t.Text); {
		line, _, _ := strings.Cut(t.Text[start:], "\n")
		if strings.TrimSpace(line) != "" {
			doc.Paras = append(doc.Paras, token.Span{Start: start, End: start + len(line)})
		}
		start += len(line) + 1
	}
	r, _, drop := j.scorer.Judge(doc)
	if drop {
		return 0
	}
	if len(r.Lines) == 0 {
		return 1
	}
	kept, all := 0, 0
	for i, line := range r.Lines {
		size := doc.Paras[i].End - doc.Paras[i].Start
		if all += size; line.Reason == "" {
			kept += size
		}
	}
	return float64(kept) / float64(max(all, 1))
}

// textStream distinguishes the random numbers for the text of a page from those for its size and links.
const textStream = 1 << 40

// rand returns the random numbers for a page.
func (w *Web) rand(host uint32, path string, stream uint64) *rand.Rand {
	number, _ := strconv.Atoi(path[1:]) // "/" is page 0
	return rand.New(rand.NewPCG(w.cfg.Seed<<32|uint64(host), stream|uint64(number)))
}
