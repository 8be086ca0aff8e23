package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"chaffinch/build/recipe"
	"chaffinch/clean"
	"chaffinch/extract"
	"chaffinch/input"
	"chaffinch/internal/termsafe"
	"chaffinch/page"
	"chaffinch/pipeline"
	"chaffinch/text/langid"
)

type detectLangCmd struct {
	Input []string `arg:"" optional:"" help:"Files and folders: HTML, plain text, JSONL, WARC, WET or ARC, plain or compressed, recognised by content; - or nothing is standard input."`

	Lines  bool `xor:"unit" help:"Classify each line of the files, read as text (the encoding is detected)."`
	Blocks bool `xor:"unit" help:"Classify each block (paragraph, heading, item, cell) of the pages."`
	Totals bool `xor:"unit" help:"Print one table: for each language its pages, words and share of the words."`
	detectInput

	Langid        langidFile `short:"m" was:"model" placeholder:"FILE" help:"Language model, written by chaffinch train langid. Default: the embedded one."`
	Close         string     `placeholder:"FILE" help:"Model of close languages, written by chaffinch train close. Default: the embedded one."`
	Varieties     bool       `help:"Also identify varieties of languages, such as pt-BR, pt-PT, en-GB and en-US."`
	Langs         []string   `short:"l" placeholder:"TAG" help:"Possible languages, such as cs,sk. Default: all languages of the model."`
	MinConfidence float64    `range:"[0,1]" default:"0.5" placeholder:"X" help:"Confidence, 0 to 1, below which the result is und (undetermined). Default: ${default}."`
	Top           int        `placeholder:"N" help:"Print the N most probable languages, each with its confidence."`
	JSON          bool       `help:"Print JSON lines."`
	Format        string     `short:"f" default:"text" enum:"text,html" help:"text, or html: a page with bars of the documents and words of each language, for one table as with --totals. Default: ${default}."`
}

// Help is the long help.
func (detectLangCmd) Help() string {
	return `Prints a line for each page, separated by tabs: language, confidence, the languages of its blocks with their shares, and
the file or id. With --lines or --blocks: language, confidence, file and number of the line or block, text. A line of
more than 1 MiB is split into parts with the same number. Languages are BCP 47 tags; und: undetermined; zxx: no language.
With --lines, a line that does not show which of several close languages it is in gets their common tag: no (nb, nn),
sh (bs, hr, sr-Latn), poz (ms, id).
The confidence of a page is the share of its text that is surely in the language. The declared language decides between
similar languages, and for pages with hardly any text.

Examples:
  chaffinch detect lang pages/
  chaffinch detect lang --totals pages/
  chaffinch detect lang -f html pages/ >languages.html
  chaffinch detect lang --lines sentences.txt
  chaffinch detect lang --blocks page.html
  chaffinch detect lang corpus.jsonl --text-field body --json
  echo 'Dobrý den' | chaffinch detect lang --lines --langs cs,sk --top 2`
}

// covered returns the languages that a tag includes.
func covered(wanted string, langs []string) []string {
	return slices.DeleteFunc(langs, func(l string) bool { return !langid.Covers(wanted, l) })
}

// Run prints the languages.
func (c *detectLangCmd) Run(ctx context.Context, con *console) error {
	cfg := langid.DefaultPage
	cfg.Close, cfg.Varieties, cfg.MinConfidence = c.Close, c.Varieties, c.MinConfidence
	if c.Lines {
		cfg.MinClose = langid.Default.MinClose
	}
	d, err := langid.New(cfg.Config)
	if err != nil {
		return err
	}
	all := cfg.Config
	for _, wanted := range c.Langs {
		of := covered(wanted, d.Langs())
		if len(of) == 0 && !all.Varieties { // perhaps a variety, such as pt-BR
			all.Varieties = true
			if d, err = langid.New(all); err != nil {
				return err
			}
			of = covered(wanted, d.Langs())
		}
		if len(of) == 0 {
			_, err := langid.NewFilter(langid.FilterConfig{Config: all, Langs: []langid.Wanted{{Lang: wanted}}, Unit: "page"})
			return fmt.Errorf("--langs: %w", err)
		}
		cfg.Langs = append(cfg.Langs, of...)
	}
	if all.Varieties && len(cfg.Langs) > 0 { // varieties are identified within their languages
		one := all
		one.Varieties = false
		if d, err = langid.New(one); err != nil {
			return err
		}
		for _, l := range slices.Clone(cfg.Langs) {
			if base, _, _ := strings.Cut(l, "-"); !slices.Contains(d.Langs(), l) && !slices.Contains(cfg.Langs, base) {
				cfg.Langs = append(cfg.Langs, base)
			}
		}
	}
	cfg.Varieties = all.Varieties
	if d, err = langid.New(cfg.Config); err != nil {
		return err
	}
	if len(c.Input) == 0 {
		c.Input = []string{"-"}
	}
	w := &langWriter{cmd: c, d: d, out: bufio.NewWriter(con.out)}
	if c.Format == "html" && (c.Lines || c.Blocks || c.JSON) {
		return errors.New("--format html: it counts the languages of pages, without --lines, --blocks and --json")
	}
	if c.Totals || c.Format == "html" {
		if c.Top > 0 {
			return errors.New("--top: it goes with a line for each page, not with --totals or --format html")
		}
		w.totals = map[string]*langTotal{}
	}
	if c.Lines {
		err = eachLine(ctx, con, c.Input, c.InputFormat, w.out, func(text string) langid.Guess { return d.Detect(text) }, func(name string, p piece[langid.Guess]) error {
			return w.write(answer{ID: name, Number: p.number, guessJSON: rounded(p.found), Text: p.text}, p.text)
		})
	} else {
		err = c.pages(ctx, con, w, cfg)
	}
	if w.totals != nil && (err == nil || errors.As(err, new(errNo))) {
		err = errors.Join(w.writeTotals(), err)
	}
	if e := w.out.Flush(); err == nil {
		err = e
	}
	return err
}

