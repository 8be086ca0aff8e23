package sketch

import (
	"slices"
	"strings"

	"chaffinch/internal/lazyregexp"
)

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
	if slices.Contains(open, word) {
		return "", failAt(m.line, "found the macro %s in its own definition", word)
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
			if strings.Contains(args[1], "$") && macroArg().MatchString(args[1]) {
				return failAt(line, "found %s in the macro %s, wanted a macro without arguments: expand the file with m4 first", macroArg().FindString(args[1]), name)
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
var macroArg = lazyregexp.New(`\$[0-9*@#]`)

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
