package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"

	"chaffinch/clean/lines"
	"chaffinch/input"
	"chaffinch/lab/annotate"
)

type annotateLinesCmd struct {
	Input []string `arg:"" optional:"" help:"Documents: text files, folders, WET, JSONL, plain or compressed, or labelled lines (TSV, JSONL). Without any: those of the file that -o names."`
	Out   string   `short:"o" required:"" placeholder:"FILE" help:"Where labels go: a name that ends in .tsv (for spreadsheets) or .jsonl. If the file exists, its documents come first; unfinished documents wait in FILE.draft beside it."`

	Model  string `short:"m" default:"embedded" placeholder:"FILE" help:"Model of the method lines that proposes labels: a file, or embedded. Default: ${default}."`
	Blank  bool   `help:"Propose no labels, so that the model does not influence the annotator: for documents to evaluate with."`
	Lang   string `short:"l" placeholder:"TAG" help:"Language of all documents, such as sv. Default: detected from the text of each."`
	Sample int    `placeholder:"N" help:"Take N documents at random (see --seed). Default: all."`
	Seed   uint64 `default:"1" help:"Which documents --sample takes."`
	pageFormatFlag
	TextField string `placeholder:"NAME" help:"Field of JSON lines that holds the text. Default: text."`
	Rows      int    `range:"[3,)" default:"24" placeholder:"N" help:"Rows of the screen where it is not a terminal. Default: ${default}."`
	Columns   int    `range:"[10,)" default:"80" placeholder:"N" help:"Columns of the screen where it is not a terminal. Default: ${default}."`
}

// Help is the long text of --help.
func (annotateLinesCmd) Help() string {
	return `Shows the documents one by one, with labels that a model proposes. t and b label the line at the cursor as text or boilerplate; enter marks the document as done and goes to the next; ? shows all keys and a short form of the guidelines (in full: docs/annotation.md). After each document the labels are saved; earlier labels are never lost.

Where standard input or output is not a terminal, keys are read as lines of standard input and the screen is printed after each: "ttb" labels three lines, "12b" twelve, "/word" searches, "enter", "down",
"pgdn" and so on are the keys of these names.

Colours are left out where NO_COLOR is set.

Examples:
  chaffinch annotate lines pages/ -o mine.tsv
  chaffinch annotate lines crawl.wet.gz --sample 30 -o mine.tsv
  chaffinch annotate lines -o mine.tsv`
}

