package reports

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"chaffinch/build"
	"chaffinch/crawl"
	"chaffinch/crawl/schedule"
	"chaffinch/dedup"
	"chaffinch/internal/report"
	"chaffinch/internal/sorts"
	"chaffinch/lab/eval/live"
)

// View is a report as the page shows it. All figures are written out.
type View struct {
	Entry
	// Page is the place of the HTML report of the same thing, "" if there is none.
	Page string `json:"page,omitempty"`
	// Share is the completed share of the current work, 0 to 1; nil if unknown.
	Share  *float64 `json:"share,omitempty"`
	Facts  []Fact   `json:"facts"`
	Curves []Curve  `json:"curves,omitempty"`
	Tables []Table  `json:"tables"`
	// Said is the output of an evaluation.
	Said  string `json:"said,omitempty"`
	Error string `json:"error,omitempty" doc:"Why the report cannot be shown in full."`
}

// Fact is a name and a value.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Table has a cell for each column in each row. Text is left-aligned, the columns
// whose heads begin with > are numbers, those with = shares from 0 to 1.
type Table struct {
	Title string     `json:"title"`
	Head  []string   `json:"head"`
	Rows  [][]string `json:"rows"`
	More  int        `json:"more,omitempty" doc:"Number of omitted rows."`
}

// Curve is a line over something that grows.
type Curve struct {
	Title  string       `json:"title"`
	Points []CurvePoint `json:"points"`
}

// CurvePoint is a point of a Curve.
type CurvePoint struct {
	At    float64 `json:"at"`
	Label string  `json:"label"`
	Value float64 `json:"value"`
	Says  string  `json:"says"`
}

const (
	maxRows    = 200
	maxColumns = 24
	curveSteps = 40
)

