package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"chaffinch/internal/archive"
	segmenttrain "chaffinch/lab/train/segment"
	"chaffinch/model"
	"chaffinch/text/token/segment"
)

type trainSegmenterCmd struct {
	Input      []string `arg:"" help:"Segmented text: treebanks in CoNLL-U (*.conllu), or one sentence per line with spaces between words (*.txt); files, folders or tar archives."`
	Lang       string   `short:"l" required:"" placeholder:"TAG" help:"Language of the text: the model segments documents in it."`
	Dictionary []string `short:"d" placeholder:"FILE" help:"Dictionary: one word per line; text after a tab or space is ignored, and so are words of more than ${segmentMaxWord} characters. Repeatable."`
	Fold       string   `placeholder:"FILE" help:"Characters to map to others, two per line, such as traditional to simplified ones, so that one model covers both."`
	Out        string   `short:"o" required:"" placeholder:"FILE" help:"Model file to write, for --segmenter."`
	Name       string   `placeholder:"NAME" help:"Name of the model. Default: segment_ and the language."`
	About      string   `was:"card" placeholder:"TEXT" help:"Sources and licences of texts and dictionary, stored in the model."`
	Epochs     int      `range:"[1,)" default:"${segmentEpochs}" help:"Passes over the text (${default})."`
	MinCount   int      `range:"[1,)" default:"${segmentMinCount}" help:"Minimum count of an n-gram (${default})."`
	Rate       float64  `range:"(0,)" default:"${segmentRate}" help:"Learning rate (${default})."`
	L1         float64  `name:"l1" default:"${segmentL1}" help:"L1 regularisation: the higher, the smaller the model (${default})."`
}

// segmenterVars are the defaults that the help of the flags shows.
var segmenterVars = kong.Vars{
	"segmentEpochs":   fmt.Sprint(segmenttrain.Default.Epochs),
	"segmentMinCount": fmt.Sprint(segmenttrain.Default.MinCount),
	"segmentRate":     fmt.Sprint(segmenttrain.Default.Rate),
	"segmentL1":       fmt.Sprint(segmenttrain.Default.L1),
	"segmentMaxWord":  fmt.Sprint(segment.MaxWord),
}

// Help is the long help.
func (trainSegmenterCmd) Help() string {
	return `Trains a word segmenter for a language written without spaces. Use the model with --segmenter FILE
of tokenize, vertical tokenize, clean and eval token (docs/explanation/segment.md).

Examples:
  chaffinch train segmenter --lang th th_tud-ud-train.conllu --dictionary words_th.txt -o th.chf
  chaffinch eval token --segmenter th.chf th_tud-ud-test.conllu`
}

// maxTreebanks bounds the bytes of all inputs, whose sentences are held for several passes.
const maxTreebanks = 256 << 20

// Run trains and writes the model.
func (c *trainSegmenterCmd) Run(ctx context.Context, con *console) error {
	if err := canWrite(c.Out); err != nil {
		return err
	}
	cfg := segmenttrain.Config{Lang: c.Lang, Epochs: c.Epochs, MinCount: c.MinCount, Rate: c.Rate, L1: c.L1}
	if err := cfg.Check(); err != nil {
		return err
	}
	sum := sha256.New()
	for _, name := range c.Dictionary {
		b, err := archive.ReadFile(name)
		if err != nil {
			return fmt.Errorf("--dictionary: %w", err)
		}
		sum.Write(b)
		for line := range strings.Lines(string(b)) {
			if f := strings.Fields(line); len(f) > 0 {
				cfg.Words = append(cfg.Words, f[0])
			}
		}
	}
	if c.Fold != "" {
		b, err := archive.ReadFile(c.Fold)
		if err != nil {
			return fmt.Errorf("--fold: %w", err)
		}
		sum.Write(b)
		if cfg.Fold, err = readFold(c.Fold, string(b)); err != nil {
			return err
		}
	}
	var texts []segmenttrain.Text
	left := int64(maxTreebanks)
	for _, given := range c.Input {
		err := eachFile(ctx, given, con, func(name string, in io.Reader) error {
			read := segmenttrain.ReadWords
			switch {
			case path.Ext(name) == ".conllu":
				read = segmenttrain.ReadTreebank
			case path.Ext(name) != ".txt" && name != given:
				return nil
			}
			limited := &io.LimitedReader{R: in, N: left}
			t, err := read(name, io.TeeReader(limited, sum))
			texts = append(texts, t...)
			if left = limited.N; left <= 0 {
				return fmt.Errorf("%s: more than %d bytes of text in all inputs: train on a part of it", name, int64(maxTreebanks))
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	if len(texts) == 0 {
		return fmt.Errorf("%s: no sentence in files *.conllu or *.txt", strings.Join(c.Input, ", "))
	}
	w, err := segmenttrain.Train(ctx, cfg, texts)
	if err != nil {
		return err
	}
	name := c.Name
	if name == "" {
		name = "segment_" + c.Lang
	}
	h := model.Header{Kind: segment.Kind, Behaviour: segment.Behaviour, Name: name, Tool: "chaffinch " + version, DataSHA256: hex.EncodeToString(sum.Sum(nil))}
	if c.About != "" {
		if h.Card, err = json.Marshal(c.About); err != nil {
			return err
		}
	}
	f, err := model.Create(c.Out, h)
	if err != nil {
		return err
	}
	if err := w.Write(f); err != nil {
		f.Abort()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	words := 0
	for _, t := range texts {
		words += len(t.Ends)
	}
	st, err := os.Stat(c.Out)
	if err != nil {
		return err
	}
	fmt.Fprintf(con.out, "%s in %s, %s in the dictionary, scripts %v, %d bytes\n", count(int64(words), "word"), count(int64(len(texts)), "sentence"), count(int64(w.Config.Words), "word"), w.Config.Scripts, st.Size())
	return nil
}

// readFold reads pairs of characters. It ignores text after the second character, since
// lists of variants name several.
func readFold(name, text string) (map[rune]rune, error) {
	fold := map[rune]rune{}
	n := 0
	for line := range strings.Lines(text) {
		n++
		f := strings.Fields(line)
		if len(f) == 0 || strings.HasPrefix(f[0], "#") {
			continue
		}
		if len(f) < 2 || utf8.RuneCountInString(f[0]) != 1 || utf8.RuneCountInString(f[1]) != 1 {
			return nil, fmt.Errorf("%s:%d: %q, wanted two characters separated by a space", name, n, strings.TrimSpace(line))
		}
		from, _ := utf8.DecodeRuneInString(f[0])
		to, _ := utf8.DecodeRuneInString(f[1])
		if from != to {
			fold[from] = to
		}
	}
	return fold, nil
}
