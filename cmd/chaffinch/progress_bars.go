package main

import (
	"fmt"
	"io"
	"time"

	"chaffinch/internal/termsafe"
	"chaffinch/pipeline"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// bars shows the steps of long work one after the other, each with its bar, if
// standard error is a terminal.
type bars struct {
	errors io.Writer // where messages go meanwhile
	show   func(pipeline.Status)
	stop   func()
}

// startBars makes bars, each with more at its end. show is called from one goroutine at a time.
func startBars(con *console, quiet bool, more ...decor.Decorator) bars {
	if quiet || !isTerminal(con.err) {
		return bars{con.err, func(pipeline.Status) {}, func() {}}
	}
	p := mpb.New(mpb.WithOutput(rawErr(con)), mpb.WithWidth(40), mpb.WithRefreshRate(200*time.Millisecond))
	var bar *mpb.Bar
	last := ""
	return bars{termsafe.NewWriter(p), func(s pipeline.Status) {
		step, done, total := s.Step, s.Done, s.Total
		if step != last {
			if bar != nil {
				bar.Abort(true)
			}
			last = step
			r := rate{base: done, begun: time.Now()}
			before, behind := []decor.Decorator{decor.Name(step + " ")}, []decor.Decorator{decor.Elapsed(decor.ET_STYLE_GO)}
			if total != 0 {
				before = append(before, decor.Counters(decor.SizeB1000(0), "% .1f / % .1f "))
				behind = append(behind, decor.Any(func(s decor.Statistics) string {
					return fmt.Sprintf(" % .1f", decor.FmtAsSpeed(decor.SizeB1000(int64(r.perSecond(s.Current, time.Now())))))
				}))
			}
			if total > 0 {
				behind = append(behind, decor.Any(func(s decor.Statistics) string {
					return " left " + r.left(s.Current, s.Total, time.Now()).String()
				}))
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

// as returns show with another name of the step.
func (b bars) as(step string) func(pipeline.Status) {
	return func(s pipeline.Status) {
		s.Step = step
		b.show(s)
	}
}

// rate measures the speed of a step, without the work done before a resumed run.
type rate struct {
	base  int64
	begun time.Time
}

// perSecond returns the amount done per second.
func (r rate) perSecond(done int64, now time.Time) float64 {
	if seconds := now.Sub(r.begun).Seconds(); seconds > 0 {
		return float64(max(done-r.base, 0)) / seconds
	}
	return 0
}

// left returns the expected time for the rest, 0 if unknown.
func (r rate) left(done, total int64, now time.Time) time.Duration {
	each := r.perSecond(done, now)
	if each <= 0 {
		return 0
	}
	return time.Duration(float64(max(total-done, 0)) / each * float64(time.Second)).Round(time.Second)
}
