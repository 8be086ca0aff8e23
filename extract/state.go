package extract

import (
	"html"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/internal/jsonscan"
	"chaffinch/internal/residue"
	"chaffinch/internal/runes"
)

// stateReader finds the text in the state of a framework: JSON, or an object as scripts
// write it. It renders what is prose as HTML and passes over everything else. Whatever
// it does not understand it skips; it never fails.
type stateReader struct {
	src    string
	pos    int
	linked bool // JSON-LD: only members that hold the text of the page count
	values int  // read so far
	prose  int  // bytes of prose in out
	out    strings.Builder
	aside  strings.Builder // summaries, for a state without other text
	seen   map[string]bool
}

// Bounds of the values of a state.
const (
	maxStateDepth  = 64
	maxStateValues = 200_000
	maxStateText   = 2 << 20
)

func newStateReader(src string, linked bool) *stateReader {
	return &stateReader{src: src, linked: linked, seen: map[string]bool{}}
}

// text returns what was found, as HTML, and the bytes of its prose.
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

// assignments reads the values that a script assigns to names of a state, such as
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

// isStateName reports whether an assignment to what s ends with is that of a state.
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

// value reads a value, the member key of an object, and returns it as HTML: inline
// text, or blocks. In a rich text any text counts, elsewhere only prose.
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
		return r.object(key, depth, rich)
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
		return r.value(key, depth+1, rich) // what a call or a function holds
	}
	return "", false
}

// object reads an object.
func (r *stateReader) object(key string, depth int, rich bool) (string, bool) {
	var b strings.Builder
	var leaf, title, kind string
	for r.pos++; ; {
		switch c := r.space(); c {
		case 0:
			return b.String(), false
		case '}':
			r.pos++
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
		if skipped(name) {
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
		case rich && (lower == "text" || lower == "children" || lower == "value" && kind == "text"):
			leaf = t
		case lower == "headline" || lower == "title":
			title = t
		default:
			r.write(&b, name, t, true, false)
		}
	}
}

// closeObject returns what an object with these members shows.
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
	if title != "" && textBytes(b.String()) >= leastEmbedded {
		return "<h1>" + html.EscapeString(title) + "</h1>" + b.String(), false
	}
	return b.String(), false
}

// list reads a list. Elements of React are lists: ["$", tag, key, properties].
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

// element reads the rest of the list of an element of React.
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

// write adds the text of a member: prose, HTML, a state in a string, or in a rich text
// anything that reads as text.
func (r *stateReader) write(b *strings.Builder, name, text string, inline, rich bool) {
	if !inline {
		b.WriteString(text)
		return
	}
	text = strings.TrimSpace(text)
	if text == "" || r.linked && !rich && !isLinkedText(name) {
		return
	}
	switch {
	case rich:
		if plain := html.UnescapeString(text); strings.ContainsFunc(plain, unicode.IsLetter) && !isAddress(plain) && residue.Share(plain) < .5 && !strings.HasPrefix(plain, "$") {
			b.WriteString("<p>" + text + "</p>")
			if isProse(plain) {
				r.prose += textBytes(text)
			}
		}
		return
	case len(text) > leastEmbedded && (text[0] == '{' || text[0] == '['):
		inner := &stateReader{src: text, values: r.values, seen: r.seen}
		inner.all()
		r.values = inner.values
		r.prose += inner.prose
		b.WriteString(inner.out.String())
		return
	}
	if !strings.Contains(text, "<") && strings.Contains(text, "&lt;p") {
		text = html.UnescapeString(text)
	}
	if r.seen[text] || !isProse(text) {
		return
	}
	r.seen[text] = true
	if isSummary(name) {
		b = &r.aside
	} else {
		r.prose += textBytes(text)
	}
	if isFragment(text) {
		b.WriteString("<div>" + text + "</div>")
		return
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			b.WriteString("<p>" + html.EscapeString(line) + "</p>")
		}
	}
}

// isAddress reports whether text is a URL, a path or a name of the framework.
func isAddress(text string) bool {
	return strings.HasPrefix(text, "__") || strings.Contains(text, "/") && !strings.ContainsFunc(text, unicode.IsSpace) && strings.IndexFunc(text, runes.IsUnspaced) < 0
}

// isFragment reports whether text is HTML.
func isFragment(text string) bool {
	for _, mark := range [...]string{"</p>", "<p>", "<br", "</li>", "</div>", "</h2>", "</a>"} {
		if strings.Contains(text, mark) {
			return true
		}
	}
	return false
}

// isProse reports whether text, perhaps with tags, reads as prose: eight words or more, most
// of it letters and spaces, and no code.
func isProse(text string) bool {
	if len(text) < 24 || len(text) > maxStateText {
		return false
	}
	words, letters, all := 0, 0, 0
	inTag, inWord, code := false, false, isFragment(text)
	for _, c := range text {
		if code && (c == '<' || inTag) {
			inTag = c != '>'
			continue
		}
		all++
		letter := unicode.IsLetter(c) || unicode.IsMark(c)
		if letter && !inWord && !runes.IsUnspaced(c) {
			words += 2
		} else if runes.IsUnspaced(c) {
			words++ // two characters make a word
		}
		inWord = letter
		if letter || c == ' ' {
			letters++
		}
	}
	return words >= 16 && 5*letters >= 4*all && all/words < 15 && (code || residue.Share(text) < .3)
}

