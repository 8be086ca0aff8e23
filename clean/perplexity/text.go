package perplexity

import (
	"math"
	"strconv"
	"strings"

	"chaffinch/text/token"
)

// Filter drops unlikely sentences from plain text. It scores each sentence separately, as in
// the paper.
type Filter struct {
	Model Model
	// Limit is the perplexity from which a sentence is dropped.
	Limit float64
	// Mark keeps these sentences as "<ppl SCORE>sentence</ppl>.", like PyPlexity. Default:
	// false, they are dropped.
	Mark bool
}

// Process returns text without the sentences whose perplexity is at least Limit. It
// preserves line breaks and joins the sentences of a line with a space. Lines without kept
// sentences are dropped.
func (f Filter) Process(text string) string {
	limit := math.Log2(f.Limit)
	out := make([]byte, 0, len(text))
	var spans []token.Span
	for line := range strings.Lines(text) {
		begin := len(out)
		spans = token.Sentences(line, spans[:0])
		for _, s := range spans {
			sentence := line[s.Start:s.End]
			bits, n := f.Model.Bits(sentence)
			bits /= float64(max(n, 1))
			keep := bits < limit
			if !keep && !f.Mark {
				continue
			}
			if len(out) > begin {
				out = append(out, ' ')
			}
			if keep {
				out = append(out, sentence...)
				continue
			}
			out = append(out, "<ppl "...)
			out = strconv.AppendFloat(out, math.Exp2(bits), 'g', -1, 64)
			out = append(append(append(out, '>'), sentence...), "</ppl>."...)
		}
		if len(out) > begin {
			out = append(out, '\n')
		}
	}
	return string(out)
}
