package main

import (
	"bufio"
	"context"
	"fmt"

	"github.com/alecthomas/kong"

	charsettrain "chaffinch/lab/train/charset"
)

type trainCharsetCmd struct {
	Input      []string `arg:"" help:"Text files (*.txt, UTF-8), folders or tar archives (also compressed with zstd or gzip) of them. The language is the name after a folder \"txt\" (guide/txt/de/intro.txt), else the file name (de.txt)."`
	Out        string   `short:"o" required:"" placeholder:"FILE" help:"Model file to write."`
	Lang       string   `placeholder:"TAG" help:"Language of all input."`
	Langs      []string `placeholder:"TAG" help:"Languages to learn. Default: the languages of the embedded model; \"all\" for every language with text."`
	Entries    int      `default:"${charsetEntries}" help:"Bigrams and trigrams of letters stored per language, 4 bytes each (${default})."`
	MinLetters int      `default:"${charsetMinLetters}" help:"Minimum letters of text per language (${default})."`
	HeldOut    int      `was:"hold-out" default:"${charsetHoldOut}" placeholder:"N" help:"Hold out one line in N for tuning (${default}); 0 for none."`
}

// charsetVars are the defaults that the help of the flags shows.
var charsetVars = kong.Vars{
	"charsetEntries":    fmt.Sprint(charsettrain.Default.Entries),
	"charsetMinLetters": fmt.Sprint(charsettrain.Default.MinLetters),
	"charsetHoldOut":    fmt.Sprint(charsettrain.Default.HoldOut),
}

// Help is the long help.
func (trainCharsetCmd) Help() string {
	return `Learns sequences of letters from text in UTF-8, by language. Scores of byte trigrams in an encoding are derived from the letters that they decode to, so no text in the encoding is needed. Use the model with chaffinch detect charset --model FILE.`
}

// Run writes the model and prints a line for each language.
func (c *trainCharsetCmd) Run(ctx context.Context, con *console) error {
	if err := canWrite(c.Out); err != nil {
		return err
	}
	cfg := charsettrain.Default
	cfg.Entries, cfg.MinLetters, cfg.HoldOut = c.Entries, c.MinLetters, c.HeldOut
	switch {
	case keepsAll(c.Langs):
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
	fmt.Fprintf(out, "%s from %s; %s in others\n", count(int64(len(cards)), "language"), count(int64(files), "file"), count(int64(skipped), "file"))
	return out.Flush()
}
