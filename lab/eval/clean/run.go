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

// RunConfig sets how a method is run on a set.
type RunConfig struct {
	// PageLang leaves the language to what each page declares; else it is what
	// the set's metadata says (field lang), where it says one.
	PageLang bool
	// Detail keeps what [Worst] shows of single blocks.
	Detail bool
	// Workers is how many pages are worked on at once, 0 for one for each core.
	Workers int
}

// Run takes every page of s through the stages and returns what they keep. A
// page on which a stage fails has no output; a note tells how many. The stages
// work on several pages at once.
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
