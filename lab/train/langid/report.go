package langid

import (
	"math/rand/v2"
	"strings"

	"chaffinch/internal/sorts"
	"chaffinch/text/langid"
)

// HeldOut is what a trained model does with held-out lines of a language: one
// line in sixteen, in pieces, a third of them of one to five words. They are
// of the sources that it was trained on; other text is harder.
type HeldOut struct {
	Lang  string `json:"lang"`
	Bytes int64  `json:"bytes"` // of the training text
	// Pieces were tried, Right of them named right, and Named is how many of
	// all languages' pieces were named so.
	Pieces int `json:"pieces"`
	Right  int `json:"right"`
	Named  int `json:"named"`
	// Sources are the names of the sources.
	Sources []string `json:"sources"`
}

// Recall is the share of the pieces that were named right.
func (h HeldOut) Recall() float64 { return float64(h.Right) / float64(max(1, h.Pieces)) }

// Precision is the share of right names.
func (h HeldOut) Precision() float64 { return float64(h.Right) / float64(max(1, h.Named)) }

// report detects the held-out pieces of each text, without abstaining.
func report(d *langid.Detector, texts []*text) []HeldOut {
	out := make([]HeldOut, len(texts))
	rng := rand.New(rand.NewPCG(7, 8))
	named := map[string]int{}
	for i, t := range texts {
		out[i] = HeldOut{Lang: t.lang, Bytes: t.bytes, Sources: t.sources}
		t.heldPieces(rng, 100, func(piece string) {
			g := d.Detect(piece)
			named[g.Lang]++
			out[i].Pieces++
			if g.Lang == t.lang {
				out[i].Right++
			}
		})
	}
	for i := range out {
		out[i].Named = named[out[i].Lang]
	}
	sorts.Func(out, func(a, b HeldOut) int { return strings.Compare(a.Lang, b.Lang) })
	return out
}
