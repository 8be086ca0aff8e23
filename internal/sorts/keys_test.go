package sorts

import (
	"slices"
	"testing"
)

// TestByValue fails if keys are not ordered by value and name.
func TestByValue(t *testing.T) {
	got := ByValue(map[string]int{"a": 1, "d": 3, "c": 3, "b": 2})
	if want := []string{"c", "d", "b", "a"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := ByValue[string, int](nil); len(got) != 0 {
		t.Errorf("%q of no map", got)
	}
	words := ByCount(map[int][]string{1: {"x"}, 2: nil, 3: {"y", "z"}, 4: {"w"}}, func(list []string) int { return len(list) })
	if want := []int{3, 1, 4, 2}; !slices.Equal(words, want) {
		t.Errorf("%v, want %v", words, want)
	}
}
