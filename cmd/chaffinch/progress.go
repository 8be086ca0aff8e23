package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"chaffinch/internal/readers"
	"chaffinch/internal/termsafe"
)

// rawErr is standard error for bars, which steer the terminal; all messages go
// through con.err, which quotes what would.
func rawErr(con *console) io.Writer { return termsafe.Raw(con.err).(io.Writer) }

// fileOf returns the file of a stream of the console.
func fileOf(stream any) (file *os.File, ok bool) {
	if in, is := stream.(*readers.Waiting); is {
		stream = in.Raw()
	}
	if out, is := stream.(liveOutput); is {
		stream = out.raw
	}
	file, ok = termsafe.Raw(stream).(*os.File)
	return file, ok
}

// isTerminal reports whether f is a terminal.
func isTerminal(f any) bool {
	file, ok := fileOf(f)
	return ok && term.IsTerminal(int(file.Fd()))
}

// colored reports whether f is a terminal with colours enabled (https://no-color.org).
func colored(f any) bool {
	return isTerminal(f) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// terminalWidth returns the columns of a line of f, 0 if f is no terminal.
func terminalWidth(f any) int {
	file, ok := fileOf(f)
	if !ok || !isTerminal(f) {
		return 0
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// printSpeed prints to standard error the time and speed of reading a number of
// megabytes. What differs from run to run does not belong among results.
func printSpeed(con *console, took time.Duration, bytes int64) {
	fmt.Fprintf(con.err, "%s, %.1f MB/s\n", took.Round(time.Millisecond), float64(bytes)/1e6/max(took.Seconds(), 1e-3))
}

// steps is a bar on the terminal for work in named steps, or nothing elsewhere.
type steps struct {
	errors io.Writer // where messages go while the bar is shown
	show   func(what string, done, total int)
	stop   func()
}

// startSteps shows what show is told, with the time left, if standard error is a
// terminal. It may be called from several goroutines.
func startSteps(con *console) steps {
	tell := liveOf(con).Progress
	if !isTerminal(con.err) {
		return steps{con.err, tell, func() {}}
	}
	p := mpb.New(mpb.WithOutput(rawErr(con)), mpb.WithWidth(40), mpb.WithRefreshRate(200*time.Millisecond))
	var mu sync.Mutex
	bars := map[string]*mpb.Bar{}
	show := func(what string, done, total int) {
		tell(what, done, total)
		mu.Lock()
		defer mu.Unlock()
		bar := bars[what]
		if bar == nil {
			bar = p.AddBar(int64(total), mpb.BarRemoveOnComplete(),
				mpb.PrependDecorators(decor.Name(what+" "), decor.CountersNoUnit("%d / %d ")),
				mpb.AppendDecorators(decor.Name(" left "), decor.AverageETA(decor.ET_STYLE_GO)))
			bars[what] = bar
		}
		bar.SetCurrent(int64(done))
		if done >= total {
			bar.SetTotal(-1, true)
			delete(bars, what)
		}
	}
	return steps{termsafe.NewWriter(p), show, func() {
		mu.Lock()
		defer mu.Unlock()
		for _, bar := range bars {
			bar.Abort(true)
		}
		p.Wait()
	}}
}
