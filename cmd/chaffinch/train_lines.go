package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"chaffinch/clean/lines"
	"chaffinch/internal/table"
	evallines "chaffinch/lab/eval/lines"
	"chaffinch/lab/gold"
	learn "chaffinch/lab/train"
	trainlines "chaffinch/lab/train/lines"
	"chaffinch/model"
)

type trainLinesCmd struct {
	Sets []string `arg:"" optional:"" name:"data" help:"Documents with labelled lines: TSV, JSONL, a folder or an archive of such files (docs/reference/formats/lines.md)."`
	Out  string   `short:"o" placeholder:"FILE" help:"Model file to write."`

	Dev   []string `placeholder:"DATA" help:"Documents for early stopping; all others are used for training, except the test part."`
	Split string   `default:"auto" enum:"${lineSplits}" help:"Split of the documents: given (parts train, dev and test, from a field or the file name), new (70 % for training, 15 % for early stopping, 15 % for evaluation, by language; near-duplicates stay together), none (all for training, no evaluation), auto (given if documents state their parts, else new). Default: ${default}."`
	Adapt string   `placeholder:"MODEL" help:"Adapt a model (a file or \"embedded\") to your own documents; 30 are enough for a measurable gain."`

	CrossValidate int    `default:"5" placeholder:"K" help:"With --adapt: also run a K-fold cross-validation, before and after adaptation; 0 for none. Default: ${default}."`
	Config        string `placeholder:"{JSON}" help:"Training settings that differ from the defaults."`
	Lang          string `short:"l" placeholder:"TAG" help:"Language of documents that state none."`
	Seed          uint64 `default:"1" help:"Seed of the split and of the training. The same seed gives the same bytes."`
	Jobs          int    `short:"j" placeholder:"N" help:"Number of threads. Default: one per core. Does not change the model."`

	pageFlags
	Name  string `default:"lines" placeholder:"NAME" help:"Name of the model in its header. Default: ${default}."`
	About string `was:"card" placeholder:"TEXT" help:"Description of the documents, for the model card."`
}

// lineSplitVars go into help texts.
var lineSplitVars = kong.Vars{"lineSplits": strings.Join(gold.LineSplits, ",")}

// leastAdapt is the recommended minimum number of documents to adapt a model.
const leastAdapt = 5

// fewDocs is the number of documents below which an adapted model is far better than a
// newly trained one.
const fewDocs = 100

// Help is the long text of --help.
func (trainLinesCmd) Help() string {
	return `Trains or adapts a model of the method lines.

Examples:
  chaffinch train lines mine.tsv --adapt embedded -o mine.chf
  chaffinch train lines lines/turku-lines.tar.zst mine.tsv -o all.chf
  chaffinch train lines lines/turku-lines.tar.zst --pages wcxb-dev=250 -o all.chf
  chaffinch train lines --pages cleaneval-en-dev --save-lines made.tsv   # inspect the labels
  chaffinch clean --method lines --config '{"model":"mine.chf"}' dump/`
}

// linesCard is the model card in the header of the file.
type linesCard struct {
	About string      `json:"about,omitempty"`
	Data  []linesData `json:"data"`
	// Base is the card of the model that was adapted.
	Base json.RawMessage `json:"adapted_from,omitempty"`
	// Documents, Lines and Langs describe the training data.
	Documents int              `json:"documents"`
	Lines     int              `json:"lines"`
	Langs     []linesLang      `json:"languages"`
	Seed      uint64           `json:"seed"`
	Split     string           `json:"split,omitempty"`
	Figures   *linesCardFigure `json:"accuracy,omitempty"`
}

// linesData is a set in the card, without its path. The checksum covers the documents,
// regardless of their compression.
type linesData struct {
	Name      string `json:"name"`
	Documents int    `json:"documents"`
	Lines     int    `json:"lines"`
	SHA256    string `json:"sha256"`
	// Weight is the weight of documents made from pages; 0 for hand-labelled documents.
	Weight float64 `json:"weight,omitempty"`
}

type linesLang struct {
	Lang      string `json:"lang"`
	Documents int    `json:"documents"`
	Lines     int    `json:"lines"`
}

// linesCardFigure holds shares of lines labelled right, in percent.
type linesCardFigure struct {
	Dev           string `json:"dev,omitempty"`
	Test          string `json:"test,omitempty"`
	CrossBefore   string `json:"cross_validation_before,omitempty"`
	CrossAfter    string `json:"cross_validation_after,omitempty"`
	TestDocuments int    `json:"test_documents,omitempty"`
}

