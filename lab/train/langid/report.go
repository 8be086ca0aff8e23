package langid

import (
	"math/rand/v2"
	"strings"

	"chaffinch/internal/sorts"
	"chaffinch/text/langid"
)

// HeldOut holds the results of a trained model on held-out lines of a language: one line in
// sixteen, in pieces, a third of them with one to five words. They are from the training sources;
// other text is harder.
type HeldOut struct {
	Lang  string `json:"lang"`
	Bytes int64  `json:"bytes"` // of the training text
	// Pieces is the number of test pieces, Right the number identified correctly. Named is the
	// number of pieces of all languages identified as this language.
	Pieces int `json:"pieces"`
	Right  int `json:"right"`
	Named  int `json:"named"`
	// Sources are the names of the sources.
	Sources []string `json:"sources"`
}

// Recall returns the fraction of the pieces identified correctly.
func (h HeldOut) Recall() float64 { return float64(h.Right) / float64(max(1, h.Pieces)) }

// Precision returns the fraction of right pieces among those identified as the language.
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
