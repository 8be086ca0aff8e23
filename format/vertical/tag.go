package vertical

import (
	"bytes"
	"strings"
)

// Tag parses single lines that may be tags, for callers that keep the lines of a vertical
// unchanged.
type Tag struct {
	tag  tag
	line []byte
}

// Parse parses line, without its line end, and reports whether it is a tag. It does not
// change line. The results are valid until the next call.
func (t *Tag) Parse(line []byte) bool {
	t.line = append(t.line[:0], line...)
	return t.tag.parse(t.line, true)
}

// Kind returns the kind of the tag: [Open], [Close] or [Empty].
func (t *Tag) Kind() Kind { return t.tag.kind }

// Name returns the name of the structure.
func (t *Tag) Name() []byte { return t.tag.name }

// Attrs returns the attributes with decoded values.
func (t *Tag) Attrs() []Attr { return t.tag.attrs }

// tag is a parser of one line that may be a tag.
type tag struct {
	kind  Kind
	name  []byte
	attrs []Attr
	// problem describes the fault, or is ""; repair is its kind.
	problem string
	repair  Repair
}

// knownTags parses tags, and remembers the first ones: most tags of structures such as paragraphs are
// among a few.
type knownTags struct {
	tag    tag
	tags   map[string]*tag // by line
	misses int             // lines looked up in vain, less those found
}

const (
	// maxKnown is the maximum number of remembered tags, maxKnownLine the maximum length in bytes.
	maxKnown, maxKnownLine = 1 << 9, 1 << 8
	// maxMisses is the number of misses from which on tags are no longer looked up.
	maxMisses = 1 << 12
)

// parse returns the tag in a line without its end, nil if it is not a tag; see [tag.parse].
func (k *knownTags) parse(b []byte, decode bool) *tag {
	known := len(b) <= maxKnownLine && k.misses <= maxMisses
	if known {
		if t := k.tags[string(b)]; t != nil {
			k.misses = max(k.misses-1, 0)
			return t
		}
		k.misses++
	}
	if !known || len(k.tags) == maxKnown {
		if !k.tag.parse(b, decode) {
			return nil
		}
		return &k.tag
	}
	line, t := string(b), new(tag)
	if !t.parse(bytes.Clone(b), decode) {
		return nil
	}
	k.tags[line] = t
	return t
}

// parse parses b, a line without its end, as a tag and reports whether it is one. If decode
// is set, it decodes references in values in place.
func (t *tag) parse(b []byte, decode bool) bool {
	t.kind, t.name, t.attrs, t.problem = Open, nil, t.attrs[:0], ""
	for len(b) > 0 && (b[len(b)-1] == ' ' || b[len(b)-1] == '\t') {
		b = b[:len(b)-1]
	}
	if len(b) < 2 || b[0] != '<' {
		return false
	}
	i := 1
	if b[1] == '/' {
		t.kind = Close
		i = 2
	}
	start := i
	for i < len(b) && nameByte(b[i], i == start) {
		i++
	}
	if i == start || i == len(b) {
		return false
	}
	t.name = b[start:i]
	end := len(b)
	closed := b[end-1] == '>'
	if closed {
		end--
	} else if t.kind == Close || b[i] != ' ' || !bytes.Contains(b[i:], []byte(`="`)) {
		return false // <3, <br and so on are words
	}
	if closed && t.kind == Open && end > i && b[end-1] == '/' {
		t.kind = Empty
		end--
	}
	rest := b[i:end]
	if len(rest) > 0 && rest[0] != ' ' {
		return false
	}
	if t.kind == Close {
		return len(bytes.TrimLeft(rest, " ")) == 0
	}
	if bytes.IndexByte(rest, '\t') >= 0 {
		return false // a token that begins like a tag, and its columns
	}
	t.attributes(rest, decode)
	if !closed {
		t.wrong(NoEnd, "<"+string(t.name)+"> without > at its end")
	}
	return true
}

func nameByte(c byte, first bool) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || !first && (c >= '0' && c <= '9' || c == '.' || c == '-' || c == ':')
}

// wrong records the first problem.
func (t *tag) wrong(r Repair, what string) {
	if t.problem == "" {
		t.repair, t.problem = r, what
	}
}

// attributes parses the attributes in b.
func (t *tag) attributes(b []byte, decode bool) {
	for {
		b = bytes.TrimLeft(b, " ")
		if len(b) == 0 {
			return
		}
		i := 0
		for i < len(b) && nameByte(b[i], false) {
			i++
		}
		name := b[:i]
		rest := bytes.TrimLeft(b[i:], " ")
		if i == 0 || len(rest) == 0 || rest[0] != '=' {
			if i == 0 { // not a name: skip to the next blank
				if i = bytes.IndexByte(b, ' '); i < 0 {
					i = len(b)
				}
			}
			t.wrong(Attribute, "attribute without name or value at "+quote(b[:i]))
			if len(name) > 0 {
				t.add(name, nil)
			}
			b = b[i:]
			continue
		}
		var value []byte
		value, b = t.value(bytes.TrimLeft(rest[1:], " "), name)
		if decode {
			value = unescape(value)
		}
		t.add(name, value)
	}
}

