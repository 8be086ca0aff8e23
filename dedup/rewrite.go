package dedup

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"chaffinch/input/records"
	"chaffinch/internal/files"
	"chaffinch/internal/merge"
	"chaffinch/internal/panics"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// rewriting is a checkpoint of the second reading.
type rewriting = pipeline.State[*Result]

// soundWriting returns an error if no run over docs documents can have saved the
// checkpoint. It adds empty tables.
func soundWriting(s *rewriting, docs int64) error {
	if s.Report == nil || s.Report.In.Docs < 0 || s.Report.In.Docs > docs {
		return fmt.Errorf("the report does not count 0 to %d documents", docs)
	}
	for _, o := range s.Outputs {
		if o.Length < 0 {
			return fmt.Errorf("an output of %d bytes", o.Length)
		}
	}
	if s.Report.Out.Docs > 0 && s.Place(0).Length == 0 && s.Place(0).Writer == nil {
		return fmt.Errorf("%d documents stay and the output is empty", s.Report.Out.Docs)
	}
	rep := &Result{Reasons: map[string]*Tally{}}
	merge.Add(rep, s.Report)
	s.Report = rep
	return nil
}

// lookup calls fn for the records of a document. Documents are looked up in order.
type lookup func(doc int64, fn func(rec []byte)) error

// byDoc returns a lookup in a table whose records begin with the document number,
// starting at document n.
func (r *run) byDoc(table string, record int, n int64) (of lookup, stop func(), err error) {
	from := make([]byte, record)
	PutDoc(from, n)
	c, err := r.cursor(table, r.plan.merge, from, nil)
	if err != nil {
		return nil, nil, err
	}
	rec, err := c.Next()
	return func(doc int64, fn func(rec []byte)) error {
		for rec != nil && err == nil && DocAt(rec) <= doc {
			if DocAt(rec) == doc {
				fn(rec)
			}
			rec, err = c.Next()
		}
		return err
	}, func() { c.Close() }, nil
}

// rewrite reads the collection a second time and writes the text that stays.
func (r *run) rewrite(ctx context.Context) error {
	r.folder.Shrink()
	x := &rereading{run: r}
	x.Every = r.cfg.Checkpoint
	if r.m.Writing == nil || r.cfg.Out == "" {
		r.m.Writing = &rewriting{Report: &Result{Method: r.cfg.Method.Name(), Rank: r.cfg.Rank, Reasons: map[string]*Tally{}}}
	}
	x.State = *r.m.Writing
	if r.cfg.Out != "" {
		x.Save = func(s *rewriting) error {
			r.m.Writing = s
			return r.save()
		}
	}
	if !x.State.Done {
		if err := r.timed("rewrite", func() error {
			err := x.open()
			if err == nil {
				err = x.reread(ctx)
			}
			return cmp.Or(err, x.close()) // a failed output repeats its error
		}); err != nil {
			return err
		}
	}
	r.m.Writing = &x.State
	if r.index != nil {
		if err := r.timed("index", r.update); err != nil {
			return err
		}
	}
	r.m.Finished = true
	return r.save()
}

// rereading is the state of the second reading.
type rereading struct {
	*run
	pipeline.Saver[*Result]
	src    fileSource
	outs   []*output
	editor *editor
	detail *detailer   // nil without a report in HTML
	kept   *keptWriter // nil without an index to update
	marks  lookup      // of a document
	place  lookup      // of a document in the output; nil if the output has the order of the input
	ends   []func()    // of everything that is open
}

// open opens the input and the outputs at the positions of the checkpoint.
func (x *rereading) open() (err error) {
	if x.src, err = x.run.open(true); err != nil {
		return err
	}
	x.ends = append(x.ends, func() { x.src.Close() })
	if x.src.Identity() != x.m.Input {
		return fmt.Errorf("the input has changed while it was read: %w", ErrStartOver)
	}
	if x.State.Mark != nil {
		if err := x.src.Goto(x.State.Mark); err != nil {
			return err
		}
	}
	for i, name := range []string{x.cfg.Out, x.cfg.Dropped} {
		if i == 1 && name == "" {
			break
		}
		o, err := x.create(name, i, x.State.Place(i))
		if err != nil {
			return err
		}
		x.outs, x.Outputs = append(x.outs, o), append(x.Outputs, o)
	}
	id, closeIDs, err := x.names()
	if err != nil {
		return err
	}
	x.ends = append(x.ends, closeIDs)
	docs := x.State.Report.In.Docs
	x.editor = &editor{run: x.run, rep: x.State.Report, id: id}
	if x.cfg.ReportFile != "" {
		if x.detail, err = x.newDetailer(x.State.Report, id); err != nil {
			return err
		}
	}
	if x.cfg.Update {
		if x.kept, err = openKept(x.dir, docs, x.State.Place(len(x.outs)).Length); err != nil {
			return err
		}
		x.Outputs = append(x.Outputs, x.kept)
	}
	var stop func()
	if x.marks, stop, err = x.byDoc(marksTable.Name, marksTable.Record, x.m.Indexed+docs); err != nil {
		return err
	}
	x.ends = append(x.ends, stop)
	if x.cfg.Order == InID {
		if x.place, stop, err = x.byDoc(x.orderBy(), ranksTable.Record, x.m.Indexed+docs); err != nil {
			return err
		}
		x.ends = append(x.ends, stop)
	}
	return nil
}

