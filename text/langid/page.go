package langid

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"chaffinch/internal/runes"
	"chaffinch/page"
	"chaffinch/text/langid/close"
)

// PageConfig configures the detection of the language of a page.
type PageConfig struct {
	// Config configures the detector.
	Config
	// SampleBytes is the number of bytes of running text that are read from a page.
	SampleBytes int `json:"sample_bytes"`
	// Wanted are the languages to keep, each a tag as in [Wanted]. If set, pages whose running
	// text is certainly in other languages are dropped, so that later stages do not read them.
	Wanted []string `json:"wanted,omitempty"`
}

// DefaultPage is the configuration of the pipeline.
var DefaultPage = PageConfig{Config: blockDefault, SampleBytes: 4 << 10}

// blockDefault reads only as much of a block as the detection of its language needs.
var blockDefault = Config{MinConfidence: Default.MinConfidence, MaxBytes: 1000}

// The selection of text for the language of a page; docs/guides/language.md gives the reasons.
const (
	textBytes  = 100 // minimum number of bytes of a block of running text
	maxLinks   = .25 // and its maximum share of characters in links
	enoughText = 200 // bytes of running text at which other blocks are ignored
	runBytes   = 200 // short blocks are read together up to this number of bytes

	sureChars     = 20  // minimum number of characters of a block with a certain guess
	sureConf      = .8  // and its minimum confidence
	similarConf   = .95 // minimum confidence of a block in a language similar to its page's,
	similarChars  = 200 // and its minimum length
	declaredConf  = .9  // below it, a similar page language takes precedence over the languages of its blocks
	declaredChars = 200 // a page with fewer characters and no detected language gets its declared language

	farConf   = .95 // minimum confidence of a page that is dropped as certainly in another language,
	farBlocks = 8   // and the number of blocks that are read beyond its sample

	clearConf  = .99  // confidence of blocks at which no similar language is considered
	leastProb  = 1e-4 // the minimum probability of a language or of a group in a text
	textWeight = .5   // weight of the probabilities in a text, since the texts of a page resemble each other
	shortChars = 400  // with fewer characters, all languages are considered, not only similar ones
)

// Pages detects the languages of pages. It is a pipeline.Stage, and safe for
// concurrent use.
type Pages struct {
	d   *Detector
	cfg PageConfig
}

// NewPages returns a Pages for cfg.
func NewPages(cfg PageConfig) (*Pages, error) {
	d, err := New(cfg.Config)
	if err != nil {
		return nil, err
	}
	return &Pages{d, cfg}, nil
}

// Name returns the name and behaviour version of the stage.
func (s *Pages) Name() string { return "language/3" }

// Do sets p.Lang and p.LangConfidence if the language is unknown. It sets Undetermined and 0 if
// the text is in no language that the detector supports. Blocks that are read separately get
// Lang and LangConfidence from the detector. A known language becomes its [Canonical] tag. If the
// language is certainly none of the wanted languages, Do drops the page as [page.OtherLanguage].
func (s *Pages) Do(_ context.Context, p *page.Page) error {
	if known := Canonical(p.KnownLang()); known != "" {
		p.Lang = known
		return nil
	}
	t := s.read(p)
	var buf [8]hint
	best := s.decide(&t, t.best(p.Meta.Lang), hintsOf(buf[:0], p))
	p.Lang, p.LangConfidence = cmp.Or(best.Lang, Undetermined), best.Confidence
	if len(s.cfg.Wanted) > 0 && best.Confidence >= farConf && t.running >= enoughText && s.isElsewhere(p) {
		p.Drop = page.OtherLanguage
	}
	return nil
}

// isElsewhere reports whether all detected running text of p is in languages that are neither
// wanted nor similar to wanted ones, and some farBlocks evenly spaced blocks of its other text too.
func (s *Pages) isElsewhere(p *page.Page) bool {
	next := 0 // the block from which another one is detected
	far := NoLanguage
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if b.Hidden || !isText(b) || b.Lang == "" && i < next {
			continue
		}
		lang := b.Lang
		if lang == "" {
			next = i + len(p.Blocks)/farBlocks
			lang = s.d.Detect(b.Text).Lang
		}
		if lang != far && lang != NoLanguage {
			if !s.isFar(lang) {
				return false
			}
			far = lang
		}
	}
	return true
}

// isFar reports whether the language lang is neither wanted nor similar to a wanted one.
func (s *Pages) isFar(lang string) bool {
	near := []string{lang}
	if group := s.d.secondOf(lang); group != nil {
		near = group.g.Members
	}
	for _, l := range near {
		for _, w := range s.cfg.Wanted {
			if Covers(w, l) || Covers(l, w) { // the model has no varieties
				return false
			}
		}
	}
	return lang != Undetermined
}

