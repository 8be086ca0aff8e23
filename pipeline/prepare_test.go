package pipeline

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"chaffinch/page"
)

// program is a stage that needs a program that takes an hour to start.
type program struct {
	running atomic.Bool
	err     error
}

func (s *program) Name() string { return "program/1" }

func (s *program) Prepare(context.Context, *page.Page) error {
	if s.err == nil && !s.running.Load() {
		time.Sleep(time.Hour)
		s.running.Store(true)
	}
	return s.err
}

func (s *program) Do(ctx context.Context, p *page.Page) error {
	return errors.Join(s.Prepare(ctx, p), split(ctx, p))
}

// TestPrepare wants the time limit of a page to begin after its stages have prepared for it.
func TestPrepare(t *testing.T) {
	const limit = time.Second
	broken := errors.New("no program")
	for want, fault := range map[page.Reason]error{page.None: nil, page.Failed: broken} {
		synctest.Test(t, func(t *testing.T) {
			p := &page.Page{ID: "x", Source: page.Source{Offset: 1}}
			if err := Do(t.Context(), []Stage{&program{err: fault}}, p, limit); p.Drop != want || !errors.Is(err, fault) {
				t.Errorf("Do: drop %v, error %v", p.Drop, err)
			}
			_, errs, rep := run(t, &list{at: 1, n: 3}, Config{Job: Job{Workers: 2}, PageTime: limit}, &program{err: fault})
			if fault == nil && rep.Kept != 2 || fault != nil && (rep.Dropped["failed"] != 2 || !strings.Contains(errs, "program/1: no program")) {
				t.Errorf("Run: %+v, errors %s", rep, errs)
			}
			time.Sleep(2 * time.Hour) // abandoned stages end
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Do(ctx, []Stage{&program{err: broken}}, &page.Page{}, limit); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
}
