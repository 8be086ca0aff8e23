package corpus

import (
	"bytes"
	"regexp"
	"regexp/syntax"
	"slices"
)

// pattern decides which values a condition means. It is the cheapest of: a few
// literal values, which are looked up; literals with anything between them; a
// regular expression or an order.
type pattern struct {
	values []string          // exactly one of these, sorted; nil: see accept
	accept func([]byte) bool // of the whole value
	prefix []byte            // with which every value begins
	fold   folding           // of each value before it is looked at
}

// maxValues bounds how many literal values an expression is spelled out into.
const maxValues = 256

// newPattern reads the value of a condition.
func newPattern(c valueCond) (*pattern, error) {
	var p *pattern
	switch {
	case c.order != "":
		p = orderPattern(c.order, c.fold.of(c.value))
	case c.literal:
		p = &pattern{values: []string{c.fold.of(c.value)}}
	default:
		var err error
		if p, err = regexpPattern(c.value, c.fold); err != nil {
			return nil, err
		}
	}
	if p.fold = c.fold; p.fold != (folding{}) {
		p.prefix = nil
	}
	return p, nil
}

// orderPattern matches values that stand in an order to v. If v begins with a
// digit only those do that begin with one, too: no date is not an early one.
func orderPattern(o order, v string) *pattern {
	bound := []byte(v)
	return &pattern{accept: func(b []byte) bool {
		return len(b) > 0 && (digits(b) > 0 || digits(bound) == 0) && o.holds(compareNatural(b, bound))
	}}
}

// regexpPattern reads a regular expression (RE2, as in package regexp), which
// has to match the whole value.
func regexpPattern(expr string, fold folding) (*pattern, error) {
	expr = folding{diacritics: fold.diacritics}.of(expr)
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil, err
	}
	tree = tree.Simplify()
	if vs, ok := spell(tree); ok {
		for i, v := range vs {
			vs[i] = fold.of(v)
		}
		slices.Sort(vs)
		return &pattern{values: slices.Compact(vs)}, nil
	}
	if fold.letterCase {
		expr = `(?i:` + expr + `)`
	} else if g, ok := globOf(tree); ok {
		return &pattern{accept: g.match, prefix: g[0]}, nil
	}
	free, err := regexp.Compile(expr)
	if err != nil {
		return nil, err
	}
	prefix, _ := free.LiteralPrefix()
	re, err := regexp.Compile(`^(?:` + expr + `)$`)
	if err != nil {
		return nil, err
	}
	return &pattern{accept: re.Match, prefix: []byte(prefix)}, nil
}

// spell lists the values of an expression that has few.
func spell(re *syntax.Regexp) (vs []string, ok bool) {
	switch re.Op {
	case syntax.OpEmptyMatch:
		return []string{""}, true
	case syntax.OpLiteral:
		return []string{string(re.Rune)}, re.Flags&syntax.FoldCase == 0
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			if int(re.Rune[i+1]-re.Rune[i])+len(vs) >= 32 {
				return nil, false
			}
			for r := re.Rune[i]; r <= re.Rune[i+1]; r++ {
				vs = append(vs, string(r))
			}
		}
		return vs, true
	case syntax.OpCapture:
		return spell(re.Sub[0])
	case syntax.OpQuest:
		vs, ok = spell(re.Sub[0])
		return append(vs, ""), ok
	case syntax.OpAlternate:
		for _, s := range re.Sub {
			w, ok := spell(s)
			if !ok || len(vs)+len(w) > maxValues {
				return nil, false
			}
			vs = append(vs, w...)
		}
		return vs, true
	case syntax.OpConcat:
		vs = []string{""}
		for _, s := range re.Sub {
			w, ok := spell(s)
			if !ok || len(vs)*len(w) > maxValues {
				return nil, false
			}
			var both []string
			for _, a := range vs {
				for _, b := range w {
					both = append(both, a+b)
				}
			}
			vs = both
		}
		return vs, true
	}
	return nil, false
}

// glob is literals with anything between them: the first piece begins the
// value, the last one ends it.
type glob [][]byte

// globOf reads literals with .* between them.
func globOf(re *syntax.Regexp) (g glob, ok bool) {
	parts := []*syntax.Regexp{re}
	if re.Op == syntax.OpConcat {
		parts = re.Sub
	}
	g = glob{nil}
	for _, p := range parts {
		switch {
		case p.Op == syntax.OpLiteral && p.Flags&syntax.FoldCase == 0:
			g[len(g)-1] = append(g[len(g)-1], string(p.Rune)...)
		case p.Op == syntax.OpStar && (p.Sub[0].Op == syntax.OpAnyCharNotNL || p.Sub[0].Op == syntax.OpAnyChar):
			g = append(g, nil)
		default:
			return nil, false
		}
	}
	return g, len(g) > 1
}

// match tells whether the pieces are b.
func (g glob) match(b []byte) bool {
	last := len(g) - 1
	if !bytes.HasPrefix(b, g[0]) || !bytes.HasSuffix(b[len(g[0]):], g[last]) {
		return false
	}
	b = b[len(g[0]) : len(b)-len(g[last])]
	for _, piece := range g[1:last] {
		i := bytes.Index(b, piece)
		if i < 0 {
			return false
		}
		b = b[i+len(piece):]
	}
	return true
}

// ids returns the numbers of the values that match, sorted. Only values with
// the prefix of the pattern are looked at.
func (p *pattern) ids(a *Attr) []uint32 {
	var out []uint32
	if p.fold != (folding{}) {
		for i := range a.n {
			v := p.fold.of(string(a.bytes(uint32(i))))
			if p.values == nil && p.accept([]byte(v)) || slices.Contains(p.values, v) {
				out = append(out, uint32(i))
			}
		}
		return out
	}
	if p.values != nil {
		for _, v := range p.values {
			if id, ok := a.ID(v); ok {
				out = append(out, id)
			}
		}
		return out
	}
	for i := a.search(p.prefix); i < a.n; i++ {
		b := a.bytes(uint32(i))
		if !bytes.HasPrefix(b, p.prefix) {
			break
		}
		if p.accept(b) {
			out = append(out, uint32(i))
		}
	}
	return out
}
