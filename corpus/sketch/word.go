package sketch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chaffinch/corpus"
)

// Config configures which part of a sketch is shown.
type Config struct {
	// MinHits is the minimum number of instances of a collocate. Lower counts are part of the totals.
	MinHits int64
	// Limit is the maximum number of collocates of a relation. 0 means no limit.
	Limit int
	// Relations are names of the relations to show. Default: all.
	Relations []string
	// With restricts the headword to its instances with collocates, each as RELATION=COLLOCATE or as
	// COLLOCATE in any relation: a multiword sketch.
	With []string
	// Sort is "score" or "hits". Default: "score".
	Sort string
}

// DefaultConfig is the default configuration.
var DefaultConfig = Config{MinHits: 3, Limit: 25, Sort: "score"}

// Sketch is the word sketch of a headword.
type Sketch struct {
	Word string `json:"word"` // the headword, as in take-v
	Freq int64  `json:"freq"` // tokens of the headword
	// Also lists the headwords of the same lemma with another part of speech, if the query named none.
	Also []string `json:"also,omitempty"`
	// With repeats Config.With, and Hits is the number of tokens of the headword that meet it.
	With      []string       `json:"with,omitempty"`
	Hits      int64          `json:"hits"`
	Relations []WordRelation `json:"relations"`
}

// WordRelation is one relation of a headword.
type WordRelation struct {
	Name   string `json:"name"`
	Unimap string `json:"unimap,omitempty"`
	Page   string `json:"page,omitempty"`
	// Hits is f(w,R,*), the number of instances of the headword in the relation. Percent is the share
	// of the tokens of the headword, which may exceed 100 if a token has several collocates.
	Hits    int64   `json:"hits"`
	Percent float64 `json:"percent"`
	Unary   bool    `json:"unary,omitempty"`
	// Types is the number of collocates, before MinHits and Limit.
	Types      int             `json:"types"`
	Collocates []WordCollocate `json:"collocates"`
}

// WordCollocate is a collocate of a headword in a relation.
type WordCollocate struct {
	Word  string  `json:"word"`
	Hits  int64   `json:"hits"`
	Score float64 `json:"score"` // logDice
}

// Check returns an error if a setting is invalid.
func (cfg *Config) Check() error {
	if cfg.Sort != "" && cfg.Sort != "score" && cfg.Sort != "hits" {
		return &corpus.ConfigError{Field: "Sort", Err: fmt.Errorf("sort: %q, wanted score or hits", cfg.Sort)}
	}
	if cfg.Limit < 0 || cfg.MinHits < 0 {
		return &corpus.ConfigError{Field: "Limit", Err: errors.New("a negative number for limit or minimum hits")}
	}
	return nil
}

// Word returns the sketch of a headword: a value of the attribute of headwords, or a lemma.
func (s *Sketches) Word(ctx context.Context, word string, cfg Config) (*Sketch, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	h, err := s.head(ctx, word, cfg.With)
	if err != nil {
		return nil, err
	}
	freq, err := s.freq(ctx, h.id)
	if err != nil {
		return nil, err
	}
	total, err := s.totalsOf(ctx)
	if err != nil {
		return nil, err
	}
	out := &Sketch{Word: h.word, Freq: freq, Hits: freq, Also: h.also, With: cfg.With, Relations: []WordRelation{}}
	if h.only != nil {
		out.Hits = int64(len(h.only))
	}
	for i := range h.parts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p := &h.parts[i]
		if !s.shows(p, h.bare, cfg.Relations) {
			continue
		}
		list, all, err := s.counted(h, p)
		if err != nil {
			return nil, err
		}
		if all == 0 {
			continue
		}
		r := &s.meta.Relations[p.relation]
		w := WordRelation{Name: s.fill(p.relation, p.third, h.bare), Unimap: r.Unimap, Page: r.Page, Hits: all, Percent: 100 * float64(all) / float64(max(out.Hits, 1)), Unary: r.Unary, Collocates: []WordCollocate{}}
		if !r.Unary {
			w.Types = len(list)
			for _, e := range list {
				if e.count >= cfg.MinHits {
					w.Collocates = append(w.Collocates, WordCollocate{s.key.Word(e.coll), e.count, LogDice(e.count, all, total(e.coll))})
				}
			}
			w.Collocates = cfg.first(w.Collocates)
			if len(w.Collocates) == 0 {
				continue
			}
		}
		out.Relations = append(out.Relations, w)
	}
	return out, s.unknown(cfg.Relations, h, len(out.Relations))
}

