// Package justext labels blocks by their length, their links and their share of stop words,
// and then by their neighbours. [New] returns a labeller and [Labeller.Label] labels the
// blocks of a page.
//
// It implements the jusText algorithm: Jan Pomikálek, Removing Boilerplate and Duplicate
// Content from Web Corpora, PhD thesis, Masaryk University 2011.
//
// A block first gets a context-free class (classes.go): good, bad, short or near good. Then
// four passes over the page convert short and near good to good or bad (context.go). The
// verdict holds both classes and the rule that decided. The stop lists were made from
// running text by package lab/train/justext and are packed into one file (pack.go).
//
// docs/explanation/justext.md explains the rules in this order.
//
// Unstable: this package may change in any release.
package justext

import (
	"context"
	"fmt"
	"strings"

	"chaffinch/internal/settings"
	"chaffinch/internal/timecheck"
	"chaffinch/page"
)

// name is the method name with its behaviour version.
const name = "justext/1"

// Config configures a [Labeller]. Lengths are in characters (see PlainLength), densities are
// shares from 0 to 1. [Default] holds the defaults.
type Config struct {
	// MaxLinkDensity is the maximum share of characters in links.
	MaxLinkDensity float64 `json:"max_link_density"`
	// LengthLow is the length below which a block is too short for a class.
	LengthLow int `json:"length_low"`
	// LengthHigh is the length above which a block with enough stop words is good regardless
	// of its neighbours.
	LengthHigh int `json:"length_high"`
	// StopwordsLow is the share of stop words below which a block is bad.
	StopwordsLow float64 `json:"stopwords_low"`
	// StopwordsHigh is the share of stop words from which a long block is good.
	StopwordsHigh float64 `json:"stopwords_high"`
	// MaxHeadingDistance is the maximum distance between a heading and good text after it,
	// in characters of the blocks between them.
	MaxHeadingDistance int `json:"max_heading_distance"`
	// GoodDistance, if above 0, makes a short block between good and bad text good if the
	// good block is at most this many blocks away.
	GoodDistance int `json:"good_distance,omitempty"`
	// NoHeadings treats headings like any other block.
	NoHeadings bool `json:"no_headings,omitempty"`
	// Lang is the language of the stop list as a BCP 47 tag. Default: Page.Lang, else the
	// language that the page declares, else English.
	Lang string `json:"lang,omitempty"`
	// Stoplist, if not nil, is used for all pages, regardless of their language.
	Stoplist *Stoplist `json:"-"`
	// Lists, if not nil, replaces the embedded lists.
	Lists *Lists `json:"-"`
	// MinFit is the minimum share of stop words in the long unlinked text of a page. Below
	// it, the stop list is assumed to be for another language and stop words are ignored on
	// the page. About half of the words of English text are in the English list, and less
	// than a tenth of other languages. MinFit is ignored if Lang is set. 0 disables the
	// check.
	MinFit float64 `json:"min_fit"`
	// PlainLength counts every character as one. Default: lengths are in letters of an
	// alphabet. A Han character counts three, a kana or hangul two, since texts in these
	// scripts are shorter than in English by these factors.
	PlainLength bool `json:"plain_length,omitempty"`
	// SpaceTokens splits words at white space only and keeps punctuation attached, like the
	// original. For example, "the," is then not a stop word. Thresholds are not adapted to
	// the cover of the stop list.
	SpaceTokens bool `json:"space_tokens,omitempty"`
	// NoFirstPass skips the first pass over the headings. jusText 3.0.0 to 3.0.2 skip it
	// because their loops are in the wrong order.
	NoFirstPass bool `json:"no_first_pass,omitempty"`
	// EachCell keeps the label of every table cell and list item. Default: tables and lists
	// are kept or dropped as a whole (clean.Stage).
	EachCell bool `json:"each_cell,omitempty"`
}

// defaultLang is the language of the stop list for pages of unknown language.
const defaultLang = "en"

// Default holds the thresholds of the thesis.
var Default = Config{
	MaxLinkDensity:     0.2,
	LengthLow:          70,
	LengthHigh:         200,
	StopwordsLow:       0.30,
	StopwordsHigh:      0.32,
	MaxHeadingDistance: 200,
	MinFit:             0.12,
}

// Preset is a named configuration.
type Preset struct {
	Name, Help string
	Config     Config
}

