package sorts

import (
	"cmp"
	"errors"
	"fmt"
	"testing"

	"chaffinch/internal/testkit/must"
)

// sequence returns items; bad is returned after them, nil means the end.
func sequence(bad error, items ...string) func() (string, bool, error) {
	return func() (string, bool, error) {
		if len(items) == 0 {
			return "", false, bad
		}
		x := items[0]
		items = items[1:]
		return x, true, nil
	}
}

func TestMerge(t *testing.T) {
	first := func(a, b string) int { return cmp.Compare(a[0], b[0]) }
	var out []string
	for x, err := range Merge(first, sequence(nil, "a1", "c1", "c2"), sequence(nil), sequence(nil, "a2", "b", "c3", "d")) {
		must.Succeed(t, err)
		out = append(out, x)
	}
	if fmt.Sprint(out) != "[a1 a2 b c1 c2 c3 d]" {
		t.Errorf("merged %v", out)
	}
	bad := errors.New("bad")
	n := 0
	var last error
	for _, last = range Merge(first, sequence(bad, "a"), sequence(nil, "b")) {
		n++
	}
	if last != bad || n != 2 {
		t.Errorf("%v after %d items", last, n)
	}
}
