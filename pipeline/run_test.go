package pipeline

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// list is a source of n made pages; every 7th piece is bad, and something is skipped
// before every 10th.
type list struct {
	at, n   int
	skipped map[string]int
}

func (l *list) Skipped() map[string]int { return l.skipped }

func (l *list) Next() (*page.Page, error) {
	if l.at >= l.n {
		return nil, io.EOF
	}
	i := l.at
	l.at++
	if i%10 == 0 {
		if l.skipped == nil {
			l.skipped = map[string]int{}
		}
		l.skipped["other"]++
	}
	if i%7 == 3 {
		return nil, fmt.Errorf("in.warc: offset %d: broken", i*100)
	}
	text := strings.Repeat(fmt.Sprintf("page %d ", i), i%50+1)
	return &page.Page{ID: fmt.Sprint("p", i), Raw: []byte(text), Source: page.Source{File: "in.warc", Offset: int64(i * 100)}}, nil
}

func (l *list) Mark() ([]byte, error) { return json.Marshal(l.at) }

func (l *list) seek(t testing.TB, mark []byte) {
	if mark != nil {
		must.Succeed(t, json.Unmarshal(mark, &l.at))
	}
}

// do is a stage made of a function.
type do func(context.Context, *page.Page) error

func (do) Name() string                                 { return "do/1" }
func (d do) Do(ctx context.Context, p *page.Page) error { return d(ctx, p) }

// split makes one good block of the page, and drops every fifth page.
var split = do(func(_ context.Context, p *page.Page) error {
	p.Blocks = []page.Block{{Text: string(p.Raw), Verdict: page.Verdict{Label: page.Good}}}
	if p.Source.Offset%500 == 0 {
		p.Drop = page.AllBad
	}
	return nil
})

// lines writes one line for each kept page.
type lines struct{}

func (lines) Append(dst []byte, p *page.Page) []byte {
	if p.Drop != page.None {
		return dst
	}
	return fmt.Appendf(dst, "%s\t%s\n", p.ID, p.Blocks[0].Text)
}

func run(t *testing.T, src Source, cfg Config, stages ...Stage) (string, string, *Report) {
	t.Helper()
	var out, errs bytes.Buffer
	sink, list := NewStream(&out), NewStream(&errs)
	rep := must.Get(Run(t.Context(), Chain{Source: src, Stages: stages, Outputs: []Output{{lines{}, sink}}, Errors: list}, cfg))(t)
	sink.Close()
	list.Close()
	rep.Elapsed = 0
	return out.String(), errs.String(), rep
}

func TestRunOrder(t *testing.T) {
	wantOut, wantErr, wantRep := run(t, &list{n: 1000}, Config{Job: Job{Workers: 1}}, split)
	if wantRep.Pages != 857 || wantRep.BadPieces != 143 || wantRep.Dropped["all-bad"] != 171 || wantRep.ErrorsByFile["?"] != 143 || wantRep.Skipped["other"] != 100 {
		t.Errorf("report %+v", wantRep)
	}
	if n := int64(strings.Count(wantOut, "\n")); n != wantRep.Kept {
		t.Errorf("%d lines, the report says %d kept", n, wantRep.Kept)
	}
	for _, cfg := range []Config{
		{Job: Job{Workers: 2}}, {Job: Job{Workers: 8}}, {Job: Job{Workers: 8}, BatchPages: 1}, {Job: Job{Workers: 3}, BatchBytes: 100, FlightBytes: 1},
		{Job: Job{Workers: 4}, BatchPages: 3, FlightBytes: 200, BatchBytes: 1 << 20, PageTime: time.Minute},
	} {
		jitter := do(func(_ context.Context, p *page.Page) error {
			time.Sleep(time.Duration(p.Source.Offset%7) * time.Microsecond)
			return nil
		})
		out, errs, rep := run(t, &list{n: 1000}, cfg, jitter, split)
		if out != wantOut || errs != wantErr {
			t.Errorf("%+v: the output differs", cfg)
		}
		if a, b := fmt.Sprint(*rep), fmt.Sprint(*wantRep); a != b {
			t.Errorf("%+v: report %s, want %s", cfg, a, b)
		}
	}
}

