package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"chaffinch/clean/perplexity"
	"chaffinch/format/sniff"
	"chaffinch/internal/parallel"
	_ "chaffinch/model/data/words" // "en" is a model
	"chaffinch/pipeline"
)

// scoring are the flags of all commands that use a word model.
type scoring struct {
	Model  string `placeholder:"NAME|FILE" default:"en" help:"Embedded model, or model file: written by \"chaffinch train words\", in ARPA format, or of PyPlexity (.st). Default: ${default}."`
	Compat string `placeholder:"pyplexity" default:"" enum:",pyplexity" help:"\"pyplexity\" scores a model of PyPlexity as PyPlexity does, to 14 digits, including its failure to find words such as café (letters below U+0100, not all ASCII)."`
}

type perplexityCmd struct {
	Text []string `arg:"" optional:"" help:"A sentence. Without one, each line of standard input is a sentence. With --calibrate, files of good text instead, plain or compressed, one paragraph per line."`

	scoring
	Stats      bool      `help:"Print the number of sentences and words, and the speed, to standard error."`
	Calibrate  []float64 `range:"(0,1]" group:"Find a threshold" placeholder:"SHARE" help:"Print the threshold that keeps this share of good text, such as 0.95; several shares are separated by commas."`
	Measure    string    `group:"Find a threshold" default:"perplexity" enum:"perplexity,difference,divergence" help:"Score: ${enum}. Default: ${default}."`
	Background string    `group:"Find a threshold" placeholder:"NAME|FILE" help:"Second model, of unwanted text, for --measure difference."`
	Unit       string    `group:"Find a threshold" default:"sentence" enum:"sentence,block,page" help:"Unit that is kept or removed as a whole: ${enum}. Default: ${default}."`
	Reach      float64   `group:"Find a threshold" placeholder:"TOKENS" help:"Size of the context of a unit. Default: 0, no context."`
}

// Help is the long text of --help.
func (perplexityCmd) Help() string {
	return `Prints one perplexity per line. It is low for fluent text similar to the training text of the
model, and high for menus and noise.

Examples:
  chaffinch perplexity "this is normal text"
  chaffinch perplexity --model bigrams_bnc.st --compat pyplexity <sentences.txt
  chaffinch perplexity --calibrate 0.95,0.99 good.txt`
}

// Run scores sentences or finds limits.
func (c *perplexityCmd) Run(ctx context.Context, con *console) error {
	if len(c.Calibrate) == 0 && (c.Background != "" || c.Reach != 0 || c.Unit != "sentence" || c.Measure != "perplexity") {
		return errors.New("--measure, --background, --unit and --reach are for --calibrate")
	}
	m, err := perplexity.Load(c.Model, c.Compat)
	if err != nil {
		return err
	}
	if len(c.Calibrate) > 0 {
		return c.calibrate(ctx, con, m)
	}
	in := con.in
	if len(c.Text) > 0 {
		if info, err := os.Stat(c.Text[0]); err == nil && len(c.Text) == 1 && info.Mode().IsRegular() {
			fmt.Fprintf(con.err, "chaffinch: %s: scored as a sentence, although it is the name of a file: score the lines of a file with chaffinch perplexity <FILE\n", c.Text[0])
		}
		in = strings.NewReader(strings.Join(c.Text, " "))
	} else if isTerminal(con.in) {
		return errors.New("no sentence: give one as an argument, or pipe lines in")
	}
	s := bufio.NewScanner(in)
	s.Buffer(make([]byte, 1<<16), 64<<20)
	w := bufio.NewWriter(con.out)
	read, sentences, words := 0, 0, 0
	type batch struct {
		texts []string
		out   []byte
	}
	start := time.Now()
	err = pipeline.Flow[batch]{Read: func(b *batch) error {
		b.texts = b.texts[:0]
		for size := 0; size < enough && s.Scan(); size += len(s.Bytes()) + 16 {
			b.texts = append(b.texts, s.Text())
		}
		if len(b.texts) > 0 {
			if read == 0 && len(c.Text) == 0 {
				err := notSentences(strings.Join(b.texts, "\n"))
				if err != nil {
					return err
				}
			}
			read += len(b.texts)
			return nil
		} else if err := s.Err(); err != nil {
			return fmt.Errorf("after line %d: %w", read, err)
		}
		return io.EOF
	}, Work: func(_ int, b *batch) error {
		b.out = b.out[:0]
		for _, text := range b.texts {
			b.out = append(strconv.AppendFloat(b.out, perplexity.Of(m, text), 'g', -1, 64), '\n')
		}
		return nil
	}, Use: func(b *batch) error {
		sentences += len(b.texts)
		if c.Stats {
			for _, text := range b.texts {
				words += len(strings.Fields(text))
			}
		}
		_, err := w.Write(b.out)
		return err
	}}.Run(ctx)
	if err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if c.Stats {
		fmt.Fprintf(con.err, "%s, %s, scored at %.0f words/s\n", count(int64(sentences), "sentence"), count(int64(words), "word"), float64(words)/time.Since(start).Seconds())
	}
	return nil
}

// notSentences returns an error if standard input begins with head and its lines would be scored
// although they are not text in UTF-8.
func notSentences(head string) error {
	e := &sniff.Error{Form: sniff.UTF8([]byte(head)), Want: "a sentence per line"}
	switch e.Form {
	case sniff.JSONLines:
		e.Advice = "score their text with chaffinch convert FILE -f text | chaffinch perplexity"
	case sniff.Legacy, sniff.UTF16:
	default:
		return nil
	}
	return fmt.Errorf("standard input: %w", e)
}

// calibrate prints the limit for each share.
func (c *perplexityCmd) calibrate(ctx context.Context, con *console, m perplexity.Model) error {
	var back perplexity.Model
	if c.Background != "" {
		var err error
		if back, err = perplexity.Load(c.Background, ""); err != nil {
			return err
		}
	}
	if len(c.Text) == 0 {
		c.Text = []string{"-"}
	}
	cfg := perplexity.Config{Measure: perplexity.Measure(c.Measure), Unit: perplexity.Unit(c.Unit), Reach: c.Reach}
	var cal *perplexity.Calibration
	err := parallel.Pipe(func(w io.Writer) error {
		for _, name := range c.Text {
			if err := eachMember(ctx, name, aText, con, func(_ string, in io.Reader) error {
				_, err := io.Copy(w, io.MultiReader(in, strings.NewReader("\n")))
				return err
			}); err != nil {
				return err
			}
		}
		return nil
	}, func(in io.Reader) (err error) {
		cal, err = perplexity.Calibrate(cfg, m, back, in)
		return err
	})
	if err != nil {
		return err
	}
	for _, share := range c.Calibrate {
		limit := cal.Limit(share)
		fmt.Fprintf(con.out, "threshold %.6g keeps %.2f %% of %s\n", limit, 100*cal.Kept(limit), count(int64(cal.Units()), c.Unit))
	}
	return nil
}
