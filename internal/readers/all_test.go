package readers

import (
	"errors"
	"io"
	"testing"

	"chaffinch/internal/testkit/must"
)

func TestAll(t *testing.T) {
	bad, worse := errors.New("bad"), errors.New("worse")
	type step struct {
		v   int
		err error
	}
	for _, c := range []struct {
		name  string
		steps []step
		want  []step
	}{
		{"to the end", []step{{1, nil}, {2, nil}, {0, io.EOF}, {3, nil}}, []step{{1, nil}, {2, nil}}},
		{"behind a bad piece", []step{{1, nil}, {0, bad}, {2, nil}, {0, io.EOF}}, []step{{1, nil}, {0, bad}, {2, nil}}},
		{"a value with its error", []step{{1, bad}, {0, io.EOF}}, []step{{1, bad}}},
		{"to an error that ends it", []step{{1, nil}, {0, worse}, {2, nil}, {0, io.EOF}}, []step{{1, nil}, {0, worse}}},
	} {
		i := -1
		next := func() (int, error) { i++; return c.steps[i].v, c.steps[i].err }
		var got []step
		for v, err := range All(next, func(err error) bool { return err == bad }) {
			got = append(got, step{v, err})
		}
		must.Same(t, got, c.want, c.name)
	}
	calls := 0
	for range All(func() (int, error) { calls++; return 0, nil }, Never) {
		if calls == 2 {
			break
		}
	}
	if calls != 2 {
		t.Errorf("%d calls of next, the loop was left after 2", calls)
	}
}
