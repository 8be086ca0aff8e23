package build

import (
	"context"
	"fmt"

	"chaffinch/internal/files"
	"chaffinch/internal/workdir"
)

// SampleBytes is the size of the sample that [Estimate] reads, in bytes of pages.
const SampleBytes = 8 << 20

// sampleFiles is the maximum number of files of a sample.
const sampleFiles = 400

// Plan is an estimate of the cost of a build.
type Plan struct {
	Steps []Expected
	// Sample is the number of bytes of the input files that were read for the estimate.
	// Input is the size of all input files in bytes; Files is their number.
	Sample, Input int64
	Files         int
	// Seconds is the time of the pending steps. Disk is the peak size of the folder in
	// bytes.
	Seconds float64
	Disk    int64
}

// Expected is the estimated cost and output of a step.
type Expected struct {
	PlannedStep
	Seconds float64
	// Bytes is the size of the outputs. Work is the size of temporary files.
	Bytes, Work int64
	// Left is the amount of text that a text step keeps.
	Left Amount
	Text bool
}

// Estimate builds a sample of the input in a temporary folder and scales the cost linearly
// with the size of the input. A sample contains too few duplicates, so Estimate
// underestimates their number.
func Estimate(ctx context.Context, cfg Config) (plan *Plan, err error) {
	list, err := Look(cfg)
	if err != nil {
		return nil, err
	}
	work, err := workdir.Temp()
	if err != nil {
		return nil, err
	}
	defer work.Close()
	try := cfg
	try.Out, try.Disk, try.Force, try.OnStep, try.OnError = work.Path, 0, false, nil, nil
	plan = &Plan{}
	try.Inputs, plan.Input, plan.Files = sampleOf(cfg.inputs())
	try.sample = SampleBytes
	b, err := open(try)
	if err != nil {
		return nil, err
	}
	defer b.close()
	res := &Result{}
	if err := b.steps.each(func(s *step) error { return b.do(ctx, s, res) }); err != nil {
		return nil, fmt.Errorf("on a sample of the input: %w", err)
	}
	plan.Sample = b.ledger.entry(b.steps[0].name).Read
	plan.expect(b, list)
	return plan, nil
}

// expect scales the cost of the sample.
func (p *Plan) expect(b *builder, list []PlannedStep) {
	factor := 1.0
	if p.Sample > 0 {
		factor = max(1, float64(p.Input)/float64(p.Sample))
	}
	scaled := func(n int64) int64 { return int64(float64(n) * factor) }
	held := int64(0)
	for i, s := range b.steps {
		e := b.ledger.entry(s.name)
		x := Expected{PlannedStep: list[i], Seconds: e.Cost.Seconds * factor, Text: s.text}
		for _, o := range e.Outputs {
			x.Bytes += scaled(o.Bytes)
		}
		if e.Dedup != nil {
			x.Work = scaled(e.Dedup.Disk)
		}
		if e.Flow != nil {
			k := e.Flow.Kept
			x.Left = Amount{scaled(k.Pages), scaled(k.Words), scaled(k.Bytes)}
		}
		held += x.Bytes
		p.Disk = max(p.Disk, held+x.Work)
		if !x.Done {
			p.Seconds += x.Seconds
		}
		p.Steps = append(p.Steps, x)
	}
	p.Disk = max(p.Disk, held)
}

// sampleOf returns a sample of the input files, spread over all of them. It prefers smaller
// files, because only the beginning of a large file is read. It also returns the size and
// the number of all files.
func sampleOf(inputs []string) (names []string, bytes int64, count int) {
	var all []files.File
	for _, f := range files.List(inputs) {
		if f.Err == nil && f.Size > 0 {
			all = append(all, f)
			bytes += f.Size
		}
	}
	// Each round takes the files halfway between the files taken before, so that every
	// prefix of the order is spread evenly.
	var order []files.File
	taken := make([]bool, len(all))
	for step := len(all); step > 0; step /= 2 {
		for i := step / 2; i < len(all); i += step {
			if !taken[i] {
				taken[i] = true
				order = append(order, all[i])
			}
		}
	}
	room := int64(SampleBytes)
	var large []string
	for _, f := range order {
		if len(names) >= sampleFiles || room <= 0 {
			break
		}
		if f.Size > room {
			large = append(large, f.Name)
			continue
		}
		names = append(names, f.Name)
		room -= f.Size
	}
	if len(large) > 0 && (len(names) == 0 || room > SampleBytes/2) {
		names = append(names, large[0])
	}
	if len(names) == 0 { // only empty files
		names = inputs
	}
	return names, bytes, len(all)
}
