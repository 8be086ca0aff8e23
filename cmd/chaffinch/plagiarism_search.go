package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"chaffinch/internal/disk"
	"chaffinch/internal/files"
	"chaffinch/internal/settings"
	"chaffinch/internal/table"
	"chaffinch/internal/workdir"
	"chaffinch/page"
	"chaffinch/plagiarism"
)

type plagiarismSearchCmd struct {
	Suspicious  []string `arg:"" help:"Suspicious documents: files and folders, as in plagiarism index; - is standard input."`
	Index       string   `short:"i" placeholder:"DIR" help:"Folder of an index of the sources (plagiarism index)."`
	Sources     []string `short:"s" sep:"none" placeholder:"PATH" help:"Source documents without an index; a temporary index is built. Repeatable."`
	Out         string   `short:"o" placeholder:"DIR" help:"Write PAN XML into this folder, one file per suspicious document."`
	Report      string   `placeholder:"FILE" help:"Write an HTML page that shows each document beside its sources, with coloured passages."`
	Format      string   `short:"f" default:"table" enum:"table,jsonl" help:"Output format: table, or jsonl (one object per passage). Default: ${default}."`
	All         bool     `help:"Show all sources of a passage, not only the strongest one."`
	Self        bool     `help:"Also compare documents with sources of the same id."`
	MinChars    *int     `placeholder:"N" help:"Minimum length of a passage on both sides, in characters. Default: 150."`
	MinEvidence *float64 `was:"evidence" placeholder:"X" help:"Minimum log-likelihood ratio of a passage, in nats: a smaller value finds more passages, and more false ones. Default: 40."`
	Check       bool     `help:"Verify the checksum of the whole index first; indexes up to 256 MiB are always verified."`
	Jobs        int      `range:"[0,)" short:"j" placeholder:"N" help:"Documents searched in parallel. Default: one per processor."`
	Quiet       bool     `short:"q" help:"No progress, no summary; passages and errors are still shown."`
	Memory      string   `default:"512MiB" help:"With --sources: memory for building the index (${default})."`
	fingerprintFlags
	documentFlags
}

// Help is the long help.
func (plagiarismSearchCmd) Help() string {
	return `Finds passages of suspicious documents that were derived from passages of sources. Words may have been deleted, inserted,
replaced or moved, sentences reordered, and letters replaced by similar ones. Positions are in characters (Unicode code
points) from the beginning of the text; the end is exclusive.

Examples:
  chaffinch plagiarism search essays/ --sources library/
  chaffinch plagiarism search essays.jsonl --index library.index --format jsonl
  chaffinch plagiarism search suspicious-documents/ -i library.index -o detections/`
}

// Run searches.
func (c *plagiarismSearchCmd) Run(ctx context.Context, con *console) (err error) {
	bad := &badDocuments{con: con}
	cfg, err := c.settings()
	if err != nil {
		return err
	}
	read, err := c.documentFlags.config(func(e *page.Error) { bad.report(e) })
	if err != nil {
		return err
	}
	x, done, err := c.open(ctx, con, read, bad)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	end, err := spool(con, c.Suspicious, &read)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	if c.Out != "" {
		if err := disk.MkdirAll(c.Out); err != nil {
			return err
		}
	}
	out := searchOutput{c: c, w: bufio.NewWriter(con.out), bad: bad, written: map[string]string{}}
	out.t = table.New("document", ">start", ">end", "source", ">start", ">end", ">alike", "text")
	start := time.Now()
	hide := c.meter(con, &cfg, start)
	err = plagiarism.SearchAll(ctx, x, plagiarism.Documents(c.Suspicious, read), cfg, c.Jobs, out.write)
	hide()
	if err != nil {
		return err
	}
	took := time.Since(start)
	if err := out.html(x); err != nil {
		return err
	}
	if err := out.close(x); err != nil {
		return err
	}
	if !c.Quiet {
		fmt.Fprintf(con.err, "%.1f documents/s, ", float64(out.docs)/max(took.Seconds(), 1e-3))
		printSpeed(con, took, out.bytes)
	}
	if out.same > 0 && !c.Quiet {
		fmt.Fprintf(con.err, "chaffinch: %s of the same id skipped: --self compares them, too\n", count(out.same, "pair"))
	}
	if err := bad.judge(); err != nil || out.docs > 0 {
		return err
	}
	return errNo{strings.Join(c.Suspicious, ", ") + ": no documents to search"}
}