// lent is a list that takes its pages back and spoils them at once.
type lent struct {
	list
	back atomic.Int64
}

func (l *lent) Release(p *page.Page) {
	l.back.Add(1)
	for i := range p.Raw {
		p.Raw[i] = 'X'
	}
}

// lender is a stage that takes its blocks back and spoils them at once.
type lender struct {
	Stage
	back *atomic.Int64
}

func (l lender) Release(p *page.Page) {
	l.back.Add(1)
	clear(p.Blocks)
	p.Blocks = nil
}

func TestRunRelease(t *testing.T) {
	fails := do(func(_ context.Context, p *page.Page) error {
		if p.ID == "p5" {
			return errors.New("no model")
		}
		p.HTML = unsafe.String(unsafe.SliceData(p.Raw), len(p.Raw)) // as extract does
		p.Blocks = []page.Block{{Text: p.HTML, Verdict: page.Verdict{Label: page.Good}}}
		return nil
	})
	want, _, _ := run(t, &list{n: 1000}, Config{Job: Job{Workers: 1}}, fails)
	for workers := 1; workers < 4; workers++ {
		src := &lent{list: list{n: 1000}}
		var back atomic.Int64
		got, _, rep := run(t, src, Config{Job: Job{Workers: workers}, PageTime: time.Minute * time.Duration(workers-1)}, lender{fails, &back})
		if got != want {
			t.Errorf("%d workers: the output differs", workers)
		}
		if n := src.back.Load(); n != rep.Pages-1 {
			t.Errorf("%d workers: %d of %d pages given back, want all but the failed one", workers, n, rep.Pages)
		}
		if n := back.Load(); n != rep.Pages-1 {
			t.Errorf("%d workers: the blocks of %d of %d pages given back, want those of all but the failed one", workers, n, rep.Pages)
		}
	}
}

func TestRunBadStages(t *testing.T) {
	stuck := make(chan struct{})
	defer close(stuck)
	bad := do(func(ctx context.Context, p *page.Page) error {
		switch p.ID {
		case "p9":
			panic("ouch")
		case "p11":
			<-stuck
		case "p12":
			<-ctx.Done()
			return ctx.Err()
		case "p13":
			return errors.New("no model")
		case "p14":
			p.Drop = page.Damaged
		}
		return nil
	})
	var told []string
	cfg := Config{Job: Job{Workers: 2, OnError: func(err *page.Error) { told = append(told, err.Error()) }}, PageTime: 20 * time.Millisecond}
	out, errs, rep := run(t, &list{n: 20}, cfg, bad, split)
	if rep.Failed != 2 || rep.Dropped["failed"] != 2 || rep.Dropped["too-slow"] != 2 || rep.Dropped["damaged"] != 1 || rep.Pages != 17 {
		t.Errorf("report %+v", rep)
	}
	for _, want := range []string{"in.warc: byte 900: page p9 dropped: do/1: fault of the program at", "page p13 dropped: do/1: no model", "in.warc: byte 1400: page p14 dropped: the document is damaged, and no text can be read from it"} {
		if !strings.Contains(errs, want) || !strings.Contains(strings.Join(told, "\n"), want) {
			t.Errorf("error %q is not told", want)
		}
	}
	if screen := strings.Join(told, "\n"); strings.Contains(screen, "goroutine") || !strings.Contains(errs, "goroutine") {
		t.Errorf("the stack belongs into the list of errors alone; told:\n%s", screen)
	}
	for i := range 20 {
		if has, want := strings.Contains(out, fmt.Sprintf("p%d\t", i)), i%7 != 3 && i%5 != 0 && (i < 9 || i > 14); has != want {
			t.Errorf("page %d written: %v", i, has)
		}
	}
}

