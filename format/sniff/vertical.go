package sniff

import "bytes"

// hasTag reports whether a line of b begins with a tag of one of the names.
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

// opens reports whether line begins with the start tag of the given name.
func opens(line []byte, name string) bool {
	if len(line) < len(name)+2 || line[0] != '<' || string(line[1:len(name)+1]) != name {
		return false
	}
	c := line[len(name)+1]
	return c == '>' || c == ' ' || c == '\t' || c == '/'
}

// tagName returns the name of the tag and reports whether line is a single tag.
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

// verticalKind distinguishes a vertical from a prevertical. Lines of running text contain
// blanks; tokens are followed by tabs or nothing.
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

// Tokens reports whether lines of text without tags may be tokens of a vertical: they
// contain tabs, or hardly any blanks.
func Tokens(head []byte) bool {
	return verticalKind(head) == Vertical
}

// TagLines reports whether markup may be a vertical with unusual structure names, such as
// <text>. In a vertical, each tag is a separate line and the other lines are tokens. Pages
// are excluded.
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
