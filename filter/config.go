package filter

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"chaffinch/filter/nontext"
	"chaffinch/internal/settings"
	"chaffinch/model/data"
	"chaffinch/text/label"
	"chaffinch/text/langid"
)

// Config configures which scores are computed and their limits. As JSON it is a file of rules:
// docs/guides/filter.md.
type Config struct {
	// Use names entries of [Groups], and model files of package label, in the order in which they
	// process a document. Rules that change lines affect the groups after them.
	Use []string `json:"use"`
	// Limits overrides the published limits, by names such as "gopher_quality.words". A Limit
	// without bounds removes the limit.
	Limits map[string]Limit `json:"limits,omitempty"`
	// StopWords are lists by language; "*" applies to languages without a list. Documents
	// without a list for their language have no stop word score.
	StopWords map[string][]string `json:"stop_words,omitempty"`
	// C4 configures the group c4.
	C4 C4Config `json:"c4"`
	// NonText configures the group nontext.
	NonText NonTextConfig `json:"nontext"`
	// CCNet configures the group ccnet.
	CCNet CCNetConfig `json:"ccnet"`
	// WordList configures the group wordlist.
	WordList WordListConfig `json:"wordlist"`
	// Addresses configures the group addresses.
	Addresses AddressConfig `json:"addresses"`
	// Languages overrides Limits for single languages.
	Languages map[string]LanguageConfig `json:"languages,omitempty"`
	// LanguageLimits "fineweb2" replaces the limits of the groups by the limits and stop words
	// that FineWeb-2 published for each language. Limits, Languages and the lists in StopWords
	// for single languages override them. Default: "".
	LanguageLimits string `json:"language_limits,omitempty"`
}

// LanguageConfig configures one language.
type LanguageConfig struct {
	Limits map[string]Limit `json:"limits,omitempty"`
}

// Default is the configuration to which names of rules and files are added.
var Default = Config{C4: DefaultC4, StopWords: map[string][]string{"en": {"the", "be", "to", "of", "and", "that", "have", "with"}}}

// Profile is a set of rules that were published together.
type Profile struct {
	// Name identifies the profile to users. Help is one line for help and documentation.
	Name, Help string
	add        func(c *Config)
}

// Profiles is the table of profiles. The name of a group in [Groups] also serves as a profile
// with only this group.
var Profiles = []Profile{
	{"fineweb_corpus", "all rules of the FineWeb corpus in their order: gopher_repetition, gopher_quality, c4 without line ends, fineweb", func(c *Config) {
		c.Use = append(c.Use, "gopher_repetition", "gopher_quality", "c4", "fineweb")
		c.C4.TerminalPunctuation = false
	}},
	{fineWeb2, "the rules of FineWeb-2 with its limits and stop words for each language: gopher_repetition without paragraphs, fineweb without short lines, gopher_quality", func(c *Config) {
		c.Use = append(c.Use, "gopher_repetition", "fineweb", "gopher_quality")
		c.LanguageLimits = fineWeb2
		most := 0.1
		c.Limits = merged(c.Limits, map[string]Limit{
			"gopher_repetition.duplicate_paragraphs": {}, "gopher_repetition.duplicate_paragraph_chars": {}, "gopher_repetition.duplicate_line_chars": {},
			"fineweb.short_lines": {}, "fineweb.duplicate_line_chars": {Max: &most},
		})
	}},
}

// Names returns the names of the groups and profiles.
func Names() (names []string) {
	for _, g := range Groups {
		names = append(names, g.Name)
	}
	for _, p := range Profiles {
		names = append(names, p.Name)
	}
	return names
}

// Add adds the rules with the given name. An unknown name is an error.
func (c *Config) Add(name string) error {
	for _, p := range Profiles {
		if p.Name == name {
			p.add(c)
			return nil
		}
	}
	if _, err := groupOf(name, Names()); err != nil {
		return err
	}
	c.Use = append(c.Use, name)
	return nil
}

// ParseConfig parses a file of rules and adds it to [Default].
func ParseConfig(text []byte) (Config, error) {
	c := Default
	err := c.AddFile(text)
	return c, err
}

