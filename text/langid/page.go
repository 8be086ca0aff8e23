package langid

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/language"

	"chaffinch/page"
)

// PageConfig says how the language of a page is told.
type PageConfig struct {
	// Config is that of the detector.
	Config
	// SampleBytes is how much running text is read of a page.
	SampleBytes int `json:"sample_bytes"`
}

// DefaultPage is the configuration of the pipeline.
var DefaultPage = PageConfig{Config: blockDefault, SampleBytes: 4 << 10}

// blockDefault reads no more of a block than tells its language.
var blockDefault = Config{MinConfidence: Default.MinConfidence, MaxBytes: 1000}

// What the language of a page is read from; docs/language.md gives the reasons.
const (
	textBytes  = 100 // a block of running text has at least so many bytes
	maxLinks   = .25 // and at most this share of its characters in links
	enoughText = 200 // bytes of running text from which the other blocks do not count
	runBytes   = 200 // short blocks are read together up to this length

	sureChars     = 20  // a block with fewer characters is not sure of itself
	sureConf      = .8  // nor one with less confidence
	similarConf   = .95 // minimum confidence of a block against a similar language of its page,
	similarChars  = 200 // and least length
	declaredConf  = .9  // below it, a declared language that is similar wins
	declaredChars = 200 // the declared language is believed of a page with fewer characters in no known language
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
func (s *Pages) Name() string { return "language/2" }

// Do sets p.Lang and p.LangConfidence, if the language is not known: to Undetermined
// and 0 where the text is in no language that the detector can name. The blocks that it
// reads by themselves get Lang and LangConfidence as the detector gives them.
func (s *Pages) Do(_ context.Context, p *page.Page) error {
	if p.KnownLang() != "" {
		return nil
	}
	t := s.read(p)
	best := t.best(p.Meta.Lang)
	p.Lang, p.LangConfidence = cmp.Or(best.Lang, Undetermined), best.Confidence
	return nil
}

// tongue is what speaks for one language.
type tongue struct {
	lang  string
	chars int
	sure  float64 // characters times confidence
}

// pageTally counts the languages of the pieces of a page.
type pageTally struct {
	tongues []tongue
	unknown int // characters in no language that the detector can name
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

// total returns the number of characters that are in a language.
func (t *pageTally) total() int {
	n := t.unknown
	for i := range t.tongues {
		n += t.tongues[i].chars
	}
	return n
}

// best returns the language that most of the text is surely in, with the share
// of the text for which that holds. The declared language wins over a similar
// one that is not sure, and it is believed where there is little to read.
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
	if g.Confidence < declaredConf && declared != g.Lang && Similar(declared, g.Lang) {
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

// isText tells running text from menus and the like.
func isText(b *page.Block) bool {
	return len(b.Text) >= textBytes && b.Kind != page.Code && float64(b.LinkChars) <= maxLinks*float64(len(b.Text))
}

// read counts the languages of the running text of p, each block by itself,
// and if there is too little of it those of all else that the page shows.
func (s *Pages) read(p *page.Page) pageTally {
	var t pageTally
	left, text := s.cfg.SampleBytes, 0
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if b.Hidden || !isText(b) {
			continue
		}
		if left <= 0 {
			break
		}
		g := s.d.Detect(b.Text)
		b.Lang, b.LangConfidence = g.Lang, g.Confidence
		t.add(g, utf8.RuneCountInString(b.Text))
		left -= len(b.Text)
		text += len(b.Text)
	}
	if text < enoughText {
		s.readRest(p, &t, left)
	}
	return t
}

// readRest counts the languages of the blocks that are no running text, short
// neighbours together.
func (s *Pages) readRest(p *page.Page, t *pageTally, left int) {
	var run strings.Builder
	flush := func() {
		if run.Len() > 0 {
			t.add(s.d.Detect(run.String()), utf8.RuneCountInString(run.String()))
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

// Declared returns the language that a page states as a tag that the detector
// would give, "" for none. Pages write en_US and lists such as "de, en" too:
// the first one counts, without its region.
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