// TestDo checks that a single page can neither end nor hold up its caller.
func TestDo(t *testing.T) {
	stuck := make(chan struct{})
	defer close(stuck)
	for _, c := range []struct {
		stage do
		drop  page.Reason
		fails bool
	}{
		{func(context.Context, *page.Page) error { return nil }, page.None, false},
		{func(context.Context, *page.Page) error { panic("ouch") }, page.Failed, true},
		{func(context.Context, *page.Page) error { return errors.New("no model") }, page.Failed, true},
		{func(ctx context.Context, _ *page.Page) error { <-ctx.Done(); return ctx.Err() }, page.TooSlow, false},
		{func(context.Context, *page.Page) error { <-stuck; return nil }, page.TooSlow, false},
	} {
		p := &page.Page{ID: "x", Source: page.Source{Offset: 1}}
		err := Do(t.Context(), []Stage{split, c.stage}, p, 10*time.Millisecond)
		if p.Drop != c.drop || (err != nil) != c.fails || p.ID != "x" {
			t.Errorf("drop %v, error %v, want %v, %v", p.Drop, err, c.drop, c.fails)
		}
	}
}

// over is a context that is done, which only a stage notices.
type over struct {
	context.Context
	err error
}

func (over) Done() <-chan struct{} { return nil }
func (o over) Err() error          { return o.err }

// TestDoContext: a context that is done is an error without results, whether the stage or the
// caller notices first.
func TestDoContext(t *testing.T) {
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, ctx := range []context.Context{canceled, over{t.Context(), context.Canceled}, over{t.Context(), context.DeadlineExceeded}} {
		p := &page.Page{}
		ends := do(func(_ context.Context, p *page.Page) error { p.Lang = "en"; return ctx.Err() })
		if err := Do(ctx, []Stage{ends}, p, time.Hour); err != ctx.Err() || p.Drop != page.None || p.Lang != "" {
			t.Errorf("error %v, drop %q, lang %q, want %v", err, p.Drop, p.Lang, ctx.Err())
		}
	}
}

// failing fails after some bytes, as a full disk does.
type failing struct{ left int }

func (f *failing) Write(b []byte) (int, error) {
	if f.left -= len(b); f.left < 0 {
		return 0, syscall.ENOSPC
	}
	return len(b), nil
}

func TestRunFullDisk(t *testing.T) {
	_, err := Run(t.Context(), Chain{Source: &list{n: 100000}, Stages: []Stage{split}, Outputs: []Output{{lines{}, NewStream(&failing{1 << 20})}}}, Config{Job: Job{Workers: 2}})
	var fatal *Fatal
	if !errors.Is(err, syscall.ENOSPC) || !errors.As(err, &fatal) {
		t.Errorf("error %v, want no space", err)
	}
}

func TestRunFatalSource(t *testing.T) {
	var out bytes.Buffer
	sink := NewStream(&out)
	rep, err := Run(t.Context(), Chain{Source: &fatalSource{list{n: 50}}, Stages: []Stage{split}, Outputs: []Output{{lines{}, sink}}}, Config{})
	if err == nil || err.Error() != "gone" {
		t.Errorf("error %v, want that of the source", err)
	}
	sink.Close()
	if n := int64(strings.Count(out.String(), "\n")); n == 0 || n != rep.Kept {
		t.Errorf("%d lines, %d kept: what was read before must be written", n, rep.Kept)
	}
}

// TestRunFailsAtOnce saves no checkpoint of a run that fails before its first page.
func TestRunFailsAtOnce(t *testing.T) {
	for _, n := range []int{0, 1} {
		saves := 0
		save := func(*PageState) error { saves++; return nil }
		_, err := Run(t.Context(), Chain{Source: &fatalSource{list{n: n}}, Stages: []Stage{split}, Outputs: []Output{{lines{}, NewStream(io.Discard)}}, Save: save}, Config{})
		if err == nil || saves != n {
			t.Errorf("%d pages: %d checkpoints, error %v", n, saves, err)
		}
	}
}

type fatalSource struct{ list }

