package fcs

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// layers maps the names of attributes in FCS to the names in corpora. The first name that a
// corpus has is used; "" is its default attribute.
var layers = map[string][]string{
	"text":  {""},
	"word":  {""},
	"token": {""},
	"lemma": {"lemma"},
	"pos":   {"pos", "upos", "tag"},
	"orth":  {"orth"},
	"norm":  {"norm"},
}

// units are the parts of text that FCS-QL names, and the structures that corpora have.
var units = map[string]string{
	"s": "s", "sentence": "s", "u": "s", "utterance": "s", "p": "p", "paragraph": "p", "t": "doc", "text": "doc", "session": "doc", "turn": "s",
}

// queryError is an unsupported part of a query. It is a diagnostic of SRU.
type queryError struct {
	diagnostic int
	what       string
}

func (e *queryError) Error() string { return e.what }

func syntaxError(format string, args ...any) error {
	return &queryError{badSyntax, fmt.Sprintf(format, args...)}
}

func unsupported(format string, args ...any) error {
	return &queryError{notSupported, fmt.Sprintf(format, args...)}
}

// quoted returns a value as a literal of CQL.
func quoted(value string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
}

// basic translates a query of FCS Basic Search (terms, phrases, and, or, parentheses of
// the Contextual Query Language) into CQL: words in any case, within a sentence.
// attr is the attribute of the words, sentence whether the corpus has sentences.
func basic(query, attr string, sentence bool) (string, error) {
	p := &basicParser{rest: query, attr: attr}
	out, err := p.or()
	if err != nil {
		return "", err
	}
	if t := p.next(); t.kind != end {
		return "", syntaxError("after %s: %q, wanted and, or, or the end", p.done(query), t.text)
	}
	if sentence && p.joined {
		out = "(" + out + ") within <s/>"
	}
	return out, nil
}

// basicParser reads a query of Basic Search.
type basicParser struct {
	rest   string
	attr   string // of the words
	ahead  *basicToken
	joined bool // an "and" was there
	depth  int
}

type tokenKind int

const (
	end tokenKind = iota
	term
	phrase
	symbol
)

type basicToken struct {
	kind tokenKind
	text string
}

// maxDepth bounds the nesting of parentheses.
const maxDepth = 20

// done returns the part of a query that was read, quoted.
func (p *basicParser) done(query string) string { return quoted(query[:len(query)-len(p.rest)]) }

// next reads a token.
func (p *basicParser) next() basicToken {
	if t := p.ahead; t != nil {
		p.ahead = nil
		return *t
	}
	p.rest = strings.TrimLeftFunc(p.rest, unicode.IsSpace)
	if p.rest == "" {
		return basicToken{}
	}
	switch c := p.rest[0]; c {
	case '(', ')', '=', '<', '>', '/':
		p.rest = p.rest[1:]
		return basicToken{symbol, string(c)}
	case '"':
		var b strings.Builder
		for i := 1; i < len(p.rest); i++ {
			switch c := p.rest[i]; {
			case c == '\\' && i+1 < len(p.rest):
				i++
				b.WriteByte(p.rest[i])
			case c == '"':
				p.rest = p.rest[i+1:]
				return basicToken{phrase, b.String()}
			default:
				b.WriteByte(c)
			}
		}
		text := p.rest
		p.rest = ""
		return basicToken{symbol, text} // no end: an error
	}
	n := strings.IndexFunc(p.rest, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`()=<>/"`, r) })
	if n < 0 {
		n = len(p.rest)
	}
	text := p.rest[:n]
	p.rest = p.rest[n:]
	return basicToken{term, text}
}

// operator reads the named boolean operator, and reports whether it came next.
func (p *basicParser) operator(name string) bool {
	t := p.next()
	if t.kind == term && strings.EqualFold(t.text, name) {
		return true
	}
	p.ahead = &t
	return false
}

func (p *basicParser) or() (string, error) {
	out, err := p.and()
	for err == nil && p.operator("or") {
		var right string
		if right, err = p.and(); err == nil {
			out = "(" + out + " | " + right + ")"
		}
	}
	return out, err
}

// and joins operands that may occur in either order, with at most 100 tokens between them,
// more than in most sentences.
func (p *basicParser) and() (string, error) {
	out, err := p.unit()
	for err == nil {
		for _, name := range []string{"not", "prox"} {
			if p.operator(name) {
				return "", unsupported("the operator %s", name)
			}
		}
		if !p.operator("and") {
			break
		}
		var right string
		if right, err = p.unit(); err == nil {
			out = "(" + out + " []{0,100} " + right + " | " + right + " []{0,100} " + out + ")"
			p.joined = true
		}
		if len(out) > maxTranslated {
			return "", &queryError{tooComplex, "the query is too large"}
		}
	}
	return out, err
}