// pages detects the language of every page, or of its blocks.
func (c *detectLangCmd) pages(ctx context.Context, con *console, w *langWriter, cfg langid.PageConfig) error {
	pages, err := langid.NewPages(cfg)
	if err != nil {
		return err
	}
	keep := langid.DefaultFilter
	keep.Config, keep.All = cfg.Config, true
	blocks, err := langid.NewFilter(keep)
	if err != nil {
		return err
	}
	cut := extract.Default
	cut.Metadata = false // but for the language that a page declares
	ex, err := extract.New(cut)
	if err != nil {
		return err
	}
	stages := []pipeline.Stage{ex, pages, &clean.Stage{Labeller: clean.Keep{}}, blocks}
	return eachPage(ctx, con, c.Input, &c.detectInput, func(p *page.Page) (struct{}, error) {
		p.Lang = "" // the language stated by the input is ignored
		return struct{}{}, pipeline.Do(ctx, stages, p, pipeline.Default.PageTime)
	}, func(p *page.Page, _ struct{}) error { return w.page(p) })
}

// detectInput holds the flags of the pages and documents whose properties are detected.
type detectInput struct {
	pageFormatFlag
	TextField string `placeholder:"NAME" xor:"field" help:"Field of JSON lines with plain text. Default: text."`
	HTMLField string `placeholder:"NAME" xor:"field" help:"Field of JSON lines with HTML."`
}

// eachPage calls detect for each page of the inputs, concurrently, and use with the result in their
// order; the result of a dropped page is its zero value. Pages that cannot be read are reported and
// skipped, and cause an error after the last one.
func eachPage[T any](ctx context.Context, con *console, inputs []string, c *detectInput, detect func(p *page.Page) (T, error), use func(p *page.Page, found T) error) error {
	in := input.Default
	in.Stdin, in.Parquet = con.in, recipe.ReadParquet
	if c.TextField != "" {
		in.Field = c.TextField
	}
	if c.HTMLField != "" {
		in.Field, in.FieldHTML = c.HTMLField, true
	}
	c.pageFormatFlag.set(&in, con)
	r, err := input.Open(inputs, in)
	if err != nil {
		return err
	}
	defer r.Close()
	bad := int64(0)
	type asked struct {
		p     *page.Page
		found T
		err   error
	}
	err = pipeline.Flow[asked]{Memory: pipeline.PageMemory(0), Size: func(a *asked) int64 {
		if a.p == nil {
			return 0
		}
		return pipeline.Memory(a.p)
	}, Read: func(a *asked) error {
		if a.p, a.err = r.Next(); a.err == io.EOF || errors.As(a.err, new(*pipeline.Fatal)) {
			return a.err
		}
		return nil
	}, Work: func(_ int, a *asked) error {
		if a.err == nil && a.p.Drop == page.None {
			a.found, a.err = detect(a.p)
		}
		return nil
	}, Use: func(a *asked) error {
		defer func() { *a = asked{} }()
		if a.err != nil {
			if !errors.Is(a.err, page.ErrEmpty) {
				bad++
			}
			fmt.Fprintf(con.err, "chaffinch: %v\n", a.err)
			return nil
		}
		return use(a.p, a.found)
	}}.Run(ctx)
	if err != nil {
		return err
	}
	if bad > 0 {
		return errNo{fmt.Sprintf("%s could not be read", count(bad, "piece"))}
	}
	return nil
}