// Run trains and writes the model.
func (c *trainLinesCmd) Run(ctx context.Context, con *console) error {
	if c.Out == "" && c.SaveLines == "" {
		return errors.New("no output: give -o FILE, or with --pages also --save-lines FILE")
	}
	if c.Out != "" {
		if err := canWrite(c.Out); err != nil {
			return err
		}
	}
	card := linesCard{About: c.About, Seed: c.Seed, Figures: &linesCardFigure{}}
	docs, err := c.read(ctx, c.Sets, &card)
	if err != nil {
		return err
	}
	made, err := c.fromPages(ctx, con, &card)
	if err != nil || c.Out == "" {
		return err
	}
	if len(docs) == 0 {
		if docs, made = made, nil; len(docs) == 0 {
			return errors.New("no training data: give documents with labelled lines, or --pages SET")
		}
	}
	defer debug.SetGCPercent(debug.SetGCPercent(tightGC))
	if c.Adapt != "" {
		return c.adapt(ctx, con, append(docs, made...), card)
	}
	return c.train(ctx, con, docs, made, card)
}

// read reads sets and lists them in the card.
func (c *trainLinesCmd) read(ctx context.Context, names []string, card *linesCard) ([]*gold.LineDoc, error) {
	var sets [][]*gold.LineDoc
	for _, name := range names {
		docs, err := gold.ReadLineDocs(ctx, name)
		if err != nil {
			return nil, err
		}
		for _, d := range docs {
			if d.Lang == "" {
				d.Lang = c.Lang
			}
		}
		sum, err := gold.SumLineDocs(docs)
		if err != nil {
			return nil, err
		}
		card.Data = append(card.Data, linesData{gold.SetName(name), len(docs), lineCount(docs), sum, 0})
		sets = append(sets, docs)
	}
	return gold.JoinLineDocs(sets...)
}

// train makes a model. Documents made from pages are learned from only.
func (c *trainLinesCmd) train(ctx context.Context, con *console, docs, made []*gold.LineDoc, card linesCard) error {
	cfg := trainlines.DefaultTrain
	cfg.Net.Seed, cfg.Trees.Seed = c.Seed, c.Seed
	if err := applyConfig(c.Config, &cfg); err != nil {
		return err
	}
	cfg.Workers = c.Jobs
	train, dev, test, took, err := c.parts(ctx, docs, &card)
	if err != nil {
		return err
	}
	card.Split = took
	if err := writeParts(con.out, took, train, dev, test); err != nil {
		return err
	}
	train = append(train, made...)
	if err := bothLabels(train); err != nil {
		return err
	}
	if len(train) < fewDocs {
		fmt.Fprintf(con.err, "chaffinch: only %s for training: --adapt embedded starts from a model trained on hundreds\n", count(int64(len(train)), "document"))
	}
	steps := startSteps(con)
	defer steps.stop()
	m, err := trainlines.Train(ctx, cfg, learn.LineGolds(train), learn.LineGolds(dev), steps.show)
	if err != nil {
		return err
	}
	for _, p := range []struct {
		name string
		docs []*gold.LineDoc
		to   *string
	}{{"the early stopping part", dev, &card.Figures.Dev}, {"the test part", test, &card.Figures.Test}} {
		if len(p.docs) == 0 {
			continue
		}
		held := evallines.Hold(m, p.docs)
		fmt.Fprintf(con.out, "\n%s, in percent:\n", p.name)
		if err := evallines.WriteHeldout(con.out, nil, held); err != nil {
			return err
		}
		*p.to = percent(held)
	}
	card.Figures.TestDocuments = len(test)
	return c.save(con, m, train, cfg, card)
}

// parts deals the documents.
func (c *trainLinesCmd) parts(ctx context.Context, docs []*gold.LineDoc, card *linesCard) (train, dev, test []*gold.LineDoc, took string, err error) {
	if len(c.Dev) == 0 {
		train, dev, test, took, err = gold.PartLineDocs(docs, c.Split, c.Seed)
		return train, dev, test, took, err
	}
	if dev, err = c.read(ctx, c.Dev, card); err != nil {
		return nil, nil, nil, "", err
	}
	if _, err := gold.JoinLineDocs(docs, dev); err != nil {
		return nil, nil, nil, "", err
	}
	for _, d := range docs {
		if d.Split == gold.Test {
			test = append(test, d)
		} else {
			train = append(train, d)
		}
	}
	return train, dev, test, "given", nil
}

