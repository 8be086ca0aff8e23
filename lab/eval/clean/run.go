package clean

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"chaffinch/internal/panics"
	"chaffinch/lab/gold"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// RunConfig configures [Run].
type RunConfig struct {
	// PageLang uses the language that each page declares. Default: the field lang of the set's
	// metadata, if present.
	PageLang bool
	// Detail keeps the blocks for [Worst].
	Detail bool
	// Workers is the number of pages processed concurrently. Default: one per core.
	Workers int
}

// Run runs the stages on every page of s and returns the kept text. A page on which a stage fails
// has no output; a note reports their number. Several pages are processed concurrently.
func Run(ctx context.Context, s *Set, name string, stages []pipeline.Stage, cfg RunConfig) (*Output, error) {
	workers := cfg.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	o := &Output{Name: name, Pages: make(map[string]Prediction, len(s.Pages)), Notes: seen(s.Name, stages)}
	type job struct {
		g    *gold.Page
		html []byte
	}
	jobs := make(chan job, workers)
	var mu sync.Mutex
	var failed []string
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for j := range jobs {
				p := &page.Page{ID: j.g.ID, Raw: j.html, MIME: "text/html"}
				if lang, ok := j.g.Meta["lang"].(string); ok && !cfg.PageLang {
					p.Lang = lang
				}
				var out Prediction
				err := panics.Catch(func() error {
					if err := pipeline.Do(ctx, stages, p, 0); err != nil {
						return err
					}
					out = fromPage(p, cfg.Detail)
					return nil
				})
				mu.Lock()
				if err == nil {
					o.Pages[j.g.ID] = out
				} else {
					failed = append(failed, err.Error())
				}
				mu.Unlock()
			}
		})
	}
	err := s.EachPage(func(g *gold.Page, html []byte) error {
		select {
		case jobs <- job{g, html}:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	close(jobs)
	wg.Wait()
	if err != nil {
		return nil, err
	}
	if len(failed) > 0 {
		first := failed[0]
		for _, f := range failed {
			first = min(first, f)
		}
		o.Notes = append(o.Notes, fmt.Sprintf("%d pages failed and are scored as empty: %s", len(failed), first))
	}
	return o, nil
}
