package corpus

import (
	"bytes"
	"regexp"
	"regexp/syntax"
	"slices"
)

// pattern decides which values a condition means. It is the cheapest of: a few
// literal values, which are looked up; literals with anything between them; a
// regular expression.
type pattern struct {
	values []string       // exactly one of these, sorted; nil: see below
	glob   [][]byte       // these one behind the other, anything between; nil: see re
	re     *regexp.Regexp // of the whole value
	prefix []byte         // with which every value begins
}

// maxValues bounds how many literal values an expression is spelled out into.
const maxValues = 256

// literalPattern matches one value.
func literalPattern(v string) *pattern { return &pattern{values: []string{v}} }

// newPattern reads a regular expression (RE2, as in package regexp), which has
// to match the whole value.
func newPattern(expr string) (*pattern, error) {
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil, err
	}
	tree = tree.Simplify()
	if vs, ok := spell(tree); ok {
		slices.Sort(vs)
		return &pattern{values: slices.Compact(vs)}, nil
	}
	if g, ok := globOf(tree); ok {
		return &pattern{glob: g, prefix: g[0]}, nil
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
	return &pattern{re: re, prefix: []byte(prefix)}, nil
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

// globOf reads literals with .* between them: the first piece begins the
// value, the last one ends it.
func globOf(re *syntax.Regexp) (g [][]byte, ok bool) {
	parts := []*syntax.Regexp{re}
	if re.Op == syntax.OpConcat {
		parts = re.Sub
	}
	g = [][]byte{nil}
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

// match tells whether the pattern, which has no values, matches b.
func (p *pattern) match(b []byte) bool {
	if p.glob == nil {
		return p.re.Match(b)
	}
	last := len(p.glob) - 1
	if !bytes.HasPrefix(b, p.glob[0]) || !bytes.HasSuffix(b[len(p.glob[0]):], p.glob[last]) {
		return false
	}
	b = b[len(p.glob[0]) : len(b)-len(p.glob[last])]
	for _, piece := range p.glob[1:last] {
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
		if p.match(b) {
			out = append(out, uint32(i))
		}
	}
	return out
}