// unknown returns an error if relations were named and the headword has none of them at all.
func (s *Sketches) unknown(names []string, h *headword, shown int) error {
	if len(names) == 0 || shown > 0 {
		return nil
	}
	for i := range h.parts {
		if s.shows(&h.parts[i], h.bare, names) {
			return nil
		}
	}
	return &corpus.ConfigError{Field: "Relations", Err: s.noRelation(h, strings.Join(names, ", "))}
}

func (s *Sketches) noRelation(h *headword, name string) error {
	var have []string
	for i := range h.parts {
		have = append(have, s.fill(h.parts[i].relation, h.parts[i].third, h.bare))
		if len(have) == 12 {
			have = append(have, "...")
			break
		}
	}
	return fmt.Errorf("no relation %q of %s: it has %s", name, h.word, strings.Join(have, "; "))
}

// first sorts collocates and returns the first ones.
func (cfg *Config) first(list []WordCollocate) []WordCollocate {
	slices.SortFunc(list, func(a, b WordCollocate) int {
		score, hits := cmp.Compare(b.Score, a.Score), cmp.Compare(b.Hits, a.Hits)
		if cfg.Sort == "hits" {
			score, hits = hits, score
		}
		return cmp.Or(score, hits, strings.Compare(a.Word, b.Word))
	})
	if cfg.Limit > 0 && len(list) > cfg.Limit {
		list = list[:cfg.Limit]
	}
	return list
}

// shows reports whether a part has one of the names, or no name is given.
func (s *Sketches) shows(p *part, bare string, names []string) bool {
	return len(names) == 0 || slices.ContainsFunc(names, func(n string) bool { return s.named(p, bare, n) })
}

// headword is a headword with its relations, in the order in which they are shown.
type headword struct {
	id    uint32
	word  string
	bare  string // without the part of speech
	also  []string
	parts []part
	only  map[uint32]bool // tokens of a multiword sketch; nil: all
}

// errWith reports a condition of With that is not understood.
var errWith = errors.New("wanted RELATION=COLLOCATE or COLLOCATE, as in object=speech-n")

// head finds a headword and the tokens that meet the conditions of with.
func (s *Sketches) head(ctx context.Context, word string, with []string) (*headword, error) {
	h := new(headword)
	var err error
	if h.id, h.also, err = s.find(word); err != nil {
		return nil, err
	}
	h.word = s.key.Word(h.id)
	h.bare = s.bare(h.word)
	if h.parts, err = s.parts(h.id); err != nil {
		return nil, err
	}
	slices.SortStableFunc(h.parts, func(a, b part) int {
		return cmp.Or(cmp.Compare(s.rank(a.relation), s.rank(b.relation)), cmp.Compare(b.total, a.total))
	})
	for _, w := range with {
		i := strings.LastIndexByte(w, '=') // -1: any relation
		collocate := strings.TrimSpace(w[i+1:])
		if collocate == "" {
			return nil, &corpus.ConfigError{Field: "With", Err: fmt.Errorf("with: %q, %w", w, errWith)}
		}
		pairs, err := s.pairs(ctx, h, strings.TrimSpace(w[:max(i, 0)]), collocate)
		if err != nil {
			return nil, &corpus.ConfigError{Field: "With", Err: err}
		}
		now := map[uint32]bool{}
		for _, p := range pairs {
			if h.only == nil || h.only[p.at] {
				now[p.at] = true
			}
		}
		if h.only = now; len(now) == 0 {
			return nil, &corpus.ConfigError{Field: "With", Err: fmt.Errorf("with: no instance of %s with %s", h.word, strings.Join(with, " and "))}
		}
	}
	return h, nil
}

