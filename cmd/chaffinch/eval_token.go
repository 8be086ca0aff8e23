package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"chaffinch/eval/floors"
	"chaffinch/eval/segment"
	"chaffinch/internal/archive"
	"chaffinch/token"
)

type evalTokenCmd struct {
	Input []string `arg:"" optional:"" help:"Files, folders or tar archives of texts with one sentence a line (deu.txt; joined by tens) and of treebanks (de_gsd-ud-dev.conllu). Default: text/ntrex.tar.zst of --data."`
	Data  string   `default:"../shared/data" help:"Folder of the data sets. Default: ${default}."`
	Langs []string `placeholder:"TAG" help:"Only these languages. Default: those with rules of their own."`
	All   bool     `help:"All languages, also those without rules of their own."`
	floorFlags
}

// Run prints a line for each file: ours beside the boundaries of UAX 29.
func (c *evalTokenCmd) Run(ctx context.Context, con *console) error {
	if err := c.read(); err != nil {
		return err
	}
	inputs := c.Input
	if len(inputs) == 0 {
		inputs = []string{filepath.Join(c.Data, "text", "ntrex.tar.zst")}
	}
	t := tabwriter.NewWriter(con.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "file\trules\ttokens F\tUAX 29\tsentences P\tR\tF\tUAX 29\t")
	files := 0
	for _, in := range inputs {
		n, err := c.set(ctx, in, t)
		if err != nil {
			return err
		}
		files += n
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if files == 0 {
		return fmt.Errorf("%s: no file of the languages wanted: --all takes those without rules too", strings.Join(inputs, ", "))
	}
	return c.judge(con.err)
}

// set scores the files of one input.
func (c *evalTokenCmd) set(ctx context.Context, in string, t io.Writer) (files int, err error) {
	sum := sha256.New()
	lines := 0
	var systems []floors.System
	err = archive.Walk(in, func(name string, r io.Reader) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if e := path.Ext(name); e != ".txt" && e != ".conllu" {
			return nil
		}
		g, err := segment.Read(name, io.TeeReader(r, sum))
		if err != nil {
			return err
		}
		rules := token.For(g.Lang).Lang()
		if len(c.Langs) > 0 && !slices.Contains(c.Langs, g.Lang) || len(c.Langs) == 0 && !c.All && rules == token.For("").Lang() {
			return nil
		}
		ours, annex := segment.Evaluate(g, segment.Rules(g.Lang)), segment.Evaluate(g, segment.Annex)
		p, rec := ours.Sentences.PR()
		tokens, annexTokens := "-", "-"
		figures := map[string]float64{"sent_f": ours.Sentences.F()}
		if g.HasTokens {
			tokens, annexTokens = fmt.Sprintf("%.2f", 100*ours.Tokens.F()), fmt.Sprintf("%.2f", 100*annex.Tokens.F())
			figures["token_f"] = ours.Tokens.F()
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%.2f\t%.2f\t%.2f\t%.2f\t\n", g.Name, rules, tokens, annexTokens, 100*p, 100*rec, 100*ours.Sentences.F(), 100*annex.Sentences.F())
		systems = append(systems, floors.System{Name: strings.TrimSuffix(g.Name, path.Ext(g.Name)), Figures: figures})
		files++
		lines += ours.Sentences.Gold
		return nil
	})
	if err != nil {
		return 0, err
	}
	set, _, _ := strings.Cut(filepath.Base(in), ".")
	return files, c.compare("token/"+set, floors.Fingerprint{SHA256: hex.EncodeToString(sum.Sum(nil)), Files: files, Lines: lines}, systems)
}
