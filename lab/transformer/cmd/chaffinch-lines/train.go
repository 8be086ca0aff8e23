package main

import (
	"context"
	"fmt"

	"chaffinch/format/suffix"
	"chaffinch/lab/gold"
	"chaffinch/lab/train/nets"
	"chaffinch/lab/transformer"
)

type trainCmd struct {
	Docs []string `arg:"" placeholder:"PATH" help:"Labelled lines: .jsonl or .tsv files, folders or archives of them. Documents without a part (train, dev) are split 70/15/15."`
	Out  string   `short:"o" required:"" placeholder:"FILE" help:"Write the network here. It holds no part of the transformer."`
	encoderFlags
	vectorFlags
	splitFlags
	Hidden  int     `default:"64" help:"Values of each direction of the LSTM. Default: ${default}."`
	Epochs  int     `default:"20" help:"Most passes over the training part. Default: ${default}."`
	Rate    float64 `default:"0.002" help:"Largest step. Default: ${default}."`
	Dropout float64 `default:"0.15" help:"Share of the LSTM's output left out at random. Default: ${default}, as in the thesis."`
}

// Help is the long text of --help.
func (trainCmd) Help() string {
	return `The transformer is not changed: fine-tune it elsewhere, as a classifier of single lines, and export it to ONNX.

Example:
  chaffinch-lines train --transformer xlmr/model.onnx --library libonnxruntime.so --cache vectors/ -o lines.chf turku-lines/`
}

// Run trains and writes the network.
func (c *trainCmd) Run(ctx context.Context, con *console) error {
	if err := suffix.Check(c.Out, "model"); err != nil {
		return err
	}
	docs, err := readDocs(ctx, c.Docs)
	if err != nil {
		return err
	}
	train, dev, _ := parts(docs, c.Seed, c.Resplit)
	e, err := transformer.New(c.config(c.vectorFlags))
	if err != nil {
		return err
	}
	defer e.Close()
	cfg := transformer.DefaultTrain
	cfg.Hidden, cfg.Net.Epochs, cfg.Net.Rate, cfg.Net.DropHidden, cfg.Net.Seed = c.Hidden, c.Epochs, c.Rate, c.Dropout, c.Seed
	fmt.Fprintf(con.err, "%d documents to train on, %d to choose the epoch by; vectors of %d values, ONNX Runtime %s\n", len(train), len(dev), e.Width(), transformer.LibraryVersion())
	m, err := transformer.Train(ctx, e, train, dev, cfg, c.Cache, transformer.Progress{
		Vectors: func(done, all int) { fmt.Fprintf(con.err, "vectors of %d of %d lines\n", done, all) },
		Epoch: func(e nets.Epoch) {
			mark := ""
			if e.Best {
				mark = " best"
			}
			fmt.Fprintf(con.err, "epoch %d: loss %.4f, on the development part %.4f, accuracy %.4f%s\n", e.Number, e.Train, e.Dev, e.Accuracy, mark)
		},
	})
	if err != nil {
		return err
	}
	return m.Save(c.Out, "chaffinch-lines")
}

// readDocs reads the labelled documents of several paths.
func readDocs(ctx context.Context, paths []string) (docs []*gold.LineDoc, err error) {
	for _, p := range paths {
		list, err := gold.ReadLineDocs(ctx, p)
		if err != nil {
			return nil, err
		}
		docs = append(docs, list...)
	}
	return docs, nil
}

// splitFlags configures the division of documents into parts.
type splitFlags struct {
	Seed    uint64 `default:"1" help:"Where chance begins: the same seed gives the same parts and the same network. Default: ${default}."`
	Resplit bool   `help:"Split all documents, ignoring their stated parts."`
}

// parts divides documents by their stated parts. Documents without one are divided 70/15/15.
func parts(docs []*gold.LineDoc, seed uint64, resplit bool) (train, dev, test []*gold.LineDoc) {
	var rest []*gold.LineDoc
	for _, d := range docs {
		switch {
		case resplit:
			rest = append(rest, d)
		case d.Split == gold.Train:
			train = append(train, d)
		case d.Split == gold.Dev:
			dev = append(dev, d)
		case d.Split == gold.Test:
			test = append(test, d)
		default:
			rest = append(rest, d)
		}
	}
	a, b, c := gold.SplitLineDocs(rest, seed)
	return append(train, a...), append(dev, b...), append(test, c...)
}