// isLinkedText reports the members of JSON-LD that hold the text of the page.
func isLinkedText(name string) bool {
	return name == "articleBody" || name == "reviewBody" || name == "text"
}

// isRichName reports the members whose value is a text in parts.
func isRichName(name string) bool { return name == "children" || name == "content" }

// isSummary reports the members that repeat in short what others say.
func isSummary(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "description") || strings.Contains(name, "excerpt") || strings.Contains(name, "summary") || strings.Contains(name, "teaser")
}

// skipped reports the members that hold no text of the page but that of its frame and of
// its search results.
func skipped(name string) bool {
	name = strings.ToLower(name)
	for _, part := range [...]string{"i18n", "locale", "translation", "messages", "intl", "dictionary", "css", "style", "query", "script", "svg", "seo", "meta", "config",
		"cookie", "consent", "footer", "menu", "alt", "aria", "href", "url", "slug", "classname", "navigation", "related", "recommend", "sidebar"} {
		if strings.Contains(name, part) && name != "style" {
			return name != "metadata" && name != "description"
		}
	}
	return false
}

// flight reads the stream of React's server components: rows of an identifier, a colon
// and JSON, or "T", the length of a text and the text.
func (r *stateReader) flight(stream string) {
	for stream != "" {
		_, row, ok := strings.Cut(stream, ":")
		if !ok {
			return
		}
		if size, text, ok := strings.Cut(row, ","); ok && strings.HasPrefix(size, "T") {
			if n, err := strconv.ParseUint(size[1:], 16, 24); err == nil {
				text, stream = text[:min(int(n), len(text))], text[min(int(n), len(text)):]
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

// space moves to the next byte that is not white space, and returns it, 0 at the end.
func (r *stateReader) space() byte {
	for r.pos < len(r.src) {
		if c := r.src[r.pos]; c > ' ' {
			return c
		}
		r.pos++
	}
	return 0
}

// name reads the name of a member, in quotes or not.
func (r *stateReader) name() string {
	if c := r.src[r.pos]; c == '"' || c == '\'' || c == '`' {
		return r.str()
	}
	from := r.pos
	for r.pos < len(r.src) && (isLetter(r.src[r.pos]) || '0' <= r.src[r.pos] && r.src[r.pos] <= '9' || r.src[r.pos] == '_' || r.src[r.pos] == '$') {
		r.pos++
	}
	return r.src[from:r.pos]
}

// skip passes over a value.
func (r *stateReader) skip() {
	for depth := 0; ; {
		switch c := r.space(); c {
		case 0:
			return
		case '"', '\'', '`':
			r.str()
		case '{', '[', '(':
			depth++
			r.pos++
		case '}', ']', ')':
			if depth == 0 {
				return
			}
			depth--
			r.pos++
		case ',':
			if depth == 0 {
				return
			}
			r.pos++
			continue
		default:
			r.pos++
			continue
		}
		if c := r.space(); depth == 0 && (c == ',' || c == '}' || c == ']') {
			return
		}
	}
}

// str reads a string.
func (r *stateReader) str() string {
	quote := r.src[r.pos]
	r.pos++
	from := r.pos
	for r.pos < len(r.src) && r.src[r.pos] != quote {
		if r.src[r.pos] == '\\' {
			r.pos++
		}
		r.pos++
	}
	raw := r.src[from:min(r.pos, len(r.src))]
	r.pos = min(r.pos+1, len(r.src))
	if strings.IndexByte(raw, '\\') < 0 {
		return raw
	}
	var b strings.Builder
	for i := 0; i < len(raw); {
		if raw[i] != '\\' {
			b.WriteByte(raw[i])
			i++
			continue
		}
		c, rest := unescapeJS(raw[i:])
		b.WriteString(c)
		i += len(raw[i:]) - len(rest)
	}
	return strings.ToValidUTF8(b.String(), "\uFFFD")
}

// unescapeJS decodes the escape sequence that s begins with, and returns what follows.
func unescapeJS(s string) (text, rest string) {
	if len(s) < 2 {
		return "", ""
	}
	switch s[1] {
	case 'n', 'r':
		return "\n", s[2:]
	case 't', 'b', 'f', 'v':
		return " ", s[2:]
	case 'u', 'x':
		if s[1] == 'x' && len(s) >= 4 {
			if c, err := strconv.ParseUint(s[2:4], 16, 8); err == nil {
				return string(rune(c)), s[4:]
			}
		}
		if digits, after, ok := strings.Cut(strings.TrimPrefix(s[2:], "{"), "}"); ok && strings.HasPrefix(s[2:], "{") {
			if c, err := strconv.ParseUint(digits, 16, 24); err == nil {
				return string(rune(c)), after
			}
		}
		if c, n := jsonscan.Unicode(s[2:]); n > 0 && s[1] == 'u' {
			return string(c), s[2+n:]
		}
		return "", s[2:]
	}
	_, n := utf8.DecodeRuneInString(s[1:])
	return s[1 : 1+n], s[1+n:]
}
