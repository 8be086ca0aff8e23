package job

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"chaffinch/filter"
	"chaffinch/input/records"
	"chaffinch/internal/files"
	"chaffinch/internal/workdir"
	"chaffinch/text/langid"
)

// detector reads the model when the first document without a language asks for it.
var detector = sync.OnceValues(func() (*langid.Detector, error) { return langid.New(langid.Default) })

// run is a job at work.
type run struct {
	job   Job
	state state
	src   *records.Reader
	outs  []*output
	edits *filter.Set // the rules of lines of a job with scores
	bad   int64       // of src, that the report holds
	safe  time.Time
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

// flightBytes bounds the memory of the documents that are read and not yet written.
const flightBytes = 64 << 20

// filter reads, judges and writes, from the last checkpoint to the end.
func (r *run) filter(ctx context.Context) error {
	idle := make(chan *judge, r.job.Jobs) // one for each worker
	for range r.job.Jobs {
		j := &judge{job: &r.job, detect: detector, set: r.job.Set}
		if r.job.Scored {
			j.set = r.edits
		}
		if j.set != nil {
			j.scorer = j.set.Scorer()
		}
		idle <- j
	}
	since := 0
	err := records.Ahead(ctx, r.src, records.AheadConfig{Workers: r.job.Jobs, Memory: flightBytes}, func(d *records.Doc) *verdict {
		j := <-idle
		defer func() { idle <- j }()
		return j.do(d)
	}, func(p *records.Piece[*verdict]) error {
		if since++; since%progressDocs == 1 {
			r.job.Progress(r.src.Progress())
		}
		return r.write(p)
	})
	if err != nil {
		return err
	}
	r.job.Progress(r.src.Progress())
	return r.end()
}

// progressDocs is the number of documents between two reports of progress.
const progressDocs = 16

// write writes a piece of the input.
func (r *run) write(p *records.Piece[*verdict]) error {
	rep := r.state.Report
	rep.Outside += int64(len(p.Outside))
	if err := r.outs[0].writer.Outside(p.Outside); err != nil || p.Doc == nil {
		return err
	}
	if p.Fault != nil {
		return p.Fault
	}
	v := p.Made
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
	if err := r.outs[0].writer.Write(p.Doc, edit); err != nil {
		return err
	}
	if len(r.outs) > 1 && !v.rest.Drop && v.err == nil {
		if err := r.outs[1].writer.Write(p.Doc, &v.rest); err != nil {
			return err
		}
	}
	return r.checkpoint(p)
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
