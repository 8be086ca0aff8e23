package corpus

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strings"
)

// infinite is a length without limit.
const infinite = math.MaxUint32

// addLen adds lengths.
func addLen(a, b uint32) uint32 {
	if s := uint64(a) + uint64(b); s < infinite {
		return uint32(s)
	}
	return infinite
}

// matcher is a compiled node of a query, with resolved names and values.
type matcher interface {
	// run appends the states in which the node ends if it starts in from, up to
	// token limit. States are in no order and may repeat.
	run(m *machine, from state, limit uint32, out []state) []state
	// bounds returns the minimum and maximum number of tokens that it covers.
	bounds() (min, max uint32)
	// anchor returns the places to search; nil means every place.
	anchor(c *Corpus) *anchor
}

// compiler compiles a syntax tree into matchers.
type compiler struct {
	ctx    context.Context
	c      *Corpus
	query  string
	attr   string // of values without an attribute
	labels []string
	absent []absent
	files  bool // the query depends on attachments, whose files may change
}

func (k *compiler) fail(at int, format string, a ...any) error {
	return &SyntaxError{Query: k.query, Offset: at, What: fmt.Sprintf(format, a...)}
}

func (k *compiler) node(n node) (matcher, error) {
	switch n := n.(type) {
	case tokenNode:
		if n.cond == nil {
			return tokenMatcher{anyTest{}}, nil
		}
		t, err := k.cond(n.cond, k.tokenAttr)
		return tokenMatcher{t}, err
	case seqNode:
		parts, err := k.nodes(n.parts)
		return seqMatcher{parts}, err
	case altNode:
		branches, err := k.nodes(n.branches)
		return altMatcher{branches}, err
	case repeatNode:
		part, err := k.node(n.part)
		r := &repeatMatcher{part: part, min: uint32(n.min), max: infinite}
		if n.max >= 0 {
			r.max = uint32(n.max)
		}
		return r, err
	case tagNode:
		return k.tag(n)
	case labelNode:
		i := k.label(n.label)
		part, err := k.node(n.part)
		return labelMatcher{i, part}, err
	case meetNode:
		part, err := k.node(n.part)
		if err != nil {
			return nil, err
		}
		other, err := k.node(n.other)
		return meetMatcher{part, other, n.lo, n.hi}, err
	case filterNode:
		return k.filter(n)
	case alignedNode:
		return k.aligned(n)
	}
	panic(fmt.Sprintf("corpus: node %T", n))
}

func (k *compiler) nodes(ns []node) ([]matcher, error) {
	ms := make([]matcher, len(ns))
	for i, n := range ns {
		var err error
		if ms[i], err = k.node(n); err != nil {
			return nil, err
		}
	}
	return ms, nil
}

// label returns the number of a label.
func (k *compiler) label(name string) int {
	for i, l := range k.labels {
		if l == name {
			return i
		}
	}
	k.labels = append(k.labels, name)
	return len(k.labels) - 1
}

func (k *compiler) tag(n tagNode) (matcher, error) {
	s, err := k.c.Struct(n.name)
	if err != nil {
		return nil, k.fail(n.at, "no structure '%s' in this corpus: it has %s", n.name, cmp.Or(strings.Join(k.c.Structs(), ", "), "none"))
	}
	t := &tagMatcher{side: n.side, s: s, test: anyTest{}}
	if n.cond != nil {
		t.test, err = k.cond(n.cond, func(v valueCond) (*Attr, error) { return k.structAttr(s, v) })
	}
	return t, err
}

func (k *compiler) filter(n filterNode) (matcher, error) {
	part, err := k.node(n.part)
	if err != nil {
		return nil, err
	}
	other, err := k.node(n.other)
	if err != nil {
		return nil, err
	}
	if n.containing {
		return &containMatcher{part: part, other: other, not: n.not}, nil
	}
	if t, ok := other.(*tagMatcher); ok && t.side == tagWhole {
		return &withinMatcher{part: part, tag: t, not: n.not}, nil
	}
	return &coverMatcher{part: part, other: other, not: n.not}, nil
}

// tokenAttr resolves the attribute of a condition on tokens.
func (k *compiler) tokenAttr(v valueCond) (*Attr, error) {
	name := cmp.Or(v.attr, k.attr)
	a, err := k.c.Attr(name)
	if err != nil {
		return nil, k.fail(v.attrAt, "no attribute '%s' of tokens in this corpus: it has %s", name, strings.Join(k.c.Attrs(), ", "))
	}
	return a, nil
}

// structAttr resolves the attribute of a condition on structures.
func (k *compiler) structAttr(s *Struct, v valueCond) (*Attr, error) {
	if v.attr == "" {
		return nil, k.fail(v.valueAt, `found a value, wanted an attribute before it, as in <%s %s="..."/>`, s.name, strings.Join(s.Attrs(), "|"))
	}
	a, err := s.Attr(v.attr)
	if err != nil {
		return nil, k.fail(v.attrAt, "%v", err)
	}
	return a, nil
}

// cond compiles a condition. find resolves attributes.
func (k *compiler) cond(c cond, find func(valueCond) (*Attr, error)) (test, error) {
	switch c := c.(type) {
	case andCond:
		ts, err := k.conds(c.parts, find)
		return andTest(ts), err
	case orCond:
		ts, err := k.conds(c.parts, find)
		return orTest(ts), err
	case notCond:
		t, err := k.cond(c.part, find)
		if v, ok := t.(*valueTest); ok {
			v.not = !v.not
			return v, err
		}
		return notTest{t}, err
	case sketchCond:
		if _, err := find(valueCond{valueAt: c.at}); err != nil { // in a tag
			return nil, err
		}
		if sketchTokens == nil {
			return nil, k.fail(c.at, "this program does not read word sketches")
		}
		k.files = true
		places, err := sketchTokens(k.ctx, k.c, c.word, c.relation, c.collocate)
		if err != nil {
			if k.ctx.Err() != nil {
				return nil, err
			}
			return nil, k.fail(c.at, "%v", err)
		}
		return placesTest(places), nil
	case valueCond:
		a, err := find(c)
		if err != nil {
			return nil, err
		}
		if err := k.ctx.Err(); err != nil {
			return nil, err
		}
		p, err := newPattern(c)
		if err != nil {
			return nil, k.fail(c.valueAt, "%v (regular expressions have the syntax of RE2)", err)
		}
		if lower := k.c.Folded(); p.fold.letterCase && a == lower.from {
			a, p.lower = lower, true
		}
		ids, err := p.ids(k.ctx, a)
		if err != nil {
			return nil, err
		}
		return newValueTest(a, ids, c.not), k.note(c, a, p, ids)
	}
	panic(fmt.Sprintf("corpus: condition %T", c))
}

func (k *compiler) conds(cs []cond, find func(valueCond) (*Attr, error)) ([]test, error) {
	ts := make([]test, len(cs))
	for i, c := range cs {
		var err error
		if ts[i], err = k.cond(c, find); err != nil {
			return nil, err
		}
	}
	return ts, nil
}
