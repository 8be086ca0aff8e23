//go:build !amd64

package evidence

// highest returns the highest of some scores, of which there is at least one.
func highest(scores []int32) int32 { return highestGo(scores) }

// mark adds the scores of at least least to s. s is empty.
func (s *nearSet) mark(scores []int32, least int32) { s.markGo(scores, 0, least) }
