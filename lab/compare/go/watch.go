package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"
)

const (
	limit = 30 * time.Second // a page that takes longer counts as failed
	told  = 3                // number of failures that are printed
)

// total holds the totals of a run.
type total struct {
	failed int
	bytes  int64
}

// progress is the state of a worker. The watcher can give up its current page.
type progress struct {
	page, since atomic.Int64 // index, Unix time in nanoseconds
	givenUp     atomic.Bool
}

// job is a run of an extractor over pages.
type job struct {
	extract func([]byte) (string, error)
	pages   []string
	folder  string
	failed  atomic.Int64
	bytes   atomic.Int64
}

// watched writes the text of every page to folder/<id>.txt. One worker processes all pages; if it
// takes too long for a page, another continues after it.
func watched(extract func([]byte) (string, error), pages []string, folder string) (total, error) {
	j := &job{extract: extract, pages: pages, folder: folder}
	for next := 0; next < len(pages); {
		var err error
		if next, err = j.watch(next); err != nil {
			return total{}, err
		}
	}
	return total{failed: int(j.failed.Load()), bytes: j.bytes.Load()}, nil
}

// watch starts a worker at a page, and returns the page to continue from.
func (j *job) watch(first int) (next int, err error) {
	p := new(progress)
	p.page.Store(int64(first))
	p.since.Store(time.Now().UnixNano())
	finished := make(chan error, 1)
	go func() { finished <- j.work(first, p) }()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case err := <-finished:
			return len(j.pages), err
		case now := <-tick.C:
			if now.UnixNano()-p.since.Load() > int64(limit) {
				p.givenUp.Store(true)
				page := int(p.page.Load())
				j.fail(page, fmt.Errorf("longer than %v", limit))
				return page + 1, j.write(page, "")
			}
		}
	}
}

func (j *job) work(first int, p *progress) error {
	for i := first; i < len(j.pages); i++ {
		p.page.Store(int64(i))
		p.since.Store(time.Now().UnixNano())
		html, err := os.ReadFile(j.pages[i])
		if err != nil {
			return err
		}
		j.bytes.Add(int64(len(html)))
		text, err := j.safely(html)
		if p.givenUp.Load() {
			return nil
		}
		if err != nil { // a page on which a rival crashes counts as empty
			j.fail(i, err)
			text = ""
		}
		if err := j.write(i, text); err != nil {
			return err
		}
	}
	return nil
}

// safely turns a panic into an error.
func (j *job) safely(html []byte) (text string, err error) {
	defer func() {
		if p := recover(); p != nil {
			text, err = "", fmt.Errorf("panics: %v", p)
		}
	}()
	return j.extract(html)
}

func (j *job) fail(page int, err error) {
	if j.failed.Add(1) <= told {
		fmt.Fprintf(os.Stderr, "%s: page %s: %v\n", j.folder, j.pages[page], err)
	}
}

func (j *job) write(page int, text string) error {
	id := strings.TrimSuffix(filepath.Base(j.pages[page]), filepath.Ext(j.pages[page]))
	return os.WriteFile(filepath.Join(j.folder, id+".txt"), []byte(text), 0o666)
}
