package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"chaffinch/format/vertical"
	"chaffinch/internal/guard"
	"chaffinch/recipe"
)

// post prepares what becomes of a vertical when the pages are done: the tagger,
// the registry. The function that it returns does it, if the run went well, and
// frees what was prepared. A tagger of standard output works while the run does.
func (c *cleanCmd) post(r *recipe.Recipe, at *recipe.RunOptions, con *console) (func(ctx context.Context, ok bool) error, error) {
	if c.Tagger == "" && len(c.TaggerColumns) > 0 {
		return nil, errors.New("--tagger-columns names the columns of a tagger: name that too, with --tagger COMMAND")
	}
	if !c.Registry && c.Tagger == "" {
		return func(context.Context, bool) error { return nil }, nil
	}
	if c.Registry && at.Out == "" {
		return nil, errors.New("--registry is for one vertical in a file: name it with -o corpus.vert")
	}
	if r.Output.Format != "vertical" {
		return nil, errors.New("--tagger and --registry are for verticals: write one with --format vertical or -o corpus.vert")
	}
	if isFolder(at.Out) {
		return nil, errors.New("--tagger and --registry are for one vertical in a file: name it with -o corpus.vert; for those in a folder there is chaffinch vertical tag")
	}
	var t *vertical.Tagger
	if c.Tagger != "" {
		if len(c.TaggerColumns) == 0 {
			return nil, errors.New("--tagger: name the columns that it adds, such as --tagger-columns lemma,tag")
		}
		t = c.tagger(c.Tagger, c.TaggerColumns, c.Jobs, con)
		if err := t.Check(); err != nil {
			return nil, err
		}
	}
	if t != nil && at.Out == "" {
		return c.tagStream(t, at, con), nil
	}
	return func(ctx context.Context, ok bool) error {
		if !ok {
			return nil
		}
		columns := []string{"word"}
		var left error
		if t != nil {
			rep, err := tagFile(ctx, at.Out, t, con)
			if err != nil {
				return fmt.Errorf("%w: %s is there, without the columns of the tagger: chaffinch vertical tag adds them", err, at.Out)
			}
			left = tellTagger(rep, c.Quiet, con)
			columns = append(columns, t.Names()...)
		}
		if c.Registry {
			if err := new(registryFlags).write(ctx, at.Out, columns, "", vertical.ReaderDefault, con); err != nil {
				return err
			}
		}
		return left
	}, nil
}

// tagStream puts the tagger between the run and standard output.
func (c *cleanCmd) tagStream(t *vertical.Tagger, at *recipe.RunOptions, con *console) func(context.Context, bool) error {
	in, out := io.Pipe()
	stdout := at.Stdout
	at.Stdout = out
	type result struct {
		rep vertical.TaggerReport
		err error
	}
	done := make(chan result, 1)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		var rep vertical.TaggerReport
		err := guard.Do(func() (err error) {
			rep, err = t.Tag(ctx, stdout, vertical.NewReader(in, vertical.ReaderConfig{Strict: true}))
			return err
		})
		in.CloseWithError(err) // what the run still writes then fails
		done <- result{rep, err}
	}()
	return func(outer context.Context, ok bool) error {
		defer cancel()
		if !ok {
			out.CloseWithError(context.Canceled)
			r := <-done
			if r.err != nil && !errors.Is(r.err, context.Canceled) {
				return r.err
			}
			return nil
		}
		stop := context.AfterFunc(outer, cancel)
		defer stop()
		out.Close()
		r := <-done
		if r.err != nil {
			return r.err
		}
		return tellTagger(r.rep, c.Quiet, con)
	}
}

// isFolder tells whether out is or names a folder.
func isFolder(out string) bool {
	st, err := os.Stat(out)
	return strings.HasSuffix(out, string(filepath.Separator)) || err == nil && st.IsDir()
}
