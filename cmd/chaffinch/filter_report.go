package main

import (
	"bytes"
	"fmt"
	"io"
	"time"

	"chaffinch/filter/job"
	"chaffinch/internal/sorts"
)

// writeFilterReport writes a readable report of a run.
func writeFilterReport(w io.Writer, r *job.Result, took time.Duration) error {
	var b bytes.Buffer
	row := func(name string, t job.Tally) {
		fmt.Fprintf(&b, "%-45s %12s %16s %18s\n", name, number(t.Docs), number(t.Words), number(t.Bytes))
	}
	fmt.Fprintf(&b, "%-45s %12s %16s %18s\n", "", "documents", "words", "bytes of text")
	row("read", r.In)
	row("kept", r.Out)
	sorted := func(m map[string]*job.Tally) []string {
		return sorts.ByCount(m, func(t *job.Tally) int64 { return t.Docs })
	}
	for _, rule := range sorted(r.Dropped) {
		row("- "+rule, *r.Dropped[rule])
	}
	if r.Bad > 0 {
		fmt.Fprintf(&b, "%-45s %12s\n", "unreadable", number(r.Bad))
	}
	if len(r.Lines) > 0 {
		fmt.Fprintf(&b, "%-45s %12s\n", "lines dropped from kept documents", "lines")
		for _, rule := range sorted(r.Lines) {
			row("- "+rule, *r.Lines[rule])
		}
	}
	if r.Changed > 0 {
		fmt.Fprintf(&b, "%s kept in part\n", count(r.Changed, "document"))
	}
	if r.Unchanged > 0 {
		fmt.Fprintf(&b, "%s kept unchanged that a rule would change: tokens and typed blocks cannot be changed\n", count(r.Unchanged, "line"))
	}
	if len(r.PII) > 0 {
		fmt.Fprintf(&b, "personal data in kept text: %s\n", listing(r.PII))
	}
	if len(r.Langs) > 0 {
		fmt.Fprintf(&b, "languages %s; %s detected\n", listing(r.Langs), number(r.Detected))
	}
	fmt.Fprintf(&b, "time %s, %.1f MB/s of text\n", took.Round(time.Millisecond), float64(r.In.Bytes)/1e6/max(took.Seconds(), 1e-3))
	_, err := w.Write(b.Bytes())
	return err
}
