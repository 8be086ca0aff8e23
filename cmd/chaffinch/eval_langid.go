package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"chaffinch/internal/files"
	"chaffinch/lab/eval/floors"
	evallangid "chaffinch/lab/eval/langid"
	"chaffinch/text/langid"
)

type evalLangidCmd struct {
	Set   string   `placeholder:"PATH" help:"The texts: a folder or an archive with files <code>.txt, one sentence per line. Default: text/ntrex.tar.zst in the data folder."`
	Data  string   `default:"../shared/data" placeholder:"DIR" help:"The data folder."`
	By    []string `default:"line,document" placeholder:"PIECE" help:"Kind of sample: line, document (as grouped by DOCUMENT_IDS.tsv of the set, else ten lines), words4 (first four words of each line; in scripts without spaces three characters count as a word). Default: ${default}."`
	Every int      `default:"1" placeholder:"N" help:"Use only every Nth line or document, for slow systems."`

	Model         string   `short:"m" placeholder:"FILE" help:"Language model. Default: the embedded one."`
	Close         string   `placeholder:"FILE" help:"Model of close languages. Default: the embedded one."`
	Varieties     bool     `help:"Identify varieties of languages, such as pt-BR."`
	Langs         []string `short:"l" placeholder:"TAG" help:"Only texts in these languages."`
	KnownLangs    bool     `was:"told" help:"Restrict Chaffinch's detector to the languages of the samples."`
	MinConfidence float64  `range:"[0,1]" placeholder:"X" help:"Answers below this confidence, 0 to 1, count as no answer, for all systems. Default: the limit of each system."`

	Predictions []string `short:"p" placeholder:"DIR" help:"Output of another program: a folder with system.json and <by>/<code>.txt (written by lab/compare/langid/run.sh); repeatable."`
	Common      bool     `help:"Only languages that all systems support."`
	SavePieces  string   `placeholder:"DIR" help:"Write the samples for other programs, DIR/<by>/<code>.txt, and exit."`

	Per        bool   `name:"per-language" help:"Print precision, recall and F1 of each language, the worst first."`
	Confusions int    `placeholder:"N" help:"Print the N most frequent confusions."`
	Groups     bool   `help:"Print a table for each group of similar languages."`
	Errors     string `placeholder:"FILE" help:"Write the samples that Chaffinch gets wrong as a table (TSV): by, text, language, answer, confidence, sample."`

	floorFlags
}

// Help is the long help.
func (evalLangidCmd) Help() string {
	return `Figures are in percent, over the samples in languages that the system supports (their number: column langs):
  acc    accuracy: correct answers in all samples; no answer counts as wrong
  rec    recall, mean over languages; F1 likewise, with its 95 % interval (bootstrap over the samples)
  cover  samples with an answer; prec: correct answers among these
Speeds are printed to standard error: megabytes of text per second of processor time, on one core.

Chaffinch's detector is listed twice: "chaffinch" abstains below a confidence of 0.5, and counts the tag of several close languages, such as "sh", as no answer; "chaffinch, always" never abstains. A second table for each kind of sample compares it with each other system over the languages that both support: accuracy and F1 of the variant that never abstains, precision and coverage of the other. Files zxx.txt and zxx-KIND.txt of the set are text in no language; a third table lists the answers for them. These count as the same language: ` + evallangid.Foldings + `.

Examples:
  chaffinch eval langid --groups --confusions 30
  chaffinch eval langid --by words4 --save-pieces pieces
  chaffinch eval langid --every 5 -p out/lingua-go-high -p out/cld2 --common`
}

// Run scores our detector and the predictions.
func (c *evalLangidCmd) Run(ctx context.Context, con *console) error {
	if c.Floors != "" && (c.Every > 1 || c.Langs != nil || c.Common || c.MinConfidence > 0 || c.KnownLangs) {
		return errors.New("--floors applies to all lines: leave out --every, --langs, --common, --known-langs and --min-confidence")
	}
	if err := c.read(); err != nil {
		return err
	}
	path := c.Set
	if path == "" {
		path = filepath.Join(c.Data, "text", "ntrex.tar.zst")
	}
	set, err := evallangid.Open(path)
	if err != nil {
		return err
	}
	only, err := c.only(set)
	if err != nil {
		return err
	}
	var wrong strings.Builder
	var systems []floors.System
	for _, by := range c.By {
		if err := ctx.Err(); err != nil {
			return err
		}
		cut := evallangid.Cut{By: by, Every: c.Every}
		pieces, err := set.Pieces(cut)
		if err != nil {
			return err
		}
		if c.SavePieces != "" {
			if err := evallangid.SavePieces(c.SavePieces, set, cut, pieces); err != nil {
				return err
			}
			continue
		}
		all, err := c.answers(set, cut, pieces, only)
		if err != nil {
			return err
		}
		r, err := c.report(con, set, by, all, only)
		if err != nil {
			return err
		}
		systems = append(systems, floors.System{Name: "chaffinch/" + by, Figures: evallangid.Floored(r[0], r[1])})
		if c.Errors != "" {
			wrongPieces(&wrong, by, set, pieces, all[1])
		}
	}
	if c.SavePieces != "" {
		return nil
	}
	if c.Errors != "" {
		if err := files.WriteFile(c.Errors, []byte(wrong.String())); err != nil {
			return err
		}
	}
	if err := c.compare("langid/"+set.Name, set.Fingerprint(), systems); err != nil {
		return err
	}
	return c.judge(con.err)
}

