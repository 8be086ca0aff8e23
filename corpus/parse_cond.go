package corpus

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

func (p *cqlParser) or(what string) cond {
	if p.depth++; p.depth > maxDepth {
		panic(&SyntaxError{Query: p.query, Offset: p.peek().at, What: fmt.Sprintf("more than %d brackets in each other", maxDepth)})
	}
	defer func() { p.depth-- }()
	parts := []cond{p.and(what)}
	for p.take("|") {
		parts = append(parts, p.and(what))
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return orCond{parts}
}

func (p *cqlParser) and(what string) cond {
	parts := []cond{p.not(what)}
	for p.take("&") {
		parts = append(parts, p.not(what))
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return andCond{parts}
}

func (p *cqlParser) not(what string) cond {
	nots := 0
	for p.take("!") {
		nots++
	}
	var c cond
	if p.take("(") {
		c = p.or(what)
		p.want(")", "to close the '(' before")
	} else {
		c = p.value(what)
	}
	if nots%2 == 1 {
		return notCond{c}
	}
	return c
}

// value parses attr="value", attr!="value", attr=="value", attr!=="value",
// attr>=value and similar conditions, or "value". Flags may follow.
func (p *cqlParser) value(what string) cond {
	l := p.peek()
	if l.kind == lexString && !p.dotted {
		p.i++
		return valueCond{value: l.text, valueAt: l.at, fold: p.flags()}
	}
	if l.kind != lexName {
		p.wanted(what)
	}
	c := valueCond{attr: l.text, attrAt: l.at}
	p.i++
	if c.attr == "ws" && !p.dotted && p.is("(") {
		return p.sketch(l.at)
	}
	if p.dotted {
		p.want(".", "between a structure and its attribute, as in "+whereExample)
		if l = p.peek(); l.kind != lexName {
			p.wanted("the name of an attribute, as in " + whereExample)
		}
		c.of, c.attr = c.attr, l.text
		p.i++
	}
	switch {
	case p.take("="):
	case p.take("!="):
		c.not = true
	case p.take("=="):
		c.literal = true
	case p.take("!=="):
		c.literal, c.not = true, true
	default:
		if c.order = p.order(); c.order == "" {
			p.wanted("=, !=, == or !== after an attribute, or <, <=, >, >=")
		}
	}
	v := p.peek()
	if v.kind != lexString && v.kind != lexNumber {
		p.wanted(fmt.Sprintf(`a value in quotes, as in %s="..."`, c.attr))
	}
	p.i++
	c.value, c.valueAt, c.fold = v.text, v.at, p.flags()
	if c.literal || c.order != "" {
		c.value = strings.ReplaceAll(v.text, `\\`, `\`)
	}
	if next := p.peek(); v.kind == lexNumber && (next.kind == lexNumber || next.kind == lexName) && next.at == v.at+len(v.text) {
		panic(&SyntaxError{Query: p.query, Offset: v.at, What: fmt.Sprintf(`found more than a number: put the value in quotes, as in %s%s"2020-05-31"`, c.attr, cmp.Or(c.order, "="))})
	}
	return c
}

// sketch parses the rest of ws("take-v", "object", "look-n").
func (p *cqlParser) sketch(at int) cond {
	const example = `as in ws("take-v", "object", "look-n")`
	p.want("(", example)
	var args []string
	for range 3 {
		if len(args) > 0 {
			p.want(",", "after a value, "+example)
		}
		v := p.peek()
		if v.kind != lexString {
			p.wanted("a value in quotes, " + example)
		}
		args = append(args, strings.ReplaceAll(v.text, `\\`, `\`))
		p.i++
	}
	p.want(")", "after the third value, "+example)
	return sketchCond{args[0], args[1], args[2], at}
}

// order parses <, <=, > or >=. It returns "" if there is none.
func (p *cqlParser) order() order {
	for _, o := range []order{"<", "<=", ">", ">="} {
		if p.take(string(o)) {
			return o
		}
	}
	return ""
}

// flags parses %c, %d and %cd after a value.
func (p *cqlParser) flags() (f folding) {
	l := p.peek()
	if l.kind != lexFlags {
		return f
	}
	for _, r := range l.text[1:] {
		switch r {
		case 'c':
			f.letterCase = true
		case 'd':
			f.diacritics = true
		default:
			p.wanted("%c (ignore case), %d (ignore diacritics) or %cd")
		}
	}
	if len(l.text) == 1 {
		p.wanted("%c (ignore case), %d (ignore diacritics) or %cd")
	}
	p.i++
	return f
}

// constraint parses 1.lemma = 2.lemma or f(1.lemma) > 100.
func (p *cqlParser) constraint() constraint {
	var c constraint
	c.left, c.freq = p.constraintSide()
	switch {
	case p.take("!="):
		c.not = true
	case p.take("="):
	default:
		at := p.i
		if c.order = p.order(); c.order == "" || !c.freq {
			p.i = at
			p.wanted("= or != between two labels, as in 1.lemma = 2.lemma; frequencies are also compared by <, <=, >, >=")
		}
	}
	if l := p.peek(); c.freq && l.kind == lexNumber && p.lex[p.i+1].text != "." {
		n, err := strconv.ParseInt(l.text, 10, 64)
		if err != nil {
			p.wanted("a number of tokens")
		}
		c.number = n
		p.i++
		return c
	}
	at, freq := p.i, false
	if c.right, freq = p.constraintSide(); freq != c.freq {
		p.i = at
		p.wanted("a value on both sides, or a frequency: f(1.lemma) > 100, f(1.lemma) < f(2.lemma)")
	}
	return c
}

// constraintSide parses 1.lemma, or f(1.lemma), its frequency in the corpus.
func (p *cqlParser) constraintSide() (r labelRef, freq bool) {
	if freq = p.isWord("f") && p.lex[p.i+1].text == "(" && p.lex[p.i+1].kind == lexMark; freq {
		p.i += 2
	}
	r = p.labelRef()
	if freq {
		p.want(")", "after the label, as in f(1.lemma)")
	}
	return r, freq
}

func (p *cqlParser) labelRef() labelRef {
	l := p.peek()
	if l.kind != lexNumber && l.kind != lexName {
		p.wanted("a label and its attribute, as in 1.lemma = 2.lemma")
	}
	p.i++
	p.want(".", "between a label and its attribute")
	a := p.peek()
	if a.kind != lexName {
		p.wanted("the name of an attribute, as in 1.lemma")
	}
	p.i++
	return labelRef{label: l.text, attr: a.text, at: l.at, attrAt: a.at}
}
