package plagiarism

import (
	"context"
	"iter"
	"sync"

	"chaffinch/internal/budget"
	"chaffinch/internal/panics"
)

// SearchResult is what was found in a document.
type SearchResult struct {
	Document
	Passages []Passage
	// Same tells that a source of the same id was left out: see
	// [SearchConfig.Self].
	Same bool
	// Err is what is wrong with the document, such as a second one of its id.
	Err error
}

// searchAhead is how many documents a job may be read ahead of the results.
const searchAhead = 16

// SearchAll searches an index for passages of documents, with several workers,
// and calls fn with the results in the order of the documents. Some documents a job
// are in memory at once, but not more than 4 MB of text unless one is longer. A document whose id was there before is not
// searched: its result has an error.
func SearchAll(ctx context.Context, x *Index, docs iter.Seq2[Document, error], cfg SearchConfig, jobs int, fn func(SearchResult) error) error {
	if err := cfg.Check(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type task struct {
		doc  Document
		done chan SearchResult
	}
	jobs = max(jobs, 1)
	// While the first document of those at hand takes long, the others are worked on.
	tasks := make(chan task, jobs)
	order := make(chan chan SearchResult, searchAhead*jobs)
	ahead := budget.New(textAhead)
	defer ahead.StopWith(ctx)()
	var workers sync.WaitGroup
	for range jobs {
		workers.Go(func() {
			fresh := func() *Searcher {
				return &Searcher{x: x, cfg: cfg, al: aligner{cfg: cfg.Align}}
			}
			s := fresh()
			for t := range tasks {
				r := SearchResult{Document: t.doc}
				r.Err = panics.Catch(func() (err error) {
					r.Passages, err = s.Search(ctx, t.doc.ID, t.doc.Text)
					return err
				})
				if r.Same = s.Same; r.Err != nil {
					s = fresh() // the old one is in no known state
				}
				t.done <- r
			}
		})
	}
	var readErr error
	read := func() error {
		seen := map[uint64]bool{}
		for d, err := range docs {
			if err != nil {
				return err
			}
			if !ahead.Take(int64(len(d.Text)), 0) {
				return nil
			}
			done := make(chan SearchResult, 1)
			select {
			case order <- done:
			case <-ctx.Done():
				return nil
			}
			if k := idKey(d.ID); seen[k] {
				done <- SearchResult{Document: d, Err: &DuplicateError{ID: d.ID}}
				continue
			} else {
				seen[k] = true
			}
			select {
			case tasks <- task{d, done}:
			case <-ctx.Done():
				done <- SearchResult{Document: d, Err: ctx.Err()}
				return nil
			}
		}
		return nil
	}
	go func() {
		defer close(order)
		defer close(tasks)
		readErr = panics.Catch(read)
	}()
	var err error
	for done := range order {
		r := <-done
		ahead.Give(int64(len(r.Text)))
		if err != nil {
			continue
		}
		if err = ctx.Err(); err != nil { // r may be a part
			cancel()
			continue
		}
		if err = fn(r); err != nil {
			cancel()
		}
	}
	workers.Wait()
	if err == nil {
		err = readErr
	}
	if err == nil {
		err = ctx.Err()
	}
	return err
}
