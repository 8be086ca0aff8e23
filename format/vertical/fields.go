package vertical

import (
	"encoding/json"
	"strings"

	"chaffinch/page"
)

// taken lists the attributes of <doc> that the encoders write.
var taken = map[string]bool{
	"id": true, "url": true, "urldomain": true, "title": true, "author": true, "lang": true, "lang_confidence": true, "declared_lang": true, "date": true,
	"crawl_date": true, "charset": true, "enc": true, "file_type": true, "length": true, "words": true, "file": true, "offset": true, "record": true, "confidence": true, "confidence_policy": true, "page_type": true, "page_type_confidence": true, "register": true,
	"drop": true, "cut": true,
}

// fields appends the page's input fields as attributes by calling put. Values are strings,
// numbers, booleans, and lists of these separated by "|", like Manatee's multivalues.
// Objects are omitted.
func fields(dst []byte, p *page.Page, put func(dst []byte, name, value string) []byte) []byte {
	for i := range p.Fields {
		f := &p.Fields[i]
		name := attrName(f.Name)
		if v, ok := scalar(f.Value); ok && name != "" {
			if taken[name] && (name != "register" || p.Registers != nil) {
				name = "input_" + name
			}
			dst = put(dst, name, v)
		}
	}
	return dst
}

// isRepresentable reports whether a field can be written in a tag.
func isRepresentable(f *page.Field) bool {
	_, ok := scalar(f.Value)
	return ok && attrName(f.Name) != ""
}

// HoldsField reports whether a field can be written in the tag of a document. Objects
// cannot.
func (Encoder) HoldsField(f *page.Field) bool { return isRepresentable(f) }

// HoldsField reports whether a field can be written in the tag of a document. Objects
// cannot.
func (Prevertical) HoldsField(f *page.Field) bool { return isRepresentable(f) }

// scalar returns the text of a JSON value without named parts.
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

// attrName returns a name that all corpus managers accept: letters, digits and _.
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
