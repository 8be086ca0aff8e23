package langid

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/language"

	"chaffinch/internal/runes"
	"chaffinch/internal/settings"
	"chaffinch/page"
)

// Wanted is a language to keep in a corpus.
type Wanted struct {
	// Lang is a BCP 47 tag. It includes its varieties: "zh" includes "zh-Hant", "sr" includes
	// "sr-Latn", "no" includes "nb" and "nn".
	Lang string `json:"lang"`
	// MinConfidence is the minimum confidence, 0 to 1. Default: 0, the value of FilterConfig.
	MinConfidence float64 `json:"min_confidence,omitempty" was:"least"`
}

// FilterConfig configures which languages are kept in a corpus.
type FilterConfig struct {
	// Config configures the detector.
	Config
	// Langs are the languages to keep; if empty, all are kept.
	Langs []Wanted `json:"langs,omitempty"`
	// WantedConfidence is the minimum confidence for languages whose Wanted sets none.
	WantedConfidence float64 `json:"wanted_confidence" was:"least"`
	// Unit is "page", which keeps or drops whole pages, or "block", which labels blocks in
	// other languages as bad.
	Unit string `json:"unit"`
	// All also detects the languages of blocks that are not kept.
	All bool `json:"all,omitempty"`
}

// DefaultFilter keeps pages with more than half of their text confidently in a wanted language.
var DefaultFilter = FilterConfig{Config: blockDefault, WantedConfidence: 0.5, Unit: "page"}

// Filter detects the languages of the kept text of a page, block by block. It drops pages or
// labels blocks in languages other than the wanted languages. Filter implements pipeline.Stage.
// It must run after the stage that labels blocks, and is safe for concurrent use.
type Filter struct {
	d   *Detector
	cfg FilterConfig
}

// NewFilter returns a Filter for cfg.
func NewFilter(cfg FilterConfig) (*Filter, error) {
	if cfg.Unit != "page" && cfg.Unit != "block" {
		return nil, fmt.Errorf("unit %q: take page or block", cfg.Unit)
	}
	d, err := New(cfg.Config)
	if err != nil {
		return nil, err
	}
	if !cfg.Varieties && slices.ContainsFunc(cfg.Langs, func(w Wanted) bool { return d.hasVariety(w.Lang) }) {
		cfg.Varieties = true
		if d, err = New(cfg.Config); err != nil {
			return nil, err
		}
	}
	for _, w := range append(slices.Clone(cfg.Langs), Wanted{MinConfidence: cfg.WantedConfidence}) {
		if !(w.MinConfidence >= 0 && w.MinConfidence <= 1) {
			return nil, fmt.Errorf("%s: minimum confidence %v: wanted 0 to 1", cmp.Or(w.Lang, "all"), w.MinConfidence)
		}
		if w.Lang == "" {
			continue
		}
		if !slices.ContainsFunc(d.langs, func(l string) bool { return Covers(w.Lang, l) }) {
			return nil, fmt.Errorf("%q is not a language of the model%s", w.Lang, near(w.Lang, d.langs))
		}
	}
	return &Filter{d, cfg}, nil
}

// ParseWanted parses "fr", "fr:0.9" or "french:0.9".
func ParseWanted(s string) (Wanted, error) {
	tag, conf, ok := strings.Cut(strings.TrimSpace(s), ":")
	w := Wanted{Lang: Tag(strings.TrimSpace(tag))}
	if w.Lang == "" {
		return w, fmt.Errorf("%q names no language: write a tag such as fr, or a name such as french", s)
	}
	if ok {
		var err error
		if w.MinConfidence, err = strconv.ParseFloat(strings.TrimSpace(conf), 64); err != nil {
			return w, fmt.Errorf("%q: minimum confidence %q is not a number: write it like %s:0.9", s, conf, w.Lang)
		}
	}
	return w, nil
}

// Covers reports whether the tag wanted includes the tag lang: they are equal, or wanted is
// more general.
func Covers(wanted, lang string) bool {
	if strings.EqualFold(wanted, lang) {
		return true
	}
	w, err := language.Parse(strings.ReplaceAll(wanted, "_", "-"))
	if err != nil {
		return false
	}
	l, err := language.Parse(lang)
	if err != nil {
		return false
	}
	wb, ws, wr := w.Raw()
	lb, ls, lr := l.Raw()
	if b := wb.String(); b != lb.String() && !slices.Contains(members[b], lb.String()) {
		return false
	}
	return (ws.String() == "Zzzz" || ws == ls) && (wr.String() == "ZZ" || wr == lr)
}

// members lists the languages that another tag includes.
var members = map[string][]string{
	"no": {"nb", "nn"}, "poz": {"id", "ms"}, "fil": {"tl"}, "tl": {"fil"}, "ku": {"kmr"}, "kmr": {"ku"}, "sh": {"sr", "hr", "bs", "cnr"},
}

// misnomers maps country codes that are used by mistake to the language of the country.
var misnomers = map[string]string{
	"cn": "zh", "cz": "cs", "dk": "da", "gr": "el", "jp": "ja", "ua": "uk", "se": "sv", "vn": "vi", "kr": "ko", "al": "sq", "ee": "et", "rs": "sr", "by": "be", "ge": "ka",
}

