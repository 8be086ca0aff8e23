package main

import (
	"bytes"
	"fmt"
	"io"
	"time"

	"chaffinch/dedup"
	"chaffinch/internal/report"
	"chaffinch/internal/sorts"
)

// writeDedupReport writes a readable report of a run.
func writeDedupReport(w io.Writer, r *dedup.Result, took time.Duration) error {
	var b bytes.Buffer
	row := func(name string, t dedup.Tally) {
		fmt.Fprintf(&b, "%-13s %14s %14s %16s %18s\n", name, number(t.Docs), number(t.Paras), number(t.Tokens), number(t.Bytes))
	}
	fmt.Fprintf(&b, "%-13s %14s %14s %16s %18s\n", "", "documents", "paragraphs", "words", "bytes of text")
	row("read", r.In)
	row("kept", r.Out)
	for _, why := range sorts.ByCount(r.Reasons, func(t *dedup.Tally) int64 { return t.Tokens }) {
		row("- "+why, *r.Reasons[why])
	}
	if r.Bad > 0 {
		fmt.Fprintf(&b, "%-13s %14s\n", "unreadable", number(r.Bad))
	}
	if r.Cut > 0 {
		fmt.Fprintf(&b, "%s kept in part\n", count(r.Cut, "document"))
	}
	if r.Undated > 0 {
		fmt.Fprintf(&b, "%s without a valid date: ranked last\n", count(r.Undated, "document"))
	}
	if len(r.Counts) > 0 {
		fmt.Fprintln(&b, listing(r.Counts))
	}
	if r.SameIDs > 0 {
		fmt.Fprintf(&b, "%s with the id of another one, such as %q: ranked by bytes and position\n", count(r.SameIDs, "document"), r.SameID)
	}
	fmt.Fprintf(&b, "time %s", took.Round(time.Millisecond))
	for i, s := range sorts.ByValue(r.Seconds) {
		if i < 6 {
			fmt.Fprintf(&b, ", %s %.1f s", s, r.Seconds[s])
		}
	}
	fmt.Fprintf(&b, "; largest size of the work folder %s\n", report.Size(r.Disk))
	_, err := w.Write(b.Bytes())
	return err
}