// only returns the languages of --langs, nil for all.
func (c *evalLangidCmd) only(set *evallangid.Set) (map[string]bool, error) {
	if len(c.Langs) == 0 {
		return nil, nil
	}
	only := map[string]bool{}
	for _, l := range c.Langs {
		f := evallangid.Fold(l)
		if !slices.ContainsFunc(set.Texts, func(t evallangid.Text) bool { return evallangid.Fold(t.Tag) == f }) {
			return nil, fmt.Errorf("--langs %s: the set %s has no text in it", l, set.Name)
		}
		only[f] = true
	}
	return only, nil
}

// answers returns the results of our detector, of its variant that never abstains, and of
// the predictions.
func (c *evalLangidCmd) answers(set *evallangid.Set, cut evallangid.Cut, pieces [][]string, only map[string]bool) ([]*evallangid.Answers, error) {
	cfg := langid.Default
	cfg.Model, cfg.Close, cfg.Varieties, cfg.MinConfidence, cfg.MinClose = c.Model, c.Close, c.Varieties, 0, 0
	d, err := langid.New(cfg)
	if err != nil {
		return nil, err
	}
	others := make([]*evallangid.Answers, len(c.Predictions))
	for i, dir := range c.Predictions {
		if others[i], err = evallangid.ReadPredictions(dir, set, cut, pieces); err != nil {
			return nil, err
		}
	}
	if c.KnownLangs {
		known := evallangid.Known(set, append(others, evallangid.Run("", d.Langs(), nil, nil))...)
		for _, l := range d.Langs() {
			if f := evallangid.Fold(l); known[f] && (only == nil || only[f]) {
				cfg.Langs = append(cfg.Langs, l)
			}
		}
		if d, err = langid.New(cfg); err != nil {
			return nil, err
		}
	}
	always := evallangid.Run("chaffinch, always", d.Langs(), pieces, func(text string) evallangid.Answer {
		g := d.Detect(text)
		return evallangid.Answer{Lang: g.Lang, Confidence: g.Confidence}
	})
	cfg.MinConfidence, cfg.MinClose = langid.Default.MinConfidence, langid.Default.MinClose
	abstaining, err := langid.New(cfg)
	if err != nil {
		return nil, err
	}
	abstains := evallangid.Run("chaffinch", d.Langs(), pieces, func(text string) evallangid.Answer {
		g := abstaining.Detect(text)
		if !slices.Contains(d.Langs(), g.Lang) { // several close languages
			return evallangid.Answer{}
		}
		return evallangid.Answer{Lang: g.Lang, Confidence: g.Confidence}
	})
	return append([]*evallangid.Answers{abstains, always}, others...), nil
}

// report prints the tables of one kind of piece and returns the results.
func (c *evalLangidCmd) report(con *console, set *evallangid.Set, by string, all []*evallangid.Answers, only map[string]bool) ([]*evallangid.Result, error) {
	if c.Common {
		common := evallangid.Known(set, all...)
		for l := range common {
			if only != nil && !only[l] {
				delete(common, l)
			}
		}
		only = common
	}
	p := langidReport{w: con.out, err: con.err, set: set, cmd: c}
	results := make([]*evallangid.Result, len(all))
	for i, a := range all {
		results[i] = p.score(a, both(only, a.Langs))
	}
	fmt.Fprintf(con.out, "%s, by %s\n", set.Name, by)
	if err := p.systems(results); err != nil {
		return nil, err
	}
	if err := p.noise(all); err != nil {
		return nil, err
	}
	if !c.Common && len(all) > 2 {
		if err := p.pairs(all, only); err != nil {
			return nil, err
		}
	}
	if c.Per {
		if err := p.perLanguage(results[1]); err != nil {
			return nil, err
		}
	}
	if c.Confusions > 0 {
		if err := p.confusions(results[1]); err != nil {
			return nil, err
		}
	}
	if c.Groups {
		if err := p.groups(all, only); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// both returns the languages in a and b; nil is all.
func both(a, b map[string]bool) map[string]bool {
	if a == nil {
		return b
	}
	out := map[string]bool{}
	for l := range a {
		if b[l] {
			out[l] = true
		}
	}
	return out
}

// wrongPieces appends the pieces that a gets wrong.
func wrongPieces(w *strings.Builder, by string, set *evallangid.Set, pieces [][]string, a *evallangid.Answers) {
	for i, t := range set.Texts {
		gold := evallangid.Fold(t.Tag)
		if !a.Langs[gold] {
			continue
		}
		for k, an := range a.Texts[i] {
			if evallangid.Fold(an.Lang) != gold {
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%.3f\t%s\n", by, t.Code, gold, an.Lang, an.Confidence, strings.ReplaceAll(pieces[i][k], "\t", " "))
			}
		}
	}
}

// columns returns a writer of aligned columns.
func columns(w io.Writer) *tabwriter.Writer {
	return tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
}