// AddFile adds the rules of a file. Its groups come after the groups of c; its limits and
// settings override those in c.
func (c *Config) AddFile(text []byte) error {
	add := Config{C4: c.C4, NonText: c.NonText}
	if err := settings.Parse(text, &add); err != nil {
		return err
	}
	for _, name := range add.Use {
		if isModel(name) {
			c.Use = append(c.Use, name)
		} else if err := c.Add(name); err != nil {
			return fmt.Errorf("use: %w", err)
		}
	}
	c.C4, c.NonText = add.C4, add.NonText
	c.WordList.Files = append(slices.Clip(c.WordList.Files), add.WordList.Files...)
	c.Addresses.Files = append(slices.Clip(c.Addresses.Files), add.Addresses.Files...)
	c.Addresses.Listed = append(slices.Clip(c.Addresses.Listed), add.Addresses.Listed...)
	c.Addresses.Regex = append(slices.Clip(c.Addresses.Regex), add.Addresses.Regex...)
	c.CCNet.Models = merged(c.CCNet.Models, add.CCNet.Models)
	c.Limits = merged(c.Limits, add.Limits)
	c.StopWords = merged(c.StopWords, add.StopWords)
	c.LanguageLimits = cmp.Or(add.LanguageLimits, c.LanguageLimits)
	langs := maps.Clone(c.Languages)
	for lang, l := range add.Languages {
		if langs == nil {
			langs = map[string]LanguageConfig{}
		}
		langs[lang] = LanguageConfig{Limits: merged(langs[lang].Limits, l.Limits)}
	}
	c.Languages = langs
	return nil
}

// merged returns a with the entries of b added or replaced. It does not change a.
func merged[V any](a, b map[string]V) map[string]V {
	if len(b) == 0 {
		return a
	}
	a = maps.Clone(a)
	if a == nil {
		a = map[string]V{}
	}
	maps.Copy(a, b)
	return a
}

func groupOf(name string, names []string) (*Group, error) {
	for i := range Groups {
		if Groups[i].Name == name {
			return &Groups[i], nil
		}
	}
	return nil, unknown("rules", name, names)
}

// unknown returns the error for an unknown name.
func unknown(what, name string, names []string) error {
	if near := settings.Nearest(name, names); near != "" {
		return fmt.Errorf("%s %q are not known: did you mean %s?", what, name, near)
	}
	return fmt.Errorf("%s %q are not known: there are %s", what, name, strings.Join(names, ", "))
}

// Set is a configuration with its files and models loaded. It is safe for concurrent use.
type Set struct {
	cfg    Config
	groups []*Group
	names  []string
	c4     C4Config
	edits  bool
	joins  bool
	// afterEdits reports whether a group follows a group that changes the text.
	afterEdits bool
	limits     []Limit        // of the groups
	table      *languageTable // limits by language; nil without LanguageLimits
	langs      sync.Map       // rulesKey -> *rulesOf
	// models are the models named by the configuration, embedded the model of the program.
	models     []*nontext.Model
	embedded   *nontext.Model
	labels     []*label.Model // model files that Use names
	registers  *label.Model   // nil without the group register
	perplexity map[string]*perplexityModel
	listed     *phraseList      // nil without the group wordlist
	addresses  *addressList     // nil without the group addresses
	langid     *langid.Detector // nil without the group languages
	detectable []string         // languages of langid
	sums       []uint64         // of files and models
	absolute   map[string]bool  // scores whose limits are not learned
}

// rulesOf holds the rules of a language.
type rulesOf struct {
	limits []Limit
	stop   *wordList
}

// rulesKey identifies the rules of a language by the entries that they come from.
type rulesKey struct{ limits, stop, published string }

// New returns a Set and loads the files and models of the configuration. Rules count words, so
// the program must import [chaffinch/model/data/segmenters].
func New(cfg Config) (*Set, error) {
	if len(cfg.Use) == 0 {
		return nil, fmt.Errorf("no rules: name one of %s, or a file", strings.Join(Names(), ", "))
	}
	if len(data.Segmented()) == 0 {
		return nil, data.ErrNoSegmenters // rules count words
	}
	return newSet(cfg)
}

