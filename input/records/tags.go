package records

import "bytes"

// opens reports whether line begins with the opening tag of that name.
func opens(line []byte, name string) bool {
	n := len(name) + 1
	return len(line) > n && line[0] == '<' && string(line[1:n]) == name && (line[n] == '>' || line[n] == ' ')
}

// closes reports whether line begins with the closing tag of that name.
func closes(line []byte, name string) bool {
	n := len(name) + 2
	return len(line) > n && line[0] == '<' && line[1] == '/' && string(line[2:n]) == name && (line[n] == '>' || line[n] == ' ')
}

// tagName returns the name of the structure in a tag line, with a leading "/" for a closing
// tag. It reports whether the line is a tag. It accepts the same tags as vertical.Tag, except
// for tags without ">".
func tagName(line []byte) (name []byte, ok bool) {
	line = bytes.TrimRight(line, " \t\r\n")
	if len(line) < 3 || line[0] != '<' || line[len(line)-1] != '>' {
		return nil, false
	}
	i := 1
	if line[1] == '/' {
		i = 2
	}
	start := i
	for i < len(line)-1 {
		c := line[i]
		if !(c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || i > start && (c >= '0' && c <= '9' || c == '.' || c == '-' || c == ':')) {
			break
		}
		i++
	}
	rest := line[i : len(line)-1]
	if i == start || len(rest) > 0 && rest[0] != ' ' && string(rest) != "/" || bytes.IndexByte(rest, '\t') >= 0 {
		return nil, false
	}
	return line[1:i], true
}

// isBad reports whether the tag of a paragraph states that the cleaner labelled it as bad or
// short.
func isBad(line []byte) bool {
	return bytes.Contains(line, []byte(` class="bad"`)) || bytes.Contains(line, []byte(` class="short"`))
}

// attributes reads the attributes of the document's tag.
func (f *verticalForm) attributes(d *Doc, k *known) {
	if d.place.head == 0 || !opens(d.Raw, f.r.cfg.Doc) {
		return
	}
	if !f.tag.Parse(bytes.TrimRight(d.Raw[:d.place.head], "\r\n")) {
		return
	}
	for _, a := range f.tag.Attrs() {
		var dst *span
		switch string(a.Name) {
		case "drop":
			if len(a.Value) > 0 && !f.compat {
				d.Paras = d.Paras[:0]
			}
		case "id":
			dst = &k.id
		case "url", "uri":
			dst = &k.url
		case "lang", "language":
			dst = &k.lang
		case "license":
			dst = &k.license
		case "optout":
			dst = &k.optout
		case "translated":
			dst = &k.translated
		case "page_type":
			dst = &k.pageType
		case "date":
			dst = &k.date
		case "crawl_date", "fetched", "timestamp":
			dst = &k.crawled
		}
		if dst == nil || len(a.Value) == 0 || *dst != (span{}) {
			continue
		}
		begin := len(d.meta)
		d.meta = append(d.meta, a.Value...)
		*dst = span{begin, len(d.meta)}
	}
}
