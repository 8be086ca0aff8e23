package dedup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"chaffinch/input/records"
	"chaffinch/internal/files"
	"chaffinch/internal/merge"
	"chaffinch/internal/panics"
	"chaffinch/page"
)

// rewriteState is a checkpoint of the second reading.
type rewriteState struct {
	Docs   int64
	Mark   json.RawMessage `json:",omitempty"`
	Out    []outputState
	Cuts   int64 // length of cutsName
	Read   bool  // all is read; what waits on shelves is to be written
	Report *Report
}

// sound reports what no checkpoint has of a run over so many documents.
func (s *rewriteState) sound(docs int64) error {
	if s.Docs < 0 || s.Docs > docs || s.Cuts < 0 || len(s.Out) != 2 || s.Report == nil {
		return fmt.Errorf("%d of %d documents are written into %d outputs", s.Docs, docs, len(s.Out))
	}
	for _, o := range s.Out {
		if o.Length < 0 || slices.ContainsFunc(o.Shelf, func(n int64) bool { return n < 0 }) {
			return fmt.Errorf("an output of %d bytes, %d on shelves", o.Length, o.Shelf)
		}
	}
	if s.Docs > 0 && s.Report.Out.Docs > 0 && s.Out[0].Length == 0 && len(s.Out[0].Shelf) == 0 {
		return fmt.Errorf("%d documents stay and the output is empty", s.Report.Out.Docs)
	}
	rep := &Report{Reasons: map[string]*Tally{}}
	merge.Add(rep, s.Report)
	s.Report = rep
	return nil
}

// lookup calls fn for the records of a document. Documents are looked up in order.
type lookup func(doc int64, fn func(rec []byte)) error

// byDoc returns a lookup in a table whose records begin with the number of the document, from
// number n on.
func (r *run) byDoc(table string, record int, n int64) (of lookup, stop func()) {
	from := make([]byte, record)
	PutDoc(from, n)
	next, stop := iter.Pull2(r.scan(table, r.plan.merge, from, nil))
	rec, err, more := next()
	return func(doc int64, fn func(rec []byte)) error {
		for more && err == nil && DocAt(rec) <= doc {
			if DocAt(rec) == doc {
				fn(rec)
			}
			rec, err, more = next()
		}
		return err
	}, stop
}

// rewrite reads the collection a second time and writes what stays.
func (r *run) rewrite(ctx context.Context) error {
	if r.m.Rewrite == nil || r.job.Out == "" {
		r.m.Rewrite = &rewriteState{Out: make([]outputState, 2), Report: &Report{Method: r.job.Method.Name(), Rank: r.job.Rank, Reasons: map[string]*Tally{}}}
	}
	s := r.m.Rewrite
	var outs []*output
	for i, name := range []string{r.job.Out, r.job.Dropped} {
		if i == 1 && name == "" {
			break
		}
		o, err := r.create(name, i, s.Out[i])
		if err != nil {
			return errors.Join(err, closeAll(outs))
		}
		outs = append(outs, o)
	}
	err := r.timed("rewrite", func() error {
		if !s.Read {
			if err := r.reread(ctx, outs); err != nil {
				return err
			}
			s.Read = true
			if err := r.saveRewrite(outs); err != nil {
				return err
			}
		}
		return end(ctx, outs)
	})
	if err = errors.Join(err, closeAll(outs)); err != nil {
		return err
	}
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
	s      *rewriteState
	src    fileSource
	outs   []*output
	editor *editor
	kept   *keptWriter      // nil without an index to update
	marks  lookup           // of a document
	place  lookup           // of a document in the output; nil if the output has the order of the input
	at     records.Position // after the last written document
	safe   time.Time        // of the last checkpoint
	looked bool             // whether look was called since the last written document
}

// reread does the second reading.
func (r *run) reread(ctx context.Context, outs []*output) error {
	s := r.m.Rewrite
	src, err := r.open(true)
	if err != nil {
		return err
	}
	defer src.Close()
	if src.Identity() != r.m.Input {
		return fmt.Errorf("the input has changed while it was read: %w", ErrStartOver)
	}
	if s.Mark != nil {
		if err := src.Goto(s.Mark); err != nil {
			return err
		}
	}
	id, closeIDs, err := r.names()
	if err != nil {
		return err
	}
	defer closeIDs()
	x := &rereading{run: r, s: s, src: src, outs: outs, editor: &editor{run: r, rep: s.Report, id: id}, at: src.Position(), safe: time.Now()}
	if r.job.Update {
		if x.kept, err = openKept(r.dir, s.Docs, s.Cuts); err != nil {
			return err
		}
		defer x.kept.close()
	}
	var stop func()
	x.marks, stop = r.byDoc(marksTable.Name, marksTable.Record, r.m.Indexed+s.Docs)
	defer stop()
	if r.job.Order == InID {
		x.place, stop = r.byDoc(r.orderBy(), ranksTable.Record, r.m.Indexed+s.Docs)
		defer stop()
	}
	err = records.Ahead(ctx, src.Reader, records.AheadConfig{Workers: r.job.Jobs, Memory: r.plan.flight}, countParas, func(p *records.Piece[[]int]) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := x.outside(p.Outside); err != nil || p.Doc == nil {
			return err
		}
		return x.write(p)
	})
	if err == nil {
		err = x.look()
	}
	if err == nil && x.kept != nil {
		err = x.kept.sync()
	}
	if err == nil && s.Docs != r.m.Docs {
		err = fmt.Errorf("the input had %d documents in the first reading, %d in the second: it has changed, %w", r.m.Docs, s.Docs, ErrStartOver)
	}
	return err
}

