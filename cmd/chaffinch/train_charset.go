package main

import (
	"bufio"
	"context"
	"fmt"

	"github.com/alecthomas/kong"

	charsettrain "chaffinch/lab/train/charset"
)

type trainCharsetCmd struct {
	Input      []string `arg:"" help:"Text files (*.txt, UTF-8), folders or tar archives (also compressed with zstd or gzip) of them. The language is the name that follows a folder \"txt\" (guide/txt/de/intro.txt), else the file's name (de.txt)."`
	Out        string   `short:"o" required:"" placeholder:"FILE" help:"The model file."`
	Lang       string   `placeholder:"TAG" help:"All input is in this language."`
	Langs      []string `placeholder:"TAG" help:"The languages to learn. Default: those of the embedded model; \"all\" takes every language with text."`
	Entries    int      `default:"${charsetEntries}" help:"Bigrams and trigrams of letters that are stored per language (${default}); one takes 4 bytes."`
	MinLetters int      `default:"${charsetMinLetters}" help:"Letters of text below which a language is left out (${default})."`
	HeldOut    int      `was:"hold-out" default:"${charsetHoldOut}" placeholder:"N" help:"Hold out one line in N to tune with (${default}); 0: none."`
}

// charsetVars are the defaults that the help of the flags shows.
var charsetVars = kong.Vars{
	"charsetEntries":    fmt.Sprint(charsettrain.Default.Entries),
	"charsetMinLetters": fmt.Sprint(charsettrain.Default.MinLetters),
	"charsetHoldOut":    fmt.Sprint(charsettrain.Default.HoldOut),
}

// Help is the long help.
func (trainCharsetCmd) Help() string {
	return `Learns which letters follow each other in languages, from text in UTF-8. The score of a byte trigram in an encoding follows from the letters that it decodes to, so that no text in that encoding is needed. Use the model with chaffinch detect charset --model FILE.`
}

// Run writes the model and prints a line for each language.
func (c *trainCharsetCmd) Run(ctx context.Context, con *console) error {
	if err := canWrite(c.Out); err != nil {
		return err
	}
	cfg := charsettrain.Default
	cfg.Entries, cfg.MinLetters, cfg.HoldOut = c.Entries, c.MinLetters, c.HeldOut
	switch {
	case len(c.Langs) == 1 && c.Langs[0] == "all":
		cfg.Langs = nil
	case len(c.Langs) > 0:
		cfg.Langs = c.Langs
	}
	t, err := charsettrain.NewTrainer(cfg)
	if err != nil {
		return err
	}
	files, skipped, sum, err := readTexts(ctx, t, c.Input, c.Lang)
	if err != nil {
		return err
	}
	cards, err := t.Write(c.Out, sum, "chaffinch "+version)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(con.out)
	fmt.Fprintf(out, "%-8s %9s %7s\n", "language", "letters", "weights")
	for _, l := range cards {
		fmt.Fprintf(out, "%-8s %9d %7d\n", l.Lang, l.Letters, l.Entries)
	}
	fmt.Fprintf(out, "%d languages from %d files; %d files in others\n", len(cards), files, skipped)
	return out.Flush()
}
