package evidence

import (
	"math"
	"math/bits"
)

// nearSet is a set of classes with scores near the best, as bits by their index in a list of classes.
// Most texts have hundreds of candidates, and few of them are near.
type nearSet [MaxClasses / 64]uint64

// near sets s to the classes whose scores are at most limit below top.
func (s *nearSet) near(classes []uint16, t *Tally, top, limit int32) {
	*s = nearSet{}
	least := int32(max(int64(top)-int64(limit), math.MinInt32))
	if scores := t.row(classes); scores != nil {
		s.mark(scores, least)
		return
	}
	for i, c := range classes {
		s.markOne(i, t.Score[c], least)
	}
}

// markGo adds the scores from index from on.
func (s *nearSet) markGo(scores []int32, from int, least int32) {
	for i := from; i < len(scores); i++ {
		s.markOne(i, scores[i], least)
	}
}

func (s *nearSet) markOne(i int, score, least int32) {
	s[i/64] |= uint64(int64(least)-int64(score)-1) >> 63 << (i % 64)
}

// len returns the number of classes in s.
func (s *nearSet) len() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// row returns the scores of classes without gaps, nil if there are gaps.
func (t *Tally) row(classes []uint16) []int32 {
	first, last := int(classes[0]), int(classes[len(classes)-1])
	if last-first != len(classes)-1 {
		return nil
	}
	return t.Score[first : last+1]
}

// top returns the highest score of the classes, of which there is at least one.
func (t *Tally) top(classes []uint16) int32 {
	if scores := t.row(classes); scores != nil {
		return highest(scores)
	}
	most := t.Score[classes[0]]
	for _, c := range classes {
		most = max(most, t.Score[c])
	}
	return most
}

func highestGo(scores []int32) int32 {
	a, b, c, d := scores[0], scores[0], scores[0], scores[0]
	for ; len(scores) >= 4; scores = scores[4:] { // four maxima are computed in parallel
		a, b, c, d = max(a, scores[0]), max(b, scores[1]), max(c, scores[2]), max(d, scores[3])
	}
	for _, x := range scores {
		a = max(a, x)
	}
	return max(a, b, c, d)
}
