package records

import "bytes"

// appendUnbalanced appends the tags in lines, a dropped part of a vertical file, whose
// structures begin or end elsewhere. Without them the remaining file would not be balanced.
// Tags of paragraphs, named para, are not kept.
func appendUnbalanced(dst, lines []byte, para string) []byte {
	type tag struct {
		name       []byte
		start, end int
	}
	var room [2][8]tag
	open := room[0][:0]   // not yet closed
	single := room[1][:0] // closed but never opened
	for i := 0; i < len(lines); {
		n := bytes.IndexByte(lines[i:], '\n') + 1
		if n == 0 {
			n = len(lines) - i
		}
		line := lines[i : i+n]
		if name, ok := tagName(line); ok && !bytes.HasSuffix(bytes.TrimRight(line, " \t\r\n"), []byte("/>")) && string(bytes.TrimPrefix(name, slash)) != para {
			t := tag{name, i, i + n}
			if name[0] != '/' {
				open = append(open, t)
			} else {
				at := len(open) - 1
				for at >= 0 && string(open[at].name) != string(t.name[1:]) {
					at--
				}
				if at >= 0 {
					open = append(open[:at], open[at+1:]...)
				} else {
					single = append(single, t)
				}
			}
		}
		i += n
	}
	for len(single) > 0 || len(open) > 0 { // in the order of the lines
		from := &single
		if len(single) == 0 || len(open) > 0 && open[0].start < single[0].start {
			from = &open
		}
		dst = append(dst, lines[(*from)[0].start:(*from)[0].end]...)
		*from = (*from)[1:]
	}
	return dst
}

var slash = []byte{'/'}

// onion appends d, read with Config.Compat, in the form of the program onion.
func (c *WriterConfig) onion(dst []byte, d *Doc, e *Edit) []byte {
	var none Edit
	if e == nil {
		e = &none
	}
	kept, cut := false, false // whether a paragraph with tokens is kept, whether one is dropped
	for i := range d.Paras {
		kept = kept || !e.drops(i) && len(d.Paras[i].Text) > 0
		cut = cut || e.drops(i)
	}
	for i := range d.Paras {
		bad := e.drops(i)
		part := d.Raw[d.Paras[i].Start:d.Paras[i].End]
		for first := i == 0; len(part) > 0; first = false {
			n := bytes.IndexByte(part, '\n') + 1
			if n == 0 {
				n = len(part)
			}
			line := part[:n]
			part = part[n:]
			last := len(part) == 0 && i == len(d.Paras)-1
			gone := bad
			if first && opens(line, d.place.docName) || last && closes(line, d.place.docName) {
				gone = !kept && (cut || c.Annotate)
			}
			switch {
			case !c.Annotate && !gone:
				dst = append(dst, line...)
			case c.Annotate && gone:
				dst = append(append(dst, "1\t"...), line...)
			case c.Annotate:
				dst = append(append(dst, "0\t"...), line...)
			}
		}
	}
	return dst
}

// drops reports whether e drops paragraph i.
func (e *Edit) drops(i int) bool { return e.Drop || i < len(e.Paras) && e.Paras[i].Drop }
