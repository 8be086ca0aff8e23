package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"chaffinch"
	"chaffinch/internal/table"
	evalclean "chaffinch/lab/eval/clean"
	"chaffinch/lab/train/labels"
	"chaffinch/model"
	"chaffinch/page"
	"chaffinch/pipeline"
	"chaffinch/text/label"
)

// labelInput holds the flags to read labelled documents and configure their classes.
type labelInput struct {
	Data []string `arg:"" name:"data" help:"Labelled documents: JSON lines with text and labels, TSV with a label and a text, or class folders CLASS/NAME.txt or .html. Archives and folders of sets annotated in the browser are accepted."`

	Several  bool     `help:"Documents may have several classes. Default: classes are exclusive, except parents and their subclasses."`
	MinClass int      `range:"[2,)" default:"${labelMinClass}" placeholder:"N" help:"Minimum number of documents of a class; smaller classes are reported and not learned. Default: ${default}."`
	Folds    int      `range:"[2,100]" default:"${labelFolds}" placeholder:"N" help:"Number of folds of the cross-validation. Documents of a site and near-duplicates are in the same fold. Default: ${default}."`
	Features []string `default:"${labelDefault}" placeholder:"NAME" help:"Features: ${labelFeatures}. Default: ${default}."`
	Cost     float64  `range:"(0,)" default:"${labelCost}" placeholder:"C" help:"Weight of errors on training documents, as C in LIBLINEAR. Default: ${default}."`
	Balance  float64  `range:"[0,2]" default:"${labelBalance}" placeholder:"POWER" help:"Weight of rare classes: 0 for equal weights of documents, 1 for equal weights of classes. Default: ${default}."`
	Raw      bool     `help:"HTML: use all text of a page. Default: clean it by the default method."`
	Lang     string   `short:"l" placeholder:"TAG" help:"Language of documents without a field lang. Default: unknown."`
}

// labelVars are the defaults and names that the help of the flags shows.
var labelVars = kong.Vars{
	"labelMinClass": fmt.Sprint(labels.Default.MinClass),
	"labelFolds":    fmt.Sprint(labels.Default.Folds),
	"labelCost":     fmt.Sprint(labels.Default.Cost),
	"labelBalance":  fmt.Sprint(labels.Default.Balance),
	"labelFeatures": strings.Join(labels.FeatureNames(), ", "),
	"labelDefault":  "words,chars,layout",
}

// read reads the documents.
func (c *labelInput) read(ctx context.Context) (*labels.Data, error) {
	options := chaffinch.Options{Lang: c.Lang, NoMetadata: true}
	if c.Raw {
		options.Method, options.KeepHidden = "keep", true
	}
	var cleaner *chaffinch.Cleaner
	return labels.Read(c.Data, labels.ReadConfig{Lang: c.Lang, Clean: func(html []byte) (string, error) {
		if cleaner == nil {
			var err error
			if cleaner, err = chaffinch.New(options); err != nil {
				return "", err
			}
		}
		p, err := cleaner.Clean(ctx, html)
		if err != nil {
			return "", err
		}
		if p.Drop != page.None {
			return "", nil // counted as too short
		}
		return evalclean.FromPage(p).Text, nil
	}})
}

// config returns the configuration of the training.
func (c *labelInput) config() (cfg labels.Config, err error) {
	cfg = labels.Default
	cfg.Several, cfg.MinClass, cfg.Folds, cfg.Cost, cfg.Balance = c.Several, c.MinClass, c.Folds, c.Cost, c.Balance
	if cfg.Scales, err = labels.Scales(c.Features); err != nil {
		return cfg, fmt.Errorf("--features: %w", err)
	}
	return cfg, cfg.Check()
}

type trainLabelsCmd struct {
	labelInput
	Out string `short:"o" required:"" placeholder:"FILE" help:"Model file to write."`

	Precision       float64  `range:"[0,1)" placeholder:"SHARE" help:"Wanted share of right decisions for each class: a document below the limit of its most probable class gets no class. Default: limits with the highest F1; exclusive classes have none."`
	Recall          float64  `range:"[0,1)" placeholder:"SHARE" help:"Wanted share of found documents of each class. Default: as for --precision."`
	Drop            []string `placeholder:"CLASS" help:"Classes whose documents a filter drops by default."`
	SavePredictions string   `placeholder:"FILE" help:"Also write the held-out predictions (.tsv)."`
	Report          string   `placeholder:"FILE" help:"Also write a report with curves and the confusion matrix (.html)."`
	JSON            bool     `name:"json" help:"Print the results as JSON."`
	Name            string   `placeholder:"NAME" help:"Name of the model in its header. Filters report it."`
	About           string   `placeholder:"TEXT" help:"Description of the documents and their licence, for the model's header."`
	Quiet           bool     `short:"q" help:"No progress."`
}