// countParas counts the tokens of the paragraphs of a document.
func countParas(d *records.Doc) []int {
	tokens := make([]int, len(d.Paras))
	for i := range d.Paras {
		tokens[i] = countWords(&d.Paras[i], d.Tokenized)
	}
	return tokens
}

// look cuts the outputs where packed ones are full, and makes a checkpoint if it is time.
func (x *rereading) look() error {
	if x.looked {
		return nil
	}
	x.looked = true
	packed := slices.ContainsFunc(x.outs, func(o *output) bool { return o.file.Packed() })
	full := slices.ContainsFunc(x.outs, func(o *output) bool { return o.file.Full() })
	if full {
		for _, o := range x.outs {
			if _, err := o.cut(); err != nil {
				return err
			}
		}
	}
	if time.Since(x.safe) <= x.job.Checkpoint || x.job.Out == "" || full != packed {
		return nil
	}
	if x.kept != nil {
		if err := x.kept.sync(); err != nil {
			return err
		}
		x.s.Cuts = x.kept.length
	}
	var err error
	if x.s.Mark, err = json.Marshal(x.at); err != nil {
		return err
	}
	if err := x.saveRewrite(x.outs); err != nil {
		return err
	}
	x.safe = time.Now()
	return nil
}

// outside writes bytes that belong to no document.
func (x *rereading) outside(b []byte) error {
	if err := x.look(); err != nil {
		return err
	}
	x.s.Report.Outside += int64(len(b))
	return x.outs[0].writer.Outside(b)
}

// write writes a document.
func (x *rereading) write(p *records.Piece[[]int]) error {
	if x.s.Docs&0x3f == 0 {
		done, total := x.src.Progress()
		x.job.Progress("rewrite", done, total)
	}
	d, num, e := p.Doc, x.m.Indexed+x.s.Docs, x.editor
	e.marks = e.marks[:0]
	if err := x.marks(num, func(rec []byte) {
		var m Mark
		m.get(rec)
		e.marks = append(e.marks, m)
	}); err != nil {
		return err
	}
	if err := x.over(d, "stays as it is", e.asItIs, func() error {
		if p.Fault != nil {
			return p.Fault
		}
		e.tokens = p.Made
		return e.do(d, num)
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
	if x.job.Rank == ByDate && dateKey(d.Date) == noDate {
		x.s.Report.Undated++
	}
	x.s.Docs++
	x.at, x.looked = p.After, false
	return nil
}

// over calls do for a document. Where that is a fault of the program, the document is named
// with what becomes of it, which then brings about, and the run goes on.
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

// names returns what tells the ids of documents, of the index too.
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

// knownID is the id of a document that a mark names.
func (r *run) knownID(doc int64) (string, error) {
	id, ok := r.known[doc]
	if !ok {
		return "", fmt.Errorf("the id of document %d is missing: %w", doc, ErrStartOver)
	}
	return id, nil
}

// saveRewrite is a checkpoint.
func (r *run) saveRewrite(outs []*output) (err error) {
	for i, o := range outs {
		if r.m.Rewrite.Out[i], err = o.cut(); err != nil {
			return err
		}
		if err := o.file.Sync(); err != nil {
			return err
		}
	}
	return r.save()
}

// end writes what waits for its place, and the ends of the outputs.
func end(ctx context.Context, outs []*output) error {
	for _, o := range outs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := o.end(); err != nil {
			return err
		}
	}
	return nil
}

func closeAll(outs []*output) error {
	var errs []error
	for _, o := range outs {
		errs = append(errs, o.close())
	}
	return errors.Join(errs...)
}

// finish lets the outputs appear and removes the work folder. The file of what
// was dropped comes first: when the result is there, all is there.
func (r *run) finish() (*Report, error) {
	rep := r.report()
	for _, name := range []string{r.job.Dropped, r.job.Out} {
		if name == "" {
			continue
		}
		if err := files.Publish(name); err != nil {
			return nil, err
		}
	}
	// What is killed while the folder goes has come to its end.
	r.m.Named = true
	if err := r.m.save(r.dir); err != nil {
		return nil, err
	}
	return rep, r.clearNamed()
}
