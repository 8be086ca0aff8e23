package corpus

import (
	"fmt"
	"strconv"
	"strings"
)

// Limits of a query, which bound the stack and the size of the compiled query.
const (
	maxRepeat = 10000
	maxDepth  = 200
	maxLabels = 16
)

// cqlParser is a recursive-descent parser. Its methods panic with a *SyntaxError,
// which parseCQL recovers.
type cqlParser struct {
	query string
	lex   []lexeme
	i     int
	depth int
	// dotted indicates that conditions name the structure, as in doc.lang="de".
	dotted bool
}

// parseCQL parses a query.
func parseCQL(q string) (*queryTree, error) {
	t := new(queryTree)
	err := parse(q, func(p *cqlParser) {
		t.root = p.filtered()
		for p.take("&") || p.take("::") {
			t.constraints = append(t.constraints, p.constraint())
		}
		if p.peek().kind != lexEnd {
			p.wanted("a token in [ ], a value in quotes, a structure in < >, an operator or the end")
		}
	})
	return t, err
}

// whereExample is a condition on structures.
const whereExample = `doc.lang="de" & doc.year>=2020`

// parseWhere parses a condition on attributes of structures.
func parseWhere(q string) (c cond, err error) {
	err = parse(q, func(p *cqlParser) {
		p.dotted = true
		c = p.or("an attribute of a structure, as in " + whereExample)
		if p.peek().kind != lexEnd {
			p.wanted("&, | or the end, as in " + whereExample)
		}
	})
	return c, err
}

// parse splits q into lexemes and calls read to parse them.
func parse(q string, read func(*cqlParser)) (err error) {
	lex, err := lex(q)
	if err != nil {
		return err
	}
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*SyntaxError)
			if !ok {
				panic(r)
			}
			err = e
		}
	}()
	read(&cqlParser{query: q, lex: lex})
	return nil
}

func (p *cqlParser) peek() lexeme { return p.lex[p.i] }

func (p *cqlParser) is(mark string) bool {
	l := p.peek()
	return l.kind == lexMark && l.text == mark
}

func (p *cqlParser) take(mark string) bool {
	if !p.is(mark) {
		return false
	}
	p.i++
	return true
}

func (p *cqlParser) want(mark, why string) {
	if !p.take(mark) {
		p.wanted("'" + mark + "' " + why)
	}
}

func (p *cqlParser) isWord(word string) bool {
	l := p.peek()
	return l.kind == lexName && l.text == word
}

func (p *cqlParser) wanted(what string) {
	l := p.peek()
	panic(&SyntaxError{Query: p.query, Offset: l.at, What: fmt.Sprintf("found %s, wanted %s", l, what)})
}

// filtered parses alternatives and the queries that they lie within or contain.
func (p *cqlParser) filtered() node {
	if p.depth++; p.depth > maxDepth {
		panic(&SyntaxError{Query: p.query, Offset: p.peek().at, What: fmt.Sprintf("more than %d brackets in each other", maxDepth)})
	}
	defer func() { p.depth-- }()
	n := p.alternatives()
	for {
		start := p.i
		not := p.take("!")
		switch {
		case p.isWord("within"):
			p.i++
			if l := p.peek(); l.kind == lexName && p.lex[p.i+1].kind == lexMark && p.lex[p.i+1].text == ":" {
				p.i += 2
				n = alignedNode{part: n, other: p.alternatives(), corpus: l.text, at: l.at, not: not}
				continue
			}
			n = filterNode{part: n, other: p.alternatives(), not: not}
		case p.isWord("containing"):
			p.i++
			n = filterNode{part: n, other: p.alternatives(), not: not, containing: true}
		case not:
			p.wanted("within or containing")
		default:
			p.i = start
			return n
		}
	}
}

func (p *cqlParser) alternatives() node {
	branches := []node{p.sequence()}
	for p.take("|") {
		branches = append(branches, p.sequence())
	}
	if len(branches) == 1 {
		return branches[0]
	}
	return altNode{branches}
}

