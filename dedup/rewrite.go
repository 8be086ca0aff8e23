package dedup

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"time"
)

// rewriteState is a checkpoint of the second reading.
type rewriteState struct {
	Docs         int64
	Mark         json.RawMessage
	Out, Dropped int64 // lengths of the files
	Report       *Report
}

// output is a file that appears under its name when it is whole.
type output struct {
	name string
	file *os.File // nil: standard output
	w    *bufio.Writer
	n    int64 // bytes handed to w
	Sink
}

func (o *output) append(p []byte) (int, error) {
	n, err := o.w.Write(p)
	o.n += int64(n)
	return n, err
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func partOf(name string) string { return name + ".part" }

// create opens an output to go on at length n.
func (r *run) create(name string, n int64) (o *output, err error) {
	o = &output{name: name, n: n}
	if name == "" {
		o.w = bufio.NewWriterSize(r.job.Stdout, 1<<16)
	} else {
		if o.file, err = openAt(partOf(name), n); err != nil {
			return nil, err
		}
		o.w = bufio.NewWriterSize(o.file, 1<<18)
	}
	o.Sink, err = r.job.Sink(writerFunc(o.append))
	return o, err
}

func (o *output) sync() error {
	err := o.w.Flush()
	if err == nil && o.file != nil {
		err = o.file.Sync()
	}
	return err
}

// marksFrom yields the marks of each document from number n on, in order.
func (r *run) marksFrom(n int64) func(doc int64) ([]Mark, error) {
	from := make([]byte, marksTable.Record)
	PutDoc(from, n)
	next, _ := iter.Pull2(r.scan(marksTable.Name, r.plan.merge, from, nil))
	var ahead Mark
	var failed error
	more := true
	pull := func() {
		rec, err, ok := next()
		more, failed = ok && err == nil, err
		if more {
			ahead.get(rec)
		}
	}
	pull()
	var marks []Mark
	return func(doc int64) ([]Mark, error) {
		marks = marks[:0]
		for more && ahead.Doc <= doc {
			if ahead.Doc == doc {
				marks = append(marks, ahead)
			}
			pull()
		}
		return marks, failed
	}
}

// rewrite reads the collection a second time and writes what stays.
func (r *run) rewrite(ctx context.Context) (*Report, error) {
	src, err := r.job.Open()
	if err != nil {
		return nil, err
	}
	defer src.Close()
	if src.Identity() != r.m.Input {
		return nil, errors.New("the input has changed while it was read: start over with --force")
	}
	if r.m.Rewrite == nil || r.job.Out == "" {
		r.m.Rewrite = &rewriteState{Report: &Report{Method: r.job.Method.Name(), Reasons: map[string]*Tally{}}}
	}
	s := r.m.Rewrite
	if s.Mark != nil {
		if err := src.Goto(s.Mark); err != nil {
			return nil, err
		}
	}
	out, err := r.create(r.job.Out, s.Out)
	if err != nil {
		return nil, err
	}
	outs := []*output{out}
	if r.job.Dropped != "" {
		o, err := r.create(r.job.Dropped, s.Dropped)
		if err != nil {
			return nil, errors.Join(err, closeAll(outs))
		}
		outs = append(outs, o)
	}
	err = r.timed("rewrite", func() error { return r.rewriteAll(ctx, src, outs) })
	if err = errors.Join(err, closeAll(outs)); err != nil {
		return nil, err
	}
	return r.finish(outs)
}

func (r *run) rewriteAll(ctx context.Context, src Source, outs []*output) error {
	names, err := readIDs(r.dir)
	if err != nil {
		return err
	}
	defer names.close()
	s := r.m.Rewrite
	e := &editor{run: r, rep: s.Report, id: func(doc int64) (string, error) { return names.at(doc - r.m.Indexed) }}
	marks := r.marksFrom(r.m.Indexed + s.Docs)
	safe := time.Now()
	for {
		if time.Since(safe) > r.job.Checkpoint && r.job.Out != "" {
			if err := r.saveRewrite(src, outs); err != nil {
				return err
			}
			safe = time.Now()
		}
		d, err := src.Next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if s.Docs&0xff == 0 {
			done, total := src.Progress()
			r.job.Progress("rewrite", done, total)
		}
		num := r.m.Indexed + s.Docs
		ms, err := marks(num)
		if err != nil {
			return err
		}
		if err := e.do(d, num, ms); err != nil {
			return err
		}
		if err := outs[0].Sink.Write(d, &e.edit); err != nil {
			return err
		}
		if len(outs) > 1 && !e.rest.Drop {
			if err := outs[1].Sink.Write(d, &e.rest); err != nil {
				return err
			}
		}
		src.Release(d)
		s.Docs++
	}
	if s.Docs != r.m.Docs {
		return fmt.Errorf("the input had %d documents in the first reading, %d in the second: it has changed, start over with --force", r.m.Docs, s.Docs)
	}
	for _, o := range outs {
		if err := o.sync(); err != nil {
			return err
		}
	}
	return nil
}

// saveRewrite is a checkpoint.
func (r *run) saveRewrite(src Source, outs []*output) (err error) {
	for _, o := range outs {
		if err := o.sync(); err != nil {
			return err
		}
	}
	s := r.m.Rewrite
	s.Out = outs[0].n
	if len(outs) > 1 {
		s.Dropped = outs[1].n
	}
	if s.Mark, err = src.Mark(); err != nil {
		return err
	}
	return r.save()
}

func closeAll(outs []*output) error {
	var errs []error
	for _, o := range outs {
		if o.file != nil {
			errs = append(errs, o.file.Close())
		}
	}
	return errors.Join(errs...)
}

// finish lets the outputs appear and removes the work folder. The file of what
// was dropped comes first: when the result is there, all is there.
func (r *run) finish(outs []*output) (*Report, error) {
	for _, o := range slices.Backward(outs) {
		if o.file != nil {
			if err := os.Rename(partOf(o.name), o.name); err != nil {
				return nil, err
			}
		}
	}
	rep := r.m.Rewrite.Report
	rep.Counts, rep.Seconds = r.m.Counts, r.m.Times
	rep.Resumed = r.job.Resume
	return rep, r.clear()
}

// clear removes the work folder.
func (r *run) clear() error {
	if err := r.empty(); err != nil {
		return err
	}
	return os.Remove(r.dir)
}
