// Package blocks labels the blocks of a page with models that learned from
// pages whose text people have marked.
//
// A page goes through three steps. Each block gets some 150 numbers: its text,
// the elements around it, what those hold, how many blocks of the page look
// like it, what its neighbours are (columns.go). Two linear models over hashed
// tokens add what the class and id attributes around the block say, and its
// first and last words (linear.go). A forest of boosted trees over all of
// these, and over some of those of the three blocks before and after, gives
// the probability that people keep the block (package internal/boost). Last,
// the blocks are chosen together, so that the expected F1 of the page is the
// best that can be had (decide.go).
//
// The models learn one task under several policies: what counts as text
// differs from reader to reader. The policy is an input of the models like any
// other, so that what all have in common is learned from all pages. A second
// forest tells comments and replies from the rest.
//
// Nothing in it depends on a language but the words that the second linear
// model has learned.
package blocks

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"chaffinch/page"
)

// The general policies: what counts as text.
const (
	Text    = "text"    // all that a reader would keep, comments and forum posts too
	Article = "article" // the main content alone
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
	// Keep is [Text], [Article], or the name of another policy that the model
	// has learned, such as that of a set it was trained on. Of several, with
	// commas between, the first that the model has learned counts.
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
	model  *Model
	rule   rule
	policy int
	attr   weights
	words  weights
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

// NewWith returns a labeller with a model.
func NewWith(m *Model, cfg Config) (*Labeller, error) {
	if cfg.Keep == "" {
		cfg.Keep = Text
	}
	policy := m.policy(cfg.Keep)
	if policy < 0 {
		return nil, fmt.Errorf("blocks: keep %q: the model has learned %s", cfg.Keep, strings.Join(m.policies, ", "))
	}
	r, err := newRule(cfg)
	if err != nil {
		return nil, err
	}
	l := &Labeller{model: m, rule: r, policy: policy, attr: m.attr.under(policy), words: m.words.under(policy)}
	l.pool.New = func() any { return new(scratch) }
	return l, nil
}

// Name is the method's name and behaviour version.
func (l *Labeller) Name() string { return name }

const name = "blocks/1"

// Cards returns the model card.
func (l *Labeller) Cards() []json.RawMessage { return []json.RawMessage{l.model.card} }

// SeesHidden tells that the method looks at blocks that the page does not show.
func (l *Labeller) SeesHidden() bool { return true }

// Cells tells that the method decides tables and lists itself.
func (l *Labeller) Cells() bool { return true }

// IgnoresLang tells that the language makes no difference.
func (l *Labeller) IgnoresLang() bool { return true }

// Label labels the blocks of p. The score is the probability that the block is
// kept.
func (l *Labeller) Label(ctx context.Context, p *page.Page) ([]page.Verdict, error) {
	if len(p.Blocks) == 0 {
		return nil, nil
	}
	s := l.pool.Get().(*scratch)
	defer l.pool.Put(s)
	out := make([]page.Verdict, len(p.Blocks))
	for from := 0; from < len(out); from += partBlocks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		to := min(from+partBlocks, len(out))
		l.label(s, part(p, from, to), out[from:to])
	}
	return out, nil
}

// label sets the verdicts of the blocks of p.
func (l *Labeller) label(s *scratch, p *page.Page, out []page.Verdict) {
	s.sheet.read(p)
	s.sheet.attributes(l.attr)
	s.sheet.lexical(l.words)
	s.sheet.smoothAll()
	s.sheet.pageColumns(l.model.pages)
	s.sheet.fill(colPolicy, float64(l.policy))
	s.sheet.page = nil
	l.model.score(s)
	s.sheet.settle(s.keep, listMean)
	s.sheet.settleSeries(s.keep)
	l.demoteComments(s)
	l.rule.decide(s)
	l.rule.mendHeads(s)
	for i := range out {
		v := &out[i]
		v.By, v.Label, v.Score = name, page.Bad, float64(s.keep[i])
		if s.kept[i] {
			v.Label = page.Good
		}
		if s.comment[i] >= .5 {
			v.Role = page.RoleComment
		}
		v.Why = l.rule.why(s.keep[i], s.kept[i], s.causes[i])
	}
}
