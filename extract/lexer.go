package extract

import "strings"

// tokenKind is the kind of a token.
type tokenKind uint8

const (
	tokEOF      tokenKind = iota
	tokText               // src[start:end], with references
	tokStart              // a start tag
	tokEnd                // an end tag
	tokVerbatim           // src[start:end] is text without references
	tokOther              // a comment, doctype or processing instruction
)

// lexer splits a page into tags and text by the HTML standard (section 13.2.5, "Tokenization")
// without copying: all tokens are slices of src. The caller reads the content of raw text elements
// with rawText.
type lexer struct {
	src             string
	pos             int // where the next token begins
	start, end      int // span of the current token
	tag             tagID
	name            string     // of a tag, as written in the source
	attrs           attributes // of a start tag; valid until the next token
	selfClose       bool
	cdata           bool // "<![CDATA[" opens a section, as in svg and math
	firstEndTagWins bool // the first end tag of script ends the script, even after "<!--"
	xml             bool // the page is XHTML: "/>" ends any element, and CDATA sections are text
}

func (l *lexer) reset(src string) {
	l.attrs.reset()
	*l = lexer{src: src, attrs: l.attrs, xml: l.xml}
}

// next moves to the next token and returns its kind.
func (l *lexer) next() tokenKind {
	l.start = l.pos
	i := l.pos
	for {
		if i >= len(l.src) || l.src[i] != '<' { // most tags follow another one
			n := strings.IndexByte(l.src[i:], '<')
			if n < 0 {
				i = len(l.src)
				break
			}
			i += n
		}
		if i+1 >= len(l.src) {
			i = len(l.src)
			break
		}
		if c := l.src[i+1]; isLetter(c) || c == '/' || c == '!' || c == '?' {
			break
		}
		i++
	}
	if i > l.pos {
		l.pos, l.end = i, i
		return tokText
	}
	if i == len(l.src) {
		l.end = i
		return tokEOF
	}
	kind := tokOther
	switch c := l.src[i+1]; {
	case c == '!' && l.xml && strings.HasPrefix(l.src[i+2:], "[CDATA["):
		l.pos = l.after(i, "]]>")
		l.start, l.end = i+len("<![CDATA["), l.pos
		if strings.HasSuffix(l.src[l.start:l.end], "]]>") {
			l.end -= len("]]>")
		}
		return tokVerbatim
	case c == '!':
		l.pos = l.declaration(i + 2)
	case c == '?':
		l.pos = l.after(i+2, ">")
	case c == '/':
		switch {
		case i+2 < len(l.src) && isLetter(l.src[i+2]):
			kind = l.readTag(i+2, tokEnd)
		case i+2 >= len(l.src):
			l.pos, kind = len(l.src), tokText
		default:
			l.pos = l.after(i+2, ">")
		}
	default:
		kind = l.readTag(i+1, tokStart)
	}
	l.end = l.pos
	return kind
}

// after returns the position after the next mark at or after i, or the end of src.
func (l *lexer) after(i int, mark string) int {
	if i > len(l.src) {
		return len(l.src)
	}
	n := strings.Index(l.src[i:], mark)
	if n < 0 {
		return len(l.src)
	}
	return i + n + len(mark)
}

// declaration returns the end of the "<!" construct whose content begins at i.
func (l *lexer) declaration(i int) int {
	rest := l.src[i:]
	switch {
	case strings.HasPrefix(rest, "-->"), strings.HasPrefix(rest, "--->"):
		return l.after(i, ">")
	case strings.HasPrefix(rest, "--"):
		for i += 2; ; {
			i = l.after(i, "--")
			tail := l.src[i:]
			switch {
			case strings.HasPrefix(tail, ">"):
				return i + 1
			case strings.HasPrefix(tail, "!>"):
				return i + 2
			case tail == "":
				return i
			}
			i-- // "--->" closes too
		}
	case l.cdata && strings.HasPrefix(rest, "[CDATA["):
		return l.after(i, "]]>")
	}
	return l.after(i, ">")
}

