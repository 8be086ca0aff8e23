package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/alecthomas/kong"

	"chaffinch/lab/train/justext"
)

type trainStopwordsCmd struct {
	Input        []string `arg:"" help:"Text files (*.txt, UTF-8), folders or tar archives (also compressed with zstd or gzip) of them. The language is the name after a folder \"txt\" (guide/txt/de/intro.txt), else the file name (de.txt)."`
	Out          string   `short:"o" placeholder:"FILE" help:"Model file for all lists."`
	Text         string   `placeholder:"DIR" help:"Write each list as DIR/LANG.txt, one word per line."`
	Lang         string   `placeholder:"TAG" help:"Language of all input."`
	Cover        float64  `range:"(0,1)" default:"${stopCover}" help:"Share of unseen running text that a list must cover (${default})."`
	MinWords     int      `default:"${stopMinWords}" help:"Minimum words of text per language (${default})."`
	MinSoleWords int      `default:"${stopMinSoleWords}" help:"Minimum words of text for a language with one source (${default})."`
}

// stopwordsVars are the defaults that the help of the flags shows.
var stopwordsVars = kong.Vars{
	"stopCover":        fmt.Sprint(justext.Default.Cover),
	"stopMinWords":     fmt.Sprint(justext.Default.MinWords),
	"stopMinSoleWords": fmt.Sprint(justext.Default.MinSoleWords),
}

// Run cuts the lists and prints a line for each.
func (c *trainStopwordsCmd) Run(ctx context.Context, con *console) error {
	if c.Out == "" && c.Text == "" {
		return fmt.Errorf("no output: give -o FILE, --text DIR or both")
	}
	cfg := justext.Default
	cfg.Cover, cfg.MinWords, cfg.MinSoleWords = c.Cover, c.MinWords, c.MinSoleWords
	t, err := justext.NewTrainer(cfg)
	if err != nil {
		return err
	}
	files, skipped, sum, err := readTexts(ctx, t, c.Input, c.Lang)
	if err != nil {
		return err
	}
	lists, few := t.Lists()
	if len(lists) == 0 {
		return errNo{fmt.Sprintf("no language has %d words of text (%d from one source): add text, or lower --min-words and --min-sole-words", cfg.MinWords, cfg.MinSoleWords)}
	}
	if len(few) > 0 {
		fmt.Fprintf(con.err, "chaffinch: too few words for a list: %s: add text, or lower --min-words and --min-sole-words\n", strings.Join(few, ", "))
	}
	if c.Text != "" {
		for _, l := range lists {
			if err := writeList(filepath.Join(c.Text, l.Lang+".txt"), l); err != nil {
				return err
			}
		}
	}
	if c.Out != "" {
		if err := justext.Write(c.Out, lists, cfg, sum, "chaffinch "+version); err != nil {
			return err
		}
	}
	return c.report(con.out, lists, files, skipped)
}

func writeList(path string, l justext.Trained) error {
	return writeFile(path, l.WriteText)
}

func (c *trainStopwordsCmd) report(w io.Writer, lists []justext.Trained, files, skipped int) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%-8s %9s %7s %6s\n", "language", "text", "list", "cover")
	words := 0
	for _, l := range lists {
		fmt.Fprintf(out, "%-8s %9d %7d %6.3f\n", l.Lang, l.TextWords, l.Len(), l.Cover)
		words += l.Len()
	}
	fmt.Fprintf(out, "%s with %s from %s; %s skipped\n", count(int64(len(lists)), "list"), count(int64(words), "word"), count(int64(files), "file"), count(int64(skipped), "file"))
	return out.Flush()
}
