// Package blocks predicts the role of each block of a page and keeps the blocks with the
// wanted roles. [New] returns a labeller and [Labeller.Label] labels the blocks of a page.
//
// A page goes through three steps. First, each block gets some 150 features: its text, the
// elements around it and their content, the number of similar blocks, and its neighbours
// (columns.go). Two linear models over hashed tokens add scores of the class and id
// attributes and of the block's first and last words (linear.go).
//
// Second, a forest of boosted trees gives the probability of each role, such as title, body
// or navigation ([page.Role]; internal/boost). It reads all features of the block and some
// features of the three blocks before and after it.
//
// Third, the sum over the wanted roles is the probability that a block is wanted. The blocks
// are chosen together to maximise the expected F1 of the page (decide.go).
//
// Package lab/train/blocks trains the model. Only the words learned by the second linear
// model depend on the language.
//
// Unstable: this package may change in any release.
package blocks

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"chaffinch/clean"
	"chaffinch/page"
)

// Policies of training pages: the text that their annotators kept.
const (
	Text    = "text"    // all text for readers, including comments and forum posts
	Main    = "main"    // the main content of a page of any type
	Article = "article" // the text of an article
)

// Values of Config.Favour.
const (
	Precision = "precision" // prefer losing text to keeping boilerplate
	Recall    = "recall"    // prefer keeping boilerplate to losing text
)

// Config configures a [Labeller].
type Config struct {
	// Model is the path of a model file. Default: the embedded model.
	Model string `json:"model,omitempty"`
	// Keep lists the wanted roles, see [page.ParseRoles]: "text", "main", "article", "news",
	// "body", or roles such as "body,title,comment". Default: "text".
	Keep string `json:"keep,omitempty"`
	// Favour is [Precision] or [Recall]. Default: "", both weigh the same.
	Favour string `json:"favour,omitempty"`
	// SureProbability is the probability from which a block is always kept. MinProbability
	// is the probability below which a block is always dropped. Blocks between them are
	// decided for the page as a whole. Default: 0, the values of Favour.
	SureProbability float64 `json:"sure_probability,omitempty" was:"sure"`
	MinProbability  float64 `json:"min_probability,omitempty" was:"least"`
}

// Default keeps all text for readers.
var Default = Config{Keep: Text}

// Labeller labels blocks. It is safe for concurrent use.
type Labeller struct {
	model  *Model
	rule   rule
	want   page.Roles
	policy float64 // value of colPolicy
	pool   sync.Pool
}

// New returns a labeller with the model that cfg names.
func New(cfg Config) (*Labeller, error) {
	m, err := embedded()
	if cfg.Model != "" {
		m, err = Load(cfg.Model)
	}
	if err != nil {
		return nil, err
	}
	return NewWith(m, cfg)
}

// NewWith returns a labeller with the model m. It ignores cfg.Model.
func NewWith(m *Model, cfg Config) (*Labeller, error) {
	want, err := page.ParseRoles(cmp.Or(cfg.Keep, Text))
	if err != nil {
		return nil, fmt.Errorf("blocks: keep: %w", err)
	}
	r, err := newRule(cfg)
	if err != nil {
		return nil, err
	}
	l := &Labeller{model: m, rule: r, want: want, policy: policyOf(want)}
	l.pool.New = func() any { return new(scratch) }
	return l, nil
}

// Name returns the method's name and behaviour version.
func (l *Labeller) Name() string { return name }

const name = "blocks/3"

// Cards returns the model card.
func (l *Labeller) Cards() []json.RawMessage { return []json.RawMessage{l.model.card} }

// SeesHidden reports whether the method reads hidden blocks: always true.
func (l *Labeller) SeesHidden() bool { return true }

// Cells reports whether the method decides tables and lists itself: always true.
func (l *Labeller) Cells() bool { return true }

// IgnoresLang reports whether the method ignores the language of a page: always true.
func (l *Labeller) IgnoresLang() bool { return true }

// Label labels the blocks of p. The score is the probability that the block has a wanted
// role.
func (l *Labeller) Label(ctx context.Context, p *page.Page) ([]page.Verdict, error) {
	verdicts, _, err := l.LabelPage(ctx, p)
	return verdicts, err
}

// LabelPage returns the verdicts of Label and the estimate of the page. Its confidence is 0
// if the model has no confidence model.
func (l *Labeller) LabelPage(ctx context.Context, p *page.Page) ([]page.Verdict, clean.Estimate, error) {
	if len(p.Blocks) == 0 {
		return nil, clean.Estimate{}, nil
	}
	verdicts := make([]page.Verdict, len(p.Blocks))
	estimate, err := l.LabelInto(ctx, p, verdicts)
	if err != nil {
		return nil, estimate, err
	}
	return verdicts, estimate, nil
}

// LabelInto sets out to the verdicts of LabelPage and returns its estimate. p has at least one
// block. It does not allocate for pages of typical size.
func (l *Labeller) LabelInto(ctx context.Context, p *page.Page, out []page.Verdict) (estimate clean.Estimate, err error) {
	s := l.pool.Get().(*scratch)
	defer l.pool.Put(s)
	var all account
	for from := 0; from < len(out); from += partBlocks {
		if err := ctx.Err(); err != nil {
			return estimate, err
		}
		to := min(from+partBlocks, len(out))
		l.label(s, part(p, from, to), out[from:to])
		all.add(s)
	}
	estimate.Type, estimate.TypeConfidence = all.typeOf()
	if l.model.confidence != nil {
		estimate.Confidence, estimate.ConfidencePolicy = l.model.confidence.of(all.clues(l.want)), l.want.Policy()
	}
	return estimate, nil
}

