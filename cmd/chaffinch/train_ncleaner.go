package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"chaffinch/clean"
	"chaffinch/clean/ncleaner"
	evalclean "chaffinch/lab/eval/clean"
	trainncleaner "chaffinch/lab/train/ncleaner"
	"chaffinch/model"
	"chaffinch/page"
)

type trainNcleanerCmd struct {
	Pages string   `placeholder:"PATH" xor:"input" required:"" help:"Folder or archive (tar, also compressed with zstd or gzip) with html/ID.html and gold/ID.txt, the clean text with one paragraph per line."`
	Raw   string   `placeholder:"PATH" xor:"input" required:"" help:"Folder or archive of text dumps, instead of --pages; needs --clean."`
	Clean string   `placeholder:"PATH" help:"The files of --raw, cleaned by hand."`
	Skip  []string `placeholder:"ID" help:"Ids of pages to skip, separated by commas."`

	Out           string `short:"o" placeholder:"FILE" help:"Model file to write. Needs at least about 30 pages (the paper's learning curve is flat from 50)."`
	CrossValidate string `placeholder:"DIR" help:"Cross-validate, and write DIR/ID.txt and ID.tsv (with types) for each page, cleaned by models of the other folds. \"chaffinch eval clean --predictions DIR\" scores them."`
	Tune          bool   `help:"Print the cross-entropy of unseen raw text, in bits per character, for each n up to --order (at least 6) and several q."`
	Figure        string `placeholder:"FILE" help:"With --tune: draw the curves as an SVG file."`
	Folds         int    `default:"10" help:"Folds of the cross-validation, assigned by page id. Default: ${default}."`

	Order        int     `range:"[1,8]" was:"n" default:"3" help:"Characters in an n-gram, 1 to 8. Default: ${default}."`
	Q            float64 `range:"(0,1)" default:"0.5" help:"Weight of each shorter history relative to the next longer one, between 0 and 1. Default: ${default}."`
	Unicode      bool    `help:"Use separate symbols for characters above ASCII that occur at least --min-char-count times; otherwise all are one symbol (~)."`
	MinCharCount int     `was:"min-rune" default:"10" help:"Minimum count of a character for --unicode. Default: ${default}."`
	NonLexical   bool    `help:"Map all letters to a and all digits to 0, for languages without training pages."`

	Threshold float64 `range:"(,)" default:"0" help:"With --cross-validate: minimum score of kept text, in bits per character. Default: ${default}."`
	NoBars    bool    `help:"With --cross-validate: no rule for navigation bars."`
	Name      string  `placeholder:"NAME" help:"Name of the model in its header."`
	About     string  `placeholder:"TEXT" help:"Description of the pages and their licence, for the model's header."`
}

// Help is the long text of --help.
func (trainNcleanerCmd) Help() string {
	return `Examples:
  chaffinch train ncleaner --pages mypages/ -o my.chf
  chaffinch train ncleaner --pages mypages/ --cross-validate predictions/
  chaffinch train ncleaner --pages mypages/ --tune --order 8 --figure curves.svg
  chaffinch train ncleaner --raw dumps/ --clean cleaned/ -o my.chf
  chaffinch clean --method ncleaner --config '{"model":"my.chf"}' page.html`
}

// ncleanerCard is the model card in the header of the file.
type ncleanerCard struct {
	About string         `json:"about,omitempty"`
	Data  []ncleanerData `json:"data"`
	trainncleaner.Stats
}

// ncleanerData names a folder or archive of pages, without its path.
type ncleanerData struct {
	Name string `json:"name"`
}

// card describes the model for its header.
func (c *trainNcleanerCmd) card(s trainncleaner.Stats) ([]byte, error) {
	card := ncleanerCard{About: c.About, Stats: s}
	for _, path := range []string{c.Pages, c.Raw, c.Clean} {
		if path != "" {
			card.Data = append(card.Data, ncleanerData{filepath.Base(path)})
		}
	}
	return json.Marshal(card)
}

