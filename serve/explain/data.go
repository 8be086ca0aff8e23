package explain

import (
	"encoding/json"
	"fmt"
	"html"
	"math"
	"slices"
	"strconv"

	"chaffinch/clean/method"
	"chaffinch/internal/report"
	"chaffinch/page"
	"chaffinch/text/token"
)

// data holds the input of the file's scripts, as JSON.
type data struct {
	// First is the index of the method that is shown first.
	First int `json:"first"`
	// Roles are the names of all roles, Policies sets of them.
	Roles    []string     `json:"roles"`
	Policies []policyData `json:"policies"`

	Methods []*methodData `json:"methods"`
	// Whys are the reasons that verdicts point to.
	Whys     []string      `json:"whys"`
	Paths    []string      `json:"paths"`
	Elements []elementData `json:"elements"`
	Blocks   []blockData   `json:"blocks"`
	// Wholes holds for each block the number of its data table or list, 0 for none.
	Wholes []int32 `json:"wholes"`

	head header // for the template
	whys map[string]int
}

// header holds the facts on the whole page.
type header struct {
	Title, ID, URL string
	Link           bool // URL is of the web
	Facts          []fact
	Meta           []fact // the page's own metadata
	Notices        []string
}

type fact struct{ Name, Value string }

// methodData is one method with its verdicts, one for each block.
type methodData struct {
	Name  string `json:"name"`
	By    string `json:"by,omitempty"`
	Help  string `json:"help"`
	Error string `json:"error,omitempty"`
	// Drop is the reason why a page with these labels is dropped.
	Drop string `json:"drop,omitempty"`
	// Confidence is the confidence in the labels, "" if the method has none, and
	// ConfidencePolicy its policy.
	Confidence       string `json:"confidence,omitempty"`
	ConfidencePolicy string `json:"confidence_policy,omitempty"`
	// PageType is the type of the page, "" if the method estimates none. PageTypeConfidence
	// is its probability.
	PageType           string `json:"page_type,omitempty"`
	PageTypeConfidence string `json:"page_type_confidence,omitempty"`
	// Silent is the reason why the method made no decision: it has no model for the
	// language.
	Silent string `json:"silent,omitempty"`
	// Rule is the way in which labels follow from thresholds: "score", "vote",
	// "justext", or "" if unknown.
	Rule string `json:"rule,omitempty"`
	// Settles reports whether tables and lists are decided as wholes after the method.
	Settles    bool            `json:"settles,omitempty"`
	Thresholds []thresholdData `json:"thresholds,omitempty"`
	// Voters are the indices of the methods that vote.
	Voters []int `json:"voters,omitempty"`
	// Settings are jusText's thresholds on this page, and Figures, for each
	// block, length, words, stop words, and the bits 1 heading, 2 sign; nil for
	// blocks that the method does not see.
	Settings json.RawMessage `json:"settings,omitempty"`
	Figures  [][]int         `json:"figures"`
	// Verdicts are nil if the method cannot run.
	Verdicts []verdictData `json:"verdicts"`
}

type thresholdData struct {
	Name  string  `json:"name"`
	Help  string  `json:"help"`
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Log   bool    `json:"log,omitempty"`
	Below bool    `json:"below,omitempty"`
	// Whole reports whether the value is a whole number.
	Whole bool `json:"whole,omitempty"`
}

// verdictData is a page.Verdict.
type verdictData struct {
	Label page.Label `json:"l"`
	// Free is the label before the neighbours were looked at.
	Free  page.Label `json:"c,omitempty"`
	Score *figure    `json:"s,omitempty"` // nil if it is no number
	Why   int        `json:"w"`
	Role  page.Role  `json:"role,omitempty"`
	// Hidden reports whether the block is hidden by the page, so that the method did not
	// see it.
	Hidden bool `json:"h,omitempty"`
	// Fixed reports whether the label is independent of the thresholds.
	Fixed bool `json:"f,omitempty"`
	// Sentences are the block's sentences, if there are not too many.
	Sentences []sentenceData `json:"n,omitempty"`
	// Kept are the words and characters that are kept of a block whose
	// sentences are too many to show.
	Kept []int `json:"k,omitempty"`
}

// sentenceData is a page.Sentence: the span in the text in UTF-16 units, words,
// characters, 1 if it is kept, score (null if it is no number).
type sentenceData [6]any

// blockData is a page.Block.
type blockData struct {
	Text string `json:"t"`
	// Chars and Words count the whole text, of which Text is the beginning if
	// Cut is set.
	Chars   int    `json:"n"`
	Words   int    `json:"w"`
	Cut     bool   `json:"cut,omitempty"`
	Kind    string `json:"k"`
	Level   uint8  `json:"l,omitempty"`
	Hidden  bool   `json:"h,omitempty"` // by the page
	Links   int    `json:"a,omitempty"` // characters in links
	Tags    int    `json:"g,omitempty"`
	Path    int    `json:"p"`
	Element int32  `json:"e"`
	Span    [2]int `json:"s"`
}

