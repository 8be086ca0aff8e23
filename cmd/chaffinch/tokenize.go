package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"chaffinch/build/cluster"
	"chaffinch/format/suffix"
	"chaffinch/format/vertical"
	"chaffinch/internal/archive"
	"chaffinch/internal/panics"
	"chaffinch/text/tag/installed"
	"chaffinch/text/token"
)

type tokenizeCmd struct {
	Files      []string `arg:"" optional:"" name:"file" help:"Text files (UTF-8), plain or compressed (gzip, zstd, lz4), tar and zip archives of them, Parquet; - or nothing is standard input."`
	Lang       string   `short:"l" placeholder:"TAG" help:"Language of the text, such as de or pt-BR. Without it, and for languages without rules, general rules apply. Languages with rules: ${tokenLangs}."`
	Sentences  bool     `short:"s" help:"Write one sentence per line, with white space normalised to single spaces."`
	Detokenize bool     `short:"d" help:"Read the output of this command and restore its input, byte for byte."`
	Rules      string   `placeholder:"FILE" help:"Your own rules, applied after the rules of the language (docs/reference/formats/token-rules.md): abbreviations, clitics, words kept whole. chaffinch train sentences derives such a file from text."`
	segmenterFlag
	tagFlags
	tokenizerFlags
	Jobs int `short:"j" group:"Tokenizer" placeholder:"N" help:"Tokenizers run in parallel. Default: one per processor. Does not change the output."`
	textFormatFlag
	Wrapped bool   `help:"The text has hard line breaks: only an empty line ends a paragraph and a sentence, a single line break is a space."`
	Out     string `short:"o" placeholder:"FILE" help:"Output file. Default: standard output."`
	Quiet   bool   `short:"q" help:"No summary, which only --rank prints; errors are still shown."`

	rankFlags
}

// Help shows an example.
func (*tokenizeCmd) Help() string {
	return `Text becomes one token per line, as corpus tools read it: <p> around a paragraph (a line of text), <s> around a sentence, <g/> ("glue") between tokens without white space between them, <sp s="..."/> for white space other than one space:

  $ echo "It's Dr. Brown's." | chaffinch tokenize --lang en

  <p>
  <s>
  It
  <g/>
  's
  Dr.
  Brown
  <g/>
  's
  <g/>
  .
  </s>
  </p>

--detokenize restores every byte.`
}

// Run tokenizes the files.
func (c *tokenizeCmd) Run(ctx context.Context, con *console) error {
	if c.Sentences && c.Detokenize {
		return fmt.Errorf("--sentences and --detokenize cannot be combined")
	}
	if c.Tag && (c.Sentences || c.Detokenize || c.Tokenizer != "" || c.Rank != "") {
		return fmt.Errorf("--tag cannot be combined with --sentences, --detokenize, --tokenizer and --rank")
	}
	if c.Taggers != nil && !c.Tag {
		return errors.New("--taggers: the models are used only with --tag")
	}
	if c.Tokenizer != "" && (c.Sentences || c.Detokenize) {
		return fmt.Errorf("--tokenizer cannot be combined with --sentences and --detokenize")
	}
	if c.Detokenize && c.Lang+c.Rules != "" && !c.Quiet {
		fmt.Fprintln(con.err, "chaffinch: --lang and --rules have no effect with --detokenize")
	}
	written := []string{"vertical", "text"}
	if c.Sentences || c.Detokenize {
		written = []string{"text"}
	}
	if err := suffix.Check(c.Out, written...); err != nil {
		return err
	}
	models, err := c.models()
	if err != nil {
		return err
	}
	if len(models) == 1 && c.Lang == "" {
		c.Lang = models[0].Lang
	}
	if c.Tag && c.Lang == "" {
		return errors.New("--tag: name the language of the text with --lang")
	}
	cfg := token.Config{Lang: c.Lang, Wrapped: c.Wrapped, RulesName: c.Rules, Words: models}
	if c.Rules != "" && !c.Detokenize {
		b, err := archive.ReadFile(c.Rules)
		if err != nil {
			return err
		}
		cfg.Rules = string(b)
	}
	t, err := token.New(cfg)
	if err != nil {
		return err
	}
	files := c.Files
	if len(files) == 0 {
		files = []string{"-"}
	}
	if c.Rank != "" {
		return c.ranks(ctx, t, cfg, con)
	}
	a, err := fetchAway(ctx, files, c.Out, false)
	if err != nil {
		return err
	}
	files, c.Out = a.paths(files), a.out
	return a.end(ctx, c.write(ctx, t, files, con))
}