// maxNear is the maximum number of tags that an error suggests.
const maxNear = 8

// near returns suggestions for a wrong tag.
func near(tag string, langs []string) string {
	tag = strings.ToLower(tag)
	if m := misnomers[tag]; m != "" {
		return fmt.Sprintf(": %s is a country, its language is %s", strings.ToUpper(tag), Label(m))
	}
	base, _, _ := strings.Cut(tag, "-")
	var same, out []string
	for _, l := range langs {
		b, _, _ := strings.Cut(l, "-")
		if b == base {
			same = append(same, l)
		} else if b[0] == tag[0] && (len(base) == 3 && strings.HasPrefix(base, b) || oneOff(b, base)) {
			out = append(out, l)
		}
	}
	if same != nil {
		out = same
	}
	out = out[:min(len(out), maxNear)]
	name := settings.Nearest(tag, Names())
	switch {
	case len(out) == 0 && name == "":
		return ": write a tag such as fr, or a name such as french"
	case len(out) == 0 || len(base) > 3:
		return ": did you mean " + Label(Tag(name)) + "?"
	}
	return ": did you mean " + labels(out) + "?"
}

// oneOff reports whether a and b differ in one letter.
func oneOff(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	n := 0
	for i := range len(a) {
		if a[i] != b[i] {
			n++
		}
	}
	return n == 1
}

// Name returns the name and behaviour version of the stage.
func (k *Filter) Name() string { return "languages/1" }

// Do sets the languages of the kept blocks and p.Langs. It sets p.Lang and p.LangConfidence
// from the kept text, and drops text in languages that are not wanted. If no text remains, it
// sets p.Drop to page.OtherLanguage.
func (k *Filter) Do(_ context.Context, p *page.Page) error {
	k.blocks(p)
	if len(k.cfg.Langs) > 0 && k.cfg.Unit == "block" {
		k.leaveOut(p)
	}
	k.count(p)
	if len(k.cfg.Langs) > 0 && p.Drop == page.None && (k.cfg.Unit == "block" && !hasText(p) || k.cfg.Unit == "page" && !k.wantsPage(p)) {
		p.Drop = page.OtherLanguage
	}
	return nil
}

// count sets the languages of p from its kept text. They are unchanged if no kept block is in a
// language. A known language without a measured confidence is also unchanged.
func (k *Filter) count(p *page.Page) {
	t := pageTally{d: k.d}
	for i := range p.Blocks {
		if b := &p.Blocks[i]; b.Lang != "" && b.Label.Keep() {
			t.add(Guess{b.Lang, b.LangConfidence}, runes.Count(b.Kept()))
		}
	}
	if len(t.tongues) == 0 {
		return
	}
	if g := t.best(p.Lang); p.KnownLang() == "" || p.LangConfidence > 0 {
		p.Lang, p.LangConfidence = g.Lang, g.Confidence
	}
	p.Langs = t.shares()
}

// leaveOut labels blocks in other languages as bad. Blocks in no language are kept.
func (k *Filter) leaveOut(p *page.Page) {
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if b.Label.Keep() && b.Lang != NoLanguage && !k.wants(b.Lang, b.LangConfidence) {
			b.Verdict.Label, b.Verdict.Sentences = page.Bad, nil
			b.Verdict.Reason = k.reason(b)
		}
	}
}

// reason returns the reason for labelling b as bad.
func (k *Filter) reason(b *page.Block) string {
	if b.Lang == "" || b.Lang == Undetermined {
		return "language unknown"
	}
	for _, w := range k.cfg.Langs {
		if Covers(w.Lang, b.Lang) {
			return fmt.Sprintf("language %s %s < %s", b.Lang, twoDigits(b.LangConfidence), twoDigits(k.minConfidence(w)))
		}
	}
	return fmt.Sprintf("language %s %s is not asked for", b.Lang, twoDigits(b.LangConfidence))
}

// twoDigits formats a share as ".97".
func twoDigits(x float64) string {
	return strings.TrimPrefix(strconv.FormatFloat(x, 'f', 2, 64), "0")
}

// minConfidence returns the minimum confidence for w.
func (k *Filter) minConfidence(w Wanted) float64 {
	return cmp.Or(w.MinConfidence, k.cfg.WantedConfidence)
}

// wants reports whether text in lang is kept.
func (k *Filter) wants(lang string, confidence float64) bool {
	return lang != "" && slices.ContainsFunc(k.cfg.Langs, func(w Wanted) bool {
		return Covers(w.Lang, lang) && confidence >= k.minConfidence(w)
	})
}

// wantsPage reports whether p is kept. A language without a measured confidence counts as
// certain: the input gives it, or the page declares it and has hardly any text.
func (k *Filter) wantsPage(p *page.Page) bool {
	if p.LangConfidence == 0 {
		return k.wants(p.Lang, 1)
	}
	return k.wants(p.Lang, p.LangConfidence)
}

// hasText reports whether a kept block is in a language.
func hasText(p *page.Page) bool {
	return slices.ContainsFunc(p.Blocks, func(b page.Block) bool {
		return b.Label.Keep() && b.Lang != NoLanguage && b.Kept() != ""
	})
}
