package extract

import (
	"cmp"
	"html"
	"strings"
)

// stateReader finds the text in the state of a framework: JSON, or a JavaScript object. It renders
// prose as HTML and skips everything else. It never fails: it skips input that it cannot parse.
type stateReader struct {
	src    string
	pos    int
	jsonLD bool // JSON-LD: only members with the text of the page count
	values int  // number of values read
	prose  int  // bytes of prose in out
	out    strings.Builder
	aside  strings.Builder // summaries, used if the state has no other text
	seen   map[string]bool
}

// Limits of the values of a state.
const (
	maxStateDepth  = 64
	maxStateValues = 200_000
	maxStateText   = 2 << 20
)

func newStateReader(src string, linked bool) *stateReader {
	return &stateReader{src: src, jsonLD: linked, seen: map[string]bool{}}
}

// text returns the text found, as HTML, and the bytes of its prose.
func (r *stateReader) text() (string, int) {
	if t := r.out.String(); t != "" {
		return t, r.prose
	}
	t := r.aside.String()
	return t, textBytes(t)
}

// all reads every value of the source.
func (r *stateReader) all() {
	for r.space() != 0 {
		at := r.pos
		if t, inline := r.value("", 0, false); !inline {
			r.out.WriteString(t)
		}
		if r.pos == at {
			r.pos++
		}
	}
}

// value reads a value, the member key of an object, and returns it as HTML: inline text, or blocks.
// In a rich text all text counts, elsewhere only prose.
func (r *stateReader) value(key string, depth int, rich bool) (text string, inline bool) {
	if r.values++; r.values > maxStateValues || r.out.Len() > maxStateText {
		r.pos = len(r.src)
		return "", false
	}
	switch c := r.space(); {
	case c == 0:
		return "", false
	case (c == '{' || c == '[') && depth >= maxStateDepth:
		r.skip()
		return "", false
	case c == '{':
		return r.object(depth, rich)
	case c == '[':
		return r.list(key, depth, rich)
	case c == '"', c == '\'', c == '`':
		return r.str(), true
	}
	from := r.pos
	for r.pos < len(r.src) && strings.IndexByte(",]}{[\"'`\n", r.src[r.pos]) < 0 {
		r.pos++
	}
	if strings.HasSuffix(strings.TrimSpace(r.src[from:r.pos]), "JSON.parse(") || r.pos < len(r.src) && (r.src[r.pos] == '{' || r.src[r.pos] == '[') {
		return r.value(key, depth+1, rich) // the argument of a call, the body of a function
	}
	return "", false
}

// object reads an object and returns it as HTML.
func (r *stateReader) object(depth int, rich bool) (string, bool) {
	var b strings.Builder
	var leaf, value, title, kind string // value is text if kind, which may come later, is "text"
	for r.pos++; ; {
		switch c := r.space(); c {
		case 0:
			return b.String(), false
		case '}':
			r.pos++
			if rich && kind == "text" {
				leaf = cmp.Or(leaf, value)
			} else if value != "" {
				r.write(&b, "value", value, true, false)
			}
			return r.closeObject(&b, leaf, title, kind, rich)
		case ']':
			return b.String(), false
		case ',', ':':
			r.pos++
			continue
		}
		name := r.name()
		if r.space() != ':' {
			if c := r.space(); c == '{' || c == '[' { // the body of a function
				t, inline := r.value(name, depth+1, rich)
				r.write(&b, name, t, inline, rich)
			} else if r.pos < len(r.src) && c != '}' && c != ',' {
				r.pos++
			}
			continue
		}
		r.pos++
		if isSkippedName(name) {
			r.skip()
			continue
		}
		c := r.space()
		t, inline := r.value(name, depth+1, rich || isRichName(name))
		if !inline || c != '"' && c != '\'' && c != '`' {
			r.write(&b, name, t, inline, rich || isRichName(name))
			continue
		}
		switch lower := strings.ToLower(name); {
		case lower == "type" || lower == "nodetype" || lower == "_type" || lower == "style" || lower == "tag" || lower == "tagname":
			if kind == "" || lower == "style" {
				kind = strings.ToLower(t)
			}
		case rich && (lower == "text" || lower == "children"):
			leaf = t
		case rich && lower == "value":
			value = t
		case lower == "headline" || lower == "title":
			title = t
		default:
			r.write(&b, name, t, true, false)
		}
	}
}

// closeObject returns the HTML of an object with these members.
func (r *stateReader) closeObject(b *strings.Builder, leaf, title, kind string, rich bool) (string, bool) {
	if isAddress(leaf) {
		leaf = ""
	}
	if rich {
		if b.Len() == 0 {
			return html.EscapeString(leaf), true
		}
		if t := b.String(); strings.HasPrefix(t, "<p>") && strings.Count(t, "<p>") == 1 && strings.HasSuffix(t, "</p>") {
			inner := t[len("<p>") : len(t)-len("</p>")]
			switch level := strings.TrimPrefix(strings.TrimPrefix(kind, "heading-"), "h"); {
			case kind == "link" || kind == "hyperlink" || kind == "a" || kind == "strong" || kind == "em":
				return inner, true
			case len(level) == 1 && '1' <= level[0] && level[0] <= '6':
				return "<h" + level + ">" + inner + "</h" + level + ">", false
			case kind == "heading":
				return "<h2>" + inner + "</h2>", false
			}
		}
		if leaf != "" && b.Len() > 0 {
			r.write(b, "text", html.EscapeString(leaf), true, true)
		}
	}
	if title != "" && !isAddress(title) && !isFileName(title) && textBytes(b.String()) >= minEmbedded {
		return "<h1>" + html.EscapeString(title) + "</h1>" + b.String(), false
	}
	return b.String(), false
}

// list reads a list. React elements are lists: ["$", tag, key, properties].
func (r *stateReader) list(key string, depth int, rich bool) (string, bool) {
	var b, run strings.Builder
	flow := strings.EqualFold(key, "children") || strings.EqualFold(key, "content")
	flush := func() {
		r.write(&b, key, run.String(), true, rich)
		run.Reset()
	}
	r.pos++
	for n := 0; ; {
		switch r.space(); {
		case r.space() == 0, r.space() == '}':
			flush()
			return b.String(), false
		case r.space() == ']':
			r.pos++
			if flow && b.Len() == 0 {
				return run.String(), true
			}
			flush()
			return b.String(), false
		case r.space() == ',':
			r.pos++
			continue
		}
		at, quoted := r.pos, strings.IndexByte("\"'`", r.src[r.pos]) >= 0
		t, inline := r.value(key, depth+1, rich)
		if r.pos == at {
			r.pos++
		}
		if n++; n == 1 && quoted && t == "$" {
			return r.element(depth)
		}
		switch {
		case inline && quoted && flow && rich:
			run.WriteString(html.EscapeString(t))
		case inline && quoted:
			r.write(&b, key, t, true, false)
		case inline && flow:
			run.WriteString(t)
		case inline:
			r.write(&b, key, t, true, rich)
		default:
			flush()
			b.WriteString(t)
		}
	}
}
