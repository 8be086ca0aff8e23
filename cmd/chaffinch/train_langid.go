package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	langidtrain "chaffinch/lab/train/langid"
	"chaffinch/model"
	"chaffinch/text/langid"
)

type trainLangidCmd struct {
	Input  []string `arg:"" help:"Text of known language. A file *.txt, or a folder or tar archive (also compressed with zstd or gzip) of *.txt in UTF-8: the language is the name after a folder \"txt\" (guide/txt/de/intro.txt), else the file name (de.txt). INPUT=TAG: the whole input is in one language. A file *.tsv: lines of a tag, a tab and text."`
	Out    string   `short:"o" required:"" placeholder:"FILE" help:"Model file to write."`
	Config string   `placeholder:"{JSON}" help:"Training settings that differ from the defaults (lab/train/langid.Config), such as {\"words\":50000,\"groups\":[{\"name\":\"cs-sk\",\"langs\":[\"cs\",\"sk\"]}]}."`
	Report string   `placeholder:"FILE" help:"Write the table of held-out figures by language as Markdown."`
	Name   string   `default:"langid" placeholder:"NAME" help:"Name of the model in its header. Default: ${default}."`
	About  string   `was:"card" placeholder:"TEXT" help:"Description of the text and its licences, for the model card."`
	Quiet  bool     `short:"q" help:"No progress."`
}

// Help is the long text of --help.
func (trainLangidCmd) Help() string {
	return `One line in sixteen is held out to calibrate confidences and to compute the printed figures.
Text of a region (pt-BR.txt) trains a separate language. Text without a region (pt.txt) includes the regions of the language.

Examples:
  chaffinch train langid ml.tar.zst novels=de -o my.chf
  chaffinch train langid sentences.tsv -o my.chf --report card.md`
}

// langidCard is the model card in the header of the file.
type langidCard struct {
	About string                `json:"about,omitempty"`
	Langs []langidtrain.HeldOut `json:"langs"`
}

// Run trains and writes the model.
func (c *trainLangidCmd) Run(ctx context.Context, con *console) error {
	if err := canWrite(c.Out, c.Report); err != nil {
		return err
	}
	cfg := langidtrain.Default
	if err := applyConfig(c.Config, &cfg); err != nil {
		return err
	}
	var corpus langidtrain.Corpus
	for _, in := range c.Input {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := c.read(&corpus, in, con); err != nil {
			return err
		}
	}
	trained, err := langidtrain.Train(ctx, cfg, &corpus, progressLines(con, c.Quiet))
	if err != nil {
		return err
	}
	card, err := json.Marshal(langidCard{c.About, trained.HeldOut})
	if err != nil {
		return err
	}
	if err := trained.Save(c.Out, model.Header{Name: c.Name, Tool: "chaffinch " + version, DataSHA256: corpus.SHA256(), Card: card}); err != nil {
		return err
	}
	if c.Report != "" {
		if err := writeFile(c.Report, func(w io.Writer) error { return langidTable(w, trained.HeldOut) }); err != nil {
			return err
		}
	}
	right, pieces := 0, 0
	for _, h := range trained.HeldOut {
		right, pieces = right+h.Right, pieces+h.Pieces
	}
	_, err = fmt.Fprintf(con.out, "%s: %d languages, %.2f %% of %d held-out pieces correct\n", c.Out, len(trained.HeldOut), 100*float64(right)/float64(max(1, pieces)), pieces)
	return err
}

// read adds one input to the corpus.
func (c *trainLangidCmd) read(corpus *langidtrain.Corpus, in string, con *console) error {
	name, lang := taggedInput(in)
	if filepath.Ext(name) != ".tsv" {
		skipped, err := corpus.Read(name, lang)
		printSkipped(name, skipped, con)
		return err
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return corpus.ReadTable(name, strings.TrimSuffix(filepath.Base(name), ".tsv"), f)
}

// langidTable writes the held-out figures.
func langidTable(w io.Writer, held []langidtrain.HeldOut) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, "| language | training text, kB | held-out recall, % | precision, % | sources |\n|---|---|---|---|---|")
	for _, h := range held {
		sources := make([]string, len(h.Sources))
		for i, s := range h.Sources {
			sources[i] = filepath.Base(s)
		}
		fmt.Fprintf(out, "| %s | %d | %.1f | %.1f | %s |\n", langid.Label(h.Lang), h.Bytes/1000, 100*h.Recall(), 100*h.Precision(), strings.Join(sources, ", "))
	}
	return out.Flush()
}
