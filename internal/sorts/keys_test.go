package sorts

import (
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestByValue fails if keys are not ordered by value and name.
func TestByValue(t *testing.T) {
	got := ByValue(map[string]int{"a": 1, "d": 3, "c": 3, "b": 2})
	must.Same(t, got, []string{"c", "d", "b", "a"})
	if got := ByValue[string, int](nil); len(got) != 0 {
		t.Errorf("%q of no map", got)
	}
	words := ByCount(map[int][]string{1: {"x"}, 2: nil, 3: {"y", "z"}, 4: {"w"}}, func(list []string) int { return len(list) })
	must.Same(t, words, []int{3, 1, 4, 2})
}