func (f *fatalSource) Next() (*page.Page, error) {
	p, err := f.list.Next()
	if err == io.EOF {
		err = &Fatal{errors.New("gone")}
	}
	return p, err
}

// TestResume interrupts a run at random moments, before, in and after checkpoints, resumes it
// from the state file, and wants the bytes of an uninterrupted run.
func TestResume(t *testing.T) {
	const n = 3000
	wantOut, wantErr, wantRep := run(t, &list{n: n}, Config{}, split)
	for seed := range uint64(8) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		dir := t.TempDir()
		out, errs := filepath.Join(dir, "out"), filepath.Join(dir, "errs")
		state := StateFile(out)
		var rep *Report
		for breaks := 0; ; breaks++ {
			if breaks > 200 {
				t.Fatal("the run makes no progress")
			}
			start := PageState{}
			if s, err := LoadState(state, Sound); err != nil {
				t.Fatal(err)
			} else if s != nil {
				start = *s
			}
			src := &list{n: n}
			src.seek(t, start.Mark)
			sink, err := OpenStream(out, start.Place(0).Length, start.Done)
			must.Succeed(t, err)
			list := must.Get(OpenStream(errs, start.Place(1).Length, start.Done))(t)
			var left atomic.Int64
			left.Store(rnd.Int64N(n))
			ctx, cancel := context.WithCancel(t.Context())
			stop := do(func(context.Context, *page.Page) error {
				if left.Add(-1) == 0 {
					cancel()
				}
				return nil
			})
			rep, err = Run(ctx, Chain{
				Source: src, Stages: []Stage{stop, split}, Outputs: []Output{{lines{}, sink}}, Errors: list, Start: start,
				Save: func(s *PageState) error {
					if rnd.IntN(3) == 0 && !s.Done {
						return errors.New("killed before the checkpoint")
					}
					return SaveState(state, s)
				},
			}, Config{Job: Job{Workers: 1 + int(seed%3)}, BatchPages: 1 + rnd.IntN(40), CheckpointPages: 1 + rnd.Int64N(200)})
			cancel()
			sink.Close()
			list.Close()
			if err == nil {
				break
			}
		}
		if got := readFile(t, out); got != wantOut {
			t.Errorf("seed %d: output of %d bytes differs from the unbroken %d", seed, len(got), len(wantOut))
		}
		if got := readFile(t, errs); got != wantErr {
			t.Errorf("seed %d: list of errors differs", seed)
		}
		rep.Elapsed = 0
		if a, b := fmt.Sprint(*rep), fmt.Sprint(*wantRep); a != b {
			t.Errorf("seed %d: report %s, want %s", seed, a, b)
		}
	}
}

func readFile(t *testing.T, file string) string {
	t.Helper()
	return string(must.Read(t, file))
}

func BenchmarkRun(b *testing.B) {
	for b.Loop() {
		if _, err := Run(b.Context(), Chain{Source: &list{n: 10000}, Stages: []Stage{split}, Outputs: []Output{{lines{}, NewStream(io.Discard)}}}, Default); err != nil {
			b.Fatal(err)
		}
	}
}

// measured is a source that was read in part before.
type measured struct {
	list
	read atomic.Int64
}

func (m *measured) Next() (*page.Page, error) {
	p, err := m.list.Next()
	m.read.Store(int64(m.at))
	return p, err
}

func (m *measured) Progress() (done, total int64) { return 60 + m.read.Load(), 100 }

// TestProgress wants the progress of a resumed run to begin where the run resumes, and a status
// after each batch.
func TestProgress(t *testing.T) {
	var got []Status
	cfg := Config{Job: Job{Workers: 1, OnProgress: func(s Status) { got = append(got, s) }}, BatchPages: 5}
	run(t, &measured{list: list{n: 10}}, cfg, split)
	if len(got) != 4 || got[0] != (Status{Done: 60, Total: 100}) || got[3] != (Status{Done: 70, Total: 100}) {
		t.Errorf("progress %v", got)
	}
}
