package lines

// A line with the same words as the one right before it is there by the fault
// of a program: of 41 such lines of five words and more in turku-lines whose first
// copy is text, 36 are boilerplate. (Of copies farther away three in four are text:
// quotes, refrains, headings.) These are the highest log odds that it gets, those
// of 5 in 41, and the least words.
const (
	twinOdds  = -2
	twinWords = 5
)

// demoteTwins bounds the log odds of lines that stand right below their copy.
func (s *sheet) demoteTwins(logits []float32) {
	for i := range logits {
		if k := &s.keys[i]; k.line >= 0 && k.twin >= 0 && int(k.twin) == i-1 && s.stats[i].words >= twinWords {
			logits[i] = min(logits[i], twinOdds)
		}
	}
}
