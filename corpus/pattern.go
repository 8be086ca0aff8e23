package corpus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"regexp/syntax"
	"slices"
	"unicode/utf8"

	"chaffinch/internal/table"
	"chaffinch/internal/timecheck"
)

// pattern selects the values that satisfy a condition. It uses the cheapest of three
// methods: a lookup of a few literal values, literals separated by arbitrary text, or
// a regular expression or an order.
type pattern struct {
	listed bool                               // the matching values are exactly values
	values []string                           // sorted
	accept func(context.Context, []byte) bool // reports whether a whole value matches
	cost   int                                // cost of accept per byte of a value
	prefix []byte                             // common prefix of all matching values
	fold   folding                            // applied to each value before comparison
	lower  bool                               // the values of the attribute are in lower case
}

// maxValues is the maximum number of literal values into which an expression is expanded.
const maxValues = 256

// newPattern compiles the value of a condition.
func newPattern(c valueCond) (*pattern, error) {
	var p *pattern
	switch {
	case c.order != "":
		p = orderPattern(c.order, c.fold.of(c.value), c.fold)
	case c.literal:
		p = &pattern{listed: true, values: []string{c.fold.of(c.value)}}
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

// orderPattern matches values that are in order o to v. If v begins with a digit,
// only values that begin with a digit match, so that a missing date is not an early
// date.
func orderPattern(o order, v string, fold folding) *pattern {
	bound := []byte(v)
	return &pattern{cost: 1, accept: func(_ context.Context, b []byte) bool {
		if fold.letterCase {
			b = []byte(foldCase(string(b)))
		}
		return len(b) > 0 && (digits(b) > 0 || digits(bound) == 0) && o.holds(compareNatural(b, bound))
	}}
}

// Limits of a regular expression: its bytes, and the steps of its program with
// expanded repetitions. Parsing and compiling cannot be interrupted.
const (
	maxExpr  = 64 << 10
	maxSteps = 50_000
)

// parseExpr parses a regular expression (RE2, as in package regexp) within the limits.
func parseExpr(expr string, flags syntax.Flags) (*syntax.Regexp, error) {
	if len(expr) > maxExpr {
		return nil, fmt.Errorf("a regular expression of %d bytes, wanted at most %d: ask in parts", len(expr), maxExpr)
	}
	tree, err := syntax.Parse(expr, flags)
	if e := (*syntax.Error)(nil); errors.As(err, &e) && len(e.Expr) > 100 {
		return nil, &syntax.Error{Code: e.Code, Expr: table.First(e.Expr, 100) + "…"}
	}
	if err != nil {
		return nil, err
	}
	if n := steps(tree); n > maxSteps {
		return nil, fmt.Errorf("a regular expression of %d steps, wanted at most %d: ask in parts, or repeat less", n, maxSteps)
	}
	return tree, nil
}

// steps returns the approximate number of steps of the program of a regular expression.
func steps(re *syntax.Regexp) (n int) {
	for _, sub := range re.Sub {
		n = min(n+steps(sub), 1<<40)
	}
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune)
	case syntax.OpRepeat:
		return min((n+1)*max(re.Min, re.Max, 1), 1<<40)
	}
	return n + 1
}

// wholeValue compiles an expression that must match whole values.
func wholeValue(expr string) (*regexp.Regexp, error) { return regexp.Compile(`^(?:` + expr + `)$`) }

// regexpPattern compiles a regular expression that must match the whole value.
func regexpPattern(expr string, fold folding) (*pattern, error) {
	expr = folding{diacritics: fold.diacritics}.of(expr)
	tree, err := parseExpr(expr, syntax.Perl)
	if err != nil {
		return nil, err
	}
	cost := steps(tree)
	tree = tree.Simplify()
	if vs, ok := spell(tree); ok {
		for i, v := range vs {
			vs[i] = fold.of(v)
		}
		slices.Sort(vs)
		return &pattern{listed: true, values: slices.Compact(vs)}, nil
	}
	if fold.letterCase {
		return foldedPattern(expr, cost)
	}
	if g, ok := globOf(tree); ok {
		return &pattern{accept: g.match, cost: 1, prefix: g[0]}, nil
	}
	free, err := regexp.Compile(expr)
	if err != nil {
		return nil, err
	}
	prefix, _ := free.LiteralPrefix()
	re, err := wholeValue(expr)
	if err != nil {
		return nil, err
	}
	return &pattern{accept: matcherOf(re, cost), cost: cost, prefix: []byte(prefix)}, nil
}

