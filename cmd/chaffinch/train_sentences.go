package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"chaffinch/format/sniff"
	"chaffinch/lab/train/sentences"
	"chaffinch/text/langid"
)

type trainSentencesCmd struct {
	Input      []string `arg:"" help:"Running text of one language (with --lang: of several): files, folders or tar archives of *.txt (UTF-8); at least about 100,000 words."`
	Lang       string   `short:"l" placeholder:"TAG" help:"Language to learn. Files that are surely in another language are skipped, and entries of its existing rules are not repeated."`
	All        bool     `help:"Also write entries that the rules of the language already contain."`
	Out        string   `short:"o" placeholder:"FILE" help:"Rule file to write, for chaffinch tokenize --rules. Review it before use: each line has a count and a score. Default: standard output."`
	MinCount   int      `default:"${sentMinCount}" help:"Minimum count of a word with a full stop (${default})."`
	MinScore   float64  `default:"${sentMinScore}" help:"Minimum score of an abbreviation (${default})."`
	MinStarter float64  `default:"${sentMinStarter}" help:"Minimum log-likelihood of a word that begins sentences (${default})."`

	detector *langid.Detector
	unknown  bool // to the detector is Lang
}

// sentencesVars are the defaults that the help of the flags shows.
var sentencesVars = kong.Vars{
	"sentMinCount":   fmt.Sprint(sentences.Default.MinCount),
	"sentMinScore":   fmt.Sprint(sentences.Default.MinScore),
	"sentMinStarter": fmt.Sprint(sentences.Default.MinStarter),
}

// maxPart is the number of bytes of a file that are processed at a time.
const maxPart = 16 << 20

// surelyOther is the confidence from which a text is in another language than --lang
// says; languages that are much alike are not told apart so surely.
const surelyOther = 0.95

// other returns the language of a text that is surely in another one than --lang,
// "" for one to learn from. A language that the detector does not know is not looked
// for.
func (c *trainSentencesCmd) other(text string) string {
	if c.Lang == "" || c.unknown {
		return ""
	}
	if c.detector == nil {
		d, err := langid.New(langid.Default)
		if err != nil || !slices.ContainsFunc(d.Langs(), func(l string) bool { return langid.Covers(c.Lang, l) || langid.Covers(l, c.Lang) }) {
			c.unknown = true
			return ""
		}
		c.detector = d
	}
	g := c.detector.Detect(text)
	if g.Lang == langid.Undetermined || g.Lang == langid.NoLanguage || g.Confidence < surelyOther || langid.Covers(c.Lang, g.Lang) || langid.Covers(g.Lang, c.Lang) {
		return ""
	}
	return g.Lang
}

// Run learns the lists and writes them.
func (c *trainSentencesCmd) Run(ctx context.Context, con *console) error {
	if err := canWrite(c.Out); err != nil {
		return err
	}
	t, err := sentences.NewTrainer(sentences.Config{Lang: c.Lang, All: c.All, MinCount: c.MinCount, MinScore: c.MinScore, MinStarter: c.MinStarter})
	if err != nil {
		return err
	}
	files, others := 0, map[string]int{}
	for _, given := range c.Input {
		err := eachFile(ctx, given, con, func(name string, in io.Reader) error {
			if path.Ext(name) != ".txt" && name != given {
				return nil
			}
			text, err := sniff.Running(in)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			first, other := true, ""
			return eachPart(name, text, maxPart, func(part []byte) error {
				text := string(part)
				if first {
					first = false
					if other = c.other(text); other != "" {
						others[other]++
					} else {
						files++
					}
				}
				if other == "" {
					t.Add(text)
				}
				return nil
			})
		})
		if err != nil {
			return err
		}
	}
	left := ""
	for _, lang := range slices.Sorted(maps.Keys(others)) {
		left += fmt.Sprintf(", %s in %s", count(int64(others[lang]), "file"), lang)
	}
	switch {
	case files == 0 && left != "":
		return fmt.Errorf("%s: no text in %s, only%s", c.Input[0], c.Lang, strings.TrimPrefix(left, ","))
	case files == 0:
		return fmt.Errorf("%s: no file *.txt", c.Input[0])
	case left != "":
		fmt.Fprintf(con.err, "learned from %s in %s; skipped%s\n", count(int64(files), "file"), c.Lang, strings.TrimPrefix(left, ","))
	}
	learned := t.Learn()
	if len(learned) == 0 {
		return errNo{"nothing learned: add text or lower --min-count"}
	}
	return writeTo(c.Out, con, func(w io.Writer) error { return t.WriteRules(w, learned) })
}