// Run shows the documents.
func (c *annotateLinesCmd) Run(ctx context.Context, con *console) error {
	if err := canWrite(c.Out); err != nil {
		return err
	}
	for _, in := range c.Input {
		if in == "-" {
			return errors.New("documents cannot come from standard input, since the keys do: name files")
		}
	}
	store, docs, err := c.open(ctx, con)
	if err != nil {
		return err
	}
	cfg := annotate.Default
	cfg.Width, cfg.Height = c.Columns, c.Rows
	if !c.Blank {
		m, err := lines.Load(c.Model)
		if err != nil {
			return err
		}
		cfg.Threshold = float32(m.Threshold())
		cfg.Propose = func(lang string, text []string) []float32 { return m.Score(nil, lang, text) }
	}
	s := annotate.New(docs, cfg)
	save := func() error {
		n, err := store.Save(context.WithoutCancel(ctx), docs) // a signal is when it counts
		s.Saved(fmt.Sprintf("%s in %s", count(int64(n), "document"), c.Out), err)
		return err
	}
	in, _ := fileOf(con.in)
	out, _ := fileOf(con.out)
	if isTerminal(con.in) && isTerminal(con.out) && os.Getenv("TERM") != "dumb" {
		s.SetColor(colored(con.out))
		err = terminal{in, out, s, save}.run(ctx)
	} else {
		err = c.script(ctx, con, s, save)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(con.out, c.told(s))
	return err
}

// open reads the documents and what is labelled of them.
func (c *annotateLinesCmd) open(ctx context.Context, con *console) (*annotate.Store, []*annotate.Doc, error) {
	var docs []*annotate.Doc
	if len(c.Input) > 0 {
		cfg := annotate.ReadConfig{Input: input.Default, Lang: c.Lang, Sample: c.Sample, Seed: c.Seed}
		if c.TextField != "" {
			cfg.Input.Field = c.TextField
		}
		c.pageFormatFlag.set(&cfg.Input, con)
		skipped := 0
		cfg.Skipped = func(err error) {
			if skipped++; skipped <= shownErrors {
				fmt.Fprintf(con.err, "chaffinch: %v\n", err)
			}
		}
		var err error
		if docs, err = annotate.Read(ctx, c.Input, cfg); err != nil {
			return nil, nil, err
		}
		if skipped > shownErrors {
			fmt.Fprintf(con.err, "chaffinch: %s could not be read\n", count(int64(skipped), "document"))
		}
	}
	store, docs, err := annotate.OpenStore(ctx, c.Out, docs)
	if err == nil && len(docs) == 0 {
		err = fmt.Errorf("%s is not there yet: name documents to label", c.Out)
	}
	return store, docs, err
}

// told says how far the work is.
func (c *annotateLinesCmd) told(s *annotate.State) string {
	msg := fmt.Sprintf("%d of %s done", s.Done(), count(int64(len(s.Docs)), "document"))
	if _, err := os.Stat(c.Out); err == nil {
		msg += ": " + c.Out
	} else if s.Done() > 0 { // they came labelled
		msg += "; nothing was changed, so that " + c.Out + " is not written"
	}
	if _, err := os.Stat(c.Out + ".draft"); err == nil {
		msg += "; what is begun waits in " + c.Out + ".draft"
	}
	return msg
}

// script takes keys from lines and prints the screen after each.
func (c *annotateLinesCmd) script(ctx context.Context, con *console, s *annotate.State, save func() error) error {
	show := func() error {
		rows := slices.DeleteFunc(s.Screen(), func(row string) bool { return row == "" })
		_, err := fmt.Fprintln(con.out, strings.Join(rows, "\n"))
		return err
	}
	if err := show(); err != nil {
		return err
	}
	typed := bufio.NewScanner(con.in)
	for n := 1; typed.Scan(); n++ {
		keys, err := annotate.ParseKeys(typed.Text())
		if err != nil {
			return errors.Join(fmt.Errorf("standard input:%d: %w", n, err), saveRest(s, save))
		}
		for _, k := range keys {
			switch s.Press(k) {
			case annotate.Save:
				if err := save(); err != nil {
					return err
				}
			case annotate.Quit:
				return nil
			}
		}
		if err := show(); err != nil {
			return errors.Join(err, saveRest(s, save))
		}
	}
	return errors.Join(typed.Err(), saveRest(s, save))
}

// saveRest saves at an end that nobody asked for.
func saveRest(s *annotate.State, save func() error) error {
	if !s.Unsaved() {
		return nil
	}
	return save()
}

// terminal is the screen of a terminal.
type terminal struct {
	in, out *os.File
	state   *annotate.State
	save    func() error
}

// What a terminal is told (ECMA-48 and the usual private modes): the other
// screen, no cursor, and back.
const (
	otherScreen = "\x1b[?1049h\x1b[?25l"
	firstScreen = "\x1b[?25h\x1b[?1049l"
)

// run shows the screen and takes keys until the work ends. Signals and the end
// of the input save what there is.
func (t terminal) run(ctx context.Context) (err error) {
	before, err := term.MakeRaw(int(t.in.Fd()))
	if err != nil {
		return fmt.Errorf("the terminal cannot be read key by key: %w", err)
	}
	defer func() {
		_, e := t.out.WriteString(firstScreen)
		err = errors.Join(err, e, term.Restore(int(t.in.Fd()), before))
	}()
	if _, err := t.out.WriteString(otherScreen); err != nil {
		return err
	}
	bytes := make(chan []byte)
	go func() {
		defer close(bytes)
		for {
			b := make([]byte, 4096)
			n, err := t.in.Read(b)
			if n > 0 {
				bytes <- b[:n]
			}
			if err != nil {
				return
			}
		}
	}()
	resized, stop := onResize()
	defer stop()
	var keys annotate.Decoder
	for {
		if w, h, err := term.GetSize(int(t.out.Fd())); err == nil {
			t.state.Resize(w, h)
		}
		if err := t.draw(); err != nil {
			return errors.Join(err, saveRest(t.state, t.save))
		}
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), saveRest(t.state, t.save))
		case <-resized:
		case b, ok := <-bytes:
			if !ok {
				return saveRest(t.state, t.save)
			}
			for _, k := range keys.Keys(b) {
				switch t.state.Press(k) {
				case annotate.Save:
					_ = t.save() // the screen tells
				case annotate.Quit:
					return nil
				}
			}
		}
	}
}

// draw writes the screen anew, without a moment in which it is empty.
func (t terminal) draw() error {
	var b strings.Builder
	b.WriteString("\x1b[H")
	for i, row := range t.state.Screen() {
		if i > 0 {
			b.WriteString("\r\n")
		}
		b.WriteString("\x1b[2K" + row) // before the row: behind a full one it would take its last character
	}
	b.WriteString("\x1b[J")
	_, err := t.out.WriteString(b.String())
	return err
}
