package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"chaffinch/langid"
	"chaffinch/model"
)

type trainLangidCmd struct {
	Input  []string `arg:"" help:"Text of known language: files (*.txt, UTF-8) in folders or tar archives (also packed with zstd or gzip). The language is the name that follows a folder \"txt\" (guide/txt/de/intro.txt), else the file's name (de.txt). INPUT=TAG says that all of an input is in one language."`
	Out    string   `short:"o" required:"" placeholder:"FILE" help:"Write the model."`
	Config string   `placeholder:"{JSON}" help:"Settings of the training that differ from the defaults."`
	Name   string   `default:"langid" placeholder:"NAME" help:"Name of the model in its header. Default: ${default}."`
}

// Run trains and writes the model.
func (c *trainLangidCmd) Run(ctx context.Context, con *console) error {
	cfg := langid.DefaultTrain
	if c.Config != "" {
		dec := json.NewDecoder(strings.NewReader(c.Config))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&cfg); err != nil {
			return fmt.Errorf("--config: %w", err)
		}
	}
	var corpus langid.Corpus
	for _, in := range c.Input {
		if err := ctx.Err(); err != nil {
			return err
		}
		name, lang := in, ""
		if _, err := os.Stat(in); errors.Is(err, os.ErrNotExist) {
			name, lang, _ = strings.Cut(in, "=")
		}
		if _, err := corpus.Read(name, lang); err != nil {
			return err
		}
	}
	trained, err := langid.Train(&corpus, cfg, func(s string) { fmt.Fprintln(con.err, s) })
	if err != nil {
		return err
	}
	return trained.Save(c.Out, model.Header{Name: c.Name, Tool: "chaffinch " + version})
}