// foldedPattern returns a case-insensitive pattern. Values are matched unchanged by an
// expression that ignores case. Values changed by case folding are matched by the same
// expression with folded literals, since the first one handles only single characters.
func foldedPattern(expr string, cost int) (*pattern, error) {
	tree, err := parseExpr(expr, syntax.Perl|syntax.FoldCase)
	if err != nil {
		return nil, err
	}
	simple, err := wholeValue(`(?i:` + expr + `)`)
	if err != nil {
		return nil, err
	}
	foldTree(tree)
	full, err := wholeValue(tree.String())
	if err != nil {
		return nil, err
	}
	byCharacter, byFold := matcherOf(simple, cost), matcherOf(full, cost)
	return &pattern{cost: 2 * cost, accept: func(ctx context.Context, b []byte) bool {
		return byCharacter(ctx, b) || byFold(ctx, []byte(foldCase(string(b))))
	}}, nil
}

// longMatch is the work of a match, in steps times bytes, above which it checks its
// context: about 100 ms.
const longMatch = 4 << 20

// matcherOf returns a function that reports whether re matches a value. Its result may be
// wrong if the context has ended.
func matcherOf(re *regexp.Regexp, cost int) func(context.Context, []byte) bool {
	return func(ctx context.Context, b []byte) bool {
		if len(b)*cost < longMatch {
			return re.Match(b)
		}
		return re.MatchReader(&interruptible{w: timecheck.New(ctx), b: b, cost: cost})
	}
}

// interruptible reads the characters of b until its context ends.
type interruptible struct {
	w    timecheck.Watch
	b    []byte
	cost int
}

// ReadRune implements [io.RuneReader].
func (r *interruptible) ReadRune() (rune, int, error) {
	if len(r.b) == 0 || r.w.Done(r.cost) != nil {
		return 0, 0, io.EOF
	}
	c, n := utf8.DecodeRune(r.b)
	r.b = r.b[n:]
	return c, n, nil
}

// spell returns the values of an expression that matches few.
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

// glob is a sequence of literals separated by arbitrary text. The first piece begins
// the value, the last one ends it.
type glob [][]byte

// globOf converts an expression of literals separated by .* to a glob.
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

// match reports whether b matches the pieces.
func (g glob) match(_ context.Context, b []byte) bool {
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

// ids returns the sorted numbers of the values that match. Only values with the
// prefix of the pattern are tested.
func (p *pattern) ids(ctx context.Context, a *Attr) (out []uint32, err error) {
	if p.listed && p.fold == (folding{}) {
		for _, v := range p.values {
			if id, ok := a.ID(v); ok {
				out = append(out, id)
			}
		}
		return out, nil
	}
	if p.listed && p.lower && !p.fold.diacritics {
		return a.foldedIDs(ctx, p.values)
	}
	w := timecheck.New(ctx)
	for i := a.search(p.prefix); i < a.n; i++ {
		b := a.bytes(uint32(i))
		if err := w.Done(len(b) * p.cost); err != nil {
			return nil, err
		}
		if !bytes.HasPrefix(b, p.prefix) {
			break
		}
		if p.matches(ctx, b) {
			out = append(out, uint32(i))
		}
	}
	return out, ctx.Err() // a match may have been interrupted
}

// matches reports whether a value matches.
func (p *pattern) matches(ctx context.Context, b []byte) bool {
	if p.listed {
		_, ok := slices.BinarySearch(p.values, p.fold.of(string(b)))
		return ok
	}
	if p.fold.diacritics {
		b = []byte(folding{diacritics: true}.of(string(b)))
	}
	return p.accept(ctx, b)
}
