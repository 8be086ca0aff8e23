package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/alecthomas/kong"

	"chaffinch/format/conllu"
	"chaffinch/internal/archive"
	evaltag "chaffinch/lab/eval/tag"
	"chaffinch/lab/train/tagger"
	"chaffinch/model"
	"chaffinch/pipeline"
	"chaffinch/text/tag"
)

type trainTaggerCmd struct {
	Treebank []string `arg:"" help:"Treebanks in CoNLL-U: files *.conllu, folders or tar archives."`
	Out      string   `short:"o" required:"" placeholder:"FILE" help:"Model file to write."`
	Lexicon  string   `placeholder:"FILE" help:"More words (.tsv): word, lemma, tag, and optionally a count. A tag is a part of speech, optionally with features: NOUN|Case=Nom|Number=Sing."`
	Dev      []string `placeholder:"FILE" help:"Treebank for the figures. Default: a cross-validation."`
	Folds    int      `range:"[0,100]" default:"${taggerFolds}" placeholder:"N" help:"Number of folds of the cross-validation, 0 for no figures. Default: ${default}."`
	Passes   int      `range:"[1,100]" default:"${taggerPasses}" placeholder:"N" help:"Passes over the treebank. Default: ${default}."`
	Bits     int      `range:"[10,24]" default:"${taggerBits}" placeholder:"N" help:"The table of weights has 2^N bytes. Default: ${default}."`
	Lang     string   `short:"l" placeholder:"TAG" help:"Language. Default: the beginning of the first file name, such as de of de_gsd-ud-train.conllu."`
	Name     string   `placeholder:"NAME" help:"Name of the model in its header. Default: tagger_ and the language."`
	About    string   `placeholder:"TEXT" help:"Sources of the treebanks and their licences, for the model's header."`
	JSON     bool     `name:"json" help:"Print the figures as JSON."`
	Quiet    bool     `short:"q" help:"No progress."`
}

// taggerVars are the defaults that the help of the flags shows.
var taggerVars = kong.Vars{
	"taggerFolds":  "5",
	"taggerPasses": fmt.Sprint(tagger.Default.Passes),
	"taggerBits":   fmt.Sprint(tagger.Default.Bits),
}

// Help is the long text of --help.
func (trainTaggerCmd) Help() string {
	return `Trains a tagger of parts of speech, morphological features and lemmas from treebanks of Universal Dependencies.
The figures are F1 of the measures of CoNLL 2018 on words that the model has not learned from; the model itself learns from
all treebanks. Treebanks without lemmas or features result in models without them.

Examples:
  chaffinch train tagger de_gsd-ud-train.conllu --dev de_gsd-ud-dev.conllu -o de.chf
  chaffinch train tagger da_ddt-ud-dev.conllu -o da.chf --lexicon words.tsv`
}

// taggerCard is the model card in the header of the file.
type taggerCard struct {
	About     string   `json:"about,omitempty"`
	Treebanks []string `json:"treebanks"`
	Lexicon   string   `json:"lexicon,omitempty"`
	// Sentences and Words are counts of the treebanks.
	Sentences int `json:"sentences"`
	Words     int `json:"words"`
	// Figures are F1 of held-out words.
	Figures map[string]float64 `json:"figures,omitempty"`
}