func (p *cqlParser) sequence() node {
	parts := []node{p.repeated()}
	for p.startsAtom() {
		parts = append(parts, p.repeated())
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return seqNode{parts}
}

func (p *cqlParser) startsAtom() bool {
	l := p.peek()
	switch l.kind {
	case lexString:
		return true
	case lexMark:
		return strings.Contains("[ ( < </", l.text) && l.text != ""
	case lexNumber, lexName:
		next := p.lex[p.i+1]
		return next.kind == lexMark && next.text == ":"
	}
	return false
}

func (p *cqlParser) repeated() node {
	n := p.atom()
	for times := 0; ; times++ {
		if times > maxDepth {
			panic(&SyntaxError{Query: p.query, Offset: p.peek().at, What: "too many repetitions of repetitions"})
		}
		switch {
		case p.take("?"):
			n = repeatNode{n, 0, 1}
		case p.take("*"):
			n = repeatNode{n, 0, -1}
		case p.take("+"):
			n = repeatNode{n, 1, -1}
		case p.is("{"):
			n = p.bounds(n)
		default:
			return n
		}
	}
}

// bounds parses {n}, {n,}, {,m} and {n,m}.
func (p *cqlParser) bounds(n node) node {
	at := p.peek().at
	p.take("{")
	r := repeatNode{part: n, max: -1}
	have := p.peek().kind == lexNumber
	if have {
		r.min = p.number(0)
	}
	if p.take(",") {
		if p.peek().kind == lexNumber {
			r.max = p.number(0)
		} else if !have {
			p.wanted("a number")
		}
	} else if have {
		r.max = r.min
	} else {
		p.wanted("a number")
	}
	p.want("}", "after the numbers of a repetition, as in {0,3}")
	if r.max >= 0 && r.min > r.max {
		panic(&SyntaxError{Query: p.query, Offset: at, What: fmt.Sprintf("found {%d,%d}, wanted the smaller number first", r.min, r.max)})
	}
	return r
}

// number parses a number from min to maxRepeat.
func (p *cqlParser) number(min int) int {
	l := p.peek()
	x, err := strconv.Atoi(l.text)
	if l.kind != lexNumber || err != nil || x < min || x > maxRepeat {
		p.wanted(fmt.Sprintf("a number from %d to %d", min, maxRepeat))
	}
	p.i++
	return x
}

func (p *cqlParser) atom() node {
	l := p.peek()
	if !p.startsAtom() {
		what := "a token in [ ], a value in quotes or a structure in < >"
		if l.kind == lexName {
			what += fmt.Sprintf(`: words need quotes, as in "%[1]s", and structures brackets, as in <%[1]s/>`, l.text)
		}
		p.wanted(what)
	}
	switch l.kind {
	case lexString:
		p.i++
		return tokenNode{valueCond{value: l.text, valueAt: l.at, fold: p.flags()}}
	case lexNumber, lexName:
		p.i += 2
		if p.depth++; p.depth > maxDepth {
			panic(&SyntaxError{Query: p.query, Offset: l.at, What: "too many labels"})
		}
		defer func() { p.depth-- }()
		return labelNode{l.text, p.atom()}
	}
	switch l.text {
	case "[":
		p.i++
		if p.take("]") {
			return tokenNode{}
		}
		c := p.or(`an attribute, as in [lemma="go"]`)
		p.want("]", "at the end of the token, or & or | and a condition")
		return tokenNode{c}
	case "<", "</":
		return p.tag()
	}
	p.i++
	if p.isWord("meet") {
		return p.meet()
	}
	if p.isWord("union") {
		return p.union()
	}
	n := p.filtered()
	p.want(")", "to close the '(' before")
	return n
}

// meet parses the rest of (meet A B lo hi).
func (p *cqlParser) meet() node {
	p.i++
	m := meetNode{part: p.atom(), other: p.atom(), lo: 1, hi: 1}
	if p.peek().kind == lexNumber {
		m.lo = p.number(-maxRepeat)
		m.hi = p.number(m.lo)
	}
	p.want(")", "after (meet A B from to")
	return m
}

// union parses the rest of (union A B).
func (p *cqlParser) union() node {
	p.i++
	n := altNode{[]node{p.atom(), p.atom()}}
	p.want(")", "after (union A B")
	return n
}

// tag parses <s>, </s>, <s/> with conditions on attributes.
func (p *cqlParser) tag() node {
	t := tagNode{side: tagOpen}
	if p.take("</") {
		t.side = tagClose
	} else {
		p.take("<")
	}
	l := p.peek()
	if l.kind != lexName {
		p.wanted("the name of a structure, as in <s>")
	}
	t.name, t.at = l.text, l.at
	p.i++
	if !p.is(">") && !p.is("/>") {
		const what = `an attribute, as in <doc lang="de"/>, or the end of the tag`
		parts := []cond{p.or(what)}
		for !p.is(">") && !p.is("/>") { // a space means and
			parts = append(parts, p.or(what))
		}
		t.cond = parts[0]
		if len(parts) > 1 {
			t.cond = andCond{parts}
		}
	}
	if p.take("/>") {
		if t.side == tagClose {
			p.i--
			p.wanted("'>'")
		}
		t.side = tagWhole
	} else {
		p.want(">", "at the end of the tag")
	}
	return t
}
