package plagiarism

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"chaffinch/internal/testkit/must"
)

// looks is a context that is done after it was asked so many times.
type looks struct {
	context.Context
	left atomic.Int64
}

func (l *looks) Err() error {
	if l.left.Add(-1) < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// TestSearchEnds ends a search wherever its time is over: each section and each pair of sections
// looks at it.
func TestSearchEnds(t *testing.T) {
	dir := t.TempDir()
	text := strings.Join(madeTexts(8, 3000), "\n\n")
	buildIndex(t, dir, 1<<20, text)
	s := must.Get(NewSearcher(openIndex(t, dir), DefaultSearch))(t)
	for n := int64(0); ; n++ {
		ctx := &looks{Context: t.Context()}
		ctx.left.Store(n)
		before := s.Compared
		found, err := s.Search(ctx, "", text)
		if err == nil {
			if n < 4 || len(found) == 0 {
				t.Errorf("the search looked at its time %d times and found %d passages", n, len(found))
			}
			return
		}
		if !errors.Is(err, context.DeadlineExceeded) || found != nil || s.Compared-before > n {
			t.Fatalf("after %d looks: %v, %d pairs compared", n, err, s.Compared-before)
		}
	}
}
