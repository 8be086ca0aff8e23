package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"chaffinch/format/vertical"
	"chaffinch/internal/readers"
	"chaffinch/page"
	"chaffinch/plagiarism"
)

var plagiarismVars = kong.Vars{
	"plagiarismMethods": strings.Join(plagiarism.MethodNames(), ","), "plagiarismMethod": plagiarism.DefaultTask.Method.String(),
	"plagiarismColumns": strings.Join(plagiarism.ColumnNames(), ","), "plagiarismColumn": plagiarism.DefaultTask.Column.String(),
	"plagiarismSimilarities": strings.Join(plagiarism.SimilarityNames(), ","), "plagiarismSimilarity": plagiarism.DefaultTask.Similarity.String(),
}

type plagiarismTaskCmd struct {
	verticalFormatFlag
	Vertical string `arg:"" optional:"" default:"-" help:"The vertical, plain or compressed (gzip, zstd, lz4); - or nothing is standard input."`

	Method     *plagiarism.Method     `short:"m" placeholder:"NAME" help:"Representation of a document: ${plagiarismMethods}. Default: ${plagiarismMethod}."`
	Similarity *plagiarism.Similarity `short:"s" placeholder:"NAME" help:"Similarity of two documents: ${plagiarismSimilarities}. Default: ${plagiarismSimilarity}."`
	Column     *plagiarism.Column     `short:"c" placeholder:"NAME" help:"Column to compare: ${plagiarismColumns}. Default: ${plagiarismColumn}."`
	Within     string                 `default:"author" enum:"author,all" placeholder:"WHAT" help:"Candidate sources: originals of the same author, or of all authors. Default: ${default}."`

	K         *int     `range:"[1,1000]" short:"k" placeholder:"N" help:"Length of a substring in tokens, for anchors in characters. Default: by method and column."`
	Window    *int     `range:"[1,)" placeholder:"N" help:"Window of winnowing, in substrings. Default: by method."`
	Grams     *int     `range:"[1,)" was:"keep" placeholder:"N" help:"Number of substrings that represent a document in the method rarest. Default: by method."`
	Anchor    []string `sep:"none" placeholder:"TEXT" help:"Text that begins a chunk of the method anchors; repeatable. Default: the most frequent pairs of characters."`
	Threshold *float64 `range:"[0,1]" short:"t" placeholder:"X" help:"Minimum similarity of a source, 0 to 1. Default: by method."`

	Compare bool   `help:"Print a comparison of all methods, columns and similarities instead, restricted to the given -m, -c and -s."`
	Format  string `short:"f" default:"task" enum:"task,tsv" help:"Output format: task (id, detected and true source; then precision, recall and F1), or tsv (with author and similarity). Default: ${default}."`
	Report  string `short:"r" placeholder:"FILE" help:"Also write an HTML page to FILE, with the texts side by side and their shared passages."`
	Strict  bool   `help:"Stop at the first error in the vertical instead of repairing it."`
}

// Help is the long text of --help.
func (plagiarismTaskCmd) Help() string {
	return `Reads a vertical with <doc author="..." id="..." class="original" source="..."> (or class="plagiarism") and the
columns word, lemma and tag. For each plagiarism it prints its id, the id of the most similar original, and the id of its true source; at the end precision, recall and F1. An empty id means that no original reaches the threshold.

Examples:
  chaffinch plagiarism task <essays.vert
  chaffinch plagiarism task -m winnowing -c lemma -k 4 --window 5 <essays.vert
  chaffinch plagiarism task <essays.vert --report report.html
  chaffinch plagiarism task --compare <essays.vert          # compare all methods
  chaffinch plagiarism task --compare -c tag <essays.vert   # compare by tags`
}

// Run finds the sources.
func (c *plagiarismTaskCmd) Run(ctx context.Context, con *console) error {
	column := valueOr(c.Column, plagiarism.DefaultTask.Column)
	cfg := plagiarism.TaskDefaults(valueOr(c.Method, plagiarism.DefaultTask.Method), column, valueOr(c.Similarity, plagiarism.DefaultTask.Similarity))
	if c.Compare && c.Report != "" {
		return errors.New("--report and --compare cannot be combined: the page shows one method")
	}
	if c.Compare && c.Format != "task" {
		return fmt.Errorf("--format %s and --compare cannot be combined: the comparison has one format", c.Format)
	}
	if err := c.settings(&cfg); err != nil {
		return err
	}
	task, err := plagiarism.NewTask(cfg)
	if err != nil {
		return err
	}
	columns := []plagiarism.Column{column}
	if c.Compare && c.Column == nil {
		columns = []plagiarism.Column{plagiarism.Word, plagiarism.Lemma, plagiarism.Tag}
	}
	essays, err := c.read(ctx, columns, con)
	if err != nil {
		return err
	}
	switch {
	case len(essays.All) == 0:
		return errNo{c.Vertical + ": no <doc> in it: is this a vertical of the task?"}
	case essays.Plagiarisms == 0:
		return errNo{fmt.Sprintf("%s: none of its %s is of class plagiarism", c.Vertical, count(int64(len(essays.All)), "document"))}
	case essays.Originals == 0:
		return errNo{c.Vertical + ": no document of class original"}
	}
	if has := essays.Has[column]; has == 0 && essays.Tokens > 0 {
		return fmt.Errorf("%s: no token has a %v (column %d): choose another --column, or let chaffinch vertical tag add it", c.Vertical, column, int(column)+1)
	}
	if c.Compare {
		return c.compare(ctx, essays, con)
	}
	result, err := task.Search(ctx, essays.All)
	if err != nil {
		return err
	}
	if c.Report != "" {
		if err := c.report(ctx, result, con); err != nil {
			return err
		}
	}
	if c.Format == "tsv" {
		return result.WriteTSV(con.out)
	}
	return result.Write(con.out)
}

