package corpus

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/internal/lazyregexp"
	"chaffinch/internal/settings"
)

// maxRepair is the maximum length of a query in bytes for which a correction is tried.
const maxRepair = 4096

// repairPiece matches a part of a query: a value in quotes, also one without its end, a name, a word
// without quotes, or one other character.
var repairPiece = lazyregexp.New(`"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|%[A-Za-z]+|\{[\d,\s]*\}|[\p{L}\p{M}\p{N}_*?.-]+|\s+|(?s:.)`)

// operators are the words of the query language that need no quotes.
var operators = map[string]bool{"within": true, "containing": true, "meet": true, "union": true, "ws": true, "f": true}

// repair returns a query that compiles and resembles the invalid query q, or "" if there is none:
// misspelled names are corrected, and missing quotes and brackets added; otherwise the words of q
// are a simple query, if q has no conditions.
func (c *Corpus) repair(ctx context.Context, q string) string {
	if len(q) > maxRepair {
		return ""
	}
	try := strings.Map(straightQuote, q)
	for range 5 { // each round corrects one value or name, or the punctuation
		_, err := c.Pattern(ctx, try, PatternConfig{})
		if err == nil {
			return try
		}
		s := (*SyntaxError)(nil)
		if !errors.As(err, &s) {
			return ""
		}
		next := c.corrected(try, s)
		if next == try {
			next = c.balance(try)
		}
		if next == try {
			break
		}
		try = next
	}
	pieces := strings.FieldsFunc(q, func(r rune) bool { return strings.ContainsRune("\"'<>[]()}|%/ \t\r\n", r) })
	words := strings.Join(pieces, " ")
	if strings.ContainsAny(q, `=&{:\!~`) || slices.ContainsFunc(pieces, func(w string) bool { return operators[w] }) || !IsSimple(words) {
		return ""
	}
	if cql, err := c.simple(words); err == nil {
		if _, err = c.Pattern(ctx, cql, PatternConfig{}); err == nil && cql != "" {
			return words
		}
	}
	return ""
}

// straightQuote replaces the quotation marks of word processors.
func straightQuote(r rune) rune {
	switch r {
	case '“', '”', '„':
		return '"'
	case '‘', '’':
		return '\''
	}
	return r
}

// corrected returns q with a correction at the place of the error: the nearest name of an attribute or
// a structure, a word for a lemma in a corpus without lemmas, or a value of punctuation without its
// meaning as a regular expression.
func (c *Corpus) corrected(q string, s *SyntaxError) string {
	piece := repairPiece().FindString(q[s.Offset:])
	var names []string
	switch _, of, _ := strings.Cut(s.What, "structure "); {
	case strings.HasPrefix(s.What, "no attribute '"):
		names = c.Attrs()
	case strings.HasPrefix(s.What, "no structure '"):
		names = c.Structs()
	case strings.HasPrefix(s.What, "structure "):
		of, _, _ = strings.Cut(of, " ")
		if x, err := c.Struct(of); err == nil {
			names = x.Attrs()
		}
	case strings.HasPrefix(s.What, "error parsing regexp") && len(piece) > 1 && !strings.ContainsFunc(piece, func(r rune) bool { return r == '\\' || unicode.IsLetter(r) || unicode.IsDigit(r) }):
		return q[:s.Offset] + quoted(regexp.QuoteMeta(piece[1:len(piece)-1])) + q[s.Offset+len(piece):]
	}
	name := regexp.MustCompile(`^[\p{L}_][\p{L}\p{N}_-]*`).FindString(piece)
	near := settings.Nearest(name, names)
	if near == "" && name == "lemma" && len(names) > 0 {
		near = names[0]
	}
	if name == "" || near == "" {
		return q
	}
	return q[:s.Offset] + near + q[s.Offset+len(name):]
}

// balance adds quotes around words and brackets around names of structures, closes brackets, and writes
// && and AND as &.
func (c *Corpus) balance(q string) string {
	var b, open strings.Builder
	closing := map[byte]byte{'[': ']', '(': ')'}
	inside, value, tag := false, false, false // brackets; after an operator in brackets; a structure
	before := ""                              // the piece before, without spaces
	for _, p := range repairPiece().FindAllString(q, -1) {
		word, _ := utf8.DecodeRuneInString(p)
		switch {
		case p[0] == '"' || p[0] == '\'':
			if len(p) == 1 || p[len(p)-1] != p[0] {
				text := strings.TrimRight(p[1:], "])> ")
				p = p[:1] + text + p[:1]
			}
			value = false
		case (p == "&" || p == "|") && p == before:
			continue
		case p == "[":
			inside = true
			open.WriteByte(p[0])
		case p == "(":
			open.WriteByte(p[0])
		case p == "]" || p == ")":
			stack := open.String()
			if stack == "" || closing[stack[len(stack)-1]] != p[0] {
				continue
			}
			open.Reset()
			open.WriteString(stack[:len(stack)-1])
			inside = strings.Contains(open.String(), "[")
		case p == "<":
			tag = true
		case p == ">":
			tag = false
		case p == "=" && inside:
			value = true
		case strings.TrimSpace(p) != "" && (unicode.IsLetter(word) || unicode.IsDigit(word) || word == '*'):
			_, unknown := c.Struct(p)
			switch {
			case inside && value:
				p = quoted(wildcards(p))
				value = false
			case inside && (p == "AND" || p == "OR"):
				p = strings.NewReplacer("AND", "&", "OR", "|").Replace(p)
			case (before == "within" || before == "containing") && unknown == nil:
				p = "<" + p + "/>"
			case !inside && !tag && !operators[p]:
				p = quoted(wildcards(p)) + "%c"
			}
		}
		b.WriteString(p)
		if strings.TrimSpace(p) != "" {
			before = p
		}
	}
	if tag {
		b.WriteString(strings.TrimPrefix("/>", before))
	}
	stack := open.String()
	for i := len(stack) - 1; i >= 0; i-- {
		b.WriteByte(closing[stack[i]])
	}
	return b.String()
}
