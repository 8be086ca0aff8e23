package sketch

import (
	"fmt"
	"regexp"
	"strings"
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
	if e := (*GrammarError)(nil); asGrammar(err, &e) {
		e.Name = name
	}
	return nil, err
}

func asGrammar(err error, to **GrammarError) (ok bool) {
	*to, ok = err.(*GrammarError)
	return ok
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
var thirdRef = regexp.MustCompile(`%\(\s*3\.([\pL_][\pL\pN_]*)\s*\)|%s`)

// anyRef is a placeholder in a name.
var anyRef = regexp.MustCompile(`%(\([^)]*\)|[a-zA-Z])`)

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
		refs := thirdRef.FindAllStringSubmatch(n, -1)
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
		for _, r := range anyRef.FindAllString(thirdRef.ReplaceAllString(n, ""), -1) {
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

// maxExpansion bounds the length of a line after expansion of its macros.
const maxExpansion = 1 << 20

// macros expands definitions without arguments as m4 does.
type macros struct {
	in      string
	i       int
	line    int // from 1
	bodies  map[string]string
	out     strings.Builder
	discard bool // within divert(-1)
}

// expand expands the macros of a grammar, and returns its lines. Text without a definition is
// returned unchanged. Lines keep their numbers.
func expand(text string) ([]string, error) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if !strings.Contains(text, "define(") {
		return strings.Split(text, "\n"), nil
	}
	m := &macros{in: text, line: 1, bodies: map[string]string{}}
	for m.i < len(m.in) {
		if err := m.step(); err != nil {
			return nil, err
		}
	}
	return strings.Split(m.out.String(), "\n"), nil
}

func (m *macros) write(s string) {
	if !m.discard {
		m.out.WriteString(s)
	}
}

// newlines writes a newline for each newline in s, so that lines keep their numbers.
func (m *macros) newlines(s string) {
	n := strings.Count(s, "\n")
	m.line += n
	m.out.WriteString(strings.Repeat("\n", n))
}

// unsupported are the builtin macros of m4 that change the result and are not expanded.
var unsupported = map[string]bool{"ifelse": true, "ifdef": true, "include": true, "sinclude": true, "changequote": true, "undefine": true, "pushdef": true, "popdef": true,
	"forloop": true, "foreach": true, "eval": true, "incr": true, "regexp": true, "patsubst": true, "format": true, "syscmd": true, "esyscmd": true}

// step consumes one word, quoted text or character.
func (m *macros) step() error {
	rest := m.in[m.i:]
	switch c := rest[0]; {
	case c == '#': // a comment is copied
		n := strings.IndexByte(rest, '\n')
		if n < 0 {
			n = len(rest)
		}
		m.write(rest[:n])
		m.i += n
	case c == '\n':
		m.newlines("\n")
		m.i++
	case c == '`':
		body, n, ok := m4Quoted(rest)
		if !ok {
			return failAt(m.line, "found ` without ' at the end of the quoted text")
		}
		m.i += n
		for i, part := range strings.Split(body, "\n") {
			if i > 0 {
				m.newlines("\n")
			}
			m.write(part)
		}
	case isWord(c):
		n := wordLen(rest)
		word := rest[:n]
		m.i += n
		call := strings.HasPrefix(rest[n:], "(")
		switch {
		case word == "define" && call:
			return m.define()
		case word == "divert":
			arg := ""
			if call {
				n := strings.IndexByte(m.in[m.i:], ')')
				if n < 0 {
					return failAt(m.line, "found divert( without ), wanted divert(-1) or divert")
				}
				arg = strings.TrimSpace(m.in[m.i+1 : m.i+n])
				m.i += n + 1
			}
			switch arg {
			case "-1":
				m.discard = true
			case "", "0":
				m.discard = false
			default:
				return failAt(m.line, "found divert(%s), wanted divert(-1) or divert", arg)
			}
		case word == "dnl":
			n := strings.IndexByte(m.in[m.i:], '\n')
			if n < 0 {
				n = len(m.in) - m.i
			}
			m.i += n
		case unsupported[word] && call:
			return failAt(m.line, "found %s(, wanted only define, divert and dnl: expand the file with m4 first", word)
		default:
			text, err := m.replaced(word, nil)
			if err != nil {
				return err
			}
			m.write(text)
		}
	default:
		m.write(rest[:1])
		m.i++
	}
	return nil
}

// replaced returns the full expansion of a word. open lists the words that are being expanded.
func (m *macros) replaced(word string, open []string) (string, error) {
	body, ok := m.bodies[word]
	if !ok {
		return word, nil
	}
	for _, w := range open {
		if w == word {
			return "", failAt(m.line, "found the macro %s in its own definition", word)
		}
	}
	var b strings.Builder
	for i := 0; i < len(body); {
		if !isWord(body[i]) {
			b.WriteByte(body[i])
			i++
			continue
		}
		n := wordLen(body[i:])
		text, err := m.replaced(body[i:i+n], append(open[:len(open):len(open)], word))
		if err != nil {
			return "", err
		}
		if b.WriteString(text); b.Len() > maxExpansion {
			return "", failAt(m.line, "found a macro %s of more than %d bytes when expanded", word, maxExpansion)
		}
		i += n
	}
	return b.String(), nil
}

// define reads the arguments of a definition.
func (m *macros) define() error {
	const wanted = "wanted define(`NAME', `text')"
	rest, line := m.in[m.i:], m.line
	var args []string
	var b strings.Builder
	depth := 0
	for i := 0; i < len(rest); {
		switch c := rest[i]; {
		case c == '`':
			body, n, ok := m4Quoted(rest[i:])
			if !ok {
				return failAt(line, "found ` without ' in define, %s", wanted)
			}
			b.WriteString(body)
			i += n
			continue
		case c == '(':
			if depth++; depth > 1 {
				b.WriteByte(c)
			}
		case c == ')' && depth == 1, c == ',' && depth == 1:
			args = append(args, b.String())
			b.Reset()
			if c == ',' {
				for i+1 < len(rest) && strings.IndexByte(" \t\n", rest[i+1]) >= 0 { // m4 drops leading space
					i++
				}
				break
			}
			name := ""
			if len(args) > 0 {
				name = strings.TrimSpace(args[0])
			}
			if len(args) != 2 || name == "" || wordLen(name) != len(name) || !isWord(name[0]) || name[0] >= '0' && name[0] <= '9' {
				return failAt(line, "found define with %d arguments and the name %q, %s", len(args), name, wanted)
			}
			if strings.Contains(args[1], "$") && macroArg.MatchString(args[1]) {
				return failAt(line, "found %s in the macro %s, wanted a macro without arguments: expand the file with m4 first", macroArg.FindString(args[1]), name)
			}
			m.bodies[name] = strings.ReplaceAll(args[1], "\n", " ")
			m.newlines(rest[:i+1])
			m.i += i + 1
			return nil
		default:
			if c == ')' {
				depth--
			}
			b.WriteByte(c)
		}
		i++
	}
	return failAt(line, "found define without ), %s", wanted)
}

// macroArg is an argument of a macro.
var macroArg = regexp.MustCompile(`\$[0-9*@#]`)

// m4Quoted returns the text in the quotes at the start of s, and its length with them.
func m4Quoted(s string) (body string, n int, ok bool) {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '`':
			depth++
		case '\'':
			if depth--; depth == 0 {
				return s[1:i], i + 1, true
			}
		}
	}
	return "", 0, false
}

func isWord(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// wordLen returns the length of the word at the start of s.
func wordLen(s string) int {
	n := 0
	for n < len(s) && isWord(s[n]) {
		n++
	}
	return n
}
