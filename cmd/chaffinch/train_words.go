package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"chaffinch/internal/report"
	"chaffinch/internal/settings"
	wordstrain "chaffinch/lab/train/words"
	"chaffinch/text/lm"
)

type trainWordsCmd struct {
	Input     []string `arg:"" help:"Text: PATH[:FILES][=WEIGHT]. PATH is a text file (also .gz, .zst), a folder or a tar archive; FILES selects files inside by a pattern with * (*.txt); WEIGHT multiplies the counts of each sentence (1), as in news.tar.zst:2024/*=3."`
	Out       string   `short:"o" required:"" placeholder:"FILE" help:"Model file to write."`
	Order     int      `range:"[1,8]" default:"${lmOrder}" help:"Length of the longest n-grams, 1 to ${lmMaxOrder} (${default})."`
	Estimator string   `default:"${lmEstimator}" enum:"kneser-ney,mle" help:"kneser-ney: interpolated modified Kneser-Ney; mle: the relative frequencies of the PyPlexity paper (${default})."`
	Tokenizer string   `was:"tokeniser" default:"words" enum:"words,blanks" help:"words: fold case, cut off punctuation; blanks: the text is tokenized already, tokens are separated by white space (${default})."`
	Lines     bool     `help:"Each line is a sentence. Default: each line is a paragraph, to be split."`
	Exclude   []string `placeholder:"FILES" sep:"none" help:"Skip files of folders and archives by a pattern with *. Repeatable."`
	Prune     []uint64 `placeholder:"N" help:"Drop n-grams that occur at most N times, by order; the last value applies to all longer ones (0)."`
	MaxWords  int      `was:"words" placeholder:"N" help:"Store only the N most frequent words."`
	MaxNgrams int      `was:"grams" placeholder:"N" help:"Store only N n-grams of the highest order: the ones with the largest effect on perplexity."`
	MaxSize   string   `placeholder:"SIZE" help:"Maximum size of the file, such as 6MB; sets --max-ngrams."`
	Bits      uint     `default:"${lmBits}" help:"Bits of a stored probability: 1 to 16, or 32 for exact ones (${default})."`
	Fallback  []string `default:"0.5,1,1.5" help:"Discounts where the text allows no estimate, or 0 for an error (${default})."`
	HeldOut   int      `default:"${lmHeldOut}" placeholder:"N" help:"Hold out one sentence in N to evaluate the model; 0: none (${default})."`
	Memory    string   `default:"1GB" help:"Memory for sorting; the rest is sorted on disk (${default})."`
	TempDir   string   `type:"existingdir" placeholder:"DIR" help:"Folder for temporary files."`
	Name      string   `help:"Name of the model. Default: the name of the file."`
	About     string   `placeholder:"TEXT" help:"Description for the model card."`
	Licence   []string `placeholder:"TEXT" sep:"none" help:"Licence of the data, for the model card. Repeatable."`
	Quiet     bool     `short:"q" help:"No progress and no summary."`
}

// wordsVars are the defaults that the help of the flags shows.
var wordsVars = kong.Vars{
	"lmOrder":     fmt.Sprint(wordstrain.Default.Order),
	"lmMaxOrder":  fmt.Sprint(lm.MaxOrder),
	"lmEstimator": string(wordstrain.Default.Estimator),
	"lmBits":      fmt.Sprint(wordstrain.Default.Bits),
	"lmHeldOut":   fmt.Sprint(wordstrain.Default.HeldOut),
}

// Run trains and writes the model.
func (c *trainWordsCmd) Run(ctx context.Context, con *console) error {
	if err := canWrite(c.Out); err != nil {
		return err
	}
	cfg, err := c.config()
	if err != nil {
		return err
	}
	var inputs []wordstrain.Input
	for _, s := range c.Input {
		in, err := wordstrain.ParseInput(s)
		if err != nil {
			return err
		}
		inputs = append(inputs, in)
	}
	opt := wordstrain.Options{
		Out: c.Out, Name: c.Name, Tool: "chaffinch " + version, About: c.About, Licences: c.Licence,
		Split: wordstrain.Sentences, Exclude: c.Exclude,
	}
	if opt.Name == "" {
		opt.Name = strings.TrimSuffix(filepath.Base(c.Out), filepath.Ext(c.Out))
	}
	if c.Lines {
		opt.Split = wordstrain.Lines
	}
	debug.SetMemoryLimit(cfg.Memory) // collect garbage sooner near the limit
	start := time.Now()
	end := func() {}
	if !c.Quiet && isTerminal(con.err) {
		opt.Progress, end = readMeter(rawErr(con), start)
	}
	card, stats, err := wordstrain.Train(ctx, cfg, inputs, opt)
	end()
	if err != nil {
		return err
	}
	if c.Quiet {
		return nil
	}
	return reportWords(con, c.Out, card, stats, time.Since(start))
}

