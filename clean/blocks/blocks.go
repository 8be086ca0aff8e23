// Package blocks tells what each block of a page is, and keeps those of the
// roles that are wanted.
//
// A page goes through three steps. Each block gets some 150 numbers: its text,
// the elements around it, what those hold, how many blocks of the page look
// like it, what its neighbours are (columns.go). Two linear models over hashed
// tokens add what the class and id attributes around the block say, and its
// first and last words (linear.go). A forest of boosted trees over all of
// these, and over some of those of the three blocks before and after, gives
// the probability of each role, such as title, body or navigation
// ([page.Role]; internal/boost). Last, with the sum over the wanted roles as the
// probability that a block is wanted, the blocks are chosen together, so that the
// expected F1 of the page is the best that can be had (decide.go).
//
// Package lab/train/blocks trains the model.
//
// Nothing in it depends on a language but the words that the second linear
// model has learned.
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

	"chaffinch/page"
)

// The policies of pages to learn from: what their text was meant to be.
const (
	Text    = "text"    // all that a reader would keep, comments and forum posts too
	Main    = "main"    // the main content of a page of any type
	Article = "article" // the text of an article
)

// What errors weigh more.
const (
	Precision = "precision" // rather lose text than keep chaff
	Recall    = "recall"    // rather keep chaff than lose text
)

// Config says what is kept.
type Config struct {
	// Model is the path of a model file, "" for the embedded model.
	Model string `json:"model,omitempty"`
	// Keep lists the roles that are wanted, see [page.ParseRoles]: "text",
	// "main", "article", "body", or roles such as "body,title,comment".
	Keep string `json:"keep,omitempty"`
	// Favour is [Precision], [Recall], or "" for both alike.
	Favour string `json:"favour,omitempty"`
	// SureProbability is the probability from which on a block is kept in any case,
	// MinProbability the one below which it never is; between them the page as a
	// whole decides. 0 takes what Favour says.
	SureProbability float64 `json:"sure_probability,omitempty" was:"sure"`
	MinProbability  float64 `json:"min_probability,omitempty" was:"least"`
}

// Default keeps all that a reader would keep.
var Default = Config{Keep: Text}

// Labeller labels blocks. It is safe for concurrent use.
type Labeller struct {
	model   *Model
	rule    rule
	want    page.Roles
	policy  float64 // value of colPolicy
	linears linears
	pool    sync.Pool
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

// NewWith returns a labeller with a model.
func NewWith(m *Model, cfg Config) (*Labeller, error) {
	want, err := page.ParseRoles(cmp.Or(cfg.Keep, Text))
	if err != nil {
		return nil, fmt.Errorf("blocks: keep: %w", err)
	}
	r, err := newRule(cfg)
	if err != nil {
		return nil, err
	}
	l := &Labeller{model: m, rule: r, want: want, policy: policyOf(want), linears: newLinears(m.attr, m.words, m.hints)}
	l.pool.New = func() any { return new(scratch) }
	return l, nil
}

// Name is the method's name and behaviour version.
func (l *Labeller) Name() string { return name }

const name = "blocks/2"

// Cards returns the model card.
func (l *Labeller) Cards() []json.RawMessage { return []json.RawMessage{l.model.card} }

// SeesHidden tells that the method looks at blocks that the page does not show.
func (l *Labeller) SeesHidden() bool { return true }

// Cells tells that the method decides tables and lists itself.
func (l *Labeller) Cells() bool { return true }

// IgnoresLang tells that the language makes no difference.
func (l *Labeller) IgnoresLang() bool { return true }

// Label labels the blocks of p. The score is the probability that the block has
// a role that is wanted.
func (l *Labeller) Label(ctx context.Context, p *page.Page) ([]page.Verdict, error) {
	verdicts, _, err := l.LabelSure(ctx, p)
	return verdicts, err
}

// LabelSure is Label with the confidence of the page, 0 if the model tells none.
func (l *Labeller) LabelSure(ctx context.Context, p *page.Page) ([]page.Verdict, float64, error) {
	if len(p.Blocks) == 0 {
		return nil, 0, nil
	}
	s := l.pool.Get().(*scratch)
	defer l.pool.Put(s)
	out := make([]page.Verdict, len(p.Blocks))
	var all account
	for from := 0; from < len(out); from += partBlocks {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		to := min(from+partBlocks, len(out))
		l.label(s, part(p, from, to), out[from:to])
		if l.model.confidence != nil {
			all.add(s, l.policy)
		}
	}
	if l.model.confidence == nil {
		return out, 0, nil
	}
	return out, l.model.confidence.of(all.clues()), nil
}

// TellsConfidence reports whether the model tells the confidence of pages, nil, or why it
// does not.
func (l *Labeller) TellsConfidence() error {
	if l.model.confidence == nil {
		return errors.New("the model tells none: it was trained on too few pages, adapted, or made by an older version; train it anew (chaffinch train blocks)")
	}
	return nil
}

// score reads the blocks of p and sets the probabilities of their roles.
func (l *Labeller) score(s *scratch, p *page.Page) {
	s.sheet.wanted = &l.model.wanted
	s.sheet.read(p)
	s.sheet.linearColumns(l.model.pages, &l.linears, s.sheet.attributes)
	s.sheet.fill(colPolicy, l.policy)
	s.sheet.page = nil
	l.model.score(s)
}

// label sets the verdicts of the blocks of p.
func (l *Labeller) label(s *scratch, p *page.Page, out []page.Verdict) {
	l.score(s, p)
	s.settleFormulas(p.Blocks)
	s.settleResidue(p)
	l.choose(s)
	for i := range out {
		v := &out[i]
		v.By, v.Label, v.Score = name, page.Bad, float64(s.keep[i])
		v.Role = s.role(i, all)
		switch {
		case s.kept[i] && s.causes[i] == asRescued:
			v.Label, v.Role = page.Good, s.role(i, readers)
		case s.kept[i]:
			v.Label, v.Role = page.Good, s.role(i, l.want)
		}
		if v.Why = l.rule.why(s.keep[i], s.kept[i], s.causes[i]); s.residue[i] && !s.kept[i] {
			v.Why = whyResidue
		}
	}
}

// choose decides what is kept, by the probabilities of the roles.
func (l *Labeller) choose(s *scratch) {
	l.model.keep(s, l.want)
	s.sheet.settle(s.keep, listMean)
	s.sheet.settleSeries(s.keep)
	s.settleArticles(l.want, l.policy == 0)
	l.rule.decide(s)
	s.causes = grow(s.causes, s.sheet.n)
	clear(s.causes)
	if l.want.Has(page.RoleHeading) {
		l.rule.mendHeads(s)
		l.rule.dropBareHeads(s)
	}
	if !l.want.Has(page.RoleComment) { // else a thread is wanted with what it quotes
		s.dropCopies()
	}
	l.rescue(s)
}

// all are all roles.
const all = ^page.Roles(0)

// role returns the most probable of some roles for block i.
func (s *scratch) role(i int, of page.Roles) page.Role {
	return MostProbable(s.rolesOf(i), of)
}

// rolesOf returns the probabilities of the roles of block i.
func (s *scratch) rolesOf(i int) []float32 { return s.roles[i*page.RoleCount:][:page.RoleCount] }
