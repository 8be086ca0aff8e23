package build

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chaffinch/build/cluster"
	"chaffinch/internal/files"
	"chaffinch/internal/panics"
	"chaffinch/internal/readers"
)

// ForgetConfig configures [Forget]. Of the Job, Out is the folder of the build.
type ForgetConfig struct {
	// Build holds the folder, workers, memory, version and callbacks. Its recipe and inputs are ignored:
	// the folder holds the recipe.
	Build Config
	// Site is a host, with its subdomains, or the beginning of a URL: an entry of a list of excluded
	// sites. Match reports whether it matches a URL. Both are required.
	Site  string
	Match func(url string) bool
	// DryRun only counts.
	DryRun bool
}

// Forgotten describes the pages that [Forget] removed, or would remove.
type Forgotten struct {
	// Records is the number of records of kept and removed text, and Bytes their size. If removed text
	// is not stored, its counts are records.
	Records, Bytes int64
	// URLs holds the URLs of the records in order, each once, at most 1,000.
	URLs []string
	// Steps are the steps that ran again.
	Steps []string
}

// maxForgotten is the most URLs that Forget returns.
const maxForgotten = 1000

// Forget removes pages from the build in a folder. It removes them from the output of the step clean, and
// runs the later steps again where their input has changed, so that the result is a build without these
// pages. It reads the folder only, not the inputs. Later builds in the folder exclude the pages, too.
func Forget(ctx context.Context, cfg ForgetConfig) (rep Forgotten, err error) {
	dir := cfg.Build.Out
	job := cfg.Build
	if job.Recipe, err = storedRecipe(dir); err != nil {
		return rep, err
	}
	job.Inputs, job.Pieces, job.Force, job.Until = nil, nil, false, ""
	job.stored = true
	if !cfg.DryRun && !slices.Contains(job.Recipe.Forgotten, cfg.Site) {
		job.Recipe.Forgotten = append(job.Recipe.Forgotten, cfg.Site)
	}
	b, err := open(job)
	if err != nil {
		return rep, err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	clean := b.steps[0]
	e := b.ledger.entry(clean.name)
	if e == nil || !e.Done {
		return rep, fmt.Errorf("%s: the step %s is not done: finish the build first, with the site in the list of excluded sites", dir, clean.name)
	}
	f := &forgetter{builder: b, match: cfg.Match, rep: &rep, listed: map[string]bool{}}
	for _, out := range clean.outputs {
		if out == clean.counts && clean.removed != "" {
			continue // it counts the same pages
		}
		if err := f.find(ctx, out); err != nil {
			return rep, err
		}
	}
	if cfg.DryRun {
		return rep, nil
	}
	if err := b.keepRecipe(); err != nil { // from here, the next build excludes the pages
		return rep, err
	}
	if rep.Records > 0 {
		if err := f.rewrite(ctx, clean, e); err != nil {
			return rep, err
		}
	}
	e.Mark.Recipe = hashOf(clean.settings) // of the recipe that excludes the pages
	if err := b.ledger.save(); err != nil {
		return rep, err
	}
	return rep, f.again(ctx)
}

// storedRecipe returns the recipe of the build in a folder.
func storedRecipe(dir string) (*Recipe, error) {
	if cluster.HasPlan(dir) {
		return nil, fmt.Errorf("%s: a build of ranks, whose shards hold the pages: add the pages to the excluded sites, and build again in another folder", dir)
	}
	if _, err := os.Stat(filepath.Join(dir, StateName)); err != nil {
		return nil, fmt.Errorf("%s: not the folder of a build: no file %s", dir, StateName)
	}
	l, err := readLedger(dir)
	if err != nil {
		return nil, err
	}
	if l.Recipe == "" {
		return nil, fmt.Errorf("%s: a build without its recipe, which earlier versions did not store: run the same build again, then remove the pages", dir)
	}
	return l.recipe()
}

// recipe parses the recipe of the last build.
func (l *ledger) recipe() (*Recipe, error) { return Parse(l.file+": recipe", []byte(l.Recipe)) }

// exclude adds the pages that were removed from the folder on request to the recipe.
func (c *Config) exclude() error {
	if c.stored {
		return nil // the recipe comes from the folder
	}
	l, err := readLedger(c.Out)
	if err != nil || l.Recipe == "" {
		return err
	}
	old, err := l.recipe()
	if err != nil || len(old.Forgotten) == 0 {
		return err
	}
	r := *c.Recipe
	r.Forgotten = old.Forgotten
	for _, site := range c.Recipe.Forgotten {
		if !slices.Contains(r.Forgotten, site) {
			r.Forgotten = append(r.Forgotten, site)
		}
	}
	c.Recipe = &r
	return nil
}

// keepRecipe stores the recipe in the ledger.
func (b *builder) keepRecipe() error {
	r := *b.Recipe
	r.Inputs = b.inputs()
	text := string(r.JSON())
	if text == b.ledger.Recipe {
		return nil
	}
	b.ledger.Recipe = text
	return b.ledger.save()
}

// forgetter removes pages from a build.
type forgetter struct {
	*builder
	match  func(string) bool
	rep    *Forgotten
	listed map[string]bool
}

// find counts the records of an output of the step clean.
func (f *forgetter) find(ctx context.Context, out string) error {
	return f.lines(ctx, f.path(out), func(line []byte, url string, match bool) error {
		if !match {
			return nil
		}
		f.rep.Records++
		f.rep.Bytes += int64(len(line))
		if !f.listed[url] && len(f.rep.URLs) < maxForgotten {
			f.listed[url] = true
			f.rep.URLs = append(f.rep.URLs, url)
		}
		return nil
	})
}

// lines calls fn for each line of an output of the step clean, with the URL of its record.
func (f *forgetter) lines(ctx context.Context, name string, fn func(line []byte, url string, match bool) error) error {
	in, err := openMetered(name, func(int64, int64) {})
	if err != nil {
		return err
	}
	defer in.Close()
	lines := bufio.NewScanner(readers.Until(ctx, in))
	lines.Buffer(make([]byte, 256<<10), f.maxRecord())
	for n := 1; lines.Scan(); n++ {
		line := lines.Bytes()
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		url, err := urlOf(line)
		if err != nil {
			return fmt.Errorf("%s: line %d: %w: the file is damaged: build again", name, n, err)
		}
		if err := fn(line, url, url != "" && f.match(url)); err != nil {
			return err
		}
	}
	return lines.Err()
}

// rewrite removes the records from the outputs of the step clean, and from its list of errors.
func (f *forgetter) rewrite(ctx context.Context, clean *step, e *entry) error {
	for i, out := range clean.outputs {
		name := f.path(out)
		err := files.ReplacePacked(name, func(w io.Writer) error {
			return f.lines(ctx, name, func(line []byte, _ string, match bool) error {
				if match {
					return nil
				}
				_, err := w.Write(append(line, '\n'))
				return err
			})
		})
		if err == nil {
			err = e.Outputs[i].look(ctx, f.Out)
		}
		if err != nil {
			return err
		}
	}
	if err := f.rewriteErrors(); err != nil {
		return err
	}
	flow, err := f.tally(ctx, clean)
	if err != nil {
		return err
	}
	e.Flow = flow
	return nil
}

// rewriteErrors removes the lines with matching URLs from the list of unreadable input.
func (f *forgetter) rewriteErrors() error {
	name := errorList(f.Out)
	b, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var rest []byte
	for line := range bytes.Lines(b) {
		if !slices.ContainsFunc(strings.Fields(string(line)), func(word string) bool { return f.match(strings.TrimRight(word, ":,;")) }) {
			rest = append(rest, line...)
		}
	}
	return files.WriteFile(name, rest)
}

// again runs the later steps that an earlier build has run.
func (f *forgetter) again(ctx context.Context) error {
	res := &Result{}
	failed := f.steps.each(func(s *step) error {
		if s == f.steps[0] || f.ledger.entry(s.name) == nil {
			res.Steps = append(res.Steps, f.planned(len(res.Steps)))
			return nil
		}
		ran := res.Ran
		err := panics.Catch(func() error { return f.do(ctx, s, res) })
		if res.Ran > ran {
			f.rep.Steps = append(f.rep.Steps, s.name)
		}
		return err
	})
	if failed != nil {
		failed = fmt.Errorf("the pages are removed from the first step; run the command again to finish the later ones: %w", failed)
	}
	return errors.Join(failed, f.writeReport())
}
