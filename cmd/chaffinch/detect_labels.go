package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"chaffinch/build/stage"
	"chaffinch/internal/sorts"
	"chaffinch/internal/termsafe"
	"chaffinch/page"
	"chaffinch/pipeline"
	"chaffinch/text/label"
	"chaffinch/text/label/registers"
)

type detectLabelsCmd struct {
	Input []string `arg:"" optional:"" help:"Files and folders: HTML, plain text, JSONL, WARC, WET or ARC, plain or compressed, recognised by content; - or nothing is standard input."`

	Model     string `short:"m" xor:"model" required:"" placeholder:"FILE" help:"Model of chaffinch train labels."`
	Registers bool   `xor:"model" required:"" help:"Use the embedded model of registers (docs/explanation/registers.md)."`
	Lines     bool   `xor:"unit" help:"Classify each line of the files, read as text (the encoding is detected)."`
	Raw       bool   `xor:"unit" help:"HTML: use all visible text of a page. Default: clean it by the default method."`
	detectInput

	Top  int  `placeholder:"N" help:"Print the N most probable classes, whether or not they reach their limits."`
	JSON bool `help:"Print JSON lines, with the probabilities of all classes."`
}

// Help is the long help.
func (detectLabelsCmd) Help() string {
	return fmt.Sprintf(`Prints a line for each page or document, separated by a tab: its classes with their probabilities, and the file or id.
With --lines: classes, file and number of the line, text. The class is other if no class reaches its limit. It is - if
the text has fewer than %d words, or the model has no training documents of its language. Registers are found in all languages.

Examples:
  chaffinch detect labels -m spam.chf pages/
  chaffinch detect labels --registers corpus.jsonl --json
  chaffinch detect labels -m topics.chf --lines --top 3 titles.txt`, label.MinWords)
}

const (
	other    = "other" // no class reaches its limit
	unscored = "-"     // the text has no probabilities
)

// labelled holds the classes of a text.
type labelled struct {
	ID     string `json:"id"`
	Number int    `json:"number,omitempty"` // of the line, from 1
	// Labels are the decided classes, nil if the text was not scored.
	Labels []string `json:"labels"`
	// P are the probabilities of all classes.
	P    map[string]float64 `json:"probabilities,omitempty"`
	Drop string             `json:"drop,omitempty"`
	Text string             `json:"text,omitempty"`
}

// Run prints the labels.
func (c *detectLabelsCmd) Run(ctx context.Context, con *console) error {
	m, err := c.model()
	if err != nil {
		return err
	}
	if len(c.Input) == 0 {
		c.Input = []string{"-"}
	}
	out := bufio.NewWriter(con.out)
	l := &labeller{model: m, anyLang: c.Registers, scorers: &sync.Pool{New: func() any { return label.NewScorer() }}}
	if c.Lines {
		err = eachLine(ctx, con, c.Input, c.InputFormat, out, func(text string) labelled { return l.label(label.Doc{Text: text}, "") }, func(name string, p piece[labelled]) error {
			p.found.ID, p.found.Number, p.found.Text = name, p.number, p.text
			return c.write(out, &p.found)
		})
	} else {
		err = c.pages(ctx, con, l, out)
	}
	return cmp.Or(err, out.Flush())
}

// model returns the model.
func (c *detectLabelsCmd) model() (*label.Model, error) {
	if c.Registers {
		return registers.Embedded()
	}
	return label.Load(c.Model)
}

// pages classifies every page or document.
func (c *detectLabelsCmd) pages(ctx context.Context, con *console, l *labeller, out *bufio.Writer) error {
	all, err := stage.Options{Method: "keep", NoMetadata: true}.Build()
	if err != nil {
		return err
	}
	cleaning, err := stage.Options{NoMetadata: true}.Build()
	if err != nil {
		return err
	}
	return eachPage(ctx, con, c.Input, &c.detectInput, func(p *page.Page) (a labelled, err error) {
		stages := cleaning
		if c.Raw || p.MIME == "text/plain" {
			stages = all
		}
		if err := pipeline.Do(ctx, stages, p, pipeline.Default.PageTime); err != nil || p.Drop != page.None {
			return a, err
		}
		d := label.Doc{Text: p.Text()}
		if l.model.Config().Scales[label.Facts] > 0 {
			d.Facts = label.URLFacts(p.URL)
		}
		return l.label(d, p.Lang), nil
	}, func(p *page.Page, a labelled) error {
		a.ID, a.Drop = p.ID, p.Drop.String()
		return c.write(out, &a)
	})
}

// labeller classifies texts with any number of workers.
type labeller struct {
	model   *label.Model
	anyLang bool // whether to classify texts in languages without training documents, as clean --registers does
	scorers *sync.Pool
}

// label classifies a document in a language, a BCP 47 tag, "" if unknown.
func (l *labeller) label(d label.Doc, lang string) (a labelled) {
	if !l.anyLang && !l.model.Knows(lang) {
		return a
	}
	s := l.scorers.Get().(*label.Scorer)
	defer l.scorers.Put(s)
	p, ok := s.Score(l.model, d)
	if !ok {
		return a
	}
	a.Labels, a.P = []string{}, map[string]float64{}
	for c, class := range l.model.Classes() {
		a.P[class.Name] = round(p[c])
	}
	for _, c := range l.model.Decide(p, nil) {
		a.Labels = append(a.Labels, l.model.Classes()[c].Name)
	}
	return a
}

// write prints the labels of a text.
func (c *detectLabelsCmd) write(out *bufio.Writer, a *labelled) error {
	if c.JSON {
		b, err := json.Marshal(a)
		if err != nil {
			return err
		}
		_, err = out.Write(append(b, '\n'))
		return err
	}
	shown := a.Labels
	if c.Top > 0 {
		shown = sorts.ByValue(a.P)
		shown = shown[:min(c.Top, len(shown))]
	}
	var line []byte
	switch {
	case a.P == nil:
		line = append(line, unscored...)
	case len(shown) == 0:
		line = append(line, other...)
	}
	for i, name := range shown {
		if i > 0 {
			line = append(line, ", "...)
		}
		line = strconv.AppendFloat(append(append(line, name...), ' '), a.P[name], 'f', 3, 64)
	}
	line = append(append(line, '\t'), termsafe.Field(a.ID)...)
	if a.Number > 0 {
		line = strconv.AppendInt(append(line, ':'), int64(a.Number), 10)
		line = append(append(line, '\t'), strings.NewReplacer("\t", " ", "\r", " ").Replace(a.Text)...)
	}
	_, err := out.Write(append(line, '\n'))
	return err
}