// settings reads the flags.
func (c *plagiarismSearchCmd) settings() (plagiarism.SearchConfig, error) {
	cfg := plagiarism.DefaultSearch
	cfg.Self, cfg.Align.All = c.Self, c.All
	cfg.Align.MinChars = valueOr(c.MinChars, cfg.Align.MinChars)
	cfg.Align.Evidence = valueOr(c.MinEvidence, cfg.Align.Evidence)
	index := c.fingerprintFlags.config()
	switch {
	case c.Jobs == 0:
		c.Jobs = runtime.GOMAXPROCS(0)
	}
	if (c.Index == "") == (len(c.Sources) == 0) {
		for _, dir := range c.Suspicious {
			if x, err := plagiarism.OpenIndex(dir); err == nil {
				x.Close()
				return cfg, fmt.Errorf("%s is an index, not a document: name it with --index %[1]s", dir)
			}
		}
		return cfg, errors.New("wanted --index DIR or --sources PATH")
	}
	if slices.Contains(c.Sources, "-") && slices.Contains(c.Suspicious, "-") {
		return cfg, errors.New("-: standard input cannot be both sources and suspicious documents: save one of them to a file")
	}
	if err := index.Check(); err != nil {
		return cfg, err
	}
	return cfg, cfg.Check()
}

// meter shows how much text was searched, if standard error is a terminal.
func (c *plagiarismSearchCmd) meter(con *console, cfg *plagiarism.SearchConfig, start time.Time) (hide func()) {
	if c.Quiet || !isTerminal(con.err) {
		return func() {}
	}
	var mu sync.Mutex
	var done int64
	show, hide := readMeter(rawErr(con), start)
	cfg.Progress = func(n int) {
		mu.Lock()
		defer mu.Unlock()
		done += int64(n)
		show(done)
	}
	return hide
}

// open opens the index, or makes one for the time of the search.
func (c *plagiarismSearchCmd) open(ctx context.Context, con *console, read plagiarism.ReadConfig, bad *badDocuments) (x *plagiarism.Index, done func() error, err error) {
	if c.Index != "" {
		if x, err = plagiarism.OpenIndex(c.Index); err != nil {
			return nil, nil, err
		}
		err := c.agree(x.Config)
		if err == nil && c.Check {
			err = x.Verify()
		}
		if err != nil {
			return nil, nil, errors.Join(err, x.Close())
		}
		return x, x.Close, nil
	}
	memory, err := settings.ParseSize(c.Memory)
	if err != nil {
		return nil, nil, fmt.Errorf("--memory %w", err)
	}
	work, err := workdir.Temp()
	if err != nil {
		return nil, nil, err
	}
	done, dir := work.Close, work.Path
	fail := func(err error) (*plagiarism.Index, func() error, error) { return nil, nil, errors.Join(err, done()) }
	b, err := plagiarism.NewIndexBuilder(dir, c.fingerprintFlags.config(), memory/2, "")
	if err != nil {
		return fail(err)
	}
	if err := addAll(ctx, con, b, c.Sources, read, bad); err != nil {
		return fail(errors.Join(err, b.Abort()))
	}
	if b.Docs() == 0 {
		return fail(errors.Join(errors.New("no documents in the sources"), b.Abort()))
	}
	if err := b.Close(ctx); err != nil {
		return fail(err)
	}
	if x, err = plagiarism.OpenIndex(dir); err != nil {
		return fail(err)
	}
	return x, func() error { return errors.Join(x.Close(), work.Close()) }, nil
}

// agree is an error if the index was made with other settings than those given.
func (c *plagiarismSearchCmd) agree(have plagiarism.IndexConfig) error {
	want := c.fingerprintFlags.config()
	for _, f := range []struct {
		name       string
		given      bool
		want, have float64
	}{
		{"span", c.Span != nil, float64(want.Span), float64(have.Span)},
		{"sample", c.Sample != nil, float64(want.Sample), float64(have.Sample)},
		{"common", c.Common != nil, want.Common, have.Common},
	} {
		if f.given && f.want != f.have {
			return fmt.Errorf("index %s: built with --%s %v, wanted %v: rebuild it (plagiarism index), or leave --%s out", c.Index, f.name, f.have, f.want, f.name)
		}
	}
	return nil
}

// searchOutput writes results.
type searchOutput struct {
	c        *plagiarismSearchCmd
	w        *bufio.Writer
	t        *table.Table
	bad      *badDocuments
	written  map[string]string // name of a PAN file -> id
	docs     int64
	passages int64
	bytes    int64
	hit      int64
	same     int64 // documents whose source of the same id was left out
	report   plagiarism.ReportPage
	found    []plagiarism.SearchResult // that are in the report
}