// maxTranslated is the maximum size of a translated query in bytes. Each "and" doubles its
// operands.
const maxTranslated = 20_000

func (p *basicParser) unit() (string, error) {
	switch t := p.next(); {
	case t.kind == symbol && t.text == "(":
		if p.depth++; p.depth > maxDepth {
			return "", &queryError{tooComplex, "parentheses are nested too deep"}
		}
		out, err := p.or()
		if err != nil {
			return "", err
		}
		if t := p.next(); t.kind != symbol || t.text != ")" {
			return "", syntaxError("%q, wanted )", t.text)
		}
		p.depth--
		return "(" + out + ")", nil
	case t.kind == term && !slices.Contains([]string{"and", "or", "not", "prox"}, strings.ToLower(t.text)), t.kind == phrase && strings.TrimSpace(t.text) != "":
		if after := p.next(); after.kind == symbol && strings.ContainsAny(after.text[:1], "=<>/") {
			return "", &queryError{badIndex, "an index or relation: wanted only words"}
		} else {
			p.ahead = &after
		}
		return p.words(t.text), nil
	default:
		return "", syntaxError("%q, wanted a word or a phrase", t.text)
	}
}

// words returns the query for a word or a sequence of words.
func (p *basicParser) words(text string) string {
	var out []string
	for _, w := range strings.Fields(text) {
		out = append(out, "["+p.attr+"=="+quoted(w)+"%c]")
	}
	return strings.Join(out, " ")
}

// advanced translates a query of FCS-QL into CQL. Names of layers and units are names in the
// corpus; has reports whether the corpus has an attribute.
func advanced(query, defaultAttr string, has func(attr string) bool) (string, error) {
	var out strings.Builder
	inside := false // of brackets
	for rest := query; rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		switch {
		case r == '"' || r == '\'':
			value, after, err := literal(rest, byte(r))
			if err != nil {
				return "", err
			}
			flags, ignore := "", ""
			if strings.HasPrefix(after, "/") {
				n := 1
				for n < len(after) && (after[n] >= 'a' && after[n] <= 'z' || after[n] >= 'A' && after[n] <= 'Z') {
					n++
				}
				flags, after = after[1:n], after[n:]
			}
			switch flags {
			case "", "C":
			case "i", "c", "I":
				ignore = "%c"
			case "l":
				value = regexpLiteral(value)
			default:
				return "", unsupported("the flag /%s of a regular expression", flags)
			}
			out.WriteString(`"` + strings.ReplaceAll(value, `"`, `\"`) + `"` + ignore)
			rest = after
		case r == '[':
			inside = true
			out.WriteByte('[')
			rest = rest[1:]
		case r == ']':
			inside = false
			out.WriteByte(']')
			rest = rest[1:]
		case unicode.IsLetter(r):
			n := strings.IndexFunc(rest, func(r rune) bool {
				return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != ':' && r != '-'
			})
			if n < 0 {
				n = len(rest)
			}
			name := rest[:n]
			rest = rest[n:]
			if !inside && strings.EqualFold(name, "within") {
				unit := strings.TrimSpace(rest)
				s, ok := units[strings.ToLower(unit)]
				if !ok {
					return "", unsupported("within %q: wanted s, p or text", unit)
				}
				if strings.TrimSpace(out.String()) == "" {
					return "", syntaxError("within: no query before it")
				}
				return "(" + strings.TrimSpace(out.String()) + ") within <" + s + "/>", nil
			}
			if !inside {
				return "", syntaxError("%q: wanted a string, [ or within", name)
			}
			attr, err := layer(name, defaultAttr, has)
			if err != nil {
				return "", err
			}
			out.WriteString(attr)
		default:
			out.WriteString(rest[:size])
			rest = rest[size:]
		}
	}
	return out.String(), nil
}

// layer returns the attribute that a layer is in the corpus.
func layer(name, defaultAttr string, has func(attr string) bool) (string, error) {
	_, base, qualified := strings.Cut(name, ":")
	if !qualified {
		base = name
	}
	for _, attr := range layers[base] {
		if attr == "" {
			return defaultAttr, nil
		}
		if has(attr) {
			return attr, nil
		}
	}
	return "", unsupported("the layer %s", name)
}

// literal reads a quoted string. It keeps escapes, except of the quote.
func literal(s string, quote byte) (value, rest string, err error) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s):
			i++
			if s[i] != quote {
				b.WriteByte('\\')
			}
			b.WriteByte(s[i])
		case c == quote:
			return b.String(), s[i+1:], nil
		default:
			b.WriteByte(c)
		}
	}
	return "", "", syntaxError("unterminated string %.20q", s)
}

// regexpLiteral returns a regular expression that matches s itself.
func regexpLiteral(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune(`\.+*?()|[]{}^$`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
