package ir

import (
	"context"
	"errors"
	"iter"
	"path/filepath"
	"runtime"
	"time"

	"chaffinch/internal/cputime"
	"chaffinch/internal/parallel"
	"chaffinch/internal/workdir"
	"chaffinch/lab/eval/ir/search"
)

// Energy configures the energy consumption of a processor.
type Energy struct {
	// Watts is the thermal design power in watts that is counted while a core works. Carbon is the
	// kilograms of CO2 per kilowatt-hour of electricity.
	Watts  float64
	Carbon float64
}

// PaperEnergy is the configuration of the PyPlexity paper: a node of two processors of 85 watts
// (Xeon E5-2630 v4), and 0.341 kg of CO2 per kilowatt-hour. The paper counts the whole node for
// work on one core; its table 5 follows from these figures.
var PaperEnergy = Energy{Watts: 170, Carbon: .341}

// WattHours returns the energy for a processor time.
func (e Energy) WattHours(t time.Duration) float64 { return t.Hours() * e.Watts }

// CO2 returns the kilograms of CO2 for a processor time, by equation 9 of the paper.
func (e Energy) CO2(t time.Duration) float64 { return t.Hours() * e.Carbon * e.Watts / 1000 }

// Cost holds the resources used for an index. Times are processor times.
type Cost struct {
	// TextBytes is the size of the texts, IndexBytes the size of the file.
	TextBytes  int64
	IndexBytes int64
	Tokens     uint64
	// Memory is the growth of the heap during indexing in bytes.
	Memory int64
	// Clean, Build and Search are the times of producing the texts, of indexing and of Queries
	// queries. Clean is below 0 if unknown.
	Clean   time.Duration
	Build   time.Duration
	Search  time.Duration
	Queries int
}

// Config configures how texts are indexed and ranked.
type Config struct {
	Index search.Config
	// Phrases makes quoted words in a topic a phrase.
	Phrases bool
	// Depth is the number of documents listed for a topic.
	Depth int
	// Queries is the number of timed queries, repeating the topics. Default: none.
	Queries int
	// Workers is the number of workers. Default: one per core.
	Workers int
}

// Text is a document to index.
type Text = search.Doc

// Indexed is an index with its cost.
type Indexed struct {
	*search.Index
	Cost
	work *workdir.Folder
}

// Close closes and removes the index.
func (x *Indexed) Close() error { return errors.Join(x.Index.Close(), x.work.Close()) }

// Build indexes texts in a temporary file.
func Build(ctx context.Context, texts []Text, cfg Config) (x *Indexed, err error) {
	work, err := workdir.Temp()
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, work.Close())
		}
	}()
	path := filepath.Join(work.Path, "search.idx")
	var c Cost
	for i := range texts {
		c.TextBytes += int64(len(texts[i].Text))
	}
	all := func(yield func(Text, error) bool) {
		for _, t := range texts {
			if !yield(t, nil) {
				return
			}
		}
	}
	runtime.GC()
	heap := watchHeap()
	start := cputime.Used()
	if err := search.Build(ctx, path, iter.Seq2[Text, error](all), cfg.Index, cfg.Workers); err != nil {
		heap()
		return nil, err
	}
	c.Build, c.Memory = cputime.Used()-start, heap()
	index, err := search.Open(path)
	if err != nil {
		return nil, err
	}
	c.IndexBytes, c.Tokens = index.Size(), index.Tokens()
	return &Indexed{index, c, work}, nil
}

// watchHeap samples the heap a hundred times per second until the returned function is called,
// which returns its growth.
func watchHeap() func() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	from, most := int64(m.HeapAlloc), int64(m.HeapAlloc)
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for {
			runtime.ReadMemStats(&m)
			most = max(most, int64(m.HeapAlloc))
			select {
			case <-tick.C:
			case <-stop:
				return
			}
		}
	}()
	return func() int64 {
		close(stop)
		<-done
		return most - from
	}
}

// Rank searches all topics and returns the run. The result does not depend on the number of
// workers.
func (x *Indexed) Rank(ctx context.Context, name string, topics []Topic, m search.Model, cfg Config) (*Run, error) {
	searchers := make([]*search.Searcher, workers(cfg.Workers))
	for i := range searchers {
		s, err := x.NewSearcher(m)
		if err != nil {
			return nil, err
		}
		s.Phrases = cfg.Phrases
		searchers[i] = s
	}
	lists, errs := make([][]Entry, len(topics)), make([]error, len(topics))
	parallel.EachOf(len(searchers), len(topics), func(worker, i int) {
		if errs[i] = ctx.Err(); errs[i] != nil {
			return
		}
		hits, err := searchers[worker].Search(topics[i].Text, cfg.Depth)
		errs[i] = err
		lists[i] = make([]Entry, len(hits))
		for k, h := range hits {
			lists[i][k] = Entry{x.Name(h.Doc), h.Score}
		}
	})
	run := &Run{Name: name, Topics: map[string][]Entry{}}
	for i, t := range topics {
		if errs[i] != nil {
			return nil, errs[i]
		}
		run.Topics[t.ID] = lists[i]
	}
	if cfg.Queries > 0 && len(topics) > 0 {
		start := cputime.Used()
		for i := range cfg.Queries {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if _, err := searchers[0].Search(topics[i%len(topics)].Text, cfg.Depth); err != nil {
				return nil, err
			}
		}
		x.Search, x.Queries = cputime.Used()-start, cfg.Queries
	}
	return run, nil
}

func workers(n int) int {
	if n <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return n
}
