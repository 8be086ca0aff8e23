package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"chaffinch/format/suffix"
	"chaffinch/internal/settings"
	evaldedup "chaffinch/lab/eval/dedup"
)

type evalDedupCmd struct {
	Data  string   `default:"../shared/data" placeholder:"DIR" help:"The data folder. Default: ${default}."`
	Texts []string `placeholder:"PATH" help:"Plant copies of these texts instead of the data sets: files, folders or archives, named by language (de.txt, txt/de/tale.txt)."`
	Half  string   `default:"test" enum:"dev,test" help:"Half of the base documents: dev for tuning, test for reporting. Default: ${default}."`
	Bases int      `default:"1000" placeholder:"N" help:"Number of base documents; with their copies about 2.5 times as many. 0: all of the half. Default: ${default}."`
	Seed  uint64   `default:"1" placeholder:"N" help:"Seed of the choice of texts and copies. Default: ${default}."`

	Method      []string `short:"m" sep:"none" placeholder:"NAME[:PRESET][{JSON}][=LABEL]" help:"Methods of Chaffinch: exact with a unit, minhash with a preset, onion with a unit. A JSON object may follow with the settings that differ from the defaults, then a name for the tables. Default without --predictions: exact:page, minhash with each preset, onion."`
	Jobs        int      `short:"j" default:"1" placeholder:"N" help:"Workers of --method. Does not change the figures. Default: ${default}."`
	Predictions []string `short:"p" placeholder:"DIR" help:"Output of another program: a folder with system.json, documents.tsv and optionally paragraphs.tsv (written by lab/compare/dedup/run.sh); repeatable."`
	SaveDocs    string   `placeholder:"FILE" help:"Write the documents for other programs as JSONL and exit."`

	Grow string `placeholder:"SIZE" help:"With --save-docs: write a collection of this size to measure speed: text with the word pairs of the texts, in documents of about 500 words; one in ten is a copy and one in ten an edited copy."`

	Kinds bool `help:"Print tables by kind of document."`
	Worst int  `placeholder:"N" help:"Print the N most similar pairs that each system misses and the N least similar pairs that it joins."`

	floorFlags
}

// Help is the long help.
func (evalDedupCmd) Help() string {
	return `Figures are in percent. Two documents are near-duplicates if the Jaccard similarity of their sets of
word 5-grams is at least 70 %. Chains of such pairs form clusters:
  pairs P R F   pairs of documents in one cluster
  copies P R    the same pairs against the construction of the documents: a copy has at most a fifth of its
                words changed; a non-copy shares only templates and quotations; other pairs do not count
  B3, ARI       B-cubed F and adjusted Rand index of the clusters
  removed P R   removed documents; all but one of each cluster should be removed
  words P R     words of removed paragraphs; all copies but one should be removed
Speeds are printed to standard error: documents per second of processor time, for other programs including loading and writing.

Examples:
  chaffinch eval dedup
  chaffinch eval dedup --half dev -m 'minhash:fineweb{"verify":0.7}' --kinds --worst 5
  chaffinch eval dedup --half dev --save-docs docs.jsonl
  chaffinch eval dedup -p out/datatrove-14x8 -p out/text-dedup-240`
}

// Run plants documents and scores the detected duplicates.
func (c *evalDedupCmd) Run(ctx context.Context, con *console) error {
	if err := c.read(); err != nil {
		return err
	}
	cfg := evaldedup.Config{Half: evaldedup.Half(c.Half), Texts: c.Texts, Bases: c.Bases, Seed: c.Seed}
	if c.Grow != "" {
		return c.grow(ctx, con, cfg)
	}
	set, err := evaldedup.Plant(ctx, c.Data, cfg)
	if err != nil {
		return err
	}
	if c.SaveDocs != "" {
		if err := suffix.Check(c.SaveDocs, "jsonl"); err != nil {
			return err
		}
		return writeFile(c.SaveDocs, set.WriteJSONL)
	}
	if len(c.Method)+len(c.Predictions) == 0 {
		c.Method = evaldedup.DefaultMethods()
	}
	var all []*evaldedup.Answers
	for _, spec := range c.Method {
		name, m, err := evaldedup.Method(spec)
		if err != nil {
			return err
		}
		a, err := evaldedup.FindDuplicates(ctx, set, name, m, c.Jobs)
		if err != nil {
			return err
		}
		all = append(all, a)
	}
	for _, dir := range c.Predictions {
		a, err := evaldedup.ReadAnswers(dir, set)
		if err != nil {
			return err
		}
		all = append(all, a)
	}
	p := dedupReport{w: con.out, err: con.err, truth: evaldedup.NewTruth(set)}
	if err := p.systems(all); err != nil {
		return err
	}
	if c.floorFlags.file != nil {
		if len(c.Texts) > 0 {
			return errors.New("--floors applies to the data sets: leave out --texts")
		}
		if err := c.compare("dedup/"+cfg.Name(), set.Fingerprint(), p.floored); err != nil {
			return err
		}
	}
	if c.Kinds {
		if err := p.kinds(all); err != nil {
			return err
		}
	}
	for _, a := range all {
		p.worst(a, c.Worst)
	}
	return c.judge(con.err)
}

// grow writes a large collection.
func (c *evalDedupCmd) grow(ctx context.Context, con *console, cfg evaldedup.Config) error {
	if c.SaveDocs == "" {
		return errors.New("--grow needs --save-docs FILE (.vert for a vertical, else JSONL)")
	}
	size, err := settings.ParseSize(c.Grow)
	if err != nil {
		return fmt.Errorf("--grow %w", err)
	}
	return writeFile(c.SaveDocs, func(w io.Writer) error {
		g := evaldedup.Growth{Bytes: size, Vertical: suffix.Of(c.SaveDocs).Format == "vertical", Seed: c.Seed}
		docs, words, err := evaldedup.Grow(ctx, w, c.Data, cfg, g)
		if err == nil {
			fmt.Fprintf(con.err, "%s: %s, %s\n", c.SaveDocs, count(docs, "document"), count(words, "word"))
		}
		return err
	})
}
