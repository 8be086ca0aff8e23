package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"os"
	"path/filepath"
	"strings"

	"chaffinch/internal/settings"
)

// trainCmd lists the commands that make models.
type trainCmd struct {
	Blocks       trainBlocksCmd       `cmd:"" help:"Train a model of the method blocks from pages and their gold text."`
	Charset      trainCharsetCmd      `cmd:"" help:"Train a model of encodings from running text."`
	Lines        trainLinesCmd        `cmd:"" help:"Train or adapt a model of the method lines from documents with labelled lines."`
	Ncleaner     trainNcleanerCmd     `cmd:"" help:"Train a pair of character models for the method ncleaner."`
	Words        trainWordsCmd        `cmd:"" help:"Train a word n-gram model for the method perplexity from running text."`
	Langid       trainLangidCmd       `cmd:"" help:"Train a model of the language detector from text of known language."`
	Close        trainCloseCmd        `cmd:"" help:"Train a model of close languages and varieties, the second stage of the language detector."`
	Sentences    trainSentencesCmd    `cmd:"" help:"Derive abbreviations and sentence starters from running text."`
	Segmenter    trainSegmenterCmd    `cmd:"" help:"Train a word segmenter for a language written without spaces."`
	Tagger       trainTaggerCmd       `cmd:"" help:"Train a tagger of parts of speech, features and lemmas from treebanks."`
	FilterLimits trainFilterLimitsCmd `cmd:"" help:"Derive limits of quality rules for each language from good text."`
	Nontext      trainNontextCmd      `cmd:"" help:"Train a model that detects keyword stuffing, spun text and other non-text."`
	Labels       trainLabelsCmd       `cmd:"" help:"Train a classifier of documents from labelled documents."`
	Stopwords    trainStopwordsCmd    `cmd:"" help:"Derive stop lists for the method justext from running text."`
}

// canWrite looks before the training whether the folders of the files that it writes
// are there; "" and - are no files.
func canWrite(files ...string) error {
	for _, f := range files {
		if f == "" || f == "-" {
			continue
		}
		if st, err := os.Stat(f); err == nil && st.IsDir() {
			return fmt.Errorf("%s: a folder, wanted an output file: name one in it", f)
		}
		if st, err := os.Stat(filepath.Dir(f)); err != nil || !st.IsDir() {
			return fmt.Errorf("%s: no folder %s: create it first", f, filepath.Dir(f))
		}
	}
	return nil
}

// textReader counts the texts of a folder, an archive or a file.
type textReader interface {
	Read(name, lang string, sum hash.Hash) (files, skipped int, err error)
}

// readTexts adds the inputs to a trainer, all in the language lang unless it is "". It
// returns the number of used and skipped texts, and the SHA-256 of the input.
func readTexts(ctx context.Context, t textReader, inputs []string, lang string) (files, skipped int, sha string, err error) {
	sum := sha256.New()
	for _, in := range inputs {
		if err := ctx.Err(); err != nil {
			return 0, 0, "", err
		}
		f, s, err := t.Read(in, lang, sum)
		if err != nil {
			return 0, 0, "", err
		}
		files, skipped = files+f, skipped+s
	}
	return files, skipped, hex.EncodeToString(sum.Sum(nil)), nil
}

// taggedInput splits INPUT=TAG; lang is "" if the whole of in is the name of a file or a folder.
func taggedInput(in string) (name, lang string) {
	if _, err := os.Stat(in); errors.Is(err, os.ErrNotExist) {
		if i := strings.LastIndexByte(in, '='); i >= 0 {
			return in[:i], in[i+1:]
		}
	}
	return in, ""
}

// printSkipped reports texts of an input that were not read because their names contain no language.
func printSkipped(input string, skipped []string, con *console) {
	if len(skipped) > 0 {
		fmt.Fprintf(con.err, "chaffinch: %s: %s skipped, no language in the name, first %s\n", input, count(int64(len(skipped)), "file"), skipped[0])
	}
}

// progressLines returns a function that prints lines of progress, unless quiet is set.
func progressLines(con *console, quiet bool) func(string) {
	return func(s string) {
		if !quiet {
			fmt.Fprintln(con.err, s)
		}
	}
}

// applyConfig decodes the value of --config over the defaults in cfg.
func applyConfig(config string, cfg any) error {
	if config == "" {
		return nil
	}
	if err := settings.Parse([]byte(config), cfg); err != nil {
		return fmt.Errorf("--config: %w", err)
	}
	return nil
}