// readTag reads the tag whose name begins at i. A tag that the end of the page cuts is no tag, as
// in browsers.
func (l *lexer) readTag(i int, kind tokenKind) tokenKind {
	src := l.src
	j := i
	for j < len(src) && !endsName(src[j]) {
		j++
	}
	l.name = src[i:j]
	l.tag = tagOf(src, i, j)
	l.attrs.reset()
	l.selfClose = false
	for {
		for j < len(src) && (isSpace(src[j]) || src[j] == '/') {
			j++
		}
		if j >= len(src) {
			l.pos = len(src)
			return tokOther
		}
		if src[j] == '>' {
			l.selfClose = src[j-1] == '/'
			l.pos = j + 1
			return kind
		}
		k := j + 1 // a leading "=" is part of the name
		for k < len(src) && !endsAttribute[src[k]] {
			k++
		}
		name, val := src[j:k], ""
		id := attrID(attrNames.of(src, j, k))
		j = skipSpace(src, k)
		if j < len(src) && src[j] == '=' {
			j = skipSpace(src, j+1)
			if j < len(src) && (src[j] == '"' || src[j] == '\'') {
				n := strings.IndexByte(src[j+1:], src[j])
				if n < 0 { // never closed: the tag ends at its first ">"
					if n = strings.IndexByte(src[j+1:], '>'); n < 0 {
						l.pos = len(src)
						return tokOther
					}
					n--
				}
				val = src[j+1 : j+1+max(n, 0)]
				j += n + 2
			} else {
				k = j
				for k < len(src) && !isSpace(src[k]) && src[k] != '>' {
					k++
				}
				val = src[j:k]
				j = k
				if j < len(src) && src[j] == '>' {
					l.attrs.add(id, name, val)
					l.pos = j + 1
					return kind
				}
			}
		}
		l.attrs.add(id, name, val)
	}
}

// rawText reads the content of the raw text element whose start tag is the current token, and its
// end tag. If the page never closes it, rawText returns the rest of the page and false, and does
// not move.
func (l *lexer) rawText(name string) (content string, ok bool) {
	from := l.pos
	const (
		data    = iota
		escaped // after "<!--" in a script
		doubled // after "<script" in such a comment: the next end tag ends only itself
	)
	state, first := data, -1 // position of an end tag of script that ended only itself
	for i := from; ; i++ {
		n := -1
		if state == data {
			n = strings.IndexByte(l.src[i:], '<')
		} else {
			n = strings.IndexAny(l.src[i:], "<-")
		}
		if n < 0 {
			if first < 0 {
				return l.src[from:], false
			}
			l.firstEndTagWins = true // better than losing the page
			return l.endRaw(from, first), true
		}
		i += n
		rest := l.src[i:]
		switch {
		case rest[0] == '-':
			if strings.HasPrefix(rest, "-->") {
				state = data
			}
		case strings.HasPrefix(rest, "</") && hasName(rest[2:], name):
			if state == doubled {
				if state = escaped; first < 0 {
					first = i
				}
				continue
			}
			return l.endRaw(from, i), true
		case name != "script" || l.firstEndTagWins:
		case state == data && strings.HasPrefix(rest, "<!--"):
			state = escaped
			i++ // "<!-->" ends at once
		case state == escaped && hasName(rest[1:], name):
			state = doubled
		}
	}
}

// endRaw reads the end tag at i of a raw text element, and returns its content, src[from:i].
func (l *lexer) endRaw(from, i int) string {
	start := l.start
	if l.readTag(i+2, tokEnd) != tokEnd {
		l.pos = len(l.src)
	}
	l.start, l.end = start, l.pos
	return l.src[from:i]
}

// hasName reports whether s begins with the whole tag name name, without regard to case.
func hasName(s, name string) bool {
	return len(s) > len(name) && strings.EqualFold(s[:len(name)], name) && endsName(s[len(name)])
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// isSpace reports whether c is one of the five white space characters of HTML.
func isSpace(c byte) bool { return c <= ' ' && spaces>>c&1 == 1 }

// endsName reports whether c ends the name of a tag: white space, "/" or ">".
func endsName(c byte) bool { return c < 64 && (spaces|1<<'/'|1<<'>')>>c&1 == 1 }

// endsAttribute holds the bytes that end the name of an attribute.
var endsAttribute = [256]bool{' ': true, '\n': true, '\t': true, '\r': true, '\f': true, '/': true, '>': true, '=': true}

const spaces = 1<<' ' | 1<<'\n' | 1<<'\t' | 1<<'\r' | 1<<'\f'

func skipSpace(s string, i int) int {
	for i < len(s) && isSpace(s[i]) {
		i++
	}
	return i
}
