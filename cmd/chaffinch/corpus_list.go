package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"chaffinch/corpus"
	"chaffinch/internal/table"
	"chaffinch/serve/corpora"
)

// listFlags holds the flags of commands that print a list.
type listFlags struct {
	Format string `short:"f" default:"text" enum:"text,tsv,json,html" help:"text (aligned table), tsv (full precision, header line), json, or html (a page with bars and plots). Default: ${default}."`
	Limit  int    `short:"n" default:"50" help:"Maximum number of rows; 0 for all. Default: ${default}."`
}

// list is a table of strings, int64, float64 and blanks (nil).
type list struct {
	about string   // said above the table in text
	head  []string // names of the columns; in TSV with _ for blanks
	rows  [][]any
	view  corpus.ListView // kind, title, bars and pictures in HTML
}

// write writes l, or value as JSON.
func (f listFlags) write(w io.Writer, l *list, value any) error {
	if f.Format == "json" {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(value)
	}
	return buffered(w, func(b *bufio.Writer) error {
		switch f.Format {
		case "tsv":
			return l.tsv(b)
		case "html":
			l.view.About, l.view.Head, l.view.Rows = l.about, l.head, l.rows
			return l.view.WriteHTML(b)
		}
		if l.about != "" {
			fmt.Fprintf(b, "%s\n\n", l.about)
		}
		return l.text(b)
	})
}

func (l *list) text(w io.Writer) error {
	head := slices.Clone(l.head)
	if len(l.rows) > 0 {
		for i, c := range l.rows[0] {
			if _, ok := c.(string); !ok {
				head[i] = ">" + head[i]
			}
		}
	}
	t := table.New(head...)
	for _, r := range l.rows {
		cells := make([]string, len(r))
		for i, c := range r {
			switch c := c.(type) {
			case nil:
				cells[i] = "-"
			case int64:
				cells[i] = number(c)
			case float64:
				cells[i] = strconv.FormatFloat(c, 'f', 2, 64)
			case string:
				cells[i] = c
			}
		}
		t.Add(cells...)
	}
	return t.Write(w, "")
}

// noTabs keeps a value within its field.
var noTabs = strings.NewReplacer("\t", " ", "\n", " ", "\r", " ")

func (l *list) tsv(w *bufio.Writer) error {
	for i, h := range l.head {
		if i > 0 {
			w.WriteByte('\t')
		}
		w.WriteString(strings.ReplaceAll(noTabs.Replace(h), " ", "_"))
	}
	w.WriteByte('\n')
	for _, r := range l.rows {
		for i, c := range r {
			if i > 0 {
				w.WriteByte('\t')
			}
			switch c := c.(type) {
			case int64:
				w.WriteString(strconv.FormatInt(c, 10))
			case float64:
				w.WriteString(strconv.FormatFloat(c, 'g', -1, 64))
			case string:
				w.WriteString(noTabs.Replace(c))
			}
		}
		if err := w.WriteByte('\n'); err != nil {
			return err
		}
	}
	return nil
}

// partFlags choose the part of a corpus that is looked at.
type partFlags struct {
	Where string `placeholder:"CONDITION" help:"Search only the part of the corpus whose structures meet the condition, such as 'doc.lang=\"de\" & doc.year>=2020'. Sizes and hits per million refer to this part."`
}

// open opens an index, or the part of it that was asked for; shut closes it.
func (p partFlags) open(ctx context.Context, dir string) (c *corpus.Corpus, shut func(), err error) {
	whole, err := openIndex(dir)
	if err != nil {
		return nil, nil, err
	}
	c = whole
	if p.Where != "" {
		if c, err = whole.Where(ctx, p.Where); err != nil {
			whole.Close()
			return nil, nil, fmt.Errorf("--where: %w", err)
		}
	}
	return c, func() { whole.Close() }, nil
}

// source is like open for a command that also queries shards: dir may be a file that lists them.
func (p partFlags) source(ctx context.Context, dir string) (c corpus.Source, shut func(), err error) {
	if !strings.HasSuffix(dir, corpus.ShardList) {
		one, shut, err := p.open(ctx, dir)
		return one, shut, err
	}
	whole, err := corpus.OpenShards(ctx, dir, corpora.Dial)
	if err != nil {
		return nil, nil, err
	}
	if c, err = corpus.Part(ctx, whole, p.Where); err != nil {
		whole.Close()
		return nil, nil, fmt.Errorf("--where: %w", err)
	}
	return c, func() { whole.Close() }, nil
}

// inTokens returns the size of the corpus, or of its selected part.
func inTokens(c corpus.Source) string {
	if where := c.Condition(); where != "" {
		return count(c.Size(), "token") + " where " + where
	}
	return count(c.Size(), "token")
}
