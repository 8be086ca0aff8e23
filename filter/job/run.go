package job

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"chaffinch/filter"
	"chaffinch/input/records"
	"chaffinch/internal/budget"
	"chaffinch/internal/files"
	"chaffinch/internal/workdir"
	"chaffinch/text/langid"
)

// detector reads the model when the first document without a language asks for it.
var detector = sync.OnceValues(func() (*langid.Detector, error) { return langid.New(langid.Default) })

// run is a job at work.
type run struct {
	job    Job
	state  state
	src    *records.Reader
	outs   []*output
	before []byte      // what stands outside of documents, before the next one
	batch  *batch      // that is read
	todo   chan *batch // to the workers
	order  []*batch    // that are not written, in their order
	flight *budget.Budget
	failed error       // while a document was read
	edits  *filter.Set // the rules of lines of a job with scores
	bad    int64       // of src, that the report holds
	safe   time.Time
}

// Run filters a collection.
func Run(ctx context.Context, job Job) (rep *Report, err error) {
	job, err = job.withDefaults()
	if err != nil {
		return nil, err
	}
	r := &run{job: job}
	if job.Scored && job.Set.Edits() != nil {
		r.edits = job.Set.Edits()
	}
	if slices.Contains(job.Inputs, "-") {
		work, err := workdir.Temp()
		if err != nil {
			return nil, err
		}
		defer work.Close()
		if r.job.Input.Stdin, err = records.Spool(job.Stdin, work.Path); err != nil {
			return nil, err
		}
	}
	if err := r.open(); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.close()) }()
	if err := r.begin(); err != nil {
		return nil, err
	}
	r.safe = time.Now()
	if !r.state.Done {
		if err := r.filter(ctx); err != nil {
			return nil, err
		}
	}
	return r.state.Report, r.publish()
}

// open opens the input.
func (r *run) open() (err error) {
	cfg := r.job.Input
	cfg.Workers = r.job.Jobs
	cfg.Outside = func(b []byte) {
		if r.before = append(r.before, b...); len(r.before) >= batchBytes && r.failed == nil {
			r.failed = r.passOn()
		}
	}
	if err := records.CheckOutputs(r.job.Inputs, cfg, r.job.Out, r.job.Dropped); err != nil {
		return err
	}
	r.src, err = records.Open(r.job.Inputs, cfg)
	return err
}

func (r *run) close() error {
	var errs []error
	for _, o := range r.outs {
		o.file.Discard()
	}
	if r.src != nil {
		errs = append(errs, r.src.Close())
	}
	return errors.Join(errs...)
}

// piece is a document on its way, with what stands before it.
type piece struct {
	before  []byte
	doc     *records.Doc // nil for what stands behind the last one, and for a part of it
	verdict *verdict
}

// batch is what a worker takes at a time; done is closed when it is judged.
type batch struct {
	pieces []piece
	bytes  int
	memory int64
	done   chan struct{}
	// after is where the document behind it begins, bad what could not be read by
	// then.
	after records.Position
	bad   int64
}

// batchBytes and batchDocs end a batch.
const batchBytes, batchDocs = 1 << 18, 64

// flightBytes bounds the memory of the documents that are read and not yet written; a larger
// document is worked on alone.
const flightBytes = 64 << 20

// filter reads, judges and writes, from the last checkpoint to the end.
func (r *run) filter(ctx context.Context) error {
	r.todo, r.batch, r.flight = make(chan *batch), newBatch(), budget.New(flightBytes)
	for range r.job.Jobs {
		j := &judge{job: &r.job, detect: detector, set: r.job.Set}
		if r.job.Scored {
			j.set = r.edits
		}
		if j.set != nil {
			j.scorer = j.set.Scorer()
		}
		go func() {
			for b := range r.todo {
				for i := range b.pieces {
					if p := &b.pieces[i]; p.doc != nil {
						p.verdict = j.do(p.doc)
					}
				}
				close(b.done)
			}
		}()
	}
	defer close(r.todo)
	defer func() { // the reader goes with the run, and with it the documents
		for _, b := range r.order {
			<-b.done
		}
	}()
	for ended := false; !ended; {
		err := r.next(ctx)
		if ended = err == io.EOF; err != nil && !ended {
			return err
		}
		if err := r.hand(); err != nil {
			return err
		}
		r.job.Progress(r.src.Progress())
	}
	for len(r.order) > 0 {
		if err := r.first(); err != nil {
			return err
		}
	}
	return r.end()
}

func newBatch() *batch { return &batch{done: make(chan struct{})} }

// add takes a document, nil for none, with what stands before it.
func (r *run) add(d *records.Doc) {
	r.batch.pieces = append(r.batch.pieces, piece{before: r.before, doc: d})
	r.batch.bytes += len(r.before)
	r.batch.memory += int64(len(r.before))
	if r.before = nil; d != nil {
		r.batch.bytes += len(d.Raw)
		r.batch.memory += d.Memory()
	}
}