// rank returns the place of a relation among the shown ones.
func (s *Sketches) rank(relation int) int {
	if i := slices.Index(s.meta.Order, s.meta.Relations[relation].Name); i >= 0 {
		return i
	}
	return len(s.meta.Order) + relation
}

// keeps reports whether a pair of positions of a headword is in the part and meets the conditions of
// With.
func (s *Sketches) keeps(h *headword, p pair) bool {
	return (h.only == nil || h.only[p.at]) && s.inPart(p)
}

// counted returns the collocates of a part with the counts of the headword's tokens.
func (s *Sketches) counted(h *headword, p *part) (list []entry, total int64, err error) {
	if list, err = s.collocates(p); err != nil || h.only == nil && s.part == nil {
		return list, p.total, err
	}
	kept := list[:0]
	for _, e := range list {
		pairs, err := e.pairs(s.meta.Tokens)
		if err != nil {
			return nil, 0, err
		}
		e.count = 0
		for _, x := range pairs {
			if s.keeps(h, x) {
				e.count++
			}
		}
		if e.count > 0 {
			kept = append(kept, e)
			total += e.count
		}
	}
	return kept, total, nil
}

// pairs returns the positions of a headword with a collocate in the relations with a name, or in all
// relations if the name is empty. Without a collocate, it returns all positions of the relations.
func (s *Sketches) pairs(ctx context.Context, h *headword, relation, collocate string) (out []pair, err error) {
	found := false
	var ids []uint32
	if collocate != "" {
		if ids = s.collocateIDs(collocate); len(ids) == 0 {
			return nil, &UnknownWordError{Word: collocate, Attr: s.meta.Attr}
		}
	}
	for i := range h.parts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p := &h.parts[i]
		if relation == "" && s.meta.Relations[p.relation].Unary || relation != "" && !s.named(p, h.bare, relation) {
			continue
		}
		found = true
		list, err := s.collocates(p)
		if err != nil {
			return nil, err
		}
		for _, e := range list {
			if collocate != "" && !slices.Contains(ids, e.coll) {
				continue
			}
			pairs, err := e.pairs(s.meta.Tokens)
			if err != nil {
				return nil, err
			}
			for _, x := range pairs {
				if s.keeps(h, x) {
					out = append(out, x)
				}
			}
		}
	}
	if !found {
		return nil, s.noRelation(h, relation)
	}
	slices.SortFunc(out, func(a, b pair) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.collAt, b.collAt)) })
	return slices.Compact(out), nil
}

// collocateIDs returns the numbers of a collocate: of the value itself, or of all headwords with this
// lemma.
func (s *Sketches) collocateIDs(word string) []uint32 {
	if id, ok := s.key.ID(word); ok {
		return []uint32{id}
	}
	if s.meta.Attr == "lempos" {
		return s.key.Lempos(word)
	}
	return nil
}

func init() { corpus.RegisterSketches(tokens) }

// tokens returns the tokens of a headword with a collocate in a relation. An empty collocate means any.
func tokens(ctx context.Context, c *corpus.Corpus, word, relation, collocate string) ([]uint32, error) {
	s, err := Open(c)
	if err != nil {
		return nil, err
	}
	h, err := s.head(ctx, word, nil)
	if err != nil {
		return nil, err
	}
	pairs, err := s.pairs(ctx, h, relation, collocate)
	if err != nil {
		return nil, err
	}
	out := make([]uint32, 0, len(pairs))
	for _, p := range pairs {
		if n := len(out); n == 0 || out[n-1] != p.at {
			out = append(out, p.at)
		}
	}
	return out, nil
}
