package pipeline

import (
	"context"
	"io"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"chaffinch/internal/testkit"
	"chaffinch/page"
)

// sized is a source of pages of the sizes that pages of the web have: most are small,
// some large.
type sized struct {
	rnd   *rand.Rand
	left  int
	bytes []byte
}

func (s *sized) Next() (*page.Page, error) {
	if s.left == 0 {
		return nil, io.EOF
	}
	s.left--
	return &page.Page{Raw: s.bytes[:int(min(s.rnd.ExpFloat64()*71e3, 1e6))]}, nil
}

// TestRunBusy wants nearly all workers busy where pages take long, regardless of their
// number. The clock of synctest only runs while all stages sleep, so the figures are exact.
func TestRunBusy(t *testing.T) {
	for _, workers := range []int{1, 2, 16, 64, 128} {
		synctest.Test(t, func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(3, 4))
			src := &sized{rnd: rnd, left: 5000, bytes: make([]byte, 1<<20)}
			var busy testkit.Busy
			sleeps := do(func(_ context.Context, p *page.Page) error {
				busy.Sleep(time.Duration(len(p.Raw)) * time.Microsecond)
				p.Drop = page.AllBad
				return nil
			})
			start := time.Now()
			run(t, src, Config{Job: Job{Workers: workers}}, sleeps)
			if mean := busy.Mean(time.Since(start)); busy.Most() != workers || mean < .85*float64(workers) {
				t.Errorf("%d workers: at most %d were busy at once, %.1f on average", workers, busy.Most(), mean)
			}
		})
	}
}
