package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"chaffinch/filter/job"
	"chaffinch/internal/archive"
	"chaffinch/internal/files"
	"chaffinch/internal/termsafe"
)

type filterDecideCmd struct {
	Sites   string `arg:"" help:"Table written by filter sites; decisions are saved in it."`
	Samples int    `default:"5" placeholder:"N" help:"Number of samples shown per site; m shows all. Default: ${default}."`
}

// Help is the long text of --help.
func (filterDecideCmd) Help() string {
	return `Shows the undecided sites of a table one by one, the most suspicious first, with samples of their documents,
and prompts for a decision: type y (keep) or n (drop) and press enter. Each decision is saved immediately;
run the command again to resume. filter --sites drops the sites marked "no".

Examples:
  chaffinch filter sites corpus.jsonl -o sites.tsv --rules nontext
  chaffinch filter decide sites.tsv
  chaffinch filter corpus.jsonl -o good.jsonl --rules nontext --sites sites.tsv`
}

// Run prompts for a decision on each site.
func (c *filterDecideCmd) Run(ctx context.Context, con *console) error {
	b, err := archive.ReadFile(c.Sites)
	if err != nil {
		return err
	}
	table, err := job.ParseSiteTable(c.Sites, b)
	if err != nil {
		return err
	}
	if err := c.ask(ctx, con, table); err != nil {
		return err
	}
	yes, no := 0, 0
	for i := range table.Len() {
		switch table.Answer(i) {
		case "yes":
			yes++
		case "no":
			no++
		}
	}
	_, err = fmt.Fprintf(con.out, "%s: %s to keep, %s to drop, %s undecided\n", termsafe.Quote(c.Sites), number(int64(yes)), number(int64(no)), number(int64(table.Len()-yes-no)))
	return err
}

// allSamples is more than a site has.
const allSamples = 1 << 10

// ask shows sites and takes answers, until all have one or the person stops.
func (c *filterDecideCmd) ask(ctx context.Context, con *console, t *job.SiteTable) error {
	typed := make(chan string)
	done := make(chan struct{})
	defer close(done)
	go func() {
		defer close(typed)
		for lines := bufio.NewScanner(con.in); lines.Scan(); {
			select {
			case typed <- strings.ToLower(strings.TrimSpace(lines.Text())):
			case <-done:
				return
			}
		}
	}()
	var past []int // the sites that were answered, for undo
	shown, samples := -1, c.Samples
	for i := 0; i < t.Len(); {
		if t.Answer(i) != "" {
			i++
			continue
		}
		if shown != i {
			shown = i
			if err := showSite(con.out, t, i, samples); err != nil {
				return err
			}
		}
		fmt.Fprint(con.out, "keep? y yes, n no, s skip, m more samples, u undo, q quit: ")
		var key string
		select {
		case <-ctx.Done():
			fmt.Fprintln(con.out)
			return errors.New("stopped: decisions are saved; run the same command to resume")
		case line, ok := <-typed:
			if !ok {
				fmt.Fprintln(con.out)
				return nil
			}
			key = line
		}
		if !isTerminal(con.in) { // raw mode does not echo the key
			fmt.Fprintln(con.out, termsafe.Line(key))
		}
		samples = c.Samples
		switch key {
		case "y", "yes", "n", "no":
			t.SetAnswer(i, map[byte]string{'y': "yes", 'n': "no"}[key[0]])
			past = append(past, i)
		case "s", "skip":
			i++
			continue
		case "m", "more":
			samples, shown = allSamples, -1
			continue
		case "u", "undo":
			if len(past) == 0 {
				fmt.Fprintln(con.out, "nothing to undo")
				continue
			}
			i, past = past[len(past)-1], past[:len(past)-1]
			t.SetAnswer(i, "")
			shown = -1
		case "q", "quit":
			return nil
		default:
			fmt.Fprintln(con.out, "answer y, n, s, m, u or q, and press enter")
			continue
		}
		if err := files.WriteFile(c.Sites, t.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// showSite writes the row of a site.
func showSite(w io.Writer, t *job.SiteTable, i, samples int) error {
	host, columns, values := t.Site(i)
	var b strings.Builder
	fmt.Fprintf(&b, "\n%d of %d  %s\n", i+1, t.Len(), termsafe.Line(host))
	for k, name := range columns {
		if !strings.HasPrefix(name, "sample ") {
			fmt.Fprintf(&b, "  %-10s %s\n", termsafe.Line(name), termsafe.Line(values[k]))
		} else if samples > 0 {
			samples--
			fmt.Fprintf(&b, "  - %s\n", termsafe.Line(values[k]))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
