package corpus

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// SyntaxError reports the place of a syntax error in a query.
type SyntaxError struct {
	Query  string
	Offset int    // in bytes
	What   string // found and expected text
	Try    string // similar query without the error; "" if there is none
}

// Column returns the place in characters, from 1.
func (e *SyntaxError) Column() int { return utf8.RuneCountInString(e.Query[:e.Offset]) + 1 }

// Error returns a message with the query and a caret below the place.
func (e *SyntaxError) Error() string {
	blank := func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}
	at := width(strings.Map(blank, e.Query[:e.Offset]))
	text := fmt.Sprintf("query, column %d: %s\n  %s\n  %s^", e.Column(), e.What, strings.Map(blank, e.Query), strings.Repeat(" ", at))
	if e.Try != "" {
		text += "\nA similar query that works:\n  " + strings.Map(blank, e.Try)
	}
	return text
}

type lexKind int

const (
	lexEnd lexKind = iota
	lexName
	lexNumber
	lexString
	lexFlags // % and letters: comparison flags of the preceding string
	lexMark  // punctuation, given by text
)

type lexeme struct {
	kind lexKind
	text string // of a string: without quotes
	at   int
}

func (l lexeme) String() string {
	switch l.kind {
	case lexEnd:
		return "the end"
	case lexString:
		return `"` + l.text + `"`
	}
	return "'" + l.text + "'"
}

// marks lists the punctuation marks of more than one character, longest first.
var marks = []string{"!==", "!=", "==", "<=", ">=", "</", "/>", "::"}

// lex splits a query into lexemes. The last one is lexEnd.
func lex(q string) ([]lexeme, error) {
	var out []lexeme
	for i := 0; i < len(q); {
		r, n := utf8.DecodeRuneInString(q[i:])
		at := i
		switch {
		case r == utf8.RuneError && n == 1:
			return nil, &SyntaxError{Query: q, Offset: i, What: fmt.Sprintf("found the byte %#02x, wanted UTF-8", q[i])}
		case unicode.IsSpace(r):
			i += n
		case r == '"' || r == '\'':
			s, end, ok := lexQuoted(q, i+1, byte(r))
			if !ok {
				return nil, &SyntaxError{Query: q, Offset: i, What: fmt.Sprintf("the string that begins here has no %c at its end", r)}
			}
			out = append(out, lexeme{lexString, s, at})
			i = end
		case unicode.IsDigit(r) || r == '-' && i+1 < len(q) && '0' <= q[i+1] && q[i+1] <= '9':
			for i += n; i < len(q) && '0' <= q[i] && q[i] <= '9'; i++ {
			}
			out = append(out, lexeme{lexNumber, q[at:i], at})
		case r == '_' || unicode.IsLetter(r):
			for i < len(q) {
				r, n := utf8.DecodeRuneInString(q[i:])
				if r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
					break
				}
				i += n
			}
			out = append(out, lexeme{lexName, q[at:i], at})
		case r == '%':
			for i += n; i < len(q) && ('a' <= q[i] && q[i] <= 'z' || 'A' <= q[i] && q[i] <= 'Z'); i++ {
			}
			out = append(out, lexeme{lexFlags, q[at:i], at})
		default:
			mark := string(r)
			for _, m := range marks {
				if strings.HasPrefix(q[i:], m) {
					mark = m
					break
				}
			}
			if !strings.Contains(`[](){}<>/!&|?*+,:.=`, mark[:1]) {
				return nil, &SyntaxError{Query: q, Offset: i, What: fmt.Sprintf("found '%s', which has no meaning outside of quotes", mark)}
			}
			out = append(out, lexeme{lexMark, mark, at})
			i += len(mark)
		}
	}
	return append(out, lexeme{kind: lexEnd, at: len(q)}), nil
}

// lexQuoted reads up to the closing quote. A backslash before that quote is
// removed. Other backslashes are kept for the regular expression.
func lexQuoted(q string, i int, quote byte) (s string, end int, ok bool) {
	var b strings.Builder
	for ; i < len(q); i++ {
		switch {
		case q[i] == quote:
			return b.String(), i + 1, true
		case q[i] == '\\' && i+1 < len(q) && q[i+1] == quote:
			b.WriteByte(quote)
			i++
		case q[i] == '\\' && i+1 < len(q):
			b.WriteString(q[i : i+2])
			i++
		default:
			b.WriteByte(q[i])
		}
	}
	return "", i, false
}