func (c *trainWordsCmd) config() (wordstrain.Config, error) {
	cfg := wordstrain.Default
	cfg.Order, cfg.Estimator, cfg.Bits = c.Order, lm.Estimator(c.Estimator), c.Bits
	cfg.Prune, cfg.Words, cfg.Grams, cfg.HeldOut, cfg.TempDir = c.Prune, c.MaxWords, c.MaxNgrams, c.HeldOut, c.TempDir
	if c.Tokenizer == "blanks" {
		cfg.Tokeniser = lm.Blanks
	}
	cfg.Fallback = [3]float64{}
	if len(c.Fallback) != 3 && !(len(c.Fallback) == 1 && c.Fallback[0] == "0") {
		return cfg, fmt.Errorf("--fallback %s: wanted three discounts or 0", strings.Join(c.Fallback, ","))
	}
	for i, s := range c.Fallback {
		d, err := strconv.ParseFloat(s, 64)
		if err != nil || !(d >= 0 && d <= float64(i+1)) {
			return cfg, fmt.Errorf("--fallback %s: wanted D1 from 0 to 1, D2 to 2, D3 to 3", strings.Join(c.Fallback, ","))
		}
		cfg.Fallback[i] = d
	}
	var err error
	if cfg.Memory, err = settings.ParseSize(c.Memory); err != nil {
		return cfg, fmt.Errorf("--memory %w", err)
	}
	if c.MaxSize != "" {
		if cfg.MaxBytes, err = settings.ParseSize(c.MaxSize); err != nil {
			return cfg, fmt.Errorf("--max-size %w", err)
		}
	}
	return cfg, nil
}

// memoryLimit returns the size in the flag --memory, or the default if it is empty.
func memoryLimit(flag string, byDefault int64) (int64, error) {
	if flag == "" {
		return byDefault, nil
	}
	n, err := settings.ParseSize(flag)
	if err != nil {
		return 0, fmt.Errorf("--memory %w", err)
	}
	return n, nil
}

// byteSize is a flag that holds a number of bytes.
type byteSize int64

// UnmarshalText reads 4000, 500kB, 64MB, 1GB, 2GiB.
func (s *byteSize) UnmarshalText(text []byte) error {
	n, err := settings.ParseSize(string(text))
	*s = byteSize(n)
	return err
}

// readMeter shows on a terminal how much text was read, and how fast.
func readMeter(w io.Writer, start time.Time) (show func(int64), end func()) {
	last := start
	show = func(n int64) {
		if now := time.Now(); now.Sub(last) > 200*time.Millisecond {
			last = now
			fmt.Fprintf(w, "\rread %.1f MB of text, %.1f MB/s ", float64(n)/1e6, float64(n)/1e6/now.Sub(start).Seconds())
		}
	}
	return show, func() { fmt.Fprint(w, "\r\x1b[K") }
}

// reportWords prints the sizes and figures of the model.
func reportWords(con *console, path string, card *wordstrain.Card, s wordstrain.Stats, took time.Duration) error {
	w := con.out
	text := int64(0)
	for _, d := range card.Data {
		text += d.Bytes
	}
	printSpeed(con, took, text)
	fmt.Fprintf(w, "%s: trained on %d sentences, %d tokens, %d types, in %s of text\n", path, s.Sentences, s.Tokens, s.Types, report.Size(text))
	for i, n := range s.Kept {
		fmt.Fprintf(w, "%d-grams %d of %d", i+1, n, s.Ngrams[i])
		if len(s.Discounts) > 0 {
			d := s.Discounts[i]
			fmt.Fprintf(w, ", discounts %.4f %.4f %.4f", d[0], d[1], d[2])
			if s.Fallback[i] {
				fmt.Fprint(w, " (not estimated: too little text)")
			}
		}
		fmt.Fprintln(w)
	}
	var err error
	if h := card.HeldOut; h != nil && h.Sentences > 0 {
		_, err = fmt.Fprintf(w, "held-out perplexity %.1f, unknown words %.2f %%; limit that keeps 95 %% of the sentences: %.0f, 99 %%: %.0f\n",
			h.Perplexity, 100*h.OOV, h.Limit95, h.Limit99)
	}
	return err
}
