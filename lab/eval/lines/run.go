package lines

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"chaffinch/internal/panics"
	"chaffinch/lab/gold"
)

// Run holds the scores of a system for the documents of a set in one protocol with one seed.
type Run struct {
	System, Protocol string
	Seed             uint64
	// Scores holds the probabilities of the lines of each document in the order of the set; nil for
	// a document that was not scored.
	Scores [][]float32
	// Folds holds the number of the training, from 1, that scored each document; 0 for none.
	Folds []int
}

// Config configures [Evaluate].
type Config struct {
	Plan
	// Seeds holds the seeds of folds and trainings. Each makes a run.
	Seeds []uint64
	// Also holds additional training documents for every training. They are never scored.
	Also []*gold.LineDoc
	// Workers is the number of concurrent trainings. Default: one per core. The figures do not
	// depend on it.
	Workers int
	// Progress may be nil.
	Progress func(step string, done, total int)
}

// seedless is implemented by systems that do not depend on training.
type seedless interface{ learnsNothing() }

// Evaluate runs each system in each protocol with each seed. Pretrained systems and systems without
// training run once.
func Evaluate(ctx context.Context, s *Set, systems []System, protocols []string, cfg Config) ([]*Run, error) {
	var runs []*Run
	type task struct {
		job
		system System
		run    *Run
	}
	var tasks []task
	for _, protocol := range protocols {
		for _, sys := range systems {
			seeds := cfg.Seeds
			if _, ok := sys.(seedless); ok || protocol == Embedded {
				seeds = seeds[:1]
			}
			for _, seed := range seeds {
				jobs, err := s.jobs(protocol, cfg.Plan, seed)
				if err != nil {
					return nil, err
				}
				run := &Run{System: sys.Name(), Protocol: protocol, Seed: seed, Scores: make([][]float32, len(s.Docs)), Folds: make([]int, len(s.Docs))}
				runs = append(runs, run)
				for _, j := range jobs {
					tasks = append(tasks, task{j, sys, run})
				}
			}
		}
	}
	err := each(ctx, len(tasks), cfg.Workers, "training", cfg.Progress, func(ctx context.Context, i int) error {
		t := tasks[i]
		scorer, err := s.prepare(ctx, t.system, t.run, t.job, cfg)
		if err == nil {
			err = s.score(scorer, t.job, t.run)
		}
		if err != nil {
			return fmt.Errorf("%s, %s, seed %d, part %d: %w", t.run.System, t.run.Protocol, t.run.Seed, t.fold, err)
		}
		return nil
	})
	return runs, err
}

// prepare trains the system or loads the pretrained one.
func (s *Set) prepare(ctx context.Context, sys System, run *Run, j job, cfg Config) (Scorer, error) {
	if run.Protocol != Embedded {
		tell, done := stepsOf(cfg.Progress, fmt.Sprintf("%s %s, seed %d, part %d", run.System, run.Protocol, run.Seed, j.fold))
		defer done()
		return sys.Train(ctx, append(s.pick(j.train), cfg.Also...), s.pick(j.dev), run.Seed, tell)
	}
	r, ok := sys.(Ready)
	if !ok {
		return nil, fmt.Errorf("it has no pretrained model: choose another protocol")
	}
	return r.Scorer()
}

// stepsOf returns a function that reports the steps of one of several trainings under a name. A
// step is complete when another follows, or when done is called, since trainings may stop early.
func stepsOf(progress func(step string, done, total int), name string) (tell func(step string, done, total int), done func()) {
	if progress == nil {
		return func(string, int, int) {}, func() {}
	}
	var mu sync.Mutex
	last, of := "", 0
	end := func() {
		if last != "" {
			progress(name+": "+last, of, of)
		}
	}
	tell = func(step string, done, total int) {
		mu.Lock()
		defer mu.Unlock()
		if step != last {
			end()
		}
		last, of = step, total
		progress(name+": "+step, done, total)
	}
	return tell, func() {
		mu.Lock()
		defer mu.Unlock()
		end()
		last = ""
	}
}

// score scores the test documents of a job.
func (s *Set) score(scorer Scorer, j job, run *Run) error {
	for _, i := range j.test {
		scores, err := scorer(s.Docs[i])
		if err != nil {
			return fmt.Errorf("document %s: %w", s.Docs[i].ID, err)
		}
		if len(scores) != len(s.Docs[i].Lines) {
			return fmt.Errorf("document %s: %d scores for %d lines", s.Docs[i].ID, len(scores), len(s.Docs[i].Lines))
		}
		run.Scores[i], run.Folds[i] = slices.Clone(scores), j.fold
	}
	return nil
}

// each calls fn for 0 to n-1 on several goroutines. It stops at an error and returns the error with
// the lowest index.
func each(ctx context.Context, n, workers int, what string, progress func(step string, done, total int), fn func(ctx context.Context, i int) error) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	errs := make([]error, n)
	var mu sync.Mutex
	next, done := 0, 0
	var wg sync.WaitGroup
	for range min(workers, n) {
		wg.Go(func() {
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= n || ctx.Err() != nil {
					return
				}
				if errs[i] = panics.Catch(func() error { return fn(ctx, i) }); errs[i] != nil {
					cancel()
					return
				}
				mu.Lock()
				done++
				if progress != nil {
					progress(what, done, n)
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}