// report writes the HTML page.
func (c *plagiarismTaskCmd) report(ctx context.Context, result *plagiarism.Result, con *console) error {
	title := "Plagiarisms and their sources"
	if c.Vertical != "-" {
		title += " in " + filepath.Base(c.Vertical)
	}
	page := result.Report(title, func(suspicious, source string) []plagiarism.Passage {
		if ctx.Err() != nil {
			return nil
		}
		return plagiarism.Align(suspicious, source, plagiarism.DefaultAlign)
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	return writeTo(c.Report, con, page.WriteHTML)
}

// settings takes over the flags that were given.
func (c *plagiarismTaskCmd) settings(cfg *plagiarism.TaskConfig) error {
	cfg.AllAuthors = c.Within == "all"
	cfg.Anchors = c.Anchor
	if c.Threshold != nil {
		cfg.Threshold = *c.Threshold
	}
	var anchors *int
	if len(c.Anchor) > 0 {
		anchors = new(int)
	}
	for _, f := range []struct {
		name    string
		given   *int
		to      *int
		methods []plagiarism.Method // that know it
	}{
		{"-k", c.K, &cfg.K, []plagiarism.Method{plagiarism.Full, plagiarism.Selective, plagiarism.Rarest, plagiarism.Anchors, plagiarism.Winnowing}},
		{"--window", c.Window, &cfg.Window, []plagiarism.Method{plagiarism.Winnowing}},
		{"--grams", c.Grams, &cfg.Grams, []plagiarism.Method{plagiarism.Rarest}},
		{"--anchor", anchors, new(int), []plagiarism.Method{plagiarism.Anchors}},
	} {
		if f.given == nil {
			continue
		}
		if c.Compare {
			return fmt.Errorf("%s and --compare cannot be combined: the comparison uses the default settings of each method", f.name)
		}
		if !slices.Contains(f.methods, cfg.Method) {
			return fmt.Errorf("%s does not apply to the method %v, only to %v", f.name, cfg.Method, f.methods)
		}
		*f.to = *f.given
	}
	return nil
}

// read reads the documents and reports their errors.
func (c *plagiarismTaskCmd) read(ctx context.Context, columns []plagiarism.Column, con *console) (*plagiarism.Essays, error) {
	in, shut, err := openFile(c.Vertical, aVertical.as(c.InputFormat), con)
	if err != nil {
		return nil, err
	}
	defer shut()
	r := vertical.NewReader(readers.Until(ctx, in), vertical.ReaderConfig{Name: c.Vertical, Strict: c.Strict, Ragged: true})
	shown := 0
	essays, err := plagiarism.ReadEssays(r, plagiarism.EssayConfig{Columns: columns, Text: c.Report != "", OnError: func(err *page.Error) {
		if shown++; shown <= shownErrors {
			fmt.Fprintf(con.err, "chaffinch: %s: %v\n", c.Vertical, err)
		}
	}})
	if err != nil {
		return nil, err
	}
	if shown > shownErrors {
		fmt.Fprintf(con.err, "chaffinch: %s: %s in all\n", c.Vertical, count(int64(shown), "problem"))
	}
	printRepairs(c.Vertical, r.Report(), con)
	return essays, nil
}

// compare prints the table of methods.
func (c *plagiarismTaskCmd) compare(ctx context.Context, essays *plagiarism.Essays, con *console) error {
	rows, err := plagiarism.CompareMethods(ctx, essays, plagiarism.CompareConfig{Methods: given(c.Method), Columns: given(c.Column),
		Similarities: given(c.Similarity), AllAuthors: c.Within == "all", Threshold: c.Threshold})
	if err != nil {
		return err
	}
	return plagiarism.WriteComparison(con.out, rows)
}

// valueOr returns the value of a flag, or otherwise.
func valueOr[T any](flag *T, otherwise T) T {
	if flag != nil {
		return *flag
	}
	return otherwise
}

// given is the flag's value as a list, nil if it was not given.
func given[T any](flag *T) []T {
	if flag == nil {
		return nil
	}
	return []T{*flag}
}