// decide returns the language of a page from the evidence of all its texts and hints. best is
// the language with the most text. If it has similar languages, the scores of these in all texts and
// the weights of the hints are added up. On short pages this is done for all languages.
func (s *Pages) decide(t *pageTally, best Guess, hints []hint) Guess {
	var langs []string
	var scores []float64
	mass := 0.0 // characters in the languages considered
	total := t.total()
	switch {
	case total < shortChars && len(hints) > 0:
		langs, scores, mass = s.ranked(t.texts)
	case best.Lang == "" || t.clear(best.Lang, hints):
		return best
	default:
		langs, scores, mass = s.members(s.d.secondOf(best.Lang), t.texts)
	}
	if len(langs) == 0 {
		return best
	}
	for i, l := range langs {
		for _, h := range hints {
			if h.supports(l) {
				scores[i] += h.weight
			}
		}
	}
	first, sum := 0, 0.0
	for i := range scores {
		if scores[i] > scores[first] || scores[i] == scores[first] && langs[i] < langs[first] {
			first = i
		}
	}
	for i := range scores {
		sum += math.Exp(scores[i] - scores[first])
	}
	g := Guess{langs[first], mass / float64(total) / sum}
	if g.Confidence < s.cfg.MinConfidence && best.Lang != g.Lang {
		return best
	}
	return g
}

// ranked returns the most probable languages of texts, the weighted logarithms of their
// probabilities, and the number of characters in them.
func (s *Pages) ranked(texts []sample) (langs []string, scores []float64, mass float64) {
	guesses := make([][]Guess, len(texts))
	for i, x := range texts {
		guesses[i] = s.d.Rank(nil, x.text, ranked)
		for _, g := range guesses[i] {
			if g.Lang == NoLanguage {
				continue
			}
			mass += g.Confidence * float64(runes.Count(x.text))
			if !slices.Contains(langs, g.Lang) {
				langs, scores = append(langs, g.Lang), append(scores, 0)
			}
		}
	}
	for _, of := range guesses {
		for i, l := range langs {
			p := leastProb
			if k := slices.IndexFunc(of, func(g Guess) bool { return g.Lang == l }); k >= 0 {
				p = max(p, of[k].Confidence)
			}
			scores[i] += textWeight * math.Log(p)
		}
	}
	return langs, scores, mass
}

// members returns the members of a group of close languages, the logarithms of their probabilities
// in all texts together, and the number of characters in them.
func (s *Pages) members(group *second, texts []sample) (langs []string, scores []float64, mass float64) {
	b := s.d.scratch.Get().(*scratch)
	defer s.d.scratch.Put(b)
	var buf [ranked]Guess
	var sums close.Scores
	for _, x := range texts {
		if x.group != group {
			x.compare(s.d, b, group, s.d.rankWith(b, buf[:0], x.text, ranked, false))
		}
		if x.inGroup < leastProb {
			continue
		}
		mass += x.inGroup * float64(runes.Count(x.text))
		if x.scored {
			sums.Add(&x.scores)
		} else {
			group.g.Read(x.text, &sums)
		}
	}
	var p [close.MaxMembers]float64
	group.g.Probabilities(&sums, group.allowed, &p)
	for m, tag := range group.g.Members {
		if group.allowed>>m&1 != 0 {
			langs, scores = append(langs, tag), append(scores, math.Log(max(p[m], math.SmallestNonzeroFloat64)))
		}
	}
	return langs, scores, mass
}

// sample is a text of a page.
type sample struct {
	text    string
	group   *second      // a group of close languages, nil for none
	inGroup float64      // the probability of its members among the best languages of the text
	scored  bool         // whether scores is set
	scores  close.Scores // of the group in the text
}

// compare sets all but the text, from the most probable languages of the text.
func (x *sample) compare(d *Detector, b *scratch, group *second, list []Guess) {
	x.group, x.inGroup = group, 0
	for _, g := range list {
		if slices.Contains(group.g.Members, g.Lang) {
			x.inGroup += g.Confidence
		}
	}
	if x.scored = b.group == group && len(x.text) <= closeBytes && (d.cfg.MaxBytes == 0 || len(x.text) <= d.cfg.MaxBytes); x.scored {
		x.scores = b.scores
	}
}

// detect returns the language of text as [Detector.Detect] does. If the second stage distinguished a
// group, the sample has its scores.
func (s *Pages) detect(text string) (Guess, sample) {
	b := s.d.scratch.Get().(*scratch)
	defer s.d.scratch.Put(b)
	x := sample{text: text}
	var buf [ranked]Guess
	list := s.d.rankWith(b, buf[:0], text, ranked, true)
	if b.group != nil {
		x.compare(s.d, b, b.group, list)
	}
	return s.d.conclude(b, list, text), x
}

// tongue holds the evidence for one language.
type tongue struct {
	lang  string
	chars int
	sure  float64 // characters times confidence
}

// pageTally counts the languages of the pieces of a page.
type pageTally struct {
	d       *Detector
	tongues []tongue
	texts   []sample // the texts that were counted
	unknown int      // characters in no language that the detector can name
	running int      // bytes of running text that were read
	least   float64  // minimum confidence of the texts
}

// read counts a text with the language g.
func (t *pageTally) read(g Guess, x sample) {
	if g.Lang == NoLanguage {
		return
	}
	if len(t.texts) == 0 || g.Confidence < t.least {
		t.least = g.Confidence
	}
	t.texts = append(t.texts, x)
	t.add(g, runes.Count(x.text))
}