func (t *tag) add(name, value []byte) {
	for i := range t.attrs {
		if bytes.Equal(t.attrs[i].Name, name) {
			t.wrong(Attribute, "attribute "+string(name)+" occurs twice: the first one counts")
			return
		}
	}
	t.attrs = append(t.attrs, Attr{name, value})
}

// value parses the value at the beginning of b and returns the bytes after it.
func (t *tag) value(b, name []byte) (value, rest []byte) {
	if len(b) == 0 {
		t.wrong(Attribute, "attribute "+string(name)+" without value")
		return nil, b
	}
	q := b[0]
	if q != '"' && q != '\'' {
		if v, rest, ok := curly(b); ok {
			t.wrong(Quotes, "typographic quotes around "+string(name)+": write \"")
			return v, rest
		}
		i := 0
		literal := true // of letters, digits and _, which Manatee reads without quotes
		for ; i < len(b) && b[i] != ' '; i++ {
			literal = literal && nameByte(b[i], false) && b[i] != '.' && b[i] != '-' && b[i] != ':'
		}
		if !literal {
			t.wrong(Quotes, "no quotes around the value of "+string(name))
		}
		return b[:i], b[i:]
	}
	b = b[1:]
	escaped := false
	for i := 0; i < len(b); i++ {
		switch {
		case b[i] == '\\' && i+1 < len(b) && (b[i+1] == q || b[i+1] == '\\'):
			if b[i+1] == q && i+2 == len(b) { // "C:\" ends here, regardless of Manatee's interpretation
				t.wrong(Quotes, "the value of "+string(name)+" ends in a backslash")
				return b[:i+1], nil
			}
			escaped = true
			i++
		case b[i] == q:
			if i+1 < len(b) && b[i+1] == '>' && bytes.IndexByte(b[i+1:], q) < 0 {
				t.wrong(Attribute, "text after the end of the tag, left out: each tag needs a separate line")
				return b[:i], nil
			}
			if i+1 < len(b) && b[i+1] != ' ' {
				return t.odd(b, name, q)
			}
			if i+1 < len(b) && bytes.IndexByte(b[i+1:], q) >= 0 && !nextAttr(b[i+1:]) {
				return t.odd(b, name, q)
			}
			if escaped {
				return backslashes(b[:i], q), b[i+1:]
			}
			return b[:i], b[i+1:]
		}
	}
	t.wrong(Quotes, "no quote after the value of "+string(name))
	return b, nil
}

// odd finds the end of a value that contains quotes: the first quote before another
// attribute or the end.
func (t *tag) odd(b, name []byte, q byte) (value, rest []byte) {
	t.wrong(Quotes, "quotes inside the value of "+string(name)+": write them as &quot;")
	for i := range b {
		if b[i] == q && (len(bytes.TrimLeft(b[i+1:], " ")) == 0 || b[i+1] == ' ' && nextAttr(b[i+1:])) {
			return b[:i], b[i+1:]
		}
	}
	return bytes.TrimRight(b, " "), nil
}

// nextAttr reports whether b continues with an attribute or ends.
func nextAttr(b []byte) bool {
	b = bytes.TrimLeft(b, " ")
	i := 0
	for i < len(b) && nameByte(b[i], false) {
		i++
	}
	b2 := bytes.TrimLeft(b[i:], " ")
	return len(b) == 0 || i > 0 && len(b2) > 0 && b2[0] == '='
}

// curly parses a value in typographic quotes and reports whether there is one.
func curly(b []byte) (value, rest []byte, ok bool) {
	for _, q := range []string{"“", "”", "„", "’", "‘"} {
		if bytes.HasPrefix(b, []byte(q)) {
			v := b[len(q):]
			if i := bytes.IndexAny(v, "“”’‘"); i >= 0 {
				return v[:i], v[i+len(q):], true
			}
		}
	}
	return nil, nil, false
}

// backslashes decodes the escapes of Manatee in place.
func backslashes(b []byte, q byte) []byte {
	out := b[:0]
	for i := 0; i < len(b); i++ {
		if b[i] == '\\' && i+1 < len(b) && (b[i+1] == q || b[i+1] == '\\') {
			i++
		}
		out = append(out, b[i])
	}
	return out
}

// quote returns the beginning of b in quotes.
func quote(b []byte) string {
	s := string(b)
	if len(s) > 40 {
		s = strings.ToValidUTF8(s[:40], "") + "…"
	}
	return `"` + s + `"`
}
