package sniff

import "bytes"

// hasTag tells whether a line of b begins with the tag of one of the names.
func hasTag(b []byte, names ...string) bool {
	for len(b) > 0 {
		line, rest, _ := bytes.Cut(b, []byte("\n"))
		for _, name := range names {
			if opens(line, name) {
				return true
			}
		}
		b = rest
	}
	return false
}

// opens tells whether line begins with the start tag of that name.
func opens(line []byte, name string) bool {
	if len(line) < len(name)+2 || line[0] != '<' || string(line[1:len(name)+1]) != name {
		return false
	}
	c := line[len(name)+1]
	return c == '>' || c == ' ' || c == '\t' || c == '/'
}

// tagName tells whether line is one tag.
func tagName(line []byte) ([]byte, bool) {
	if len(line) < 3 || line[0] != '<' || line[len(line)-1] != '>' || bytes.IndexByte(line[1:], '<') >= 0 {
		return nil, false
	}
	name := line[1:]
	n := 0
	for n < len(name) && name[n] != ' ' && name[n] != '>' && name[n] != '\t' {
		n++
	}
	c := name[0] | 0x20
	return name[:n], name[0] == '/' || c >= 'a' && c <= 'z'
}

// verticalKind tells a vertical from a prevertical: running text has blanks in
// its lines, tokens have tabs behind them or nothing.
func verticalKind(head []byte) Form {
	if i := bytes.LastIndexByte(head, '\n'); i > 0 {
		head = head[:i]
	}
	lines, blanks := 0, 0
	for len(head) > 0 {
		line, rest, _ := bytes.Cut(head, []byte("\n"))
		head = rest
		line = bytes.TrimRight(line, "\r")
		if _, tag := tagName(line); tag {
			if opens(line, "g") || string(line) == "<g/>" || opens(line, "sp") {
				return Vertical
			}
			continue
		}
		if bytes.IndexByte(line, '\t') >= 0 {
			return Vertical
		}
		lines++
		if bytes.IndexByte(line, ' ') >= 0 {
			blanks++
		}
	}
	if 4*blanks > lines {
		return Prevertical
	}
	return Vertical
}

// Tokens tells whether lines of text without any tag may be those of a
// vertical, a token each: they have tabs, or hardly any blanks.
func Tokens(head []byte) bool {
	return verticalKind(head) == Vertical
}

// TagLines tells whether what looks like markup may be a vertical whose structures
// have other names than the usual ones, such as <text>: each tag has a line of its
// own, tokens have the others, and it is no page.
func TagLines(head []byte) bool {
	if i := bytes.LastIndexByte(head, '\n'); i > 0 {
		head = head[:i]
	}
	tokens := 0
	for line := range bytes.Lines(head) {
		line = bytes.TrimRight(line, "\r\n")
		name, tag := tagName(line)
		switch {
		case tag && (bytes.EqualFold(name, []byte("html")) || bytes.EqualFold(name, []byte("body"))):
			return false
		case tag:
		case bytes.Contains(line, []byte("</")) || bytes.HasPrefix(line, []byte("<!")) || bytes.HasPrefix(line, []byte(" ")):
			return false
		case len(line) > 0:
			tokens++
		}
	}
	return tokens > 0 && verticalKind(head) == Vertical
}