// NoRules returns a set without rules, which drops no document.
func NoRules() *Set {
	s, err := newSet(Default)
	if err != nil {
		panic(err) // unused rules read no files
	}
	return s
}

func newSet(cfg Config) (*Set, error) {
	s := &Set{cfg: cfg, c4: cfg.C4, absolute: map[string]bool{}}
	for i, name := range cfg.Use {
		if slices.Contains(cfg.Use[:i], name) {
			return nil, fmt.Errorf("rules %q: listed twice", name)
		}
		g, err := s.group(name)
		if err != nil {
			return nil, err
		}
		s.groups = append(s.groups, g)
		s.afterEdits = s.edits
		s.edits = s.edits || g.edits
		s.joins = s.joins || g.joins
		for _, score := range g.Scores {
			name := g.Name + "." + score.Name
			s.names = append(s.names, name)
			s.absolute[name] = slices.Contains(g.absolute, score.Name)
			limit := score.Limit
			if name == nonTextScore {
				limit.Max = ofModel
			}
			s.limits = append(s.limits, limit)
		}
	}
	if cfg.C4.MinWordsPerLine < 0 || cfg.C4.MaxWordLength < 0 {
		return nil, errors.New("c4: a number of words or characters below 0")
	}
	if loss := cfg.NonText.Loss; !(loss >= 0 && loss < 1) {
		return nil, fmt.Errorf("nontext: loss %v, wanted a fraction below 1, such as .03", loss)
	}
	for i := range Groups { // in a fixed order, so that the sums do not depend on the order of Use
		g := &Groups[i]
		if g.open == nil || !slices.Contains(cfg.Use, g.Name) {
			continue
		}
		sums, err := g.open(s)
		if err != nil {
			return nil, err
		}
		s.sums = append(s.sums, sums...)
	}
	switch cfg.LanguageLimits {
	case "":
	case fineWeb2:
		var err error
		if s.table, err = fineWeb2Table(); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("language_limits %q: wanted %s", cfg.LanguageLimits, fineWeb2)
	}
	if err := s.check(cfg.Limits, "limits"); err != nil {
		return nil, err
	}
	for _, lang := range slices.Sorted(maps.Keys(cfg.Languages)) {
		if err := s.check(cfg.Languages[lang].Limits, "languages."+lang+".limits"); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// group returns the group with a name, or of a model file.
func (s *Set) group(name string) (*Group, error) {
	if !isModel(name) {
		return groupOf(name, groupNames())
	}
	g, err := s.readLabels(name)
	if err == nil && slices.ContainsFunc(s.groups, func(o *Group) bool { return o.Name == g.Name }) {
		err = fmt.Errorf("model %s: another model has the name %q", name, g.Name)
	}
	return g, err
}

// check returns an error if limits of a configuration name unknown scores or have invalid bounds.
func (s *Set) check(limits map[string]Limit, place string) error {
	for _, name := range slices.Sorted(maps.Keys(limits)) {
		if all := scoreNames(); !slices.Contains(all, name) && !slices.Contains(s.names, name) {
			if settings.Nearest(name, all) == "" {
				all = s.names // a shorter list to choose from
			}
			return fmt.Errorf("%s: %w", place, unknown("scores", name, all))
		}
		l := limits[name]
		for _, bound := range []*float64{l.Min, l.Max} {
			if bound != nil && math.IsNaN(*bound) {
				return fmt.Errorf("%s: %s: a bound that is no number", place, name)
			}
		}
		if l.Min != nil && l.Max != nil && *l.Min > *l.Max {
			return fmt.Errorf("%s: %s: min %v is above max %v: no document could stay", place, name, *l.Min, *l.Max)
		}
	}
	return nil
}

func groupNames() []string {
	names := make([]string, len(Groups))
	for i, g := range Groups {
		names[i] = g.Name
	}
	return names
}

// scoreNames returns the names of the scores of all groups.
func scoreNames() (names []string) {
	for _, g := range Groups {
		for _, s := range g.Scores {
			names = append(names, g.Name+"."+s.Name)
		}
	}
	return names
}

// rulesOf returns the rules of a language. Entries for the language come before entries for the
// nearest language that it is a variety of.
func (s *Set) rulesOf(lang string) *rulesOf {
	key := rulesKey{limits: primary(lang, s.cfg.Languages), stop: primary(lang, s.cfg.StopWords)}
	row := s.published(lang)
	if row != nil {
		key.published = row[0]
	}
	if r, ok := s.langs.Load(key); ok {
		return r.(*rulesOf)
	}
	r := &rulesOf{limits: slices.Clone(s.limits)}
	if row != nil {
		s.override(r.limits, publishedLimits(row))
	}
	s.override(r.limits, s.cfg.Limits)
	s.override(r.limits, s.cfg.Languages[key.limits].Limits)
	var words []string
	switch {
	case key.stop != "":
		words = s.cfg.StopWords[key.stop]
	case row != nil:
		words = publishedStopWords(row)
	}
	if words == nil {
		words = s.cfg.StopWords["*"]
	}
	if words != nil {
		r.stop = newWordList(words)
	}
	s.langs.Store(key, r)
	return r
}

// override replaces limits by the given limits of scores of s.
func (s *Set) override(limits []Limit, given map[string]Limit) {
	for name, l := range given {
		if i := slices.Index(s.names, name); i >= 0 {
			limits[i] = l
		}
	}
}

// primary returns lang, or the nearest language that lang is a variety of, if table contains
// it; otherwise "".
func primary[V any](lang string, table map[string]V) string {
	for {
		if _, ok := table[lang]; ok {
			return lang
		}
		lang = lang[:max(strings.LastIndexAny(lang, "-_"), 0)]
		if lang == "" {
			return ""
		}
	}
}

// Edits returns a Set with only the rules of s that change lines; nil if there are none.
func (s *Set) Edits() *Set {
	cfg := s.cfg
	cfg.Use = nil
	for _, g := range s.groups {
		if g.edits {
			cfg.Use = append(cfg.Use, g.Name)
		}
	}
	if len(cfg.Use) == 0 {
		return nil
	}
	set, err := New(cfg)
	if err != nil {
		panic(err) // a subset of a valid configuration
	}
	return set
}

// Config returns the configuration of s.
func (s *Set) Config() Config { return s.cfg }

// Limits returns the limits for texts of a language, by the names of the scores. Scores without
// a limit are omitted.
func (s *Set) Limits(lang string) map[string]Limit {
	out := map[string]Limit{}
	for i, l := range s.limitsOf(lang) {
		if l != (Limit{}) {
			out[s.names[i]] = l
		}
	}
	return out
}

// Learnable returns the limits for texts of a language in the order of [Set.Scores]. It returns
// the zero Limit for scores without a limit, and for scores whose limit is the same in all
// languages.
func (s *Set) Learnable(lang string) []Limit {
	limits := slices.Clone(s.limitsOf(lang))
	for i, name := range s.names {
		if s.absolute[name] {
			limits[i] = Limit{}
		}
	}
	return limits
}

// AppendLimits appends the limits for texts of a language to dst, in the order of [Set.Scores]. It
// appends the zero Limit for scores without a limit, and the limits of models for their scores.
func (s *Set) AppendLimits(dst []Limit, lang string) []Limit {
	for _, l := range s.limitsOf(lang) {
		dst = append(dst, s.withModel(l, lang))
	}
	return dst
}

// withModel returns l, or the limit of the model for a language if l refers to it.
func (s *Set) withModel(l Limit, lang string) Limit {
	if l.Max == ofModel {
		return atMost(s.modelOf(lang).Limit(lang, cmp.Or(s.cfg.NonText.Loss, nontext.DefaultLoss)))
	}
	return l
}

func (s *Set) limitsOf(lang string) []Limit { return s.rulesOf(lang).limits }
