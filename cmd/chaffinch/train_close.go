package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	closetrain "chaffinch/lab/train/langid/close"
	"chaffinch/model"
)

type trainCloseCmd struct {
	Input  []string `arg:"" help:"Text of known language. A folder or tar archive (also compressed with zstd or gzip) of SOURCE/txt/TAG.txt or SOURCE/TAG.txt in UTF-8, one sentence per line. INPUT=TAG: the whole input is in one language."`
	Out    string   `short:"o" required:"" placeholder:"FILE" help:"Model file to write."`
	Config string   `placeholder:"{JSON}" help:"Training settings that differ from the defaults (lab/train/langid/close.Config), such as {\"groups\":[{\"name\":\"de\",\"members\":[\"de-AT\",\"de-DE\"],\"variety\":\"de\"}]}."`
	Name   string   `default:"close" placeholder:"NAME" help:"Name of the model in its header. Default: ${default}."`
	About  string   `placeholder:"TEXT" help:"Description of the text and its licences, for the model card."`
	Quiet  bool     `short:"q" help:"No progress."`
}

// Help is the long text of --help.
func (trainCloseCmd) Help() string {
	return `Trains the second stage of language identification: groups of close languages, such as nb and nn, and varieties of a
language, such as pt-PT and pt-BR. Use several sources, each with text of all members of a group: otherwise the model
learns the sources. The table shows macro F1 on each source, of models trained without it: lines, the first five words
of lines, ten lines joined.

Examples:
  chaffinch train close texts -o close.chf
  chaffinch detect lang --lines --close close.chf --varieties sentences.txt`
}

// closeCard is the model card in the header of the file.
type closeCard struct {
	About  string              `json:"about,omitempty"`
	Unseen []closetrain.Unseen `json:"unseen"`
}

// Run trains and writes the model.
func (c *trainCloseCmd) Run(ctx context.Context, con *console) error {
	if err := canWrite(c.Out); err != nil {
		return err
	}
	cfg := closetrain.Default
	if err := applyConfig(c.Config, &cfg); err != nil {
		return err
	}
	var corpus closetrain.Corpus
	for _, in := range c.Input {
		name, tag := taggedInput(in)
		skipped, err := corpus.Read(name, tag)
		if err != nil {
			return err
		}
		printSkipped(name, skipped, con)
	}
	trained, err := closetrain.Train(ctx, cfg, &corpus, progressLines(con, c.Quiet))
	if err != nil {
		return err
	}
	card, err := json.Marshal(closeCard{c.About, trained.Unseen})
	if err != nil {
		return err
	}
	if err := trained.Save(c.Out, model.Header{Name: c.Name, Tool: "chaffinch " + version, DataSHA256: corpus.SHA256(), Card: card}); err != nil {
		return err
	}
	t := columns(con.out)
	fmt.Fprintln(t, "group\tsource\tline\tfive\tten\trecall\t")
	for _, u := range trained.Unseen {
		var recall []string
		for _, tag := range slices.Sorted(maps.Keys(u.Recall)) {
			recall = append(recall, fmt.Sprintf("%s %.2f", tag, u.Recall[tag]))
		}
		fmt.Fprintf(t, "%s\t%s\t%.3f\t%.3f\t%.3f\t%s\t\n", u.Group, u.Source, u.Line, u.Five, u.Ten, strings.Join(recall, ", "))
	}
	return t.Flush()
}
