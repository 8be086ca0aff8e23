package main

import (
	"context"

	"chaffinch/clean/blocks"
	evalclean "chaffinch/lab/eval/clean"
	"chaffinch/lab/gold"
	"chaffinch/lab/train"
	trainblocks "chaffinch/lab/train/blocks"
	"chaffinch/model"
)

// sets lists the sets with annotated pages whose languages have spaces between words.
var sets = []string{"cleaneval-en-dev", "wcxb-dev", "dragnet", "google-trends-2017", "l3s-gn1", "canola", "newspaper4k"}

// folds is the number of folds of the sites.
const folds = 3

// part is a fold: the training items, and the annotated pages of the fold.
type part struct{ learn, test []int }

// collect reads the sets with the roles of a table, and divides the sites into folds.
func collect(ctx context.Context, data, table string) (*gold.Collection, []part, error) {
	var read []*evalclean.Set
	for _, name := range sets {
		s, err := evalclean.Open(data, name)
		if err != nil {
			return nil, nil, err
		}
		read = append(read, s)
	}
	c, _, err := evalclean.Collect(ctx, read, "", gold.CollectConfig{})
	if err != nil {
		return nil, nil, err
	}
	roles, err := gold.ReadRolePages(table)
	if err != nil {
		return nil, nil, err
	}
	if _, err := c.Annotate(roles); err != nil {
		return nil, nil, err
	}
	of, err := c.Folds(folds, "site")
	if err != nil {
		return nil, nil, err
	}
	var parts []part
	for _, split := range c.Splits(of, folds) {
		x := part{learn: split.Train}
		for _, i := range split.Test {
			if c.Items[i].Gold.Roles != nil {
				x.test = append(x.test, i)
			}
		}
		parts = append(parts, x)
	}
	return c, parts, nil
}

// base trains a model on items and writes it.
func base(ctx context.Context, c *gold.Collection, learn []int, out string) error {
	cfg := trainblocks.DefaultTrain
	cfg.Confidence.Folds = 0
	l := train.Blocks{Config: blocks.Default, TrainConfig: cfg}
	t, err := l.Prepare(ctx, c.Items, nil)
	if err != nil {
		return err
	}
	m, err := t.Train(ctx, learn, nil)
	if err != nil {
		return err
	}
	return m.(interface {
		Save(string, model.Header) error
	}).Save(out, model.Header{Name: "base"})
}
