package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"chaffinch/filter/nontext"
	evalnontext "chaffinch/lab/eval/nontext"
	trainnontext "chaffinch/lab/train/nontext"
	"chaffinch/lab/train/nontext/generate"
)

type evalNontextCmd struct {
	Good string `arg:"" help:"Good text outside of the training data: JSON lines with the field text, and optionally id, lang and others."`
	Bad  string `arg:"" optional:"" help:"Bad text in the same format. Default: generated from the good text, of all kinds."`

	NontextModel []string  `placeholder:"FILE" help:"Model to evaluate; takes precedence over the embedded ones. Repeatable."`
	Loss         float64   `default:"${nontextLoss}" placeholder:"SHARE" help:"Loss of good text at the limits of the model: 0.01, 0.03, 0.05 or 0.1. Default: ${default}."`
	By           []string  `placeholder:"FIELD" default:"lang" help:"Show the loss of good text by these fields. Default: ${default}."`
	Prior        []float64 `range:"(0,1)" placeholder:"SHARE" default:"0.09,0.22,0.5" help:"Shares of bad text in a collection, for the precision. Default: ${default}."`
	Made         []string  `placeholder:"KIND" help:"Kinds of bad text to generate: ${nontextKinds}. Default: all."`
	Seed         uint64    `default:"1000" placeholder:"N" help:"Seed of the generated bad text. Default: ${default}."`
	Sample       int       `placeholder:"N" help:"Use N of the good documents, chosen by a hash of their ids. Default: all."`
	SaveMade     string    `placeholder:"FILE" help:"Also write the generated bad text (.jsonl)."`
	LeaveOneOut  string    `name:"leave-one-out" placeholder:"FILE" help:"For each kind of bad text, train a model on this good text without the kind, and evaluate it on the kind."`
	Speed        bool      `help:"Also measure the speed of the models on the good text."`
	Shapes       bool      `help:"With --leave-one-out: train models without words."`
}

// Help is the long text of --help.
func (evalNontextCmd) Help() string {
	return `Measures how much good text a model of non-text loses at its own limit, by language or another field.
Also measures how much bad text it finds, by kind. Documents of too few words are kept and counted.

Examples:
  chaffinch eval nontext good.jsonl bad.jsonl
  chaffinch eval nontext good.jsonl --by set,register --nontext-model my.chf
  chaffinch eval nontext good.jsonl --leave-one-out train.jsonl --sample 500`
}

// Run judges, and prints tables.
func (c *evalNontextCmd) Run(ctx context.Context, con *console) error {
	if err := canWrite(c.SaveMade); err != nil {
		return err
	}
	kinds, err := generate.KindsNamed(slices.DeleteFunc(slices.Clone(c.Made), func(k string) bool { return k == "all" }))
	if err != nil {
		return fmt.Errorf("--made: %w", err)
	}
	good, err := evalnontext.Read(c.Good)
	if err != nil {
		return err
	}
	if good = evalnontext.Sample(good, c.Sample); len(good) == 0 {
		return errNo{c.Good + ": no documents"}
	}
	if c.LeaveOneOut != "" {
		return c.leaveOneOut(ctx, con, good, kinds)
	}
	var bad []evalnontext.Doc
	if c.Bad != "" {
		if c.SaveMade != "" {
			return fmt.Errorf("--save-made: no bad text is generated, since %s is given", c.Bad)
		}
		bad, err = evalnontext.Read(c.Bad)
	} else {
		bad = evalnontext.Made(good, kinds, c.Seed)
		if c.SaveMade != "" {
			err = writeFile(c.SaveMade, func(w io.Writer) error { return evalnontext.Write(w, bad) })
		}
	}
	if err != nil {
		return err
	}
	var models []*nontext.Model
	for _, path := range c.NontextModel {
		m, err := nontext.Load(path)
		if err != nil {
			return err
		}
		models = append(models, m)
	}
	m, err := nontext.Embedded()
	if err != nil {
		return err
	}
	models = append(models, m)
	err = c.print(con.out, good, bad, evalnontext.JudgeBy(models, c.Loss))
	if err == nil && c.Speed {
		_, err = fmt.Fprintf(con.out, "%.1f MB of text per second of processor time\n", evalnontext.Speed(good, models)/1e6)
	}
	return err
}

// print writes lost good text and found bad text.
func (c *evalNontextCmd) print(w io.Writer, good, bad []evalnontext.Doc, judge evalnontext.Judge) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(what string, r evalnontext.Row) {
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%.1f\t\n", what, r.Group, r.Docs, r.Short, 100*r.Share())
	}
	fmt.Fprintln(t, "\t\tdocuments\ttoo short\tgo %\t")
	lost := evalnontext.Count(good, "", judge)[0]
	row("good", lost)
	for _, field := range c.By {
		for _, r := range evalnontext.Count(good, field, judge) {
			row(field, r)
		}
	}
	all := evalnontext.Count(bad, "", judge)
	if len(all) == 0 {
		return cmp.Or(t.Flush(), error(errNo{"no bad text: no language has enough good text to generate it from"}))
	}
	row("bad", all[0])
	for _, r := range evalnontext.Count(bad, evalnontext.FieldKind, judge) {
		row(evalnontext.FieldKind, r)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, p := range c.Prior {
		fmt.Fprintf(w, "with %g %% of bad text: precision %.1f, recall %.1f\n", 100*p, 100*evalnontext.Precision(p, all[0].Share(), lost.Share()), 100*all[0].Share())
	}
	return nil
}

// leaveOneOut prints what models find of kinds that they have not learned.
func (c *evalNontextCmd) leaveOneOut(ctx context.Context, con *console, good []evalnontext.Doc, kinds []generate.Kind) error {
	if c.Bad != "" || len(c.NontextModel) > 0 || c.SaveMade != "" || c.Speed {
		return errors.New("--leave-one-out trains models and generates the bad text: leave out BAD, --nontext-model, --save-made and --speed")
	}
	if len(kinds) < 2 {
		return fmt.Errorf("--made %s: wanted at least two kinds", strings.Join(c.Made, ","))
	}
	train, err := evalnontext.Read(c.LeaveOneOut)
	if err != nil {
		return err
	}
	cfg := trainnontext.Default
	cfg.Shapes = c.Shapes
	list, err := evalnontext.LeaveOneOut(ctx, cfg, train, good, kinds, c.Seed)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(con.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "kind left out\tgood\tgo %\tbad\tgo %\t")
	for _, p := range c.Prior {
		fmt.Fprintf(t, "precision at %g %%\t", 100*p)
	}
	fmt.Fprintln(t)
	var mean evalnontext.LeftOut
	for _, l := range list {
		c.leftOut(t, l)
		mean.Good.Docs, mean.Good.Gone = mean.Good.Docs+l.Good.Docs, mean.Good.Gone+l.Good.Gone
		mean.Bad.Docs, mean.Bad.Gone = mean.Bad.Docs+l.Bad.Docs, mean.Bad.Gone+l.Bad.Gone
	}
	mean.Kind = "all"
	c.leftOut(t, mean)
	return t.Flush()
}

func (c *evalNontextCmd) leftOut(w io.Writer, l evalnontext.LeftOut) {
	fmt.Fprintf(w, "%s\t%d\t%.1f\t%d\t%.1f\t", l.Kind, l.Good.Docs, 100*l.Good.Share(), l.Bad.Docs, 100*l.Bad.Share())
	for _, p := range c.Prior {
		fmt.Fprintf(w, "%.1f\t", 100*evalnontext.Precision(p, l.Bad.Share(), l.Good.Share()))
	}
	fmt.Fprintln(w)
}
