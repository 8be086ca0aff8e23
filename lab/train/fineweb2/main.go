// Command fineweb2 writes the table of limits by language of package model/data/fineweb2 from the
// folder configs of github.com/huggingface/fineweb-2 (Apache-2.0):
//
//	go run ./lab/train/fineweb2 -source d0defb24f193 -o model/data/fineweb2/fineweb2.tsv.gz FINEWEB-2/configs
//
// The table has one line for each language and script: its name, the figures in the order of the
// header, and the stop words.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/klauspost/compress/gzip"

	"chaffinch/internal/files"
)

// limits is a file of the folder configs.
type limits struct {
	LanguageScore  float64    `yaml:"language_score"`
	MinWordLength  float64    `yaml:"min_avg_word_length"`
	MaxWordLength  float64    `yaml:"max_avg_word_length"`
	NonAlpha       float64    `yaml:"max_non_alpha_words_ratio"`
	LinePunct      float64    `yaml:"line_punct_thr"`
	NewLines       float64    `yaml:"new_line_ratio"`
	DuplicateLines float64    `yaml:"dup_line_frac"`
	Top            []sequence `yaml:"top_n_grams"`
	Duplicate      []sequence `yaml:"dup_n_grams"`
	StopWords      []string   `yaml:"stopwords"`
}

// sequence is the length of an n-gram and its limit.
type sequence [2]float64

// columns is the header of the table.
var columns = []string{
	"language", "language_score", "min_avg_word_length", "max_avg_word_length", "max_non_alpha_words_ratio", "line_punct_thr", "new_line_ratio", "dup_line_frac",
	"top_2_gram", "top_3_gram", "top_4_gram", "dup_5_gram", "dup_6_gram", "dup_7_gram", "dup_8_gram", "dup_9_gram", "dup_10_gram", "stopwords",
}

func main() {
	out := flag.String("o", "", "table to write (.tsv.gz)")
	source := flag.String("source", "", "commit of the folder")
	flag.Parse()
	if err := run(flag.Arg(0), *source, *out); err != nil {
		fmt.Fprintln(os.Stderr, "fineweb2:", err)
		os.Exit(1)
	}
}

func run(folder, source, out string) error {
	if folder == "" || source == "" || out == "" {
		return errors.New("usage: fineweb2 -source COMMIT -o FILE CONFIGS")
	}
	names, err := filepath.Glob(filepath.Join(folder, "*.yml"))
	if err != nil || len(names) == 0 {
		return fmt.Errorf("%s: no .yml files: %w", folder, errors.Join(err, os.ErrNotExist))
	}
	var table bytes.Buffer
	fmt.Fprintf(&table, "# github.com/huggingface/fineweb-2, folder configs, commit %s, Apache-2.0\n%s\n", source, strings.Join(columns, "\t"))
	for _, file := range names {
		b, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		row, err := rowOf(b)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		fmt.Fprintf(&table, "%s\t%s\n", strings.TrimSuffix(filepath.Base(file), ".yml"), strings.Join(row, "\t"))
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := table.WriteTo(w); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return files.WriteFile(out, packed.Bytes())
}

// rowOf returns the columns of a file after its name.
func rowOf(text []byte) ([]string, error) {
	var l limits
	if err := yaml.UnmarshalWithOptions(text, &l, yaml.Strict()); err != nil {
		return nil, err
	}
	figures := []float64{l.LanguageScore, l.MinWordLength, l.MaxWordLength, l.NonAlpha, l.LinePunct, l.NewLines, l.DuplicateLines}
	for _, list := range []struct {
		sequences   []sequence
		first, last int
	}{{l.Top, 2, 4}, {l.Duplicate, 5, 10}} {
		if len(list.sequences) != list.last-list.first+1 {
			return nil, fmt.Errorf("%d n-grams, wanted %d", len(list.sequences), list.last-list.first+1)
		}
		for i, s := range list.sequences {
			if s[0] != float64(list.first+i) {
				return nil, fmt.Errorf("limit of %v-grams, wanted %d", s[0], list.first+i)
			}
			figures = append(figures, s[1])
		}
	}
	var row []string
	for _, f := range figures {
		row = append(row, strconv.FormatFloat(f, 'g', -1, 64))
	}
	for _, w := range l.StopWords {
		if w == "" || strings.ContainsAny(w, "\t\n") {
			return nil, fmt.Errorf("stop word %q: empty, or with a tab or line break", w)
		}
	}
	return append(row, l.StopWords...), nil
}
