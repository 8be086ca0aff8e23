package sketch

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"chaffinch/corpus"
)

// A record is one instance of a relation. All of it is its key, in this order: headword,
// relation, third word + 1, collocate, position of the headword, position of the collocate.
const (
	recordLen  = 4 + 2 + 4 + 4 + 4 + 4
	maxRelated = math.MaxUint16
)

type record struct {
	head, third, coll, at, collAt uint32
	relation                      uint16
}

func (r *record) put(b []byte) {
	binary.BigEndian.PutUint32(b, r.head)
	binary.BigEndian.PutUint16(b[4:], r.relation)
	binary.BigEndian.PutUint32(b[6:], r.third)
	binary.BigEndian.PutUint32(b[10:], r.coll)
	binary.BigEndian.PutUint32(b[14:], r.at)
	binary.BigEndian.PutUint32(b[18:], r.collAt)
}

func (r *record) get(b []byte) {
	r.head = binary.BigEndian.Uint32(b)
	r.relation = binary.BigEndian.Uint16(b[4:])
	r.third = binary.BigEndian.Uint32(b[6:])
	r.coll = binary.BigEndian.Uint32(b[10:])
	r.at = binary.BigEndian.Uint32(b[14:])
	r.collAt = binary.BigEndian.Uint32(b[18:])
}

// compiled is a rule on a corpus.
type compiled struct {
	*rule
	q                    *corpus.Query
	one, two, three      int // numbers of the labels; -1: none
	third                *corpus.Attr
	parts                map[uint32]uint32 // first word of the values of third that are several words
	unary                bool
	relationNo, dualRelN uint16
}

// compile compiles the rules of a grammar.
func (g *Grammar) compile(ctx context.Context, c *corpus.Corpus) ([]compiled, error) {
	if len(g.Relations) > maxRelated {
		return nil, fmt.Errorf("%d relations, wanted at most %d", len(g.Relations), maxRelated)
	}
	var out []compiled
	firsts := map[string]map[uint32]uint32{}
	for i := range g.rules {
		r := &g.rules[i]
		q, err := c.Pattern(ctx, r.query, corpus.PatternConfig{Attr: r.attr, Within: r.within})
		if err != nil {
			return nil, &GrammarError{Name: g.name, Line: r.line, Err: err}
		}
		rel := &g.Relations[r.relation]
		labels := q.Labels()
		x := compiled{rule: r, q: q, unary: rel.Unary, relationNo: uint16(r.relation), dualRelN: uint16(max(r.dual, 0)),
			one: slices.Index(labels, "1"), two: slices.Index(labels, "2"), three: slices.Index(labels, "3")}
		if rel.Third != "" {
			if x.third, err = c.Attr(rel.Third); err != nil {
				return nil, &GrammarError{Name: g.name, Line: r.line, Err: err}
			}
			if firsts[rel.Third] == nil {
				firsts[rel.Third] = firstWords(x.third)
			}
			x.parts = firsts[rel.Third]
		}
		need := []struct {
			label  string
			at     int
			wanted bool
		}{{"1", x.one, true}, {"2", x.two, !rel.Unary}, {"3", x.three, x.third != nil}}
		for _, n := range need {
			if n.wanted && n.at < 0 {
				return nil, &GrammarError{Name: g.name, Line: r.line, Err: fmt.Errorf("found no label %s: in the query, wanted it before a token, as in %s:[]", n.label, n.label)}
			}
		}
		out = append(out, x)
	}
	return out, nil
}

// firstWords returns the first word of each value that consists of several ones, such as de of
// de+le, if the first word is a value too. A token of several words is a preposition and an article.
func firstWords(a *corpus.Attr) map[uint32]uint32 {
	out := map[uint32]uint32{}
	for id := range uint32(a.Len()) {
		if word, rest, ok := strings.Cut(a.Word(id), "+"); ok && word != "" && rest != "" {
			if first, ok := a.ID(word); ok {
				out[id] = first
			}
		}
	}
	return out
}

// keys numbers the headword of each token.
type keys struct {
	*corpus.Attr
	empty    uint32 // number of the empty value, which is no headword
	hasEmpty bool
}

// of returns the number of the headword of token pos. ok is false if it has none or pos is -1.
func (k *keys) of(pos int64) (n uint32, ok bool) {
	if pos < 0 {
		return 0, false
	}
	n = k.At(pos)
	return n, !k.hasEmpty || n != k.empty
}

// records calls add with the records of a way to match.
func (x *compiled) records(key *keys, labels []int64, add func(record)) {
	r := record{relation: x.relationNo}
	one := labels[x.one]
	head, ok := key.of(one)
	if !ok {
		return
	}
	if x.third != nil {
		three := labels[x.three]
		if three < 0 {
			return
		}
		r.third = x.third.At(three)
		if f, ok := x.parts[r.third]; ok {
			r.third = f
		}
		r.third++
	}
	r.head, r.at, r.collAt = head, uint32(one), uint32(one)
	if x.unary {
		add(r)
		return
	}
	two := labels[x.two]
	if r.coll, ok = key.of(two); !ok {
		return
	}
	r.collAt = uint32(two)
	add(r)
	if x.dual >= 0 || x.symmetric {
		if x.dual >= 0 {
			r.relation = x.dualRelN
		}
		r.head, r.coll, r.at, r.collAt = r.coll, r.head, r.collAt, r.at
		add(r)
	}
}
