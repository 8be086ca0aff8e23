package metadata

import (
	"html"
	"strings"
	"unicode/utf8"
)

// value is a JSON value: a string, a list or an object. Numbers and the words true and false are
// strings.
type value struct {
	text    string
	items   []value  // names of an object's members; nil otherwise
	members []string // the names of an object's members; nil otherwise
	object  bool
}

// get returns the member with this name; nil if there is none.
func (v *value) get(name string) *value {
	if v == nil {
		return nil
	}
	for i, m := range v.members {
		if m == name {
			return &v.items[i]
		}
	}
	return nil
}

// each calls fn for v, or for each item if v is a list.
func (v *value) each(fn func(*value)) {
	if v == nil {
		return
	}
	if v.object || v.items == nil {
		fn(v)
		return
	}
	for i := range v.items {
		v.items[i].each(fn)
	}
}

// Limits of a JSON-LD script.
const (
	maxJSONDepth  = 24
	maxJSONValues = 4000
	maxJSONText   = 4096 // bytes of a string, except for longMember
)

// readMembers holds the members of schema.org objects that are read; all others are skipped.
var readMembers = map[string]bool{
	"@graph": true, "@type": true, "@id": true, "name": true, "headline": true, "author": true, "creator": true, "givenName": true, "familyName": true,
	"datePublished": true, "dateCreated": true, "uploadDate": true, "datePosted": true, "dateModified": true, "publisher": true, "description": true, "keywords": true,
	"articleSection": true, "image": true, "thumbnailUrl": true, "url": true, "license": true, "inLanguage": true, "mainEntity": true, "mainEntityOfPage": true,
	"@value": true, "contentUrl": true, "alternateName": true, "alternativeHeadline": true, longMember: true,
}

// longMember is the member that holds the full text.
const longMember = "articleBody"

// parser reads the JSON of real pages: with comments and CDATA marks around it, missing or
// extra commas, line breaks and quotes in strings, several objects in sequence, or truncated. It
// skips invalid input and never fails.
type parser struct {
	src     string
	pos     int
	values  int  // number of values read
	maxText int  // most bytes of a string; the rest is cut
	last    bool // no later quote surely ends a string
}

// parseJSON returns the sequence of values in src.
func parseJSON(src string) []value {
	if !strings.Contains(src, `"`) && strings.Contains(src, "&quot;") {
		src = html.UnescapeString(src)
	}
	p := &parser{src: src, maxText: maxJSONText}
	var out []value
	for p.pos < len(src) && p.values < maxJSONValues {
		switch c := p.space(); {
		case c == '{', c == '[':
			if v, ok := p.value(0); ok {
				out = append(out, v)
			}
		case strings.HasPrefix(src[p.pos:], cdata):
			p.pos += len(cdata)
		default:
			p.pos++
		}
	}
	return out
}

const cdata = "<![CDATA["

// space moves to the next byte that is neither white space nor part of a comment, and returns it; 0
// at the end.
func (p *parser) space() byte {
	for p.pos < len(p.src) {
		switch c := p.src[p.pos]; {
		case c <= ' ':
			p.pos++
		case c == '/' && strings.HasPrefix(p.src[p.pos:], "/*"):
			p.skipPast("*/")
		case c == '/' && strings.HasPrefix(p.src[p.pos:], "//"):
			// To the end of the line, unless the script is a single line.
			if i := strings.IndexByte(p.src[p.pos:min(len(p.src), p.pos+200)], '\n'); i >= 0 {
				p.pos += i
			} else {
				p.pos += 2
			}
		case c == 0xC2 && strings.HasPrefix(p.src[p.pos:], "\u00a0"), c == 0xEF && strings.HasPrefix(p.src[p.pos:], "\ufeff"):
			_, n := utf8.DecodeRuneInString(p.src[p.pos:])
			p.pos += n
		default:
			return c
		}
	}
	return 0
}

// skipPast moves to the byte after the next mark, or to the end.
func (p *parser) skipPast(mark string) {
	if i := strings.Index(p.src[p.pos:], mark); i >= 0 {
		p.pos += i + len(mark)
		return
	}
	p.pos = len(p.src)
}

// value reads a value. It returns false if a limit is exceeded or the source ends.
func (p *parser) value(depth int) (v value, ok bool) {
	p.values++
	if p.values > maxJSONValues {
		p.pos = len(p.src)
		return v, false
	}
	switch p.space() {
	case '{', '[':
		if depth >= maxJSONDepth {
			p.skip()
			return v, false
		}
		if p.src[p.pos] == '{' {
			p.object(&v, depth)
		} else {
			p.list(&v, depth)
		}
	case '"':
		v.text = p.str()
	case 0:
		return v, false
	default:
		from := p.pos
		for p.pos < len(p.src) && strings.IndexByte(",]}\n", p.src[p.pos]) < 0 {
			p.pos++
		}
		if v.text = truncate(strings.TrimSpace(p.src[from:p.pos]), maxJSONText); v.text == "null" {
			v.text = ""
		}
	}
	return v, true
}

func (p *parser) list(v *value, depth int) {
	v.items = []value{}
	for p.pos++; ; {
		switch p.space() {
		case 0:
			return
		case ']':
			p.pos++
			return
		case '}': // of the object around the list
			return
		case ',', ':':
			p.pos++
		default:
			at := p.pos
			if it, ok := p.value(depth + 1); ok {
				v.items = append(v.items, it)
			}
			if p.pos == at {
				p.pos++
			}
		}
	}
}

func (p *parser) object(v *value, depth int) {
	v.object = true
	for p.pos++; ; {
		switch p.space() {
		case 0:
			return
		case '}':
			p.pos++
			return
		case ']':
			return
		case ',', ':', '{', '[':
			p.pos++
		case '"':
			name := p.name()
			if p.space() != ':' {
				continue
			}
			p.pos++
			if !readMembers[name] || v.get(name) != nil {
				p.skip()
				continue
			}
			p.maxText = maxJSONText
			if name == longMember {
				p.maxText = maxStatedText
			}
			if it, ok := p.value(depth + 1); ok {
				v.members = append(v.members, name)
				v.items = append(v.items, it)
			}
			p.maxText = maxJSONText
		default:
			p.pos++
		}
	}
}

// name reads the name of a member.
func (p *parser) name() string {
	i := strings.IndexByte(p.src[p.pos+1:], '"')
	if i < 0 {
		p.pos = len(p.src)
		return ""
	}
	name := p.src[p.pos+1 : p.pos+1+i]
	p.pos += i + 2
	name = strings.TrimSpace(name)
	for _, prefix := range [...]string{"http://schema.org/", "https://schema.org/", "schema:"} {
		name = strings.TrimPrefix(name, prefix)
	}
	return name
}

// skip skips a value.
func (p *parser) skip() {
	switch p.space() {
	case '{', '[':
	case '"':
		p.endString()
		return
	default:
		for p.pos < len(p.src) && strings.IndexByte(",]}\n", p.src[p.pos]) < 0 {
			p.pos++
		}
		return
	}
	for depth := 0; p.pos < len(p.src); {
		i := strings.IndexAny(p.src[p.pos:], `{}[]"`)
		if i < 0 {
			break
		}
		p.pos += i
		switch p.src[p.pos] {
		case '"':
			p.endString()
			continue
		case '{', '[':
			depth++
		default:
			depth--
		}
		p.pos++
		if depth <= 0 {
			return
		}
	}
	p.pos = len(p.src)
}