// next reads the rest of the batch; with io.EOF it is the last.
func (r *run) next(ctx context.Context) error {
	for r.batch.bytes < batchBytes && len(r.batch.pieces) < batchDocs {
		if err := ctx.Err(); err != nil {
			return err
		}
		d, err := r.src.Next()
		if err = cmp.Or(r.failed, err); err != nil && err != io.EOF {
			return err
		}
		if r.add(d); err == io.EOF {
			return err
		}
	}
	r.batch.after, r.batch.bad = r.src.Position(), r.src.Bad()
	return nil
}

// passOn hands the batch over in the middle of the reading, with what belongs to no document
// so far, since there is no limit to that.
func (r *run) passOn() error {
	r.add(nil)
	return r.hand()
}

// hand gives the batch to the workers, and begins another one. It waits, and writes what is
// done, while there is too much in memory.
func (r *run) hand() error {
	for len(r.order) >= r.job.Jobs || !r.flight.TryTake(r.batch.memory) {
		if err := r.first(); err != nil {
			return err
		}
	}
	r.todo <- r.batch
	r.order = append(r.order, r.batch)
	r.batch = newBatch()
	return nil
}

// first writes the first of the batches, as soon as it is done.
func (r *run) first() error {
	b := r.order[0]
	<-b.done
	r.order = r.order[1:]
	defer r.flight.Give(b.memory)
	return r.write(b)
}

// write writes the documents of a batch.
func (r *run) write(b *batch) error {
	rep := r.state.Report
	for _, p := range b.pieces {
		rep.Outside += int64(len(p.before))
		if err := r.outs[0].writer.Outside(p.before); err != nil {
			return err
		}
		if p.doc == nil {
			continue
		}
		v := p.verdict
		if v.fatal != nil {
			return v.fatal
		}
		r.count(v)
		if v.err != nil && r.job.OnFailed != nil {
			r.job.OnFailed(v.err)
		}
		edit := &v.main
		if v.err != nil {
			edit = nil
		}
		if err := r.outs[0].writer.Write(p.doc, edit); err != nil {
			return err
		}
		if len(r.outs) > 1 && !v.rest.Drop && v.err == nil {
			if err := r.outs[1].writer.Write(p.doc, &v.rest); err != nil {
				return err
			}
		}
		r.src.Release(p.doc)
	}
	return r.checkpoint(b)
}

// maxLangs bounds how many languages are counted one by one: what a field says may be
// anything.
const maxLangs = 500

// count adds a verdict to the report.
func (r *run) count(v *verdict) {
	rep := r.state.Report
	rep.In.add(v.in)
	rep.Out.add(v.out)
	switch {
	case v.err != nil:
		rep.Failed++
		return
	case v.rule != "":
		tallyOf(rep.Dropped, v.rule).add(v.in)
	case v.out != v.in:
		rep.Changed++
		rep.Unchanged += v.unchanged
	}
	for _, m := range v.personal {
		rep.PII[string(m)]++
	}
	for _, l := range v.lines {
		tallyOf(rep.Lines, l.why).add(l.tally)
	}
	if lang := v.lang; len(rep.Langs) < maxLangs || rep.Langs[lang] > 0 {
		rep.Langs[lang]++
	} else {
		rep.Langs["others"]++
	}
	if v.detected {
		rep.Detected++
	}
}

// output is a file that appears under its name when it is whole.
type output struct {
	name   string // "" is standard output
	file   *files.Growing
	writer *records.Writer
}

// create opens an output to go on in state s.
func (r *run) create(name string, annotate bool, s outputState) (o *output, err error) {
	o = &output{name: name}
	switch {
	case name == "":
		o.file = files.GrowOn(r.job.Stdout)
	case !r.job.resumable():
		o.file, err = files.GrowOnce(name)
	default:
		o.file, err = files.Grow(name, s.Length)
	}
	if err != nil {
		return nil, err
	}
	o.writer = records.NewWriter(o.file, records.WriterConfig{Annotate: annotate, Field: attrVerdict, Split: r.job.Input.Split, Compat: r.job.Input.Compat})
	o.writer.Continue(s.Writer)
	return o, nil
}

// end ends the outputs.
func (r *run) end() error {
	r.state.Report.Bad += r.src.Bad() - r.bad
	for _, o := range r.outs {
		if err := errors.Join(o.writer.Flush(), o.file.End(), o.file.Sync()); err != nil {
			return err
		}
	}
	r.state.Done = true
	return r.saveState()
}

// publish lets the outputs appear, that of what was dropped first: when the result
// is there, all is there.
func (r *run) publish() error {
	for _, o := range slices.Backward(r.outs) {
		if o.name == "" {
			continue
		}
		if !r.job.resumable() {
			if err := o.file.Commit(); err != nil {
				return err
			}
			continue
		}
		o.file.Discard()
		if err := files.Publish(o.name); err != nil {
			return fmt.Errorf("%s: %w", o.name, err)
		}
	}
	return r.removeState()
}
