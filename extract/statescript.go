package extract

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// assignments reads the values that a script assigns to variables that hold a state, such as
// window.__APOLLO_STATE__ = {...} or __NUXT__ = (function(a) {return {...}}(...)).
func (r *stateReader) assignments() {
	for {
		i := strings.IndexByte(r.src[r.pos:], '=')
		if i < 0 {
			return
		}
		at := r.pos + i
		r.pos = at + 1
		if !isStateName(r.src[max(0, at-60):at]) {
			continue
		}
		start := strings.IndexAny(r.src[r.pos:min(len(r.src), r.pos+100)], "{[\"'`;")
		if start < 0 || r.src[r.pos+start] == ';' {
			continue
		}
		r.pos += start
		if t, inline := r.value("", 0, false); !inline {
			r.out.WriteString(t)
		}
	}
}

// isStateName reports whether s ends in the variable name of a state.
func isStateName(s string) bool {
	s = strings.TrimRight(s, " \t\n\"'`]")
	k := len(s)
	for k > 0 && (isLetter(s[k-1]) || '0' <= s[k-1] && s[k-1] <= '9' || s[k-1] == '_' || s[k-1] == '$') {
		k--
	}
	name := s[k:]
	if strings.HasPrefix(name, "__") {
		return true
	}
	name = strings.ToLower(name)
	for _, end := range [...]string{"state", "data", "props", "content", "pagecontext", "remixcontext", "payload"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// element reads the rest of the list of a React element.
func (r *stateReader) element(depth int) (string, bool) {
	var tag, body string
	inline := false
	for n := 0; ; n++ {
		for r.space() == ',' {
			r.pos++
		}
		c := r.space()
		if c == ']' || c == 0 || c == '}' {
			if c == ']' {
				r.pos++
			}
			break
		}
		at := r.pos
		t, in := r.value("props", depth+1, true)
		if n == 0 {
			tag = t
		} else if c == '{' {
			body, inline = t, in
		}
		if r.pos == at {
			r.pos++
		}
	}
	id := lookup(tag)
	if tag == "" || id == tagUnknown || tags[id].act != actOpen {
		return body, inline
	}
	if strings.HasPrefix(body, "<p>") && strings.Count(body, "<p>") == 1 && strings.HasSuffix(body, "</p>") {
		body = body[len("<p>") : len(body)-len("</p>")]
	}
	return "<" + tag + ">" + body + "</" + tag + ">", !id.has(isBlock)
}

// flight reads the stream of React's server components: rows of an identifier, a colon and JSON, or
// "T", the length of a text and the text.
func (r *stateReader) flight(stream string) {
	for stream != "" {
		_, row, ok := strings.Cut(stream, ":")
		if !ok {
			return
		}
		if size, text, ok := strings.Cut(row, ","); ok && strings.HasPrefix(size, "T") {
			if n, err := strconv.ParseUint(size[1:], 16, 24); err == nil {
				end := min(int(n), len(text))
				for end < len(text) && !utf8.RuneStart(text[end]) { // the length was wrong
					end++
				}
				text, stream = text[:end], text[end:]
				r.write(&r.out, "", text, true, false)
				continue
			}
		}
		row, stream, _ = strings.Cut(row, "\n")
		r.src, r.pos = strings.TrimLeft(row, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"), 0
		r.all()
	}
}

// flightChunks appends the parts of the stream that a script pushes.
func flightChunks(b *strings.Builder, script string) {
	for {
		_, rest, ok := strings.Cut(script, "__next_f.push([1,")
		if !ok {
			return
		}
		r := stateReader{src: rest}
		if r.space() == '"' {
			b.WriteString(r.str())
		}
		script = rest[min(len(rest), max(r.pos, 1)):]
	}
}
