package evidence

import "golang.org/x/sys/cpu"

// vectors reports whether the processor has AVX2.
var vectors = cpu.X86.HasAVX2

// lanes32 is the number of scores that the vector functions read at once.
const lanes32 = 8

// maxVector returns the highest of n scores, a positive multiple of lanes32.
//
//go:noescape
func maxVector(scores *int32, n int) int32

// nearVector sets each bit of set to whether its score is at least least. n is a positive multiple of
// lanes32, least is in the range of int32.
//
//go:noescape
func nearVector(set *uint64, scores *int32, n, least int)

// highest returns the highest of some scores, of which there is at least one.
func highest(scores []int32) int32 {
	n := len(scores) &^ (lanes32 - 1)
	if !vectors || n == 0 {
		return highestGo(scores)
	}
	most := maxVector(&scores[0], n)
	for _, x := range scores[n:] {
		most = max(most, x)
	}
	return most
}

// mark adds the scores of at least least to s. s is empty.
func (s *nearSet) mark(scores []int32, least int32) {
	n := 0
	if vectors {
		if n = len(scores) &^ (lanes32 - 1); n > 0 {
			nearVector(&s[0], &scores[0], n, int(least))
		}
	}
	s.markGo(scores, n, least)
}