// elementData is a page.Element.
type elementData struct {
	Parent   int32  `json:"p"`
	Name     string `json:"n"`
	Class    string `json:"c,omitempty"`
	ID       string `json:"i,omitempty"`
	Role     string `json:"r,omitempty"`
	ItemProp string `json:"m,omitempty"`
}

// figure is a score, rounded to six digits unless that would move it across a threshold.
type figure float64

// score returns x for the data, in few digits if keeps says the same of them.
func score(x float64, keeps func(float64) bool) *figure {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	short, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 6, 64), 64)
	if err == nil && (keeps == nil || keeps(short) == keeps(x)) {
		x = short
	}
	f := figure(x)
	return &f
}

// why returns the index of a reason.
func (d *data) why(s string) int {
	i, ok := d.whys[s]
	if !ok {
		i = len(d.Whys)
		d.whys[s] = i
		d.Whys = append(d.Whys, s)
	}
	return i
}

// pageData returns the data of the page without the methods.
func (e *Explainer) pageData(p *page.Page, drop page.Reason) *data {
	d := &data{whys: map[string]int{}, Whys: []string{}, Paths: []string{}, Elements: []elementData{}, Blocks: []blockData{}, Methods: []*methodData{}}
	first := e.cfg.Clean.Method
	switch {
	case e.byForm && p.PlainText():
		first = method.DefaultText
	case e.byForm && p.Format != "":
		first = method.DefaultDocument
	}
	for i, m := range e.methods {
		if m.Name == first {
			d.First = i
		}
	}
	for _, el := range p.Elements {
		d.Elements = append(d.Elements, elementData{el.Parent, el.Name, attribute(el.Class), attribute(el.ID), attribute(el.Role), attribute(el.ItemProp)})
	}
	paths := map[string]int{}
	left, words := e.cfg.MaxChars, 0
	for i := range p.Blocks {
		b := &p.Blocks[i]
		at, ok := paths[b.Path]
		if !ok {
			at = len(d.Paths)
			paths[b.Path] = at
			d.Paths = append(d.Paths, b.Path)
		}
		bd := blockData{Kind: b.Kind.String(), Level: b.Level, Hidden: b.Hidden, Links: b.LinkChars, Tags: b.Tags,
			Path: at, Element: b.Element, Span: [2]int{b.Start, b.End}, Chars: b.Chars(), Words: token.Count(b.Text)}
		bd.Text = cut(b.Text, min(e.cfg.MaxBlockChars, max(left, shortChars)))
		bd.Cut = len(bd.Text) < len(b.Text)
		left -= min(bd.Chars, e.cfg.MaxBlockChars)
		words += bd.Words
		d.Blocks = append(d.Blocks, bd)
	}
	setRoles(d)
	d.head = head(p, drop, words)
	return d
}

// maxAttribute is the most characters shown of a class or id.
const maxAttribute = 200

// attribute returns an attribute's value for the eye.
func attribute(s string) string {
	short := cut(html.UnescapeString(s), maxAttribute)
	if len(short) < len(s) && short != html.UnescapeString(s) {
		short += "…"
	}
	return short
}

// head returns the facts on the whole page.
func head(p *page.Page, drop page.Reason, words int) header {
	h := header{Title: p.Meta.Title, ID: p.ID, URL: p.URL, Link: isWeb(p.URL)}
	facts := &h.Facts
	add := func(name, value string) {
		if value != "" {
			*facts = append(*facts, fact{name, value})
		}
	}
	lang := p.Lang
	if p.LangConfidence > 0 {
		lang += fmt.Sprintf(" (%.0f %%)", 100*p.LangConfidence)
	}
	add("language", lang)
	add("declared language", p.Meta.Lang)
	add("charset", p.Charset)
	add("media type", p.MIME)
	add("size", fmt.Sprintf("%s bytes", report.Grouped(int64(len(p.Raw)))))
	add("blocks", report.Grouped(int64(len(p.Blocks))))
	add("words", report.Grouped(int64(words)))
	if p.Source.File != p.ID {
		add("file", p.Source.File)
	}
	if p.Source.Record != "" && p.Source.Record != p.ID {
		add("record", p.Source.Record)
	}
	facts = &h.Meta
	meta := map[string]any{}
	if b, err := json.Marshal(p.Meta); err == nil {
		_ = json.Unmarshal(b, &meta) // what Marshal wrote
	}
	for _, k := range slices.Sorted(mapKeys(meta)) {
		if k != "title" && k != "lang" {
			add(k, cut(shown(meta[k]), 500))
		}
	}
	if drop != page.None {
		n := "Dropped (" + drop.String() + "): " + drop.Sentence() + "."
		if len(p.Blocks) > 0 {
			n += " Its blocks are shown anyway."
		}
		h.Notices = append(h.Notices, n)
	}
	if p.Cut != page.None {
		h.Notices = append(h.Notices, "Cut ("+p.Cut.String()+"): "+p.Cut.Sentence()+". Only the part that was read is shown.")
	}
	return h
}
