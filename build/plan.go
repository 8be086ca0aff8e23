package build

import (
	"context"
	"fmt"
	"os"

	"chaffinch/input"
	"chaffinch/internal/files"
	"chaffinch/internal/workdir"
)

// A sample has at most planBytes of input files, of at most planFiles files, in pieces of
// at most planPiece bytes. Reading ends after planPages bytes of pages.
const (
	planBytes = 8 << 20
	planPiece = planBytes / 16
	planFiles = 400
	planPages = 64 << 20
)

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
	if try.Pieces, err = plan.pieces(cfg.inputs()); err != nil {
		return nil, err
	}
	try.sample = planPages
	try.share = 1
	if read := total(try.Pieces); read < plan.Input {
		try.share = float64(read) / float64(plan.Input)
	}
	b, err := open(try)
	if err != nil {
		return nil, err
	}
	defer b.close()
	res := &Result{}
	var left []int64 // size of the folder after each step
	if err := b.steps.each(func(s *step) error {
		err := b.do(ctx, s, res)
		left = append(left, files.Bytes(b.Out))
		return err
	}); err != nil {
		return nil, fmt.Errorf("on a sample of the input: %w", err)
	}
	plan.Sample = b.ledger.entry(b.steps[0].name).Read
	plan.expect(b, list, left)
	return plan, nil
}

// expect scales the cost of the sample. left holds the size of the folder after each step.
func (p *Plan) expect(b *builder, list []PlannedStep, left []int64) {
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
		x.Work = scaled(max(0, e.Cost.Disk-left[i]))
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

// pieces returns a sample of the input files, spread over all of them: small files, and pieces
// of large archives. It counts the files and their bytes.
func (p *Plan) pieces(inputs []string) (sample []input.Piece, err error) {
	var all []input.Piece
	for _, f := range input.List(inputs) {
		if f.Problem == "" && f.Size > 0 {
			all = append(all, f)
			p.Input += f.Size
		}
	}
	p.Files = len(all)
	if len(all) == 0 { // only empty files
		return nil, nil
	}
	room := int64(planBytes)
	var whole []input.Piece                      // large files that cannot be cut: only the beginning is read
	each := max(1, planBytes/planPiece/len(all)) // pieces of a large file
	for _, i := range spread(len(all)) {
		if len(sample) >= planFiles || room <= 0 {
			break
		}
		list := []input.Piece{all[i]}
		if all[i].Size > planPiece {
			if list, err = cuts(all[i], each); err != nil {
				return nil, err
			}
			if len(list) == 0 {
				whole = append(whole, all[i])
			}
		}
		for _, x := range list {
			sample = append(sample, x)
			room -= x.Bytes()
		}
	}
	if len(whole) > 0 && (len(sample) == 0 || room > planBytes/2) {
		sample = append(sample, whole[0])
	}
	return sample, nil
}

// total returns the number of bytes of pieces.
func total(pieces []input.Piece) (n int64) {
	for _, p := range pieces {
		n += p.Bytes()
	}
	return n
}

// spread returns the numbers below n. Each round takes the numbers halfway between the numbers
// taken before, so that every prefix of the order is spread evenly.
func spread(n int) (order []int) {
	taken := make([]bool, n)
	for step := n; step > 0; step /= 2 {
		for i := step / 2; i < n; i += step {
			if !taken[i] {
				taken[i] = true
				order = append(order, i)
			}
		}
	}
	return order
}

// cuts returns up to n pieces of a large file in even distances, none if it cannot be cut.
func cuts(f input.Piece, n int) (list []input.Piece, err error) {
	in, err := os.Open(f.Name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	last := int64(0)
	for i := range n {
		p := f
		if p.From, err = input.Cut(in, f.Size, max(last, (2*int64(i)+1)*f.Size/int64(2*n)-planPiece/2)); err != nil {
			return nil, err
		}
		if p.From == f.Size {
			break
		}
		if p.To, err = input.Cut(in, f.Size, p.From+planPiece); err != nil {
			return nil, err
		}
		if last = p.To; last == f.Size {
			p.To = 0 // the end of the file
		}
		list = append(list, p)
	}
	return list, nil
}
