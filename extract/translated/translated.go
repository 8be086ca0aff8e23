// Package translated detects pages whose text is a machine translation, or that offer one, by marks
// in their elements: classes and attributes of translation programs, the page's own metadata,
// scripts of plug-ins. [Default] returns the marks; [Rules.Find] searches an element for them.
package translated

import (
	_ "embed"
	"fmt"
	"os"
	"strings"
	"sync"
	"unicode/utf8"
)

// Marks holds rules for elements. It is read-only.
type Marks struct{ byElement map[string]*Rules }

// mark is a rule for an element.
type mark struct {
	attrs []attr
	name  string
}

// attr is a required attribute. Its value must match a pattern: parts with anything between them,
// in lower case.
type attr struct {
	name    string
	pattern []string
}

//go:embed marks.txt
var embeddedText string

// Default returns the embedded marks.
func Default() *Marks { return embedded() }

var embedded = sync.OnceValue(func() *Marks {
	m := &Marks{byElement: map[string]*Rules{}}
	if err := m.add("marks.txt", embeddedText); err != nil {
		panic(err) // embedded and tested
	}
	return m
})

// maxBytes is the most bytes of a file of marks.
const maxBytes = 1 << 20

// Load returns the embedded marks and those in a file. The format of the file is described in
// docs/explanation/metadata.md.
func Load(name string) (*Marks, error) {
	m := &Marks{byElement: map[string]*Rules{}}
	for element, r := range Default().byElement {
		for _, k := range r.marks {
			m.addMark(element, k)
		}
	}
	st, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if st.Size() > maxBytes {
		return nil, fmt.Errorf("%s: larger than %d MiB, wanted marks of machine translation, one per line", name, maxBytes>>20)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return m, m.add(name, string(b))
}

// add adds the marks in text. name is the file in errors.
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
		m.addMark(element, r)
	}
	return nil
}

func (m *Marks) addMark(element string, k mark) {
	r := m.byElement[element]
	if r == nil {
		r = new(Rules)
		m.byElement[element] = r
	}
	r.add(k)
}

// parse parses a rule.
func parse(line string) (element string, m mark, err error) {
	rule, name, ok := strings.Cut(line, " : ")
	fields := strings.Fields(rule)
	if m.name = strings.TrimSpace(name); !ok || len(fields) < 2 || m.name == "" || strings.ContainsAny(m.name, ",\t") || !utf8.ValidString(line) {
		return "", m, fmt.Errorf("found %q, wanted an element, attributes, a colon between spaces and a name, as in html class=translated-ltr : Google Translate", line)
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
	for name := range m.byElement {
		names = append(names, name)
	}
	return names
}

// maxValue is the most bytes of a value that are read.
const maxValue = 4096

// Of returns the marks of the element with a name in lower case, nil for none.
func (m *Marks) Of(element string) *Rules { return m.byElement[element] }

// Find returns the name of the first mark that matches an element, "" for none. value returns the
// value of an attribute, named in lower case, and whether the element has it.
func (r *Rules) Find(value func(name string) (string, bool)) string {
	if r == nil || !r.mayHold(value) {
		return ""
	}
	l := lowered{value: value}
	for i := range r.marks {
		if k := &r.marks[i]; k.holds(&l) {
			return k.name
		}
	}
	return ""
}

// lowered returns values of attributes in lower case. It caches the last value, because several
// rules for an element name the same attribute.
type lowered struct {
	value func(name string) (string, bool)
	name  string
	text  string
	ok    bool
}

func (l *lowered) attr(name string) (string, bool) {
	if l.name != name {
		l.name = name
		l.text, l.ok = l.value(name)
		l.text = strings.ToLower(l.text[:min(len(l.text), maxValue)])
	}
	return l.text, l.ok
}

func (m *mark) holds(l *lowered) bool {
	for _, a := range m.attrs {
		v, ok := l.attr(a.name)
		if !ok {
			return false
		}
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

// matches reports whether value consists of the parts of a pattern, with anything between them.
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

// Prefixes of names that do not refer to the whole text of the page.
const (
	pastedPrefix = "pasted"
	pluginPrefix = "plugin"
)

// Append adds a name to a list of names in the format of records, such as "Google Translate, plugin
// GTranslate". Names already in the list are not added.
func Append(list, name string) string {
	switch {
	case list == "":
		return name
	case strings.Contains(", "+list+", ", ", "+name+", "):
		return list
	}
	return list + ", " + name
}

// Names holds the marks of a page by kind.
type Names struct {
	// Machine holds the marks of texts translated by a program.
	Machine []string
	// Pasted holds the marks of passages copied from such texts.
	Pasted []string
	// Plugins holds the marks of plug-ins that offer translations.
	Plugins []string
}

// Parse splits a list of names by kind.
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