// close closes all files that open opened.
func (x *rereading) close() error {
	for _, end := range x.ends {
		end()
	}
	var errs []error
	for _, o := range x.Outputs {
		errs = append(errs, o.Close())
	}
	return errors.Join(errs...)
}

// reread does the second reading.
func (x *rereading) reread(ctx context.Context) error {
	rep := x.State.Report
	err := records.Ahead(ctx, x.src.Reader, records.AheadConfig{Workers: x.cfg.Workers, Memory: x.plan.flight}, countParas, func(p *records.Piece[[]int]) error {
		rep.Outside += int64(len(p.Outside))
		if err := x.outs[0].Writer.Outside(p.Outside); err != nil || p.Doc == nil {
			return err
		}
		return x.write(p)
	})
	if err != nil {
		return err
	}
	if rep.In.Docs != x.m.Docs {
		return fmt.Errorf("the input had %d documents in the first reading, %d in the second: it has changed, %w", x.m.Docs, rep.In.Docs, ErrStartOver)
	}
	if err := x.Step(true, x.src.Mark); err != nil {
		return err
	}
	return x.Finish(ctx)
}

// countParas counts the tokens of the paragraphs of a document.
func countParas(_ int, d *records.Doc) []int {
	tokens := make([]int, len(d.Paras))
	for i := range d.Paras {
		tokens[i] = countWords(&d.Paras[i], d.Tokenized)
	}
	return tokens
}

// write writes a document.
func (x *rereading) write(p *records.Piece[[]int]) error {
	num := x.m.Indexed + x.State.Report.In.Docs
	if x.State.Report.In.Docs&0x3f == 0 {
		done, total := x.src.Progress()
		x.cfg.Notify(pipeline.Status{Step: "rewrite", Done: done, Total: total})
	}
	d, e := p.Doc, x.editor
	e.counted = false
	e.marks = e.marks[:0]
	if err := x.marks(num, func(rec []byte) {
		var m Mark
		m.get(rec)
		e.marks = append(e.marks, m)
	}); err != nil {
		return err
	}
	if err := x.over(d, "is kept unchanged", e.writeUnchanged, func() error {
		if p.Fault != nil {
			return p.Fault
		}
		e.tokens = p.Result
		if err := e.do(d, num); err != nil || x.detail == nil {
			return err
		}
		x.detail.add(d, num, e)
		return nil
	}); err != nil {
		return err
	}
	pos := int64(0)
	if x.place != nil {
		if err := x.place(num, func(rec []byte) { pos = DocAt(rec[DocBytes:]) - x.m.Indexed }); err != nil {
			return err
		}
	}
	if err := x.over(d, "is in no output", nil, func() error {
		err := x.outs[0].write(d, &e.edit, pos)
		if err == nil && len(x.outs) > 1 && !e.rest.Drop {
			err = x.outs[1].write(d, &e.rest, pos)
		}
		return err
	}); err != nil {
		return err
	}
	if x.kept != nil {
		if err := x.kept.add(e.stays, e.paras); err != nil {
			return err
		}
	}
	if x.cfg.Rank == ByDate && dateKey(d.Date) == noDate {
		x.State.Report.Undated++
	}
	return x.Step(false, p.After.Mark)
}

// over calls do for a document. If do panics, it reports the document with becomes, a
// description of the consequence, calls then, and returns nil.
func (r *run) over(d *records.Doc, becomes string, then func(*records.Doc), do func() error) error {
	err := panics.Catch(do)
	if !errors.As(err, new(*panics.Panic)) {
		return err
	}
	r.fail(&page.Error{File: d.Source.File, Offset: -1, Err: fmt.Errorf("document %s %s: %w", d.ID, becomes, err)})
	if then != nil {
		then(d)
	}
	return nil
}

// names returns a function that returns the ids of documents, including documents of
// the index.
func (r *run) names() (id func(doc int64) (string, error), end func(), err error) {
	if r.known != nil {
		return r.knownID, func() {}, nil
	}
	own, err := readIDs(r.dir, workIDs)
	if err != nil {
		return nil, nil, err
	}
	if r.m.Indexed == 0 {
		return own.at, func() { own.close() }, nil
	}
	old, err := readIDs(r.index.dir, r.index.s.IDs)
	if err != nil {
		own.close()
		return nil, nil, err
	}
	return func(doc int64) (string, error) {
		if doc < r.m.Indexed {
			return old.at(doc)
		}
		return own.at(doc - r.m.Indexed)
	}, func() { own.close(); old.close() }, nil
}

// knownID returns the id of a document that a mark names.
func (r *run) knownID(doc int64) (string, error) {
	id, ok := r.known[doc]
	if !ok {
		return "", fmt.Errorf("the id of document %d is missing: %w", doc, ErrStartOver)
	}
	return id, nil
}

// finish publishes the outputs and removes the work folder. The file of dropped text
// comes first: when the result exists, all outputs exist.
func (r *run) finish() (*Result, error) {
	rep := r.report()
	if err := r.writeReport(rep); err != nil {
		return nil, err
	}
	for _, name := range []string{r.cfg.Dropped, r.cfg.Out} {
		if name == "" {
			continue
		}
		if err := files.Publish(name); err != nil {
			return nil, err
		}
	}
	// A run that is killed while the folder is removed is finished.
	r.m.Named = true
	if err := r.m.save(r.dir); err != nil {
		return nil, err
	}
	return rep, r.clearNamed()
}