// Help is the long text of --help.
func (trainLabelsCmd) Help() string {
	return `Trains a classifier of documents: topics, registers, quality, spam. Figures are of documents that were held out by
site in a cross-validation; the model learns from all documents. Use the model with chaffinch filter --rules FILE.

JSON lines without the field labels are unlabelled: the most uncertain are listed as the next to label.

Examples:
  chaffinch train labels spam/ ham/ -o spam.chf --drop spam --precision 0.98
  chaffinch train labels labels.jsonl -o topics.chf --several --report topics.html
  chaffinch train labels pages.tsv -o pages.chf --features words,chars,url`
}

// labelsCard is the model card in the header of the file.
type labelsCard struct {
	About string   `json:"about,omitempty"`
	Data  []string `json:"data"`
	*labels.Report
}

// shownDocs is the number of documents in each list of documents.
const shownDocs = 10

// Run trains, and prints the figures.
func (c *trainLabelsCmd) Run(ctx context.Context, con *console) error {
	if err := canWrite(c.Out, c.SavePredictions, c.Report); err != nil {
		return err
	}
	cfg, err := c.config()
	if err != nil {
		return err
	}
	if c.Precision > 0 && c.Recall > 0 {
		return errors.New("--precision and --recall: give one of them")
	}
	cfg.Precision, cfg.Recall = c.Precision, c.Recall
	data, err := c.read(ctx)
	if err != nil {
		return err
	}
	bar := startBars(con, c.Quiet)
	m, rep, err := labels.Train(ctx, cfg, data.Docs, func(done, total int) {
		bar.show(pipeline.Status{Step: fmt.Sprintf("model %d of %d", done, total)})
	})
	bar.stop()
	switch {
	case errors.Is(err, context.Canceled):
		return errors.New("stopped: nothing written")
	case errors.Is(err, labels.ErrExclusive):
		return fmt.Errorf("%w (--several)", err)
	case err != nil:
		return err
	}
	if m, err = c.dropping(m); err != nil {
		return err
	}
	if err := c.save(m, rep); err != nil {
		return err
	}
	v := &labelsView{Report: rep, Doubtful: rep.Doubtful(shownDocs), Next: labels.Next(m, data.Unlabelled, shownDocs), File: c.Out, Title: filepath.Base(c.Out), unlabelled: len(data.Unlabelled)}
	if c.Report != "" {
		if err := writeFile(c.Report, v.html); err != nil {
			return err
		}
	}
	if c.JSON {
		enc := json.NewEncoder(con.out)
		enc.SetIndent("", "  ")
		return enc.Encode(v)
	}
	return v.print(con.out)
}

// dropping returns the model with the classes that filters drop.
func (c *trainLabelsCmd) dropping(m *label.Model) (*label.Model, error) {
	for _, name := range c.Drop {
		if !slices.ContainsFunc(m.Classes(), func(c label.Class) bool { return c.Name == name }) {
			var names []string
			for _, class := range m.Classes() {
				names = append(names, class.Name)
			}
			return nil, fmt.Errorf("--drop %s: no such class: wanted some of %s", name, strings.Join(names, ", "))
		}
	}
	return m.Dropping(c.Drop), nil
}

// save writes the model and the predictions.
func (c *trainLabelsCmd) save(m *label.Model, rep *labels.Report) error {
	card := labelsCard{About: c.About, Report: rep}
	for _, p := range c.Data {
		card.Data = append(card.Data, filepath.Base(p))
	}
	b, err := json.Marshal(card)
	if err != nil {
		return err
	}
	if err := m.Save(c.Out, model.Header{Name: c.Name, DataSHA256: rep.DataSHA256, Tool: "chaffinch " + version, Card: b}); err != nil {
		return err
	}
	if c.SavePredictions == "" {
		return nil
	}
	return writeFile(c.SavePredictions, func(w io.Writer) error { return writePredictions(w, rep) })
}

// writePredictions writes held-out predictions as a table.
func writePredictions(w io.Writer, rep *labels.Report) error {
	out := bufio.NewWriter(w)
	fmt.Fprint(out, "id\tlabels\tfound")
	for _, class := range rep.Classes {
		fmt.Fprint(out, "\t", class.Name)
	}
	fmt.Fprintln(out)
	clean := strings.NewReplacer("\t", " ", "\n", " ", "\r", " ")
	for _, p := range rep.Predictions {
		fmt.Fprintf(out, "%s\t%s\t%s", clean.Replace(p.ID), strings.Join(p.Labels, " "), strings.Join(p.Found, " "))
		for _, v := range p.P {
			fmt.Fprintf(out, "\t%.4f", v)
		}
		fmt.Fprintln(out)
	}
	return out.Flush()
}

