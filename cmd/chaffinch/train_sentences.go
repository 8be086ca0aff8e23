package main

import (
	"context"
	"fmt"
	"io"
	"path"

	"github.com/alecthomas/kong"

	"chaffinch/token"
)

type trainSentencesCmd struct {
	Input      []string `arg:"" help:"Running text of one language: files, folders or tar archives of *.txt (UTF-8), the more the better: some 100,000 words for a first list."`
	Lang       string   `short:"l" placeholder:"TAG" help:"Language of the text: what its rules know already is left out of the file."`
	All        bool     `help:"Write what the rules of the language know, too."`
	Out        string   `short:"o" placeholder:"FILE" help:"Rule file for --rules of chaffinch tokenize. Read it before use: each line has a count and a score. Default: standard output."`
	MinCount   int      `default:"${sentMinCount}" help:"How often a word must stand with a full stop (${default})."`
	MinScore   float64  `default:"${sentMinScore}" help:"Score from which it is an abbreviation (${default})."`
	MinStarter float64  `default:"${sentMinStarter}" help:"Log-likelihood from which a word is one that begins sentences (${default})."`
}

// sentencesVars are the defaults that the help of the flags shows.
var sentencesVars = kong.Vars{
	"sentMinCount":   fmt.Sprint(token.DefaultTrain.MinCount),
	"sentMinScore":   fmt.Sprint(token.DefaultTrain.MinScore),
	"sentMinStarter": fmt.Sprint(token.DefaultTrain.MinStarter),
}

// Run learns the lists and writes them.
func (c *trainSentencesCmd) Run(ctx context.Context, con *console) error {
	if err := canWrite(c.Out); err != nil {
		return err
	}
	t, err := token.NewTrainer(token.TrainConfig{Lang: c.Lang, All: c.All, MinCount: c.MinCount, MinScore: c.MinScore, MinStarter: c.MinStarter})
	if err != nil {
		return err
	}
	files := 0
	for _, in := range c.Input {
		err := eachFile(ctx, in, con, func(name string, raw []byte) error {
			if path.Ext(name) == ".txt" || name == in {
				files++
				t.Add(string(raw))
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if files == 0 {
		return fmt.Errorf("%s: no file *.txt", c.Input[0])
	}
	learned := t.Learn()
	if len(learned) == 0 {
		return errNo{"nothing learned: add text or lower --min-count"}
	}
	return writeTo(c.Out, con, func(w io.Writer) error { return t.WriteRules(w, learned) })
}