// clear reports whether lang is the language of a page regardless of the hints: it has no
// similar languages, or all texts are clearly in it and no hint supports a similar one.
func (t *pageTally) clear(lang string, hints []hint) bool {
	group := t.d.secondOf(lang)
	return group == nil || len(t.tongues) == 1 && t.least >= clearConf && !slices.ContainsFunc(hints, func(h hint) bool {
		return !h.supports(lang) && slices.ContainsFunc(group.g.Members, h.supports)
	})
}

func (t *pageTally) add(g Guess, chars int) {
	switch g.Lang {
	case NoLanguage:
		return
	case Undetermined:
		t.unknown += chars
		return
	}
	for i := range t.tongues {
		if t.tongues[i].lang == g.Lang {
			t.tongues[i].chars += chars
			t.tongues[i].sure += float64(float64(chars) * g.Confidence)
			return
		}
	}
	t.tongues = append(t.tongues, tongue{g.Lang, chars, float64(chars) * g.Confidence})
}

// total returns the number of characters in any language.
func (t *pageTally) total() int {
	n := t.unknown
	for i := range t.tongues {
		n += t.tongues[i].chars
	}
	return n
}

// best returns the language with the most confident text and its share of the text, weighted by
// confidence. The declared language takes precedence over a similar one with low confidence,
// and is used if there is little text.
func (t *pageTally) best(stated string) Guess {
	declared := Declared(stated)
	total := t.total()
	var best tongue
	for _, x := range t.tongues {
		if x.sure > best.sure || x.sure == best.sure && (x.lang == declared || best.lang != declared && x.lang < best.lang) {
			best = x
		}
	}
	if best.lang == "" {
		if declared != "" && total < declaredChars {
			return Guess{Lang: declared}
		}
		return Guess{}
	}
	g := Guess{best.lang, best.sure / float64(total)}
	if g.Confidence < declaredConf && declared != g.Lang && t.d.Similar(declared, g.Lang) {
		g.Lang = declared
	}
	return g
}

// shares returns the languages with their shares, the largest first.
func (t *pageTally) shares() []page.LangShare {
	total := t.total()
	if total == 0 {
		return nil
	}
	out := make([]page.LangShare, 0, len(t.tongues)+1)
	for _, x := range t.tongues {
		out = append(out, page.LangShare{Lang: x.lang, Share: float64(x.chars) / float64(total)})
	}
	if t.unknown > 0 {
		out = append(out, page.LangShare{Lang: Undetermined, Share: float64(t.unknown) / float64(total)})
	}
	slices.SortFunc(out, func(a, b page.LangShare) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.Lang, b.Lang))
	})
	return out
}

// isText reports whether b is running text, as opposed to menus and similar blocks.
func isText(b *page.Block) bool {
	return len(b.Text) >= textBytes && b.Kind != page.Code && float64(b.LinkChars) <= maxLinks*float64(len(b.Text))
}

// read counts the languages of the running text of p, block by block. If there is too little
// running text, it also counts the languages of all other visible text.
func (s *Pages) read(p *page.Page) pageTally {
	t := pageTally{d: s.d}
	left := s.cfg.SampleBytes
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if b.Hidden || !isText(b) {
			continue
		}
		if left <= 0 {
			break
		}
		g, x := s.detect(b.Text)
		b.Lang, b.LangConfidence = g.Lang, g.Confidence
		t.read(g, x)
		left -= len(b.Text)
		t.running += len(b.Text)
	}
	if t.running < enoughText {
		s.readRest(p, &t, left)
	}
	return t
}

// readRest counts the languages of blocks that are not running text. Short adjacent blocks are
// read together.
func (s *Pages) readRest(p *page.Page, t *pageTally, left int) {
	var run strings.Builder
	flush := func() {
		if run.Len() > 0 {
			t.read(s.detect(run.String()))
			left -= run.Len()
			run.Reset()
		}
	}
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if left <= 0 {
			return
		}
		if b.Hidden || b.Text == "" {
			continue
		}
		if isText(b) {
			flush()
			continue
		}
		if run.Len() > 0 {
			run.WriteByte('\n')
		}
		run.WriteString(b.Text)
		if run.Len() >= runBytes {
			flush()
		}
	}
	flush()
}

// Declared returns the language that a page states, as a tag of the detector; "" for none.
// Pages also use en_US and lists such as "de, en"; the first language counts, without its
// region.
func Declared(stated string) string {
	stated, _, _ = strings.Cut(strings.ReplaceAll(stated, "_", "-"), ",")
	tag, err := language.Parse(strings.TrimSpace(stated))
	if err != nil || tag == language.Und {
		return ""
	}
	base, script, region := tag.Raw()
	switch base.String() {
	case "und", "mul", "zxx", "mis":
		return ""
	case "no":
		return "nb"
	case "zh":
		if script.String() == "Hant" || slices.Contains([]string{"TW", "HK", "MO"}, region.String()) {
			return "zh-Hant"
		}
		return "zh-Hans"
	case "sr":
		if script.String() == "Latn" {
			return "sr-Latn"
		}
	}
	return base.String()
}
