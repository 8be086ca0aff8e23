package perplexity

import (
	"math"
	"strconv"
	"strings"

	"chaffinch/text/token"
)

// Filter leaves sentences out of plain text, each judged by itself, as the
// paper does.
type Filter struct {
	Model Model
	// Limit is the perplexity from which on a sentence is left out.
	Limit float64
	// Mark keeps such sentences as "<ppl SCORE>sentence</ppl>.", as PyPlexity
	// does.
	Mark bool
}

// Process returns text without the sentences whose perplexity is Limit or
// more. Lines stay lines; the sentences of a line are joined by a blank, and
// lines of which nothing is left are left out.
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
