package charset

import "bytes"

// declared returns the encoding that an XML declaration or a meta element in head names, "" if
// none does. It follows "prescan a byte stream to determine its encoding" of the HTML standard:
// it parses tags, attributes and comments, and a label that names no encoding does not hide a
// later one. In addition to the standard, it searches an unclosed comment and treats
// name="content-type" like http-equiv.
func declared(head []byte) string {
	if rest, ok := bytes.CutPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("<?xml")); ok {
		decl, _, _ := bytes.Cut(rest, []byte("?>"))
		if name := resolve(after(decl[:min(len(decl), 256)], "encoding")); name != "" {
			return name
		}
	}
	closed := true // whether comments are still closed
	for {
		i := bytes.IndexByte(head, '<')
		if i < 0 {
			return ""
		}
		head = head[i+1:]
		switch {
		case hasPrefix(head, "!--"):
			end := -1
			if closed {
				end = bytes.Index(head[1:], []byte("-->"))
			}
			if closed = end >= 0; closed {
				head = head[1+end+3:]
			}
		case len(head) > 4 && bytes.EqualFold(head[:4], []byte("meta")) && (isSpace(head[4]) || head[4] == '/'):
			var name string
			if name, head = metaEncoding(head[4:]); name != "" {
				return name
			}
		case len(head) > 1 && (isLetter(head[0]) || head[0] == '/' && isLetter(head[1])):
			end := bytes.IndexAny(head, " \t\r\n\f>")
			if end < 0 {
				return ""
			}
			head = head[end:]
			for more := true; more; {
				_, _, head, more = attribute(head)
			}
		case len(head) > 0 && (head[0] == '!' || head[0] == '/' || head[0] == '?'):
			end := bytes.IndexByte(head, '>')
			if end < 0 {
				return ""
			}
			head = head[end:]
		}
	}
}

// metaEncoding returns the encoding in the attributes of a meta element, and the bytes after
// them.
func metaEncoding(b []byte) (string, []byte) {
	var charset, content string
	var seen []string
	pragma := false
	for {
		name, value, rest, more := attribute(b)
		b = rest
		if !more {
			break
		}
		low := string(lowerASCII(name))
		repeated := false
		for _, s := range seen {
			repeated = repeated || s == low
		}
		if repeated || len(seen) == maxAttributes {
			continue
		}
		seen = append(seen, low)
		switch low {
		case "http-equiv", "name":
			pragma = pragma || bytes.EqualFold(value, []byte("content-type"))
		case "content":
			content = after(value, "charset")
		case "charset":
			charset = string(value)
		}
	}
	if len(b) == 0 {
		return "", nil // the page ends in the tag
	}
	if charset == "" && pragma {
		charset = content
	}
	return resolve(charset), b
}

// maxAttributes is the maximum number of attributes of a meta element that are read.
const maxAttributes = 32

// attribute returns the first attribute in b, the rest of a tag, and the bytes after it. more
// reports whether there is one before the end of the tag and of b.
func attribute(b []byte) (name, value, rest []byte, more bool) {
	b = bytes.TrimLeft(b, " \t\r\n\f/")
	if len(b) == 0 || b[0] == '>' {
		return nil, nil, b, false
	}
	n := 0
	for n < len(b) && (b[n] != '=' || n == 0) && !isSpace(b[n]) && b[n] != '/' && b[n] != '>' {
		n++
	}
	name, b = b[:n], bytes.TrimLeft(b[n:], " \t\r\n\f")
	if len(b) == 0 || b[0] != '=' {
		return name, nil, b, true
	}
	b = bytes.TrimLeft(b[1:], " \t\r\n\f")
	if len(b) > 0 && (b[0] == '"' || b[0] == '\'') {
		end := bytes.IndexByte(b[1:], b[0])
		if end < 0 {
			return nil, nil, nil, false
		}
		return name, b[1 : 1+end], b[end+2:], true
	}
	n = 0
	for n < len(b) && !isSpace(b[n]) && b[n] != '>' {
		n++
	}
	return name, b[:n], b[n:], true
}

// after returns the value that follows name and "=" in b, without quotation marks; "" if the
// closing quotation mark is missing.
func after(b []byte, name string) string {
	low := lowerASCII(b)
	for {
		i := bytes.Index(low, []byte(name))
		if i < 0 {
			return ""
		}
		low, b = low[i+len(name):], b[i+len(name):]
		v := bytes.TrimLeft(b, " \t\r\n\f")
		if len(v) == 0 || v[0] != '=' {
			continue
		}
		if v = bytes.TrimLeft(v[1:], " \t\r\n\f"); len(v) > 0 && (v[0] == '"' || v[0] == '\'') {
			end := bytes.IndexByte(v[1:], v[0])
			return string(v[1 : 1+max(end, 0)])
		}
		if end := bytes.IndexAny(v, " \t\r\n\f;"); end >= 0 {
			v = v[:end]
		}
		return string(v)
	}
}

// lowerASCII returns b with A to Z in lower case. It keeps the length of b, unlike
// bytes.ToLower for invalid UTF-8.
func lowerASCII(b []byte) []byte {
	low := bytes.Clone(b)
	for i, c := range low {
		if 'A' <= c && c <= 'Z' {
			low[i] = c + 'a' - 'A'
		}
	}
	return low
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
