package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"chaffinch/crawl"
	"chaffinch/internal/report"
	"chaffinch/internal/sorts"
	"chaffinch/internal/table"
	"chaffinch/internal/termsafe"
)

// crawlView shows the state of a crawl: lines that are updated in place on a terminal, else
// one line per minute.
type crawlView struct {
	con   *console
	file  *os.File // the terminal, nil if there is none
	lines int      // on the terminal
	told  time.Duration
	last  crawl.Snapshot
}

func newCrawlView(con *console) *crawlView {
	v := &crawlView{con: con}
	if isTerminal(con.err) {
		v.file, _ = fileOf(con.err)
	}
	return v
}

// show is told once a second.
func (v *crawlView) show(s crawl.Snapshot) {
	lines := crawlLines(s, v.last)
	v.last = s
	switch {
	case v.file != nil:
		v.clear()
		width, _, err := term.GetSize(int(v.file.Fd()))
		if err != nil || width <= 0 {
			width = 80
		}
		for _, line := range lines {
			line := []rune(termsafe.Line(line)) // names come from the net
			fmt.Fprintln(rawErr(v.con), string(line[:min(len(line), width-1)]))
		}
		v.lines = len(lines)
	case s.Time-v.told >= time.Minute:
		v.told = s.Time
		line := lines[0] + "; " + lines[1]
		for _, h := range s.Failing {
			line += "; failing: " + failingHost(h)
		}
		fmt.Fprintln(v.con.err, line)
	}
}

// clear takes the lines from the terminal.
func (v *crawlView) clear() {
	if v.lines > 0 {
		fmt.Fprintf(rawErr(v.con), "\x1b[%dA\x1b[J", v.lines)
		v.lines = 0
	}
}

// crawlLines returns lines with the state of a crawl, and its changes since before.
func crawlLines(s, before crawl.Snapshot) []string {
	rate := float64(s.Totals.Pages-before.Totals.Pages) / max((s.Time-before.Time).Seconds(), 1e-3)
	if before.Time == 0 {
		rate = float64(s.Totals.Pages) / max(s.Time.Seconds(), 1)
	}
	lines := []string{
		fmt.Sprintf("%v  %s, %.0f/s, %s text of %s, yield %.2f %%, recently %.2f %%", s.Time.Round(time.Second), count(s.Totals.Pages, "page"), rate,
			report.Size(s.Totals.Clean), report.Size(s.Totals.Bytes), 100*s.Totals.Yield(), 100*s.Totals.Recent()),
		fmt.Sprintf("%s, %s queued, %s running", count(int64(s.Hosts), "host"), count(s.Queued, "URL"), count(int64(s.Running), "request")),
	}
	add := func(name string, counts map[string]int64) {
		var list []string
		for _, k := range sorts.ByValue(counts) {
			list = append(list, fmt.Sprintf("%s %d", k, counts[k]))
		}
		if len(list) > 0 {
			lines = append(lines, name+strings.Join(list, ", "))
		}
	}
	add("text:      ", s.Langs)
	add("no text:   ", s.Reasons)
	add("filtered:  ", s.Rules)
	add("no response: ", s.Failures)
	for _, h := range s.Failing {
		lines = append(lines, "failing:   "+failingHost(h))
	}
	hosts := func(name string, list []crawl.HostStatus) {
		for _, h := range list {
			lines = append(lines, fmt.Sprintf("%s%s  %s, %s text, yield %.2f %%", name, h.Name, count(h.Pages, "page"), report.Size(h.Clean), 100*h.Yield()))
		}
	}
	hosts("best:      ", s.Best)
	hosts("worst:     ", s.Worst)
	return lines
}

// failingHost describes a host that keeps failing.
func failingHost(h crawl.FailingHost) string {
	return fmt.Sprintf("%s  %s in a row, %s", h.Name, count(int64(h.Failures), "request"), h.Reason)
}

// printCrawlResult writes the result of a crawl.
func printCrawlResult(w io.Writer, s crawl.Snapshot) error {
	fmt.Fprintf(w, "%s, %s of clean text in %s (%.2f %%), %s known, %s queued\n",
		count(s.Totals.Pages, "page"), report.Size(s.Totals.Clean), report.Size(s.Totals.Bytes), 100*s.Totals.Yield(),
		count(int64(s.Hosts), "host"), count(s.Queued, "URL"))
	return printCounts(w, s)
}

// printCounts writes the languages of pages, why others have no text, and why requests
// have no answer.
func printCounts(w io.Writer, s crawl.Snapshot) error {
	t := table.New("", ">pages")
	add := func(kind string, counts map[string]int64) {
		names := sorts.ByValue(counts)
		for _, name := range names[:min(len(names), 12)] {
			t.Add(kind+name, fmt.Sprint(counts[name]))
		}
	}
	add("text, ", s.Langs)
	add("no text: ", s.Reasons)
	add("filtered: ", s.Rules)
	add("no response: ", s.Failures)
	if err := t.Write(w, ""); err != nil || len(s.Excluded) == 0 {
		return err
	}
	_, err := fmt.Fprintln(w, excludedLine(s.Excluded))
	return err
}

// shownRules is the number of rules in the line of excluded links.
const shownRules = 8

// excludedLine returns a line with the number of excluded links by rule.
func excludedLine(counts map[string]int64) string {
	var all, rest int64
	var list []string
	for i, rule := range sorts.ByValue(counts) {
		n := counts[rule]
		if all += n; i < shownRules {
			list = append(list, fmt.Sprintf("%s %s", rule, report.Grouped(n)))
		} else {
			rest += n
		}
	}
	if rest > 0 {
		list = append(list, "others "+report.Grouped(rest))
	}
	return fmt.Sprintf("links not followed: %s: %s", report.Grouped(all), strings.Join(list, ", "))
}