// write tokenizes the files in this process.
func (c *tokenizeCmd) write(ctx context.Context, t *token.Tokenizer, files []string, con *console) (err error) {
	var left error
	err = writeTo(c.Out, con, func(out io.Writer) error {
		write := func(w io.Writer) error { return c.files(ctx, t, files, con, w) }
		program := c.tokenizer(c.Jobs, con)
		switch {
		case c.Tag:
			return c.tag(ctx, write, out, con)
		case program == nil:
			return write(out)
		}
		rep, err := throughTokenizer(ctx, program, out, con, write)
		if err == nil {
			left = printTokenizerReport(rep, true, con)
		}
		return err
	})
	return cmp.Or(err, left)
}

// tag adds columns to the tokens that write writes.
func (c *tokenizeCmd) tag(ctx context.Context, write func(io.Writer) error, out io.Writer, con *console) error {
	set, err := installed.Set(c.Taggers...)
	if err != nil {
		return err
	}
	m := vertical.Models{Set: set, Lang: c.Lang, Workers: c.Jobs}
	return throughVertical(write, con, func(in *vertical.Reader) error {
		rep, err := m.Tag(ctx, out, in)
		if err != nil {
			return err
		}
		return printTaggerReport(rep, true, con)
	})
}

// ranks does the part of this process.
func (c *tokenizeCmd) ranks(ctx context.Context, t *token.Tokenizer, cfg token.Config, con *console) error {
	if err := rankFile(c.Out); err != nil {
		return err
	}
	hashes, err := hashesOf(c.Segmenter)
	if err != nil {
		return err
	}
	out := base(c.Out)
	settings := struct {
		Lang                           string
		Wrapped, Sentences, Detokenize bool
		Rules, Tokenizer               string
		Segmenters                     []string
	}{cfg.Lang, cfg.Wrapped, c.Sentences, c.Detokenize, cfg.Rules, c.Tokenizer, hashes}
	c.WholeFiles = true // only web archives are cut
	return c.rankFlags.run(ctx, con, c.Quiet, rankJob("tokenize", settings, c.Files, []rankOutput{{out, true}}, func(ctx context.Context, task *cluster.Task) error {
		return writeTo(filepath.Join(task.Out, out), con, func(w io.Writer) error {
			write := func(w io.Writer) error { return c.files(ctx, t, paths(task), con, w) }
			program := c.tokenizer(c.Jobs, con)
			if program == nil {
				return write(w)
			}
			rep, err := throughTokenizer(ctx, program, w, con, write)
			task.Report = rep
			return err
		})
	}), c.Out+shardsSuffix)
}

// files tokenizes the files one after the other.
func (c *tokenizeCmd) files(ctx context.Context, t *token.Tokenizer, files []string, con *console, out io.Writer) error {
	bad, long := faults{con: con}, int64(0)
	for _, name := range files {
		err := panics.Catch(func() error { return c.file(ctx, t, name, con, out, &long) })
		if errors.As(err, new(*panics.Panic)) {
			bad.report(fmt.Errorf("%s: incomplete output: %w", name, err))
		} else if err != nil {
			return err
		}
	}
	if err := bad.judge("file", ""); err != nil || long == 0 {
		return err
	}
	return errNo{count(long, "file") + " with paragraphs over the size limit, written in parts"}
}

func (c *tokenizeCmd) file(ctx context.Context, t *token.Tokenizer, name string, con *console, out io.Writer, long *int64) error {
	want := aText.as(c.InputFormat)
	if c.Detokenize {
		want = want.orLegacy() // each byte is restored
	}
	return eachMember(ctx, name, want, con, func(name string, in io.Reader) (err error) {
		switch {
		case c.Detokenize:
			return token.ReadLines(out, in, name)
		case c.Sentences:
			err = t.WriteSentences(out, in)
		default:
			err = t.WriteLines(out, in)
		}
		switch {
		case errors.As(err, new(*token.CutError)):
			*long++
			fmt.Fprintf(con.err, "chaffinch: %s: %v\n", name, err)
		case err != nil:
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	})
}
