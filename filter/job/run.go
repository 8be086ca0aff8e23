package job

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	"chaffinch/filter"
	"chaffinch/input/records"
	"chaffinch/internal/disk"
	"chaffinch/internal/workdir"
	"chaffinch/pipeline"
	"chaffinch/text/langid"
)

// detector loads the model when the first document without a language needs it.
var detector = langid.Standard

// run is a running filter.
type run struct {
	pipeline.Saver[*Result]
	cfg  Config
	src  *records.Reader
	outs []*records.Output // the outputs of the Saver
	// places is the report of personal data, another output of the Saver; nil for none.
	places *pipeline.Stream
	rows   []byte
	edits  *filter.Set // the line rules of a run that reads scores
	bad    int64       // bad pieces of src that the report includes

	limits   []filter.Limit // of the last document, for the details of the report
	verdicts sync.Pool      // of *verdict, empty
}

// Run filters a collection and returns its report.
func Run(ctx context.Context, cfg Config) (rep *Result, err error) {
	cfg, err = cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	r := &run{cfg: cfg, verdicts: sync.Pool{New: func() any { return new(verdict) }}}
	if cfg.Scored && cfg.Set.Edits() != nil {
		r.edits = cfg.Set.Edits()
	}
	if slices.Contains(cfg.Inputs, "-") {
		work, err := workdir.Temp()
		if err != nil {
			return nil, err
		}
		defer work.Close()
		if r.cfg.Input.Stdin, err = records.Spool(cfg.Stdin, work.Path); err != nil {
			return nil, err
		}
	}
	if err := r.open(); err != nil {
		return nil, err
	}
	defer func() { err = cmp.Or(err, r.close()) }() // a failed output repeats its error
	if err := r.begin(); err != nil {
		return nil, err
	}
	if !r.State.Done {
		if err := r.filter(ctx); err != nil {
			return nil, err
		}
	}
	if err := r.writeReport(); err != nil {
		return nil, err
	}
	if err := r.Publish(); err != nil || !cfg.resumable() {
		return r.State.Report, err
	}
	return r.State.Report, disk.Remove(pipeline.StateFile(cfg.Out))
}

// open opens the input.
func (r *run) open() (err error) {
	if err := records.CheckOutputs(r.cfg.Inputs, r.cfg.Input, r.cfg.Out, r.cfg.Dropped); err != nil {
		return err
	}
	r.src, err = records.Open(r.cfg.Inputs, r.cfg.Input)
	return err
}

func (r *run) close() error {
	errs := []error{r.src.Close()}
	for _, o := range r.Outputs {
		errs = append(errs, o.Close())
	}
	return errors.Join(errs...)
}

// flightBytes limits the memory of documents that are read and not yet written, in bytes, within
// a quarter of the memory of the run.
const flightBytes = 64 << 20

// filter reads, judges and writes documents from the last checkpoint to the end.
func (r *run) filter(ctx context.Context) error {
	judges := make([]*judge, r.cfg.Workers)
	for i := range judges {
		j := &judge{cfg: &r.cfg, detect: detector, set: r.cfg.Set, verdicts: &r.verdicts}
		if r.cfg.Scored {
			j.set = r.edits
		}
		if j.set != nil {
			j.scorer = j.set.Scorer()
		}
		if err := j.open(); err != nil {
			return err
		}
		j.reuse = j.scorer != nil && j.decides() && j.finder == nil
		judges[i] = j
	}
	since := 0
	err := records.Ahead(ctx, r.src, records.AheadConfig{Workers: r.cfg.Workers, Memory: min(flightBytes, r.cfg.Memory/4)}, func(worker int, d *records.Doc) *verdict {
		return judges[worker].do(d)
	}, func(p *records.Piece[*verdict]) error {
		if since++; since%progressDocs == 1 {
			r.notify()
		}
		return r.write(p)
	})
	if err != nil {
		return err
	}
	r.notify()
	r.count(r.src.Bad())
	r.State.Report.Gaps = r.cfg.Set.Gaps(r.State.Report.Langs)
	return r.Finish(ctx)
}

// notify reports the progress.
func (r *run) notify() {
	done, total := r.src.Progress()
	r.cfg.Notify(pipeline.Status{Step: "filter", Done: done, Total: total})
}

// progressDocs is the number of documents between two reports of progress.
const progressDocs = 16

// write writes a piece of the input.
func (r *run) write(p *records.Piece[*verdict]) error {
	r.State.Report.Outside += int64(len(p.Outside))
	if err := r.outs[0].Writer.Outside(p.Outside); err != nil || p.Doc == nil {
		return err
	}
	if p.Fault != nil {
		return p.Fault
	}
	v := p.Result
	if v.fatal != nil {
		return v.fatal
	}
	r.add(v)
	if r.cfg.ReportFile != "" && v.err == nil {
		r.limits = r.cfg.Set.AppendLimits(r.limits[:0], v.lang)
		r.State.Report.Details.add(r.cfg.Set.Scores(), judged{p.Doc, v, r.limits})
	}
	if v.err != nil && r.cfg.OnError != nil {
		r.cfg.OnError(v.err)
	}
	edit := &v.main
	if v.err != nil {
		edit = nil
	}
	if err := r.outs[0].Writer.Write(p.Doc, edit); err != nil {
		return err
	}
	if r.places != nil && v.err == nil {
		if err := r.writePlaces(p.Doc.ID, v.places); err != nil {
			return err
		}
	}
	if len(r.outs) > 1 && !v.rest.Drop && v.err == nil {
		if err := r.outs[1].Writer.Write(p.Doc, &v.rest); err != nil {
			return err
		}
	}
	if r.cfg.ReportFile == "" { // otherwise its details may hold the verdict
		v.empty()
		r.verdicts.Put(v)
	}
	r.count(p.Bad)
	return r.Step(false, p.After.Mark)
}

// count adds new unreadable pieces of the input to the report.
func (r *run) count(bad int64) {
	r.State.Report.Bad += bad - r.bad
	r.bad = bad
}

// maxLangs is the maximum number of languages counted separately. The language field of a
// document may hold any value.
const maxLangs = 500

// add adds a verdict to the report.
func (r *run) add(v *verdict) {
	rep := r.State.Report
	rep.In.add(v.in)
	rep.Out.add(v.out)
	switch {
	case v.err != nil:
		rep.Failed++
		return
	case v.rule != "":
		tallyOf(rep.Dropped, v.rule).add(v.in)
	default:
		rep.Unchanged += v.unchanged
		if v.out != v.in {
			rep.Changed++
		}
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
