package sketch

import (
	"errors"
	"fmt"
	"strings"

	"chaffinch/internal/lazyregexp"
)

// Grammar is a parsed sketch grammar. docs/reference/sketch-grammar.md describes the notation.
type Grammar struct {
	// Text is the source.
	Text string
	// Relations are the grammatical relations in the order of their first definition.
	Relations []Relation
	// Order lists names of relations in the order in which they are shown (*FIXORDER). Relations
	// that are not listed follow in the order of their definition.
	Order []string
	// Classes are the parts of speech with their suffixes in the attribute lempos (*WSPOSLIST).
	Classes []Class
	name    string // in errors
	rules   []rule
}

// Relation is a grammatical relation.
type Relation struct {
	// Name contains %w for the headword and %(3.lemma) for an attribute of the
	// token with label 3, as in objects of "%w".
	Name string `json:"name"`
	// Unimap is the name of the relation in any language and grammar, as in object.
	Unimap string `json:"unimap,omitempty"`
	// Page is the name of the page that shows the relation separately.
	Page string `json:"page,omitempty"`
	// Unary reports whether the relation has no collocates.
	Unary bool `json:"unary,omitempty"`
	// Third is the attribute of label 3, whose values each make a relation.
	Third string `json:"third,omitempty"`
}

// Class is a part of speech, such as noun, with its suffix in lempos, such as -n.
type Class struct{ Name, Suffix string }

// rule is a query and the relations that it defines.
type rule struct {
	query     string
	line      int
	relation  int
	dual      int // the relation with the labels swapped; -1: none
	symmetric bool
	attr      string // of values without one
	within    string
}

// GrammarError reports an error in a grammar.
type GrammarError struct {
	Name string // of the grammar
	Line int
	Err  error
}

// Error returns a message with the name and the line.
func (e *GrammarError) Error() string { return fmt.Sprintf("%s: line %d: %v", e.Name, e.Line, e.Err) }

// Unwrap returns the underlying error.
func (e *GrammarError) Unwrap() error { return e.Err }

// grammarParser reads a grammar line by line.
type grammarParser struct {
	g            *Grammar
	line         int
	next         pending
	open         bool // a relation has begun
	now          rule // template of the rules of the current relation
	attr, within string
	rules        int // of the current relation
}

// pending holds the directives before a relation.
type pending struct {
	dual, unary, trinary bool
	page                 string
	line                 int
}

// Parse parses a grammar. name identifies it in errors.
func Parse(name, text string) (*Grammar, error) {
	lines, err := expand(text)
	if err == nil {
		p := &grammarParser{g: &Grammar{Text: text, name: name}}
		if err = p.lines(lines); err == nil {
			return p.g, nil
		}
	}
	if e := (*GrammarError)(nil); errors.As(err, &e) {
		e.Name = name
	}
	return nil, err
}

func failAt(line int, format string, a ...any) error {
	return &GrammarError{Line: line, Err: fmt.Errorf(format, a...)}
}

func (p *grammarParser) fail(format string, a ...any) error { return failAt(p.line, format, a...) }