// langWriter prints answers.
type langWriter struct {
	cmd *detectLangCmd
	d   *langid.Detector
	out *bufio.Writer

	line        []byte // of the output, used again
	name, shown string // of the last input, and as a field of a line

	totals map[string]*langTotal // by language; nil if lines are printed
}

// guessJSON is a language in JSON.
type guessJSON struct {
	Lang       string  `json:"lang"`
	Confidence float64 `json:"confidence"`
}

// append appends the language and the confidence, with a character between them.
func (g guessJSON) append(line []byte, between byte) []byte {
	return strconv.AppendFloat(append(append(line, g.Lang...), between), g.Confidence, 'f', 3, 64)
}

// answer is a line of the output.
type answer struct {
	ID string `json:"id"`
	// Number is the number of the line or block, from 1.
	Number int `json:"number,omitempty"`
	guessJSON
	Langs []page.LangShare `json:"langs,omitempty"`
	Top   []guessJSON      `json:"top,omitempty"`
	Drop  string           `json:"drop,omitempty"`
	Text  string           `json:"text,omitempty"`
}

// page prints the language of a page or of each of its blocks.
func (w *langWriter) page(p *page.Page) error {
	if !w.cmd.Blocks {
		a := answer{ID: p.ID, guessJSON: rounded(langid.Guess{Lang: p.Lang, Confidence: p.LangConfidence}), Langs: p.Langs, Drop: p.Drop.String()}
		if a.Lang == "" || a.Confidence < w.cmd.MinConfidence && a.Confidence > 0 {
			a.Lang = langid.Undetermined
		}
		for i := range a.Langs {
			a.Langs[i].Share = round(a.Langs[i].Share)
		}
		if w.totals != nil {
			w.total(a.Lang, p)
			return nil
		}
		text := ""
		if w.cmd.Top > 0 {
			text = visible(p)
		}
		return w.write(a, text)
	}
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if b.Hidden {
			continue
		}
		g := langid.Guess{Lang: b.Lang, Confidence: b.LangConfidence}
		if err := w.write(answer{ID: p.ID, Number: i + 1, guessJSON: rounded(g), Text: b.Text}, b.Text); err != nil {
			return err
		}
	}
	return nil
}

// visible returns the text that a page shows.
func visible(p *page.Page) string {
	var s strings.Builder
	for i := range p.Blocks {
		if !p.Blocks[i].Hidden {
			s.WriteString(p.Blocks[i].Text)
			s.WriteByte('\n')
		}
	}
	return s.String()
}

// write prints an answer; text is ranked if several languages are asked for.
func (w *langWriter) write(a answer, text string) error {
	if w.cmd.Top > 0 {
		for _, g := range w.d.Rank(nil, text, w.cmd.Top) {
			a.Top = append(a.Top, rounded(g))
		}
	}
	if w.cmd.JSON {
		b, err := json.Marshal(a)
		if err != nil {
			return err
		}
		_, err = w.out.Write(append(b, '\n'))
		return err
	}
	line := w.line[:0]
	if w.cmd.Top > 0 {
		if len(a.Top) == 0 { // no language is possible
			line = a.append(line, ' ')
		}
		for i, g := range a.Top {
			if i > 0 {
				line = append(line, ", "...)
			}
			line = g.append(line, ' ')
		}
	} else {
		line = a.append(line, '\t')
	}
	line = append(line, '\t')
	if a.Number == 0 {
		for i, l := range a.Langs {
			if i > 0 {
				line = append(line, ", "...)
			}
			line = guessJSON{l.Lang, l.Share}.append(line, ' ')
		}
		line = append(append(line, '\t'), termsafe.Field(a.ID)...)
	} else {
		line = append(append(line, w.field(a.ID)...), ':')
		line = append(strconv.AppendInt(line, int64(a.Number), 10), '\t')
		from := len(line)
		line = append(line, a.Text...)
		for _, c := range []byte("\t\n\r") { // would break a line or a column
			text := line[from:]
			for i := bytes.IndexByte(text, c); i >= 0; i = bytes.IndexByte(text, c) {
				text[i] = ' '
				text = text[i+1:]
			}
		}
	}
	w.line = append(line, '\n')
	_, err := w.out.Write(w.line)
	return err
}

// field is the name of an input as a field of a line.
func (w *langWriter) field(name string) string {
	if name != w.name {
		w.name, w.shown = name, termsafe.Field(name)
	}
	return w.shown
}

func rounded(g langid.Guess) guessJSON { return guessJSON{g.Lang, round(g.Confidence)} }

func round(x float64) float64 { return math.Round(1000*x) / 1000 }