// Run trains, and writes or prints the requested outputs.
func (c *trainNcleanerCmd) Run(ctx context.Context, con *console) error {
	if err := canWrite(c.Out); err != nil {
		return err
	}
	if c.Out == "" && c.CrossValidate == "" && !c.Tune {
		return errors.New("no output: give -o FILE, --cross-validate DIR or --tune")
	}
	examples, err := c.examples(ctx)
	if err != nil {
		return err
	}
	cfg := ncleaner.ModelConfig{N: c.Order, Q: c.Q, Unicode: c.Unicode, NonLexical: c.NonLexical}
	if c.Unicode {
		cfg.MinRune = c.MinCharCount
	}
	if c.Tune {
		if err := c.tune(con, cfg, examples); err != nil {
			return err
		}
	}
	if c.Out == "" && c.CrossValidate == "" {
		return nil
	}
	t, err := trainncleaner.NewTrainer(cfg, examples)
	if err != nil {
		return err
	}
	if c.CrossValidate != "" {
		if err := c.crossValidate(ctx, t); err != nil {
			return err
		}
		fmt.Fprintf(con.out, "%d pages cleaned in %d folds: %s\n", len(examples), c.Folds, c.CrossValidate)
	}
	if c.Out == "" {
		return nil
	}
	m, err := t.Model()
	if err != nil {
		return err
	}
	card, err := c.card(t.Stats())
	if err != nil {
		return err
	}
	if err := m.Save(c.Out, model.Header{Name: c.Name, DataSHA256: t.DataSHA256(), Tool: "chaffinch " + version, Card: card}); err != nil {
		return err
	}
	s := t.Stats()
	_, err = fmt.Fprintf(con.out, "%d pages, %d characters raw, %d clean; %d symbols, %d clean and %d dirty %d-grams: %s\n",
		s.Pages, s.RawChars, s.CleanChars, s.Symbols, s.CleanGrams, s.DirtyGrams, c.Order, c.Out)
	return err
}

func (c *trainNcleanerCmd) examples(ctx context.Context) ([]trainncleaner.Example, error) {
	switch {
	case c.Pages != "" && c.Clean != "":
		return nil, errors.New("--clean needs --raw; with --pages the clean text is in gold/")
	case c.Pages != "":
		return trainncleaner.ReadPages(ctx, c.Pages, c.Skip)
	case c.Clean == "":
		return nil, errors.New("--raw needs --clean (the same files, cleaned)")
	}
	return trainncleaner.ReadDumps(ctx, c.Raw, c.Clean, c.Skip)
}

// minTuneN is the least range of n that --tune shows.
const minTuneN = 6

func (c *trainNcleanerCmd) tune(con *console, cfg ncleaner.ModelConfig, examples []trainncleaner.Example) error {
	cfg.N = max(cfg.N, minTuneN)
	t, err := trainncleaner.NewTrainer(cfg, examples)
	if err != nil {
		return err
	}
	points := t.Tune(c.Folds)
	if err := trainncleaner.WriteTable(con.out, points); err != nil {
		return err
	}
	best := trainncleaner.Best(points)
	fmt.Fprintf(con.out, "lowest: %.3f bits per character at n = %d, q = %.2f\n", best.Bits, best.N, best.Q)
	if c.Figure == "" {
		return nil
	}
	return writeFile(c.Figure, func(w io.Writer) error { return trainncleaner.WriteSVG(w, points) })
}

// crossValidate writes each page as cleaned by a model that was trained on other pages.
func (c *trainNcleanerCmd) crossValidate(ctx context.Context, t *trainncleaner.Trainer) error {
	cfg := ncleaner.Config{Threshold: c.Threshold, Bars: !c.NoBars}
	out := evalclean.Output{Pages: map[string]evalclean.Prediction{}}
	err := t.CrossValidate(c.Folds, func(p *page.Page, m *ncleaner.Model) error {
		if !filepath.IsLocal(p.ID) {
			return fmt.Errorf("page id %q is outside of the folder: rename the page", p.ID)
		}
		stage := clean.Stage{Labeller: ncleaner.WithModel(cfg, m)}
		if err := stage.Do(ctx, p); err != nil {
			return err
		}
		out.Pages[p.ID] = evalclean.FromPage(p)
		return nil
	})
	if err != nil {
		return err
	}
	return out.Save(c.CrossValidate)
}
