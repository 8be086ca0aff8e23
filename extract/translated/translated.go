// Package translated tells by marks in the elements of a page that its text is a machine
// translation, or that a plug-in on it offers some: the classes and attributes that
// translating programs leave, what a page says of itself, the scripts of plug-ins.
// [Default] returns the marks, [Marks.Find] looks for them in an element.
package translated

import (
	_ "embed"
	"fmt"
	"os"
	"strings"
	"sync"
	"unicode/utf8"
)

// Marks are rules by which elements are looked at. They are read-only.
type Marks struct{ of map[string][]mark }

// mark is a rule for an element.
type mark struct {
	attrs []attr
	name  string
}

// attr is an attribute that must be there, with a value that a pattern matches: parts with
// anything between them, in lower case.
type attr struct {
	name    string
	pattern []string
}

//go:embed marks.txt
var builtin string

// Default returns the embedded marks.
func Default() *Marks { return builtins() }

var builtins = sync.OnceValue(func() *Marks {
	m := &Marks{of: map[string][]mark{}}
	if err := m.add("marks.txt", builtin); err != nil {
		panic(err) // it is embedded and tested
	}
	return m
})

// maxBytes bounds a file of marks.
const maxBytes = 1 << 20

// Load returns the embedded marks and those of a file, whose format is that of
// docs/explanation/metadata.md.
func Load(name string) (*Marks, error) {
	m := &Marks{of: map[string][]mark{}}
	for element, list := range Default().of {
		m.of[element] = list[:len(list):len(list)]
	}
	st, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if st.Size() > maxBytes {
		return nil, fmt.Errorf("%s: more than %d MiB, wanted marks of machine translation, one a line", name, maxBytes>>20)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return m, m.add(name, string(b))
}

// add reads marks.
func (m *Marks) add(name, text string) error {
	n := 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		element, r, err := parse(line)
		if err != nil {
			return fmt.Errorf("%s: line %d: %w", name, n, err)
		}
		m.of[element] = append(m.of[element], r)
	}
	return nil
}

// parse reads a rule.
func parse(line string) (element string, m mark, err error) {
	rule, name, ok := strings.Cut(line, " : ")
	fields := strings.Fields(rule)
	if m.name = strings.TrimSpace(name); !ok || len(fields) < 2 || m.name == "" || strings.ContainsAny(m.name, ",\t") || !utf8.ValidString(line) {
		return "", m, fmt.Errorf("found %q, wanted an element, attributes, a colon between blanks and a name, as in html class=translated-ltr : Google Translate", line)
	}
	for _, f := range fields[1:] {
		key, pattern, ok := strings.Cut(strings.ToLower(f), "=")
		if !ok {
			pattern = "*"
		}
		a := attr{key, strings.Split(pattern, "*")}
		if key == "" || pattern == "" {
			return "", m, fmt.Errorf("found %q, wanted attribute=pattern or attribute", f)
		}
		m.attrs = append(m.attrs, a)
	}
	return strings.ToLower(fields[0]), m, nil
}

// Elements returns the names of the elements that have marks, in lower case.
func (m *Marks) Elements() (names []string) {
	for name := range m.of {
		names = append(names, name)
	}
	return names
}

// maxValue is how many bytes of a value are looked at.
const maxValue = 4096

// Find returns the name of the first mark of an element, named in lower case, "" for none.
// value returns the value of an attribute, named in lower case, and whether it is there.
func (m *Marks) Find(element string, value func(name string) (string, bool)) string {
	for _, r := range m.of[element] {
		if r.holds(value) {
			return r.name
		}
	}
	return ""
}

func (m *mark) holds(value func(string) (string, bool)) bool {
	for _, a := range m.attrs {
		v, ok := value(a.name)
		if !ok {
			return false
		}
		v = strings.ToLower(v[:min(len(v), maxValue)])
		if !matches(a.pattern, v) && (a.name != "class" || !anyWord(a.pattern, v)) {
			return false
		}
	}
	return true
}

func anyWord(pattern []string, value string) bool {
	for word := range strings.FieldsSeq(value) {
		if matches(pattern, word) {
			return true
		}
	}
	return false
}

// matches reports whether a value is the parts of a pattern, with anything between them.
func matches(parts []string, value string) bool {
	if len(parts) == 1 {
		return parts[0] == value
	}
	first, last := parts[0], parts[len(parts)-1]
	if len(value) < len(first)+len(last) || !strings.HasPrefix(value, first) || !strings.HasSuffix(value, last) {
		return false
	}
	value = value[len(first) : len(value)-len(last)]
	for _, p := range parts[1 : len(parts)-1] {
		_, rest, ok := strings.Cut(value, p)
		if !ok {
			return false
		}
		value = rest
	}
	return true
}

// What names begin with if they do not speak of the page's text as a whole.
const (
	pastedPrefix = "pasted"
	pluginPrefix = "plugin"
)

// Append adds the name of a mark to a list as records hold it, such as "Google Translate,
// plugin GTranslate". Each stands there once.
func Append(list, name string) string {
	switch {
	case list == "":
		return name
	case strings.Contains(", "+list+", ", ", "+name+", "):
		return list
	}
	return list + ", " + name
}

// Names are the marks of a page by what they say.
type Names struct {
	// Machine are those of a text that a program has translated.
	Machine []string
	// Pasted are those of passages that were copied out of such a text.
	Pasted []string
	// Plugins are those of programs by which the page offers translations.
	Plugins []string
}

// Parse sorts the marks of a list.
func Parse(list string) (n Names) {
	for name := range strings.SplitSeq(list, ",") {
		switch name = strings.TrimSpace(name); {
		case name == "":
		case strings.HasPrefix(name, pluginPrefix):
			n.Plugins = append(n.Plugins, name)
		case strings.HasPrefix(name, pastedPrefix):
			n.Pasted = append(n.Pasted, name)
		default:
			n.Machine = append(n.Machine, name)
		}
	}
	return n
}
