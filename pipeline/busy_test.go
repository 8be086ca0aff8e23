package pipeline

import (
	"context"
	"io"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

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
			var inside, most, slept atomic.Int64
			sleeps := do(func(_ context.Context, p *page.Page) error {
				if n := inside.Add(1); n > most.Load() {
					most.Store(n)
				}
				d := time.Duration(len(p.Raw)) * time.Microsecond
				slept.Add(int64(d))
				time.Sleep(d)
				inside.Add(-1)
				p.Drop = page.AllBad
				return nil
			})
			start := time.Now()
			run(t, src, Config{Job: Job{Workers: workers}}, sleeps)
			busy := float64(slept.Load()) / float64(time.Since(start))
			if most.Load() != int64(workers) || busy < .85*float64(workers) {
				t.Errorf("%d workers: at most %d were busy at once, %.1f on average", workers, most.Load(), busy)
			}
		})
	}
}
