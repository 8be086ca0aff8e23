package lines

// A line with the same words as the line right before it is usually a program error. In
// turku-lines, 41 such lines have at least five words and follow a copy that is text; 36 of
// them are boilerplate. (Of copies farther away, three in four are text: quotes, refrains,
// headings.) The constants are the highest log odds of such a line, the odds of 5 in 41, and
// its minimum length in words.
const (
	twinOdds  = -2
	twinWords = 5
)

// demoteTwins limits the log odds of lines right after their copy.
func (s *sheet) demoteTwins(logits []float32) {
	for i := range logits {
		if k := &s.keys[i]; k.line >= 0 && k.twin >= 0 && int(k.twin) == i-1 && s.stats[i].words >= twinWords {
			logits[i] = min(logits[i], twinOdds)
		}
	}
}
