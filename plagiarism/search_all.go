package plagiarism

import (
	"context"
	"errors"
	"iter"

	"chaffinch/internal/panics"
	"chaffinch/pipeline"
)

// SearchResult holds the passages found in a document.
type SearchResult struct {
	Document
	Passages []Passage
	// Same indicates that a source with the same id was skipped: see
	// [SearchConfig.Self].
	Same bool
	// Err is the error of the document, such as a duplicate id.
	Err error
}

// searchAhead is the maximum number of documents per job that are read ahead of the
// results.
const searchAhead = 16

// SearchAll searches an index for passages of documents, with several workers, and
// calls fn with the results in document order. Several documents per job are in memory
// at once, but at most 4 MB of text unless one document is longer. A document with a
// duplicate id is not searched: its result has an error. A damaged index ends the search.
func SearchAll(ctx context.Context, x *Index, docs iter.Seq2[Document, error], cfg SearchConfig, jobs int, fn func(SearchResult) error) error {
	if err := cfg.Check(); err != nil {
		return err
	}
	fresh := func() *Searcher { return &Searcher{x: x, cfg: cfg, al: aligner{cfg: cfg.Align}} }
	searchers := make([]*Searcher, max(jobs, 1))
	for i := range searchers {
		searchers[i] = fresh()
	}
	return pipeline.Flow[SearchResult]{
		Workers: len(searchers), Ahead: searchAhead,
		Memory: textAhead, Size: func(r *SearchResult) int64 { return int64(len(r.Text)) },
		Work: func(w int, r *SearchResult) error {
			if r.Err != nil {
				return nil
			}
			s := searchers[w]
			r.Err = panics.Catch(func() (err error) {
				r.Passages, err = s.Search(ctx, r.ID, r.Text)
				return err
			})
			if errors.As(r.Err, new(*damaged)) {
				return r.Err
			}
			if r.Same = s.Same; r.Err != nil {
				searchers[w] = fresh() // the state of the old one is undefined
			}
			return nil
		},
		Use: func(r *SearchResult) error {
			defer func() { *r = SearchResult{} }()
			return fn(*r)
		},
	}.RunFrom(ctx, func(send func(SearchResult) bool) error {
		seen := map[uint64]bool{}
		for d, err := range docs {
			if err != nil {
				return err
			}
			r := SearchResult{Document: d}
			if k := idKey(d.ID); seen[k] {
				r.Err = &DuplicateError{ID: d.ID}
			} else {
				seen[k] = true
			}
			if !send(r) {
				return nil
			}
		}
		return nil
	})
}
