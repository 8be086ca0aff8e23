package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"chaffinch/filter/nontext"
	trainnontext "chaffinch/lab/train/nontext"
	"chaffinch/lab/train/nontext/generate"
	"chaffinch/model"
	"chaffinch/page"
)

type trainNontextCmd struct {
	Good []string `arg:"" name:"good" help:"Good text: files and folders of a collection (JSONL, plain text, verticals), or archives of text files (tar, zip). The last of several inputs is the bad text, unless --made is given."`
	Out  string   `short:"o" required:"" placeholder:"FILE" help:"Model file to write."`

	Recall   float64  `range:"(0.5,1)" default:"${nontextRecall}" placeholder:"SHARE" help:"Share of good text to keep: sets the limit of the model, on held-out documents. Default: ${default}."`
	LimitOn  []string `placeholder:"PATH" help:"Good text of the target kind that is not learned from: raises the limits of its languages until no more than the wanted share of it is dropped."`
	MoreGood []string `placeholder:"PATH" help:"Further good text that is only learned from: it does not affect the limit."`
	MoreBad  []string `placeholder:"PATH" help:"Further bad text that is only learned from."`
	Weight   float64  `name:"more-weight" default:"${nontextWeight}" placeholder:"W" help:"Weight of a document of --more-good relative to others; a document of --more-bad has a quarter of it. Default: ${default}."`
	Shapes   bool     `help:"Use only the shapes of words, for languages missing from the training text. Default: words and characters too."`
	Made     []string `placeholder:"KIND" help:"All inputs are good text; generate bad text of these kinds from it, or of all: ${nontextKinds}. Default with one input: all."`
	SaveMade string   `placeholder:"FILE" help:"Also write the generated bad text (.jsonl)."`
	Seed     uint64   `default:"1" placeholder:"N" help:"Seed of the generated bad text. Default: ${default}."`
	HeldOut  int      `range:"[2,)" default:"${nontextHeldOut}" placeholder:"N" help:"Train N models that hold out one site in N (documents, if no site is known), for calibration and the limit. Default: ${default}."`
	Lang     string   `short:"l" placeholder:"TAG" help:"Language of all documents and of the model. Default: field or attribute lang of each document, else detected; the model is for all languages."`
	collectionInput
	Name  string `placeholder:"NAME" help:"Name of the model in its header."`
	About string `placeholder:"TEXT" help:"Description of the text and its licence, for the model's header."`
	Quiet bool   `short:"q" help:"No progress."`
}

// nontextVars are the defaults and names that the help of the flags shows.
var nontextVars = kong.Vars{
	"nontextRecall":  fmt.Sprint(trainnontext.Default.Recall),
	"nontextHeldOut": fmt.Sprint(trainnontext.Default.Folds),
	"nontextLoss":    fmt.Sprint(nontext.DefaultLoss),
	"nontextWeight":  fmt.Sprint(trainnontext.Default.ExtraWeight),
	"nontextKinds":   strings.Join(append([]string{"all"}, generate.Names()...), ", "),
}

// Help is the long text of --help.
func (trainNontextCmd) Help() string {
	return `Trains a model that separates text from non-text: stuffed keywords, spun and stitched phrases, machine-made
pages. Without bad text, such documents are generated from the good text. Use the model with chaffinch filter
--rules nontext --nontext-model FILE.

Examples:
  chaffinch train nontext good/ bad/ -o my.chf
  chaffinch train nontext good.jsonl -o my.chf --recall 0.98 --lang cs
  chaffinch train nontext news.jsonl forum.jsonl --made all --save-made made.jsonl -o my.chf`
}

// nontextCard is the model card in the header of the file.
type nontextCard struct {
	About string   `json:"about,omitempty"`
	Good  []string `json:"good"`
	Bad   []string `json:"bad,omitempty"`
	Made  []string `json:"made,omitempty"`
	Seed  uint64   `json:"seed,omitempty"`
	*trainnontext.Report
}