// Run trains, and prints the figures.
func (c *trainTaggerCmd) Run(ctx context.Context, con *console) error {
	if err := canWrite(c.Out); err != nil {
		return err
	}
	sum := sha256.New()
	banks, err := readTreebanks(ctx, c.Treebank, con, sum)
	if err != nil {
		return err
	}
	cfg := tagger.Default
	cfg.Passes, cfg.Bits, cfg.Lang = c.Passes, c.Bits, c.Lang
	card := taggerCard{About: c.About}
	var list []*conllu.Sentence
	for _, b := range banks {
		card.Treebanks = append(card.Treebanks, path.Base(b.name))
		list = append(list, b.list...)
		if cfg.Lang == "" {
			cfg.Lang = treebankLang(b.name)
		}
	}
	if c.Lexicon != "" {
		b, err := archive.ReadFile(c.Lexicon)
		if err != nil {
			return fmt.Errorf("--lexicon: %w", err)
		}
		sum.Write(b)
		card.Lexicon = filepath.Base(c.Lexicon)
		if cfg.Lexicon, err = tagger.ReadLexicon(c.Lexicon, strings.NewReader(string(b))); err != nil {
			return fmt.Errorf("--lexicon: %w", err)
		}
	}
	dev, err := readTreebanks(ctx, c.Dev, con, io.Discard)
	if err != nil {
		return fmt.Errorf("--dev: %w", err)
	}
	bar := startBars(con, c.Quiet)
	m, err := tagger.Train(ctx, cfg, list, func(done, total int) {
		bar.show(pipeline.Status{Step: fmt.Sprintf("pass %d of %d", done, total)})
	})
	var results []*evaltag.Result
	for _, b := range dev {
		if err == nil {
			var r *evaltag.Result
			r, err = evaltag.Run(m, path.Base(b.name), b.list)
			results = append(results, r)
		}
	}
	if err == nil && len(dev) == 0 && c.Folds > 1 && len(list) >= c.Folds {
		var r *evaltag.Result
		r, err = evaltag.CrossValidate(ctx, cfg, fmt.Sprintf("%d folds", c.Folds), list, c.Folds, func(done, total int) {
			bar.show(pipeline.Status{Step: fmt.Sprintf("cross-validation, pass %d of %d", done, total)})
		})
		results = append(results, r)
	}
	bar.stop()
	switch {
	case errors.Is(err, context.Canceled):
		return errors.New("stopped: nothing written")
	case err != nil:
		return fmt.Errorf("%s: %w", strings.Join(c.Treebank, ", "), err)
	}
	if !m.HasLemmas() {
		fmt.Fprintln(con.err, "no lemmas in the treebanks: the model has none")
	}
	if !m.HasFeats() {
		fmt.Fprintln(con.err, "no features in the treebanks: the model has none")
	}
	return c.save(con, m, list, results, card, hex.EncodeToString(sum.Sum(nil)), cfg.Lang)
}

// save writes the model and prints the figures.
func (c *trainTaggerCmd) save(con *console, m *tag.Model, list []*conllu.Sentence, results []*evaltag.Result, card taggerCard, sum, lang string) error {
	card.Sentences = len(list)
	for _, s := range list {
		for i := range s.Words {
			if s.Words[i].IsWord() {
				card.Words++
			}
		}
	}
	if len(results) > 0 {
		var all evaltag.Score
		for _, r := range results {
			all.Add(&r.Gold)
		}
		card.Figures = map[string]float64{"UPOS": all.UPOS.F(), "XPOS": all.XPOS.F(), "UFeats": all.Feats.F(), "AllTags": all.All.F(), "Lemmas": all.Lemmas.F()}
	}
	b, err := json.Marshal(card)
	if err != nil {
		return err
	}
	name := c.Name
	if name == "" {
		name = strings.TrimSuffix("tagger_"+lang, "_")
	}
	if err := m.Save(c.Out, model.Header{Name: name, DataSHA256: sum, Tool: "chaffinch " + version, Card: b}); err != nil {
		return err
	}
	if c.JSON {
		enc := json.NewEncoder(con.out)
		enc.SetIndent("", "  ")
		return enc.Encode(card)
	}
	if len(results) > 0 {
		if err := writeTables(con.out, evaltag.Tables(results), ""); err != nil {
			return err
		}
	}
	st, err := os.Stat(c.Out)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(con.out, "%s: %s, %s in the lexicon, %s, %d bytes\n", c.Out, count(int64(card.Words), "word"), count(int64(m.Words()), "word"), count(int64(len(m.Tags())), "tag"), st.Size())
	return err
}

// treebank is a file of annotated sentences.
type treebank struct {
	name string
	list []*conllu.Sentence
}

// readTreebanks reads files *.conllu, folders and archives of them, and writes their bytes to sum.
func readTreebanks(ctx context.Context, inputs []string, con *console, sum io.Writer) (banks []treebank, err error) {
	for _, given := range inputs {
		before := len(banks)
		err := eachFile(ctx, given, con, func(name string, in io.Reader) error {
			if path.Ext(name) != ".conllu" && name != given {
				return nil
			}
			list, err := evaltag.Read(name, io.TeeReader(in, sum))
			banks = append(banks, treebank{name, list})
			return err
		})
		if err != nil {
			return nil, err
		}
		if len(banks) == before {
			return nil, fmt.Errorf("%s: no files *.conllu", given)
		}
	}
	return banks, nil
}

// treebankLang returns the language of a file such as de_gsd-ud-train.conllu, "" for other names.
func treebankLang(name string) string {
	lang, _, ok := strings.Cut(path.Base(name), "_")
	if !ok || len(lang) < 2 || len(lang) > 3 {
		return ""
	}
	return lang
}