// adapt adapts a model.
func (c *trainLinesCmd) adapt(ctx context.Context, con *console, docs []*gold.LineDoc, card linesCard) error {
	if len(docs) < leastAdapt {
		return fmt.Errorf("%s to adapt to, wanted %d or more from many sites: label more with \"chaffinch serve --annotate\", or use the unadapted model", count(int64(len(docs)), "document"), leastAdapt)
	}
	if err := bothLabels(docs); err != nil {
		return err
	}
	base, err := lines.Load(c.Adapt)
	if err != nil {
		return err
	}
	card.Base = base.Card()
	cfg := trainlines.DefaultAdapt
	cfg.Net.Seed = c.Seed
	if err := applyConfig(c.Config, &cfg); err != nil {
		return err
	}
	cfg.Workers = c.Jobs
	steps := startSteps(con)
	defer steps.stop()
	if c.CrossValidate > 0 {
		before, after, err := evallines.AdaptGain(ctx, base, docs, min(c.CrossValidate, len(docs)), c.Seed, cfg, steps.show)
		if err != nil {
			return err
		}
		fmt.Fprintln(con.out, "held-out documents, before -> after adaptation, in percent:")
		if err := evallines.WriteHeldout(con.out, before, after); err != nil {
			return err
		}
		card.Figures.CrossBefore, card.Figures.CrossAfter = percent(before), percent(after)
	}
	m, err := trainlines.Adapt(ctx, cfg, base, learn.LineGolds(docs), steps.show)
	if err != nil {
		return err
	}
	if m == base {
		return errNo{fmt.Sprintf("adapting to %s does not improve held-out documents, so %s is not written: use the unadapted model, or label more", count(int64(len(docs)), "document"), c.Out)}
	}
	return c.save(con, m, docs, cfg, card)
}

// bothLabels reports an error if all lines that are learned from have the same
// label.
func bothLabels(docs []*gold.LineDoc) error {
	text, all := 0, lineCount(docs)
	for _, d := range docs {
		for _, l := range d.Labels {
			if l {
				text++
			}
		}
	}
	switch {
	case text == all:
		return fmt.Errorf("all of %s are labelled text: label boilerplate too, or check the labels", count(int64(all), "line"))
	case text == 0:
		return fmt.Errorf("all of %s are labelled boilerplate: label text too, or check the labels", count(int64(all), "line"))
	}
	return nil
}

// save writes the model with its card.
func (c *trainLinesCmd) save(con *console, m *lines.Model, train []*gold.LineDoc, cfg any, card linesCard) error {
	card.Documents, card.Lines = len(train), lineCount(train)
	for _, l := range langsOf(train) {
		of := inLang(train, l)
		card.Langs = append(card.Langs, linesLang{l, len(of), lineCount(of)})
	}
	if *card.Figures == (linesCardFigure{}) {
		card.Figures = nil
	}
	sum, err := gold.SumLineDocs(train)
	if err != nil {
		return err
	}
	b, err := json.Marshal(card)
	if err != nil {
		return err
	}
	settings, err := json.Marshal(cfg)
	if err != nil {
		return err
	}
	if err := m.Save(c.Out, model.Header{Name: c.Name, Config: settings, DataSHA256: sum, Tool: "chaffinch " + version, Card: b}); err != nil {
		return err
	}
	st, err := os.Stat(c.Out)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(con.out, "\n%s, %s: %s, %d bytes\n", count(int64(card.Documents), "document"), count(int64(card.Lines), "line"), c.Out, st.Size())
	return err
}

// splitDescriptions describes each kind of split.
var splitDescriptions = map[string]string{
	"given": "parts as stated by the documents",
	"new":   "70 % of the documents for training, 15 % for early stopping, 15 % for the test (near-duplicates together)",
	"none":  "all documents for training, no test",
}

// writeParts writes the sizes of the parts.
func writeParts(w io.Writer, took string, train, dev, test []*gold.LineDoc) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s:\n", splitDescriptions[took])
	t := table.New("language", ">train: documents", ">lines", ">dev: documents", ">lines", ">test: documents", ">lines")
	all := slices.Concat(train, dev, test)
	langs := langsOf(all)
	row := func(name string, of func([]*gold.LineDoc) []*gold.LineDoc) {
		cells := []string{name}
		for _, part := range [][]*gold.LineDoc{train, dev, test} {
			docs := of(part)
			cells = append(cells, strconv.Itoa(len(docs)), strconv.Itoa(lineCount(docs)))
		}
		t.Add(cells...)
	}
	for _, l := range langs {
		name := l
		if l == "" {
			name = "-"
		}
		row(name, func(docs []*gold.LineDoc) []*gold.LineDoc { return inLang(docs, l) })
	}
	if len(langs) > 1 {
		row("all", func(docs []*gold.LineDoc) []*gold.LineDoc { return docs })
	}
	if err := t.Write(&b, ""); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

func lineCount(docs []*gold.LineDoc) (n int) {
	for _, d := range docs {
		n += len(d.Lines)
	}
	return n
}

// langsOf returns the languages of documents, in order.
func langsOf(docs []*gold.LineDoc) (langs []string) {
	for _, d := range docs {
		langs = append(langs, d.Lang)
	}
	slices.Sort(langs)
	return slices.Compact(langs)
}

func inLang(docs []*gold.LineDoc, lang string) (out []*gold.LineDoc) {
	for _, d := range docs {
		if d.Lang == lang {
			out = append(out, d)
		}
	}
	return out
}

// percent writes the accuracy of all lines.
func percent(held []evallines.Heldout) string {
	return strconv.FormatFloat(100*held[0].Counts.Accuracy(), 'f', 2, 64)
}