// Run trains, and prints the shares of held-out text that the model keeps and drops.
func (c *trainNontextCmd) Run(ctx context.Context, con *console) error {
	if err := canWrite(c.Out, c.SaveMade); err != nil {
		return err
	}
	cfg, j, err := c.sources(con)
	if err != nil {
		return err
	}
	bar := startBars(con, c.Quiet)
	j.OnProgress = bar.as("nontext")
	bad := 0
	j.OnError = func(e *page.Error) {
		if bad++; bad <= shownErrors {
			fmt.Fprintf(bar.errors, "chaffinch: %s\n", inFlags(e))
		}
	}
	var made []generate.Made
	if c.SaveMade != "" {
		j.OnMade = func(d generate.Made) error { made = append(made, d); return nil }
	}
	m, rep, full, err := trainnontext.TrainFrom(ctx, cfg, j)
	bar.stop()
	if errors.Is(err, context.Canceled) {
		return errors.New("stopped: nothing written")
	}
	if err != nil {
		return err
	}
	if c.SaveMade != "" {
		if err := writeFile(c.SaveMade, func(w io.Writer) error { return writeMade(w, made) }); err != nil {
			return err
		}
	}
	card, err := json.Marshal(c.card(&j, rep))
	if err != nil {
		return err
	}
	if err := m.Save(c.Out, model.Header{Name: c.Name, DataSHA256: rep.DataSHA256, Tool: "chaffinch " + version, Card: card}); err != nil {
		return err
	}
	return c.printResults(con.out, rep, full)
}

// sources returns the settings and inputs that the flags name.
func (c *trainNontextCmd) sources(con *console) (cfg trainnontext.Config, j trainnontext.Sources, err error) {
	cfg = trainnontext.Config{Shapes: c.Shapes, Recall: c.Recall, Folds: c.HeldOut, ExtraWeight: c.Weight, Lang: c.Lang}
	if err := cfg.Check(); err != nil {
		return cfg, j, err
	}
	j = trainnontext.Sources{Good: c.Good, ExtraGood: c.MoreGood, ExtraBad: c.MoreBad, Limit: c.LimitOn, Seed: c.Seed, Input: c.config(), Stdin: con.in, Lang: c.Lang}
	names := c.Made
	if len(names) == 1 && names[0] == "all" {
		names = generate.Names()
	}
	if n := len(c.Good); n > 1 && len(c.Made) == 0 {
		j.Good, j.Bad = c.Good[:n-1], c.Good[n-1:]
		if c.SaveMade != "" {
			return cfg, j, fmt.Errorf("--save-made: no bad text is generated, since %s is bad text: add --made all", j.Bad[0])
		}
	} else {
		j.Kinds, err = generate.KindsNamed(names)
	}
	if err != nil {
		err = fmt.Errorf("--made: %w", err)
	}
	return cfg, j, err
}

// card describes the model for its header.
func (c *trainNontextCmd) card(j *trainnontext.Sources, rep *trainnontext.Report) nontextCard {
	card := nontextCard{About: c.About, Report: rep}
	for _, p := range j.Good {
		card.Good = append(card.Good, filepath.Base(p))
	}
	for _, p := range j.Bad {
		card.Bad = append(card.Bad, filepath.Base(p))
	}
	if len(j.Kinds) > 0 {
		card.Seed = c.Seed
		for _, k := range j.Kinds {
			card.Made = append(card.Made, k.Name)
		}
	}
	return card
}

// printResults prints the results of training.
func (c *trainNontextCmd) printResults(w io.Writer, rep *trainnontext.Report, full bool) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s good, %s bad", count(int64(rep.Good), "document"), number(int64(rep.Bad)))
	if rep.Extra > 0 {
		fmt.Fprintf(out, ", %s more", number(int64(rep.Extra)))
	}
	fmt.Fprintln(out)
	if rep.Short > 0 {
		fmt.Fprintf(out, "%s skipped: fewer than %d words\n", count(int64(rep.Short), "document"), nontext.MinWords)
	}
	if full {
		fmt.Fprintln(out, "not all text was used for training")
	}
	fmt.Fprintf(out, "of the held-out documents %.1f %% of the good are kept, %.1f %% of the bad dropped\n", 100*rep.Kept, 100*rep.Found)
	for _, kind := range slices.Sorted(maps.Keys(rep.Kinds)) {
		fmt.Fprintf(out, "  %-12s %5.1f %% dropped\n", kind, 100*rep.Kinds[kind])
	}
	fmt.Fprintln(out, c.Out)
	return out.Flush()
}

// writeMade writes documents that were made as JSON lines.
func writeMade(w io.Writer, made []generate.Made) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for i, d := range made {
		if err := enc.Encode(struct {
			ID   string `json:"id"`
			Kind string `json:"kind"`
			Lang string `json:"lang"`
			Text string `json:"text"`
		}{fmt.Sprintf("made-%d", i+1), d.Kind, d.Lang, d.Text}); err != nil {
			return err
		}
	}
	return nil
}
