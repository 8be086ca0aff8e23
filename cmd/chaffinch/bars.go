package main

import (
	"io"
	"time"

	"chaffinch/internal/screen"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// bars shows the steps of long work one after the other, each with its bar, if
// standard error is a terminal.
type bars struct {
	errors io.Writer // where messages go meanwhile
	show   func(step string, done, total int64)
	stop   func()
}

// startBars makes bars, each with more at its end. show is called from one goroutine at a time.
func startBars(con *console, quiet bool, more ...decor.Decorator) bars {
	if quiet || !isTerminal(con.err) {
		return bars{con.err, func(string, int64, int64) {}, func() {}}
	}
	p := mpb.New(mpb.WithOutput(rawErr(con)), mpb.WithWidth(40), mpb.WithRefreshRate(200*time.Millisecond))
	var bar *mpb.Bar
	last := ""
	return bars{screen.NewWriter(p), func(step string, done, total int64) {
		if step != last {
			if bar != nil {
				bar.Abort(true)
			}
			last = step
			before, behind := []decor.Decorator{decor.Name(step + " ")}, []decor.Decorator{decor.Elapsed(decor.ET_STYLE_GO)}
			if total != 0 {
				before = append(before, decor.Counters(decor.SizeB1000(0), "% .1f / % .1f "))
				behind = append(behind, decor.AverageSpeed(decor.SizeB1000(0), " % .1f"))
			}
			if total > 0 {
				behind = append(behind, decor.Name(" left "), decor.AverageETA(decor.ET_STYLE_GO))
			}
			behind = append(behind, more...)
			bar = p.AddBar(max(total, 0), mpb.BarRemoveOnComplete(), mpb.PrependDecorators(before...), mpb.AppendDecorators(behind...))
		}
		if total > 0 {
			done = min(done, total-1)
		}
		bar.SetCurrent(done)
	}, func() {
		if bar != nil {
			bar.Abort(true)
		}
		p.Wait()
	}}
}
