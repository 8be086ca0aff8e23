package corpus

import (
	"context"
	"errors"
	"regexp"
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
// missing quotes and brackets are added and misspelled attributes corrected; otherwise the words
// of q are a simple query.
func (c *Corpus) repair(ctx context.Context, q string, err error) string {
	s := (*SyntaxError)(nil)
	if !errors.As(err, &s) || len(q) > maxRepair {
		return ""
	}
	try := balance(c.rename(q, s))
	for range 4 { // each round corrects one attribute
		if _, err = c.Pattern(ctx, try, PatternConfig{}); err == nil {
			return try
		}
		if !errors.As(err, &s) {
			return ""
		}
		next := c.rename(try, s)
		if next == try {
			break
		}
		try = next
	}
	words := strings.Join(strings.FieldsFunc(q, func(r rune) bool { return strings.ContainsRune("\"'<>[](){}&|!=%\\/ \t\r\n", r) }), " ")
	if !IsSimple(words) {
		return ""
	}
	if cql, err := c.simple(words); err == nil {
		if _, err = c.Pattern(ctx, cql, PatternConfig{}); err == nil && cql != "" {
			return words
		}
	}
	return ""
}

// rename replaces the attribute at the place of the error by the attribute with the nearest name,
// and a lemma in a corpus without lemmas by the word.
func (c *Corpus) rename(q string, s *SyntaxError) string {
	if s.Query != q || !strings.HasPrefix(s.What, "no attribute '") {
		return q
	}
	name := regexp.MustCompile(`^[\p{L}_][\p{L}\p{N}_-]*`).FindString(q[s.Offset:])
	near := settings.Nearest(name, c.Attrs())
	if near == "" && name == "lemma" && len(c.Attrs()) > 0 {
		near = c.Attrs()[0]
	}
	if name == "" || near == "" {
		return q
	}
	return q[:s.Offset] + near + q[s.Offset+len(name):]
}

// balance adds quotes around words and closes brackets.
func balance(q string) string {
	var b, open strings.Builder
	closing := map[byte]byte{'[': ']', '(': ')'}
	inside, value, tag := false, false, false // brackets; after an operator in brackets; a structure
	for _, p := range repairPiece().FindAllString(q, -1) {
		word, _ := utf8.DecodeRuneInString(p)
		switch {
		case p[0] == '"' || p[0] == '\'':
			if len(p) == 1 || p[len(p)-1] != p[0] {
				text := strings.TrimRight(p[1:], "])> ")
				p = p[:1] + text + p[:1]
			}
			value = false
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
			switch {
			case inside && value:
				p = quoted(wildcards(p))
				value = false
			case !inside && !tag && !operators[p]:
				p = quoted(wildcards(p)) + "%c"
			}
		}
		b.WriteString(p)
	}
	stack := open.String()
	for i := len(stack) - 1; i >= 0; i-- {
		b.WriteByte(closing[stack[i]])
	}
	return b.String()
}
