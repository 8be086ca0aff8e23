package vertical

import (
	"encoding/json"
	"strings"

	"chaffinch/page"
)

// taken are the attributes of <doc> that the encoders have for their own.
var taken = map[string]bool{
	"id": true, "url": true, "urldomain": true, "title": true, "author": true, "lang": true, "lang_confidence": true, "declared_lang": true, "date": true,
	"crawl_date": true, "charset": true, "enc": true, "file_type": true, "length": true, "words": true, "file": true, "offset": true, "record": true, "confidence": true, "drop": true, "cut": true,
}

// fields appends the fields that the page brought as attributes: texts, numbers,
// truth values, and lists of these parted by "|", as Manatee's multivalues are.
// Objects have no place in a tag. put appends one of them.
func fields(dst []byte, p *page.Page, put func(dst []byte, name, value string) []byte) []byte {
	for i := range p.Fields {
		f := &p.Fields[i]
		name := attrName(f.Name)
		if v, ok := scalar(f.Value); ok && name != "" {
			if taken[name] {
				name = "input_" + name
			}
			dst = put(dst, name, v)
		}
	}
	return dst
}

// holds tells whether a field has a place in a tag.
func holds(f *page.Field) bool {
	_, ok := scalar(f.Value)
	return ok && attrName(f.Name) != ""
}

// HoldsField tells whether a field has a place in the tag of a document: objects
// have none.
func (Encoder) HoldsField(f *page.Field) bool { return holds(f) }

// HoldsField tells whether a field has a place in the tag of a document: objects
// have none.
func (Prevertical) HoldsField(f *page.Field) bool { return holds(f) }

// scalar returns the text of a JSON value that has no parts with names.
func scalar(v string) (string, bool) {
	switch v[0] {
	case '"':
		var s string
		err := json.Unmarshal([]byte(v), &s)
		return s, err == nil
	case '{', 'n':
		return "", false
	case '[':
		var list []json.RawMessage
		if json.Unmarshal([]byte(v), &list) != nil {
			return "", false
		}
		parts := make([]string, len(list))
		for i, e := range list {
			s, ok := scalar(string(e))
			if !ok || e[0] == '[' {
				return "", false
			}
			parts[i] = strings.ReplaceAll(s, "|", " ")
		}
		return strings.Join(parts, "|"), true
	}
	return v, true
}

// attrName makes a name that all corpus managers take: letters, digits and _.
func attrName(s string) string {
	out := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_':
			return r
		}
		return '_'
	}, s)
	if strings.Trim(out, "_") == "" {
		return ""
	}
	if c := out[0]; c >= '0' && c <= '9' {
		out = "_" + out
	}
	return out
}
