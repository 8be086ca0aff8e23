package main

import (
	"io"
	"os"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"chaffinch/recipe"
)

// progress is a bar on the terminal, or nothing elsewhere.
type progress struct {
	errors io.Writer // where messages go while the bar is shown
	stop   func()
}

// startProgress shows how far run has come, with rate and time left, if
// standard error is a terminal.
func (c *cleanCmd) startProgress(con *console, run *recipe.Run) progress {
	if c.Quiet || !isTerminal(con.err) {
		return progress{con.err, func() {}}
	}
	p := mpb.New(mpb.WithOutput(con.err), mpb.WithWidth(40), mpb.WithRefreshRate(200*time.Millisecond))
	base, total := run.Progress() // what a resumed run need not read counts neither for the rate nor for the bar
	if total > 0 {
		total = max(total-base, 1)
	}
	left := decor.Any(func(decor.Statistics) string { return "" })
	if total > 0 {
		left = decor.AverageETA(decor.ET_STYLE_GO)
	}
	bar := p.AddBar(max(total, 0),
		mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Counters(decor.SizeB1000(0), "% .1f / % .1f ")),
		mpb.AppendDecorators(decor.AverageSpeed(decor.SizeB1000(0), "% .1f "), decor.Name(" left "), left))
	tick := time.NewTicker(200 * time.Millisecond)
	quit, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		for {
			select {
			case <-tick.C:
				done, _ := run.Progress()
				done -= base
				if total > 0 {
					done = min(done, total-1)
				}
				bar.SetCurrent(done)
			case <-quit:
				return
			}
		}
	}()
	return progress{p, func() {
		tick.Stop()
		close(quit)
		<-gone
		bar.Abort(true)
		p.Wait()
	}}
}

// isTerminal tells whether f is a file on a terminal.
func isTerminal(f any) bool {
	file, ok := f.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
