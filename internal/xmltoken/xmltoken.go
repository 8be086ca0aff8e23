// Package xmltoken splits XML into tokens. It accepts damaged XML: start and end tags are always
// balanced, unknown entities are text, and the end of the input closes all elements. Nothing
// outside the input is read, and entities of a document type are not expanded.
package xmltoken

import (
	"html"
	"strings"
)

// Kind is the kind of a token.
type Kind uint8

// The kinds of tokens.
const (
	EOF Kind = iota
	Start
	End
	Text
)

// Attr is an attribute. Its value is unescaped.
type Attr struct{ Name, Value string }

// Config configures a [Reader].
type Config struct {
	// Prefixes maps the namespaces of elements to prefixes of names. Names in other namespaces
	// keep the prefix of the input.
	Prefixes map[string]string
	// MaxDepth is the most elements that are open at once. Deeper tags are ignored, and their text
	// belongs to the last open element. Default: 256.
	MaxDepth int
	// HTML reads the XML of HTML: elements such as br need no end tag, scripts and styles have
	// no content, and names are in lower case.
	HTML bool
}

// Reader reads tokens. The fields describe the current token.
type Reader struct {
	// Kind is the kind of the token, EOF before the first call of [Reader.Next] and after the last.
	Kind Kind
	// Name is the name of the element of a Start or End token, with prefix.
	Name string
	// Attrs are the attributes of a Start token. They are valid until the next call of Next.
	Attrs []Attr
	// Text is the unescaped text of a Text token.
	Text string
	// Deep reports whether tags were ignored because of MaxDepth.
	Deep bool

	cfg   Config
	s     string
	pos   int
	open  []element
	ends  int               // elements to close before the next token
	space map[string]string // prefixes of the input to prefixes of names, if different
	names map[string]string // names of the input to names
	noEnd map[string]bool   // names of the input without an end tag in the rest
}

// element is an open element with the namespaces that its start tag replaced.
type element struct {
	name string
	old  []Attr
}

// New returns a reader of the XML in s.
func New(s string, cfg Config) *Reader {
	if cfg.MaxDepth <= 0 {
		cfg.MaxDepth = 256
	}
	return &Reader{cfg: cfg, s: s, space: map[string]string{}, names: map[string]string{}, noEnd: map[string]bool{}}
}

// Depth returns the number of open elements, including the element of a Start token and excluding
// the element of an End token.
func (r *Reader) Depth() int { return len(r.open) }

// Attr returns the value of an attribute of a Start token, "" if it has none of this name.
func (r *Reader) Attr(name string) string {
	for i := range r.Attrs {
		if r.Attrs[i].Name == name {
			return r.Attrs[i].Value
		}
	}
	return ""
}

// Skip reads to the end of the element whose Start token is current.
func (r *Reader) Skip() {
	if r.Kind != Start {
		return
	}
	for depth := len(r.open); len(r.open) >= depth && r.Next(); {
	}
}

// Next reads the next token and reports whether there is one.
func (r *Reader) Next() bool {
	if r.ends > 0 {
		r.ends--
		return r.pop()
	}
	for r.pos < len(r.s) {
		if r.s[r.pos] != '<' {
			n := strings.IndexByte(r.s[r.pos:], '<')
			if n < 0 {
				n = len(r.s) - r.pos
			}
			return r.text(r.pos+n, true)
		}
		rest := r.s[r.pos+1:]
		switch {
		case strings.HasPrefix(rest, "!--"):
			r.after(4, "-->")
		case strings.HasPrefix(rest, "![CDATA["):
			r.pos += 9
			n := strings.Index(r.s[r.pos:], "]]>")
			end := r.pos + n + 3
			if n < 0 {
				n, end = len(r.s)-r.pos, len(r.s)
			}
			r.text(r.pos+n, false)
			r.pos = end
			return true
		case strings.HasPrefix(rest, "!"):
			r.docType()
		case strings.HasPrefix(rest, "?"):
			r.after(2, ">")
		case strings.HasPrefix(rest, "/"):
			if r.endTag() {
				return true
			}
		case rest != "" && isName(rest[0]):
			if r.startTag() {
				return true
			}
		default: // a "<" that is not part of a tag
			n := strings.IndexByte(rest, '<')
			if n < 0 {
				n = len(rest)
			}
			return r.text(r.pos+1+n, true)
		}
	}
	if len(r.open) > 0 {
		return r.pop()
	}
	r.Kind, r.Attrs = EOF, nil
	return false
}

func isName(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= 0x80
}

// text reads a Text token that ends at end. It reports whether there is a token: always.
func (r *Reader) text(end int, escaped bool) bool {
	r.Kind, r.Attrs, r.Text = Text, nil, r.s[r.pos:end]
	if escaped && strings.IndexByte(r.Text, '&') >= 0 {
		r.Text = html.UnescapeString(r.Text)
	}
	if strings.IndexByte(r.Text, '\r') >= 0 {
		r.Text = strings.ReplaceAll(strings.ReplaceAll(r.Text, "\r\n", "\n"), "\r", "\n")
	}
	r.pos = end
	return true
}

// after moves after the next occurrence of mark, from offset n of the current position.
func (r *Reader) after(n int, mark string) {
	from := min(r.pos+n, len(r.s))
	if i := strings.Index(r.s[from:], mark); i >= 0 {
		r.pos = from + i + len(mark)
	} else {
		r.pos = len(r.s)
	}
}

// docType skips a declaration with its internal subset.
func (r *Reader) docType() {
	i := strings.IndexAny(r.s[r.pos:], "[>")
	if i >= 0 && r.s[r.pos+i] == '[' {
		r.pos += i
		r.after(0, "]")
	}
	r.after(0, ">")
}