// CheckConfidence returns an error with the reason if the model estimates no confidence.
func (l *Labeller) CheckConfidence() error {
	if l.model.confidence == nil {
		return errors.New("the model estimates no confidence: it was trained on too few pages, adapted, or written by an older version; train it again (chaffinch train blocks)")
	}
	return nil
}

// score reads the blocks of p and sets the probabilities of their roles.
func (l *Labeller) score(s *scratch, p *page.Page) {
	s.sheet.wanted = &l.model.wanted
	s.sheet.read(p)
	s.sheet.headings = readsHeadings(l.model.known)
	s.sheet.linearColumns(l.model.pages, l.model.linears)
	s.sheet.fill(colPolicy, l.policy)
	s.types = l.model.typesOf(&s.sheet)
	s.sheet.page = nil
	l.model.score(s)
}

// label sets the verdicts of the blocks of p.
func (l *Labeller) label(s *scratch, p *page.Page, out []page.Verdict) {
	l.score(s, p)
	want := l.decide(s, p)
	s.reveal()
	for i := range out {
		v := &out[i]
		*v = page.Verdict{By: name, Label: page.Bad, Score: float64(s.keep[i])}
		switch {
		case s.kept[i] && s.causes[i] == asRescued:
			v.Label, v.Role = page.Good, s.role(i, readers)
		case s.kept[i]:
			v.Label, v.Role = page.Good, s.role(i, want)
			v.Revealed = s.revealed[i]
		default:
			v.Role = s.role(i, all)
		}
		if v.Reason = l.rule.reason(s.keep[i], s.kept[i], s.causes[i]); s.residue[i] && !s.kept[i] {
			v.Reason = whyResidue
		}
		if v.Revealed {
			v.Reason = whyReveal
		}
	}
}

// decide sets the kept blocks of a scored page, and returns the wanted roles. p may be nil.
func (l *Labeller) decide(s *scratch, p *page.Page) (want page.Roles) {
	l.settle(s, p)
	l.choose(s, l.want, l.policy)
	if l.policy != oneArticle || l.rule.strict || l.want&running == 0 {
		return l.want
	}
	article, text := s.keptWords()
	if article >= leastArticle || text > 0 || s.isArticle() {
		return l.want
	}
	want = l.want | generals[Main]
	l.rescore(s, p, mainContent)
	l.choose(s, want, mainContent)
	if words, good := s.keptWords(); words >= max(leastArticle, fewerInArticle*article) && float64(good) >= runningInMain*float64(words) {
		for i, kept := range s.kept {
			if kept {
				s.causes[i] = asMain
			}
		}
		return want
	}
	l.rescore(s, p, oneArticle)
	l.choose(s, l.want, l.policy)
	return l.want
}

// isArticle reports whether the page is most probably an article.
func (s *scratch) isArticle() bool {
	t, _ := s.types.best()
	return t == articleType
}

// A page without an article is read for its main content: a front page, a listing, a product.
// Its article has fewer than leastArticle words and no running text. Its main content has
// fewerInArticle times as many words, and the share runningInMain of it is running text.
const (
	leastArticle   = 20
	fewerInArticle = 3
	runningInMain  = .25
)

// rescore sets the probabilities of the roles under another policy.
func (l *Labeller) rescore(s *scratch, p *page.Page, policy float64) {
	s.sheet.fill(colPolicy, policy)
	l.model.score(s)
	l.settle(s, p)
}

// settle overrides the roles of blocks whose text is unambiguous. p may be nil.
func (l *Labeller) settle(s *scratch, p *page.Page) {
	if p != nil {
		s.settleFormulas(p.Blocks)
		s.settleResidue(p)
	}
	s.settleConsent(p)
	s.settleThread(p)
}

// keptWords returns the number of words of the visible kept blocks, and of the good ones among
// them.
func (s *scratch) keptWords() (words, good int32) {
	for i, kept := range s.kept {
		if b := &s.sheet.blocks[i]; kept && !b.hidden {
			words += b.words
			if b.good {
				good += b.words
			}
		}
	}
	return words, good
}

// choose sets the kept blocks from the probabilities of the roles.
func (l *Labeller) choose(s *scratch, want page.Roles, policy float64) {
	l.model.keep(s, want)
	s.sheet.settle(s.keep, listMean)
	s.sheet.settleSeries(s.keep)
	s.sheet.settleInside(s.keep)
	s.settleArticles(want, policy == oneArticle)
	if policy == oneArticle {
		s.settleStreams(want)
	}
	s.settleEmbeds(want)
	l.rule.decide(s)
	s.causes = grow(s.causes, s.sheet.n)
	clear(s.causes)
	if want.Has(page.RoleHeading) {
		l.rule.mendHeads(s)
		l.rule.dropBareHeads(s)
	}
	if !want.Has(page.RoleComment) { // threads keep their quotations
		s.dropCopies()
	}
	l.rescue(s, want)
}

// all is the set of all roles.
const all = ^page.Roles(0)

// role returns the most probable role of block i among the roles of.
func (s *scratch) role(i int, of page.Roles) page.Role {
	if of.Has(page.RoleEmbed) && s.sheet.embedded[s.sheet.blocks[i].element] && (s.kept[i] || !notContent.Has(MostProbable(s.rolesOf(i), all))) {
		return page.RoleEmbed
	}
	return MostProbable(s.rolesOf(i), of)
}

// rolesOf returns the probabilities of the roles of block i.
func (s *scratch) rolesOf(i int) []float32 { return s.roles[i*Roles:][:Roles] }