// View returns a report. ctx bounds the wait for a concurrent reader of the same report.
func (f *Folder) View(ctx context.Context, name string) (*View, error) {
	st, err := fs.Stat(f.fs, name)
	if err != nil {
		return nil, err
	}
	v := &View{Facts: []Fact{}, Tables: []Table{}}
	if st.IsDir() {
		var ok bool
		if v.Entry, ok = f.folder(name); !ok {
			return nil, fmt.Errorf("%s is not a report: %w", name, fs.ErrNotExist)
		}
		if page := path.Join(name, "report.html"); v.Kind != Dedup {
			if _, err := fs.Stat(f.fs, page); err == nil {
				v.Page = page
			}
		}
	} else {
		var ok bool
		if v.Entry, ok = f.file(name, fs.FileInfoToDirEntry(st), nil); !ok {
			return nil, fmt.Errorf("%s is not a report: %w", name, fs.ErrNotExist)
		}
		v.Path = name
	}
	switch v.Kind {
	case Build:
		s, e := f.build(name)
		if err = e; e == nil {
			v.build(s)
		}
	case Crawl:
		err = f.crawl(ctx, name, v)
	case Dedup:
		s, e := f.dedup(name)
		if err = e; e == nil {
			v.dedup(s)
		}
	case Eval:
		s, e := live.Read(f.fs, name)
		if err = e; e == nil {
			v.eval(s)
		}
	case Figures:
		x, e := f.figures(name)
		if err = e; e == nil {
			v.figures(x)
		}
	case Page:
		v.Page = name
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err != nil {
		v.Error = err.Error()
	}
	return v, nil
}

func (v *View) fact(name, value string) { v.Facts = append(v.Facts, Fact{name, value}) }

func (v *View) table(title string, head []string, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	t := Table{Title: title, Head: head, Rows: rows}
	if len(rows) > maxRows {
		t.Rows, t.More = rows[:maxRows], len(rows)-maxRows
	}
	v.Tables = append(v.Tables, t)
}

func share(part, all int64) string {
	return strconv.FormatFloat(float64(part)/float64(max(all, 1)), 'f', 4, 64)
}

// build shows progress, the funnel, and why text was removed.
func (v *View) build(s *build.State) {
	var read, left build.Amount
	var seconds float64
	var memory int64
	var funnel, reasons, problems [][]string
	for _, step := range s.Steps {
		seconds, memory = seconds+step.Seconds, max(memory, step.Memory)
		row := []string{step.Name, step.Does, "", "", "", report.Seconds(step.Seconds)}
		if f := step.Flow; f != nil {
			in := f.Kept
			in.Pages, in.Words, in.Bytes = in.Pages+f.Removed.Pages, in.Words+f.Removed.Words, in.Bytes+f.Removed.Bytes
			if read == (build.Amount{}) {
				read = in
			}
			left = f.Kept
			row[2], row[3], row[4] = report.Grouped(left.Pages), report.Grouped(left.Words), share(left.Words, read.Words)
			for _, why := range sorts.ByCount(f.Reasons, func(a *build.Amount) int64 { return a.Words }) {
				a := f.Reasons[why]
				reasons = append(reasons, []string{step.Name, why, report.Grouped(a.Pages), report.Grouped(a.Words), share(a.Words, in.Words)})
			}
		}
		funnel = append(funnel, row)
		for _, p := range step.Problems {
			problems = append(problems, []string{step.Name, report.Grouped(p.N), p.What})
		}
	}
	if w := s.Working; w != nil {
		v.fact("now", strings.TrimSuffix("step "+strconv.Itoa(w.Number)+" of "+strconv.Itoa(w.Steps)+", "+w.Step+": "+w.Part, ": "))
		if w.Total > 0 {
			x := float64(min(w.Done, w.Total)) / float64(w.Total)
			v.Share = &x
			v.fact("done", report.Size(w.Done)+" of "+report.Size(w.Total))
		}
		if w.SecondsLeft > 0 {
			v.fact("time left, about", report.Seconds(w.SecondsLeft))
		}
	}
	if read.Words > 0 {
		v.fact("pages read", report.Grouped(read.Pages))
		v.fact("words read", report.Grouped(read.Words))
		v.fact("words left", report.Grouped(left.Words))
	}
	v.fact("time", report.Seconds(seconds))
	if memory > 0 {
		v.fact("memory", report.Size(memory))
	}
	v.table("Funnel: what each step passed on", []string{"step", "effect", ">pages", ">words", "=of all words", ">time"}, funnel)
	v.table("Dropped, by reason", []string{"step", "reason", ">pages", ">words", "=of the step's words"}, reasons)
	v.table("Errors", []string{"step", ">number", "what"}, problems)
}

// counts shows how often something was counted by name.
func (v *View) counts(title, head, unit string, m map[string]int64) {
	var all int64
	var rows [][]string
	for _, n := range m {
		all += n
	}
	for _, name := range sorts.ByValue(m) {
		rows = append(rows, []string{cmp.Or(name, "(none)"), report.Grouped(m[name]), share(m[name], all)})
	}
	v.table(title, []string{head, unit, "=share"}, rows)
}

// crawl reads on where the crawl was read before.
func (f *Folder) crawl(ctx context.Context, name string, v *View) error {
	x := f.following(name)
	select {
	case <-x.turn:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { x.turn <- struct{}{} }()
	if x.history == nil {
		dir, err := f.sub(name)
		if err != nil {
			return err
		}
		x.history = crawl.OpenHistory(dir)
	}
	if err := x.history.Update(ctx); err != nil {
		if ctx.Err() == nil { // else the next request reads the rest
			x.history = nil
		}
		return err
	}
	v.crawl(x.history)
	return nil
}

// following returns the crawl of a folder. Of too many the one that was not asked for
// the longest is forgotten.
func (f *Folder) following(name string) *following {
	f.mu.Lock()
	defer f.mu.Unlock()
	x := f.crawls[name]
	if x == nil {
		if len(f.crawls) >= maxCrawls {
			oldest := slices.MinFunc(slices.Collect(maps.Keys(f.crawls)), func(a, b string) int { return f.crawls[a].used.Compare(f.crawls[b].used) })
			delete(f.crawls, oldest)
		}
		x = &following{turn: make(chan struct{}, 1)}
		x.turn <- struct{}{}
		f.crawls[name] = x
	}
	x.used = time.Now()
	return x
}

// crawl shows the yield curve, hosts and reasons.
func (v *View) crawl(h *crawl.History) {
	s := h.Snapshot()
	v.fact("languages", cmp.Or(strings.Join(h.Settings.Languages(), ", "), "any"))
	v.fact("running for", h.Time.Round(time.Second).String())
	v.fact("pages", report.Grouped(s.Totals.Pages))
	if v.State == Running {
		v.fact("in the last minute", report.Grouped(int64(h.Minute)))
	}
	v.fact("text", report.Size(s.Totals.Clean))
	v.fact("fetched", report.Size(s.Totals.Bytes))
	v.fact("yield", percent(s.Totals.Yield()))
	v.fact("hosts known", report.Grouped(int64(s.Hosts)))
	curve := Curve{Title: "yield, % of the bytes since the previous point, by pages"}
	before, step := crawl.Point{}, (len(h.Curve)+curveSteps-1)/curveSteps
	for i, p := range h.Curve {
		if (i+1)%step == 0 || i == len(h.Curve)-1 {
			y := schedule.Yield(p.Clean-before.Clean, p.Bytes-before.Bytes)
			curve.Points = append(curve.Points, CurvePoint{float64(p.Pages), report.Grouped(p.Pages), 100 * y,
				"pages: " + report.Grouped(p.Pages) + ", after " + p.Time.Round(time.Second).String() + ", " + report.Size(p.Clean) + " of text: " + percent(y)})
			before = p
		}
	}
	if len(curve.Points) > 1 {
		v.Curves = append(v.Curves, curve)
	}
	v.counts("Failed requests, by reason", "reason", ">requests", s.Failures)
	v.counts("Pages without text, by reason", "reason", ">pages", s.Reasons)
	v.counts("Languages", "language", ">pages", s.Langs)
	var hosts [][]string
	for _, x := range h.Sites[:min(len(h.Sites), 40)] {
		if x.Pages > 0 {
			hosts = append(hosts, []string{x.Origin, report.Grouped(x.Pages), report.Size(x.Clean), strconv.FormatFloat(x.Yield(), 'f', 4, 64), x.Anomaly()})
		}
	}
	v.table("Top hosts by text", []string{"host", ">pages", ">text", "=yield", "looks like"}, hosts)
}

func percent(x float64) string { return strconv.FormatFloat(100*x, 'f', 2, 64) + " %" }

// eval shows the progress and output of an evaluation.
func (v *View) eval(s *live.State) {
	v.fact("command", s.Command)
	v.fact("begun", s.Started.Local().Format("2006-01-02 15:04"))
	switch {
	case s.Alive:
		v.fact("running for", time.Since(s.Started).Round(time.Second).String())
		v.fact("now", s.Step)
		if s.Total > 0 {
			x := float64(min(s.Done, s.Total)) / float64(s.Total)
			v.Share = &x
			v.fact("done", strconv.Itoa(s.Done)+" of "+strconv.Itoa(s.Total))
		}
	case !s.Ended.IsZero():
		v.fact("time", report.Seconds(s.Ended.Sub(s.Started).Seconds()))
	}
	var x any
	if json.Unmarshal([]byte(s.Said), &x) == nil {
		v.figures(x)
		return
	}
	if v.Said = s.Said; s.Cut {
		v.Said = "...\n" + v.Said
	}
}

// dedup shows the completed steps, and the duplicates removed so far.
func (v *View) dedup(s *dedup.State) {
	v.fact("documents read", report.Grouped(s.Docs))
	v.fact("bytes", report.Size(s.Bytes))
	v.fact("unreadable pieces", report.Grouped(s.Bad+s.Failed))
	v.fact("work folder", report.Size(s.Disk))
	var done [][]string
	for _, name := range s.Steps {
		done = append(done, []string{name, report.Seconds(s.Seconds[name])})
	}
	v.table("Completed steps", []string{"step", ">time"}, done)
	r := s.Report
	if r == nil {
		return
	}
	rows := [][]string{tally("read", r.In, r.In), tally("kept", r.Out, r.In)}
	for _, why := range sorts.ByCount(r.Reasons, func(t *dedup.Tally) int64 { return t.Tokens }) {
		rows = append(rows, tally("removed: "+why, *r.Reasons[why], r.In))
	}
	v.table("Kept", []string{"", ">documents", ">paragraphs", ">words", "=of all words"}, rows)
}

func tally(name string, t, all dedup.Tally) []string {
	return []string{name, report.Grouped(t.Docs), report.Grouped(t.Paras), report.Grouped(t.Tokens), share(t.Tokens, all.Tokens)}
}