// endTag reads an end tag and reports whether it closes an element. It closes the elements within
// its element, too.
func (r *Reader) endTag() bool {
	end := strings.IndexByte(r.s[r.pos:], '>')
	if end < 0 {
		r.pos = len(r.s)
		return false
	}
	raw := strings.TrimRight(r.s[r.pos+2:r.pos+end], " \t\r\n")
	r.pos += end + 1
	name := r.name(raw)
	for i := len(r.open) - 1; i >= 0; i-- {
		if r.open[i].name == name {
			r.ends = len(r.open) - 1 - i
			return r.pop()
		}
	}
	return false
}

// pop closes the last element. It reports whether there is a token: always.
func (r *Reader) pop() bool {
	e := &r.open[len(r.open)-1]
	r.Kind, r.Attrs, r.Name = End, nil, e.name
	for i := len(e.old) - 1; i >= 0; i-- {
		r.bind(e.old[i].Name, e.old[i].Value)
	}
	r.open = r.open[:len(r.open)-1]
	return true
}

// bind replaces a prefix of the input by another in names, and returns the previous one.
func (r *Reader) bind(prefix, to string) string {
	old, ok := r.space[prefix]
	if !ok {
		old = prefix
	}
	if old != to {
		r.space[prefix] = to
		clear(r.names)
	}
	return old
}

// name returns the name of an element or attribute of the input.
func (r *Reader) name(raw string) string {
	if name, ok := r.names[raw]; ok {
		return name
	}
	name := raw
	if r.cfg.HTML {
		name = strings.ToLower(name)
	}
	prefix, local, ok := strings.Cut(name, ":")
	if !ok {
		prefix, local = "", name
	}
	if to, ok := r.space[prefix]; ok {
		prefix = to
	}
	if name = local; prefix != "" {
		name = prefix + ":" + local
	}
	if len(r.names) < 4096 {
		r.names[raw] = name
	}
	return name
}

// startTag reads a start tag and reports whether it opens an element.
func (r *Reader) startTag() bool {
	i := r.pos + 1
	for i < len(r.s) && !endsName(r.s[i]) {
		i++
	}
	raw := r.s[r.pos+1 : i]
	r.Attrs = r.Attrs[:0]
	closed := false
	var old []Attr
	for i < len(r.s) && r.s[i] != '>' && r.s[i] != '<' {
		switch c := r.s[i]; {
		case c == '/':
			closed = true
			i++
		case c <= ' ' || c == '=' || c == '"' || c == '\'':
			i++
		default:
			closed = false
			i = r.attr(i)
		}
	}
	if i < len(r.s) && r.s[i] == '>' { // otherwise the tag has no end
		i++
	}
	r.pos = i
	for j := range r.Attrs {
		a := &r.Attrs[j]
		prefix, ok := strings.CutPrefix(a.Name, "xmlns:")
		if !ok && a.Name != "xmlns" {
			continue
		}
		if !ok {
			prefix = ""
		}
		to, known := r.cfg.Prefixes[a.Value]
		if !known {
			to = prefix
		}
		if was := r.bind(prefix, to); was != to {
			old = append(old, Attr{prefix, was})
		}
	}
	for j := range r.Attrs {
		if a := &r.Attrs[j]; strings.IndexByte(a.Name, ':') > 0 || r.cfg.HTML { // others have no namespace
			a.Name = r.name(a.Name)
		}
	}
	name := r.name(raw)
	if len(r.open) >= r.cfg.MaxDepth {
		r.Deep = true
		for j := len(old) - 1; j >= 0; j-- {
			r.bind(old[j].Name, old[j].Value)
		}
		return false
	}
	r.Kind, r.Name = Start, name
	r.open = append(r.open, element{name, old})
	if closed || r.cfg.HTML && void[name] {
		r.ends = 1
	} else if r.cfg.HTML && (name == "script" || name == "style") && !r.noEnd[raw] {
		if n := strings.Index(r.s[r.pos:], "</"+raw); n >= 0 {
			r.pos += n
		} else {
			r.noEnd[raw] = true
		}
	}
	return true
}

// void contains the elements of HTML without content.
var void = map[string]bool{"area": true, "base": true, "br": true, "col": true, "embed": true, "hr": true, "img": true, "input": true, "link": true,
	"meta": true, "source": true, "track": true, "wbr": true}

func endsName(c byte) bool { return c <= ' ' || c == '>' || c == '/' || c == '=' || c == '<' }

// attr reads an attribute at i and returns the position after it.
func (r *Reader) attr(i int) int {
	from := i
	for i < len(r.s) && !endsName(r.s[i]) {
		i++
	}
	name := r.s[from:i]
	for i < len(r.s) && r.s[i] <= ' ' {
		i++
	}
	if i >= len(r.s) || r.s[i] != '=' {
		r.Attrs = append(r.Attrs, Attr{Name: name})
		return i
	}
	i++
	for i < len(r.s) && r.s[i] <= ' ' {
		i++
	}
	value := ""
	if i < len(r.s) && (r.s[i] == '"' || r.s[i] == '\'') {
		n := strings.IndexByte(r.s[i+1:], r.s[i])
		if n < 0 {
			return len(r.s)
		}
		value = r.s[i+1 : i+1+n]
		i += n + 2
	} else {
		from = i
		for i < len(r.s) && r.s[i] > ' ' && r.s[i] != '>' {
			i++
		}
		value = r.s[from:i]
	}
	if strings.IndexByte(value, '&') >= 0 {
		value = html.UnescapeString(value)
	}
	if len(r.Attrs) < maxAttrs {
		r.Attrs = append(r.Attrs, Attr{name, value})
	}
	return i
}

// maxAttrs is the most attributes of an element that are read.
const maxAttrs = 256