func (p *grammarParser) lines(lines []string) error {
	for i := 0; i < len(lines); i++ {
		p.line = i + 1
		text := lines[i]
		for strings.HasSuffix(text, `\`) && i+1 < len(lines) {
			i++
			text = strings.TrimSuffix(text, `\`) + lines[i]
		}
		text = strings.TrimSpace(text)
		var err error
		switch {
		case text == "" || text[0] == '#':
		case text[0] == '=':
			err = p.relation(strings.TrimSpace(text[1:]))
		case text[0] == '*':
			name, value, _ := strings.Cut(text[1:], " ")
			err = p.directive(strings.TrimSpace(name), strings.TrimSpace(value))
		default:
			err = p.query(text)
		}
		if err != nil {
			return err
		}
	}
	p.line = len(lines)
	if err := p.closed(); err != nil {
		return err
	}
	if p.next != (pending{}) {
		return failAt(p.next.line, "found a directive at the end, wanted a relation after it, as in =object/object_of")
	}
	if len(p.g.Relations) == 0 {
		return p.fail("found no relation, wanted a line such as =object/object_of with queries after it")
	}
	return nil
}

// closed returns an error if the current relation has no query.
func (p *grammarParser) closed() error {
	if p.open && p.rules == 0 {
		return p.fail("found no query for the relation %q, wanted a line such as 1:[pos=\"VERB\"] 2:[pos=\"NOUN\"]", p.g.Relations[p.now.relation].Name)
	}
	return nil
}

// needValue are the directives with a value, and an example of it.
var needValue = map[string]string{
	"DEFAULTATTR": "tag", "STRUCTLIMIT": "s", "UNIMAP": "object/object_of", "SEPARATEPAGE": "prepositional phrases",
	"FIXORDER": ";objects of \"%w\";modifiers of \"%w\"", "WSPOSLIST": "\",adjective,-j,noun,-n,verb,-v\"",
}

func (p *grammarParser) directive(name, value string) error {
	example, valued := needValue[name]
	if valued && value == "" {
		return p.fail("found *%s without a value, wanted one, as in *%s %s", name, name, example)
	}
	switch name {
	case "DEFAULTATTR":
		p.attr = value
	case "STRUCTLIMIT":
		p.within = value
	case "FIXORDER":
		p.g.Order = listOf(value)
	case "WSPOSLIST":
		parts := listOf(strings.Trim(value, `"`))
		if len(parts)%2 != 0 {
			return p.fail("found %d items after *WSPOSLIST, wanted pairs of name and suffix, as in %s", len(parts), example)
		}
		for i := 0; i < len(parts); i += 2 {
			p.g.Classes = append(p.g.Classes, Class{parts[i], parts[i+1]})
		}
	case "UNIMAP":
		return p.unimap(value)
	case "SYMMETRIC":
		if !p.open {
			return p.fail("found *SYMMETRIC before a relation, wanted it after the line that begins with =")
		}
		p.now.symmetric = true
	case "DUAL", "UNARY", "TRINARY", "SEPARATEPAGE":
		if err := p.closed(); err != nil {
			return err
		}
		p.open, p.next.line = false, p.line
		switch name {
		case "DUAL":
			p.next.dual = true
		case "UNARY":
			p.next.unary = true
		case "TRINARY":
			p.next.trinary = true
		default:
			p.next.page = value
		}
	default:
		return p.fail("found *%s, wanted one of *DUAL, *SYMMETRIC, *UNARY, *TRINARY, *UNIMAP, *DEFAULTATTR, *STRUCTLIMIT, *FIXORDER, *WSPOSLIST, *SEPARATEPAGE", name)
	}
	return nil
}

// listOf splits a list whose first character separates its items. Without such a character,
// commas and semicolons do.
func listOf(value string) (items []string) {
	sep := value[:min(1, len(value))]
	if !strings.ContainsAny(sep, ",;|/") {
		sep = ","
		if strings.Contains(value, ";") {
			sep = ";"
		}
	}
	for item := range strings.SplitSeq(value, sep) {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	return items
}

// thirdRef is a reference to an attribute of label 3 in a name.
var thirdRef = lazyregexp.New(`%\(\s*3\.([\pL_][\pL\pN_]*)\s*\)|%s`)

// anyRef is a placeholder in a name.
var anyRef = lazyregexp.New(`%(\([^)]*\)|[a-zA-Z])`)

// defaultThird is the attribute of %s.
const defaultThird = "lemma"

func (p *grammarParser) relation(name string) error {
	if err := p.closed(); err != nil {
		return err
	}
	names := []string{name}
	if p.next.dual {
		a, b, ok := strings.Cut(name, "/")
		if names = []string{strings.TrimSpace(a), strings.TrimSpace(b)}; !ok || names[0] == "" || names[1] == "" {
			return p.fail("found =%s after *DUAL, wanted two names, as in =object/object_of", name)
		}
	}
	third := ""
	for _, n := range names {
		if n == "" {
			return p.fail("found = without a name, wanted one, as in =object/object_of")
		}
		refs := thirdRef().FindAllStringSubmatch(n, -1)
		if p.next.trinary && len(refs) == 0 {
			return p.fail("found =%s after *TRINARY, wanted a name with %%s or %%(3.lemma), as in =\"%%w\" %%(3.lemma) ...", n)
		}
		if !p.next.trinary && len(refs) > 0 {
			return p.fail("found %s in =%s, wanted *TRINARY before the relation", refs[0][0], n)
		}
		for _, r := range refs {
			a := r[1]
			if a == "" {
				a = defaultThird
			}
			if third != "" && third != a {
				return p.fail("found the attributes %s and %s of label 3, wanted one attribute", third, a)
			}
			third = a
		}
		for _, r := range anyRef().FindAllString(thirdRef().ReplaceAllString(n, ""), -1) {
			if r != "%w" {
				return p.fail("found %s in =%s, wanted %%w, %%s or %%(3.lemma)", r, n)
			}
		}
	}
	p.now = rule{dual: -1, attr: p.attr, within: p.within}
	for i, n := range names {
		at, err := p.define(Relation{Name: n, Page: p.next.page, Unary: p.next.unary, Third: third})
		if err != nil {
			return err
		}
		if i == 0 {
			p.now.relation = at
		} else {
			p.now.dual = at
		}
	}
	p.open, p.rules, p.next = true, 0, pending{}
	return nil
}

// define returns the number of a relation. Relations with the same name are one relation.
func (p *grammarParser) define(r Relation) (int, error) {
	for i, x := range p.g.Relations {
		if x.Name == r.Name {
			if x.Unary != r.Unary || x.Third != r.Third {
				return 0, p.fail("found the relation =%s again, wanted the same *UNARY and *TRINARY as above", r.Name)
			}
			return i, nil
		}
	}
	p.g.Relations = append(p.g.Relations, r)
	return len(p.g.Relations) - 1, nil
}

func (p *grammarParser) unimap(value string) error {
	if !p.open {
		return p.fail("found *UNIMAP before a relation, wanted it after the line that begins with =")
	}
	a, b, dual := strings.Cut(value, "/")
	if p.now.dual < 0 { // the name may contain a slash, as in and/or
		a, dual = value, false
	}
	set := func(i int, name string) {
		if r := &p.g.Relations[i]; r.Unimap == "" {
			r.Unimap = strings.TrimSpace(name)
		}
	}
	set(p.now.relation, a)
	if dual {
		set(p.now.dual, b)
	}
	return nil
}

func (p *grammarParser) query(text string) error {
	if !p.open {
		if p.next != (pending{}) {
			return p.fail("found a query after a directive, wanted a relation before it, as in =object/object_of")
		}
		return p.fail("found %q, wanted a relation before the first query, as in =object/object_of", first(text, 40))
	}
	r := p.now
	r.query, r.line = text, p.line
	r.attr, r.within = p.attr, p.within
	p.rules++
	p.g.rules = append(p.g.rules, r)
	return nil
}

// first returns the first n characters of s.
func first(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i] + "…"
		}
	}
	return s
}