// write writes the passages of one document.
func (o *searchOutput) write(r plagiarism.SearchResult) error {
	if r.Err != nil {
		o.bad.leftOut(r.Document, r.Err)
		return nil
	}
	o.docs++
	o.bytes += int64(len(r.Text))
	o.passages += int64(len(r.Passages))
	if len(r.Passages) > 0 {
		o.hit++
	}
	if r.Same {
		o.same++
	}
	if o.c.Out != "" {
		if err := o.pan(r); err != nil {
			return err
		}
	}
	if o.c.Report != "" {
		o.remember(r)
	}
	for _, p := range r.Passages {
		if o.c.Format == "jsonl" {
			b, err := json.Marshal(passageJSON{p.Suspicious, p.SuspiciousStart, p.SuspiciousEnd, p.Source, p.SourceStart, p.SourceEnd, p.Score})
			if err != nil {
				return err
			}
			o.w.Write(append(b, '\n'))
			continue
		}
		n := strconv.Itoa
		o.t.Add(p.Suspicious, n(p.SuspiciousStart), n(p.SuspiciousEnd), p.Source, n(p.SourceStart), n(p.SourceEnd),
			fmt.Sprintf("%.0f%%", 100*p.Score), opening(r.Text, p.SuspiciousStart, 40))
	}
	return nil
}

// remember keeps a result for the report, with its text while the report accepts more pairs.
func (o *searchOutput) remember(r plagiarism.SearchResult) {
	switch {
	case len(r.Passages) == 0:
		o.report.Unfound = append(o.report.Unfound, plagiarism.ReportText{ID: r.ID})
	case len(o.found) >= plagiarism.MaxReportPairs:
		r.Text = ""
		fallthrough
	default:
		o.found = append(o.found, r)
	}
}

// html writes the report.
func (o *searchOutput) html(x *plagiarism.Index) error {
	if o.c.Report == "" {
		return nil
	}
	for _, r := range o.found {
		first := map[string]int{} // source -> its pair
		for _, p := range r.Passages {
			i, ok := first[p.Source]
			if !ok {
				i = len(o.report.Pairs)
				first[p.Source] = i
				pair := plagiarism.ReportPair{Suspicious: plagiarism.ReportText{ID: r.ID, Text: r.Text}, Source: plagiarism.ReportText{ID: p.Source}, Similarity: -1}
				if i < plagiarism.MaxReportPairs {
					text, err := x.Text(p.SourceNumber)
					if err != nil {
						return err
					}
					pair.Source.Text = text
				}
				o.report.Pairs = append(o.report.Pairs, pair)
			}
			o.report.Pairs[i].Passages = append(o.report.Pairs[i].Passages, p)
		}
	}
	o.report.Title = fmt.Sprintf("%s in %d of %s", count(o.passages, "passage"), o.hit, count(o.docs, "document"))
	return files.Replace(o.c.Report, o.report.WriteHTML)
}

// passageJSON is a passage as a JSON line.
type passageJSON struct {
	Suspicious      string  `json:"suspicious"`
	SuspiciousStart int     `json:"suspicious_start"`
	SuspiciousEnd   int     `json:"suspicious_end"`
	Source          string  `json:"source"`
	SourceStart     int     `json:"source_start"`
	SourceEnd       int     `json:"source_end"`
	Score           float64 `json:"score"`
}

// opening returns n characters of a text from place from on, on one line.
func opening(text string, from, n int) string {
	var b strings.Builder
	i := 0
	for _, r := range text {
		if i++; i <= from {
			continue
		}
		if i > from+n {
			return strings.Join(strings.Fields(b.String()), " ") + "…"
		}
		b.WriteRune(r)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// pan writes the file of a document.
func (o *searchOutput) pan(r plagiarism.SearchResult) error {
	name := plagiarism.PANFile(r.ID)
	if id, ok := o.written[name]; ok {
		o.bad.report(fmt.Errorf("%s: the documents %q and %q have the same file name: the second one was not written; rename one of them", filepath.Join(o.c.Out, name), id, r.ID))
		return nil
	}
	o.written[name] = r.ID
	return files.ReplaceWith(filepath.Join(o.c.Out, name), files.Options{Unsynced: true}, func(w io.Writer) error { return plagiarism.WritePAN(w, r.ID, r.Passages) })
}

// close writes the table and the summary.
func (o *searchOutput) close(x *plagiarism.Index) error {
	if o.c.Format == "jsonl" {
		return o.w.Flush()
	}
	if o.passages > 0 {
		if err := o.t.Write(o.w, ""); err != nil {
			return err
		}
	}
	if o.c.Quiet {
		return o.w.Flush()
	}
	fmt.Fprintf(o.w, "%s in %d of %s, against %s\n", count(o.passages, "passage"), o.hit, count(o.docs, "document"), count(int64(x.Docs()), "source"))
	return o.w.Flush()
}