// Presets lists the named configurations, the default first.
var Presets = []Preset{
	{"default", "the thresholds of the jusText thesis", Default},
	{"language-free", "no stop words: length, links and neighbours only", with(func(c *Config) {
		c.StopwordsLow, c.StopwordsHigh = 0, 0
	})},
	{"spiderling", "the thresholds of the SpiderLing crawler for large crawls", spiderling(70, 140)},
	{"spiderling-small", "the thresholds of the SpiderLing crawler for small crawls", spiderling(50, 100)},
	{"justext-3.0", "as jusText 3.0.0 to 3.0.2: words end at white space only, one pass over the headings is lost", with(func(c *Config) {
		c.SpaceTokens, c.PlainLength, c.NoFirstPass, c.EachCell = true, true, true, true
		c.MinFit = 0
	})},
}

func with(change func(*Config)) Config {
	c := Default
	change(&c)
	return c
}

func spiderling(low, high int) Config {
	return with(func(c *Config) {
		c.LengthLow, c.LengthHigh = low, high
		c.StopwordsLow, c.StopwordsHigh = 0.2, 0.3
		c.MaxLinkDensity = 0.4
		c.GoodDistance = 5
		c.MaxHeadingDistance = 150
	})
}

// PresetByName returns the configuration of that name.
func PresetByName(name string) (Config, error) {
	var names []string
	for _, p := range Presets {
		if p.Name == name {
			return p.Config, nil
		}
		names = append(names, p.Name)
	}
	return Config{}, fmt.Errorf("justext: preset %q, wanted one of %s%s", name, strings.Join(names, ", "), settings.DidYouMean(name, names))
}

// Labeller labels the blocks of pages. It is safe for concurrent use.
type Labeller struct{ cfg Config }

// Cells reports whether the labels of table cells and list items are final.
func (l *Labeller) Cells() bool { return l.cfg.EachCell }

// New returns a labeller, or an error if a threshold is invalid.
func New(cfg Config) (*Labeller, error) {
	for _, v := range []struct {
		name string
		is   float64
	}{
		{"max link density", cfg.MaxLinkDensity},
		{"stopwords low", cfg.StopwordsLow},
		{"stopwords high", cfg.StopwordsHigh},
		{"min fit", cfg.MinFit},
	} {
		if !(v.is >= 0 && v.is <= 1) {
			return nil, fmt.Errorf("justext: %s is %v, wanted a share from 0 to 1", v.name, v.is)
		}
	}
	switch {
	case cfg.LengthLow < 0 || cfg.LengthHigh < cfg.LengthLow:
		return nil, fmt.Errorf("justext: length low %d, high %d: wanted 0 <= low <= high", cfg.LengthLow, cfg.LengthHigh)
	case cfg.StopwordsHigh < cfg.StopwordsLow:
		return nil, fmt.Errorf("justext: stopwords low %v, high %v: wanted low <= high", cfg.StopwordsLow, cfg.StopwordsHigh)
	case cfg.Lang != "" && primary(cfg.Lang) == "":
		return nil, fmt.Errorf("justext: no list can be chosen for language %q: wanted a BCP 47 tag such as \"de\"", cfg.Lang)
	case cfg.MaxHeadingDistance < 0 || cfg.GoodDistance < 0:
		return nil, fmt.Errorf("justext: heading distance %d, good distance %d: wanted 0 or more", cfg.MaxHeadingDistance, cfg.GoodDistance)
	}
	return &Labeller{cfg}, nil
}

// Name returns "justext/1".
func (l *Labeller) Name() string { return name }

// Label returns one verdict for each block of p. Score is the share of stop words. Why
// describes the rule of the context-free class and, after a semicolon, the cause of the
// final label if the neighbours decided.
func (l *Labeller) Label(ctx context.Context, p *page.Page) ([]page.Verdict, error) {
	blocks := make([]facts, len(p.Blocks))
	rules, err := l.rulesFor(p)
	if err != nil {
		return nil, err
	}
	var m measurer
	clock := timecheck.New(ctx)
	for i := range p.Blocks {
		if err := clock.Done(len(p.Blocks[i].Text)); err != nil {
			return nil, err
		}
		m.measure(&blocks[i], &p.Blocks[i], rules)
	}
	rules.fit(blocks)
	for i := range blocks {
		rules.contextFree(&blocks[i])
	}
	rules.revise(blocks)
	out := make([]page.Verdict, len(blocks))
	for i := range blocks {
		b := &blocks[i]
		out[i] = page.Verdict{
			By:          name,
			Label:       b.label,
			ContextFree: b.free,
			Score:       b.density(),
			Reason:      rules.reason(b),
		}
	}
	return out, nil
}