// labelsView is a report of a training for users.
type labelsView struct {
	*labels.Report
	// Doubtful lists labels that may be wrong, Next unlabelled documents to label.
	Doubtful []labels.Candidate `json:"doubtful,omitempty"`
	Next     []labels.Candidate `json:"next,omitempty"`
	File     string             `json:"file"`
	Title    string             `json:"-"`

	unlabelled int
}

// percent formats a share.
func (labelsView) percent(x float64) string { return fmt.Sprintf("%.1f", 100*x) }

// print writes the report to a terminal.
func (v *labelsView) print(w io.Writer) error {
	out := bufio.NewWriter(w)
	for _, line := range v.notes() {
		fmt.Fprintln(out, line)
	}
	fmt.Fprintf(out, "\nheld-out documents: macro F1 %s, micro F1 %s, all classes right %s %%\n", v.percent(v.All.MacroF1), v.percent(v.All.MicroF1), v.percent(v.All.Exact))
	if g := v.Grade; g != nil {
		fmt.Fprintf(out, "mean grade: differs by %.2f on average, correlation %.2f\n", g.Error, g.Correlation)
	}
	t := table.New("class", ">documents", ">F1", ">precision", ">recall", ">limit")
	for _, c := range v.Classes {
		t.Add(c.Name, number(int64(c.Docs)), v.percent(c.F1()), v.percent(c.Precision()), v.percent(c.Recall()), labelLimit(c.Limit))
	}
	t.Write(out, "  ")
	v.parts(out, "language", v.Langs)
	v.parts(out, "site", v.Sites[:min(len(v.Sites), shownSites)])
	if list := v.Confusions(shownSites); len(list) > 0 {
		fmt.Fprintln(out, "most frequent confusions")
		for _, x := range list {
			fmt.Fprintf(out, "  %s taken for %s: %s\n", x.Class, x.Got, count(int64(x.Docs), "document"))
		}
	}
	fmt.Fprintln(out, "learning curve")
	t = table.New(">documents", ">macro F1", ">micro F1")
	for _, p := range v.Learning {
		t.Add(number(int64(p.Docs)), v.percent(p.MacroF1), v.percent(p.MicroF1))
	}
	t.Write(out, "  ")
	fmt.Fprintf(out, "  %s\n", v.hint())
	v.candidates(out, "labels that may be wrong", v.Doubtful)
	v.candidates(out, "label next: the most uncertain of the unlabelled documents", v.Next)
	fmt.Fprintln(out, v.File)
	return out.Flush()
}

// labelLimit formats the limit of a class.
func labelLimit(x float64) string {
	if x == 0 {
		return "none"
	}
	return fmt.Sprintf("%.2f", x)
}

// shownSites is the number of sites and confusions that the terminal shows.
const shownSites = 5

// notes returns the counts of the documents.
func (v *labelsView) notes() (list []string) {
	add := func(n int, thing, more string) {
		if n > 0 {
			list = append(list, count(int64(n), thing)+more)
		}
	}
	list = append(list, fmt.Sprintf("%s in %s: sites, near-duplicates or single documents, each held out as a whole", count(int64(v.Docs), "document"), count(int64(v.Groups), "group")))
	add(v.Short, "document", fmt.Sprintf(" skipped: fewer than %d words", label.MinWords))
	add(v.Duplicates, "near-duplicate", fmt.Sprintf(" of other documents, %s of them with other labels: in the same fold", number(int64(v.Contradictions))))
	add(v.Unlabelled, "document", " of no class")
	for _, name := range sortedNames(v.Omitted) {
		add(v.Omitted[name], "document", fmt.Sprintf(" of class %s: too few to learn it", name))
	}
	add(v.unlabelled, "unlabelled document", "")
	return list
}

// hint describes the effect of more documents, which the end of the learning curve suggests.
func (v *labelsView) hint() string {
	n := len(v.Learning)
	gain := 100 * (v.Learning[n-1].MacroF1 - v.Learning[n-2].MacroF1)
	if gain < 1 {
		return "More documents of this kind would bring less than a point."
	}
	return fmt.Sprintf("Twice the documents may bring up to %.0f points.", gain)
}

func (v *labelsView) parts(w io.Writer, what string, parts []labels.Part) {
	if len(parts) < 2 {
		return
	}
	t := table.New(what, ">documents", ">macro F1", ">micro F1")
	for _, p := range parts {
		t.Add(p.Name, number(int64(p.Docs)), v.percent(p.MacroF1), v.percent(p.MicroF1))
	}
	t.Write(w, "  ")
}

func (v *labelsView) candidates(w io.Writer, title string, list []labels.Candidate) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintln(w, title)
	for _, x := range list {
		line := fmt.Sprintf("  %s: %s, probability %.2f", x.ID, x.Class, x.P)
		if x.Better != "" {
			line += ", rather " + x.Better
		}
		fmt.Fprintln(w, line)
	}
}
