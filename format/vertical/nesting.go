package vertical

// Structures of a vertical need not be nested: <b> may begin in one sentence and end in the
// next. But a sentence ends with its paragraph, and all structures end with the document.
// This suffices to repair missing closing tags.

// paragraph and sentence are the names of structures that cannot contain themselves.
const (
	paragraph = "p"
	sentence  = "s"
)

// maxOpen is the maximum number of open structures. Manatee allows 100 of each name.
const maxOpen = 1000

// last returns the index of the innermost open structure with the given name, or -1.
func (r *Reader) last(name string) int {
	for i := len(r.open) - 1; i >= 0; i-- {
		if r.open[i] == name {
			return i
		}
	}
	return -1
}

// ends returns the index in r.open of the innermost structure that must be closed before the
// current line or the end of the file. It returns -1 if there is none.
func (r *Reader) ends() int {
	top := len(r.open) - 1
	if r.ended || top < 0 {
		return top
	}
	switch name := string(r.line.Name); {
	case name == r.cfg.Doc:
		doc := r.last(name)
		if doc >= 0 && (r.line.Kind == Open || top > doc) {
			return top
		}
	case name == paragraph:
		p, s := r.last(paragraph), r.last(sentence)
		if p >= 0 && s > p {
			return s
		}
		if r.line.Kind == Open {
			return max(p, s)
		}
	case name == sentence && r.line.Kind == Open:
		return r.last(sentence)
	}
	return -1
}

// closeOpen returns the closing tag of the open structure i.
func (r *Reader) closeOpen(i int) (*Line, error) {
	name := r.open[i]
	before := "the end of the file"
	if !r.ended {
		before = "<" + string(r.line.Name) + ">"
		if r.line.Kind == Close {
			before = "</" + string(r.line.Name) + ">"
		}
	}
	if err := r.wrong(Unclosed, "<%s> is not closed before %s: closed here", name, before); err != nil {
		return nil, err
	}
	r.remove(i)
	return &Line{Kind: Close, Name: []byte(name), Number: r.line.Number, Offset: r.line.Offset, Added: true}, nil
}

// remove removes structure i from r.open. The names after the end are those last removed there; see track.
func (r *Reader) remove(i int) { r.open = append(r.open[:i], r.open[i+1:]...) }

// track opens or closes the structure of the line. It reports whether to keep the line.
func (r *Reader) track() (bool, error) {
	l := &r.line
	if l.Kind == Open {
		if len(r.open) == maxOpen {
			return false, r.here("%d structures are open at once, the last ones <%s> and <%s>: are these tags, and is <%s> the tag of a document?", maxOpen, r.open[maxOpen-1], l.Name, r.cfg.Doc)
		}
		i := len(r.open)
		if i == cap(r.open) || r.open[:i+1][i] != string(l.Name) { // seldom: structures of a name have the same depth
			r.open = append(r.open, string(l.Name))
		} else {
			r.open = r.open[:i+1]
		}
		return true, nil
	}
	i := r.last(string(l.Name))
	if i < 0 && string(l.Name) == "g" {
		l.Kind = Empty // some tools write <g/> this way
		return true, r.wrong(Stray, "</g> closes nothing: read as <g/>")
	}
	if i < 0 {
		return false, r.wrong(Stray, "</%s> closes nothing: left out", l.Name)
	}
	r.remove(i)
	return true, nil
}
