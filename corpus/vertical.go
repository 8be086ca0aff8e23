package corpus

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"

	"chaffinch/format/vertical"
)

// Columns returns the names of the attributes of tokens that are not derived: the columns of a vertical.
func (c *Corpus) Columns() []string { return underived(c.attrs) }

// Columns returns the names of the attributes that are not derived, sorted.
func (s *Struct) Columns() []string { return underived(s.attrs) }

func underived(attrs []*Attr) (names []string) {
	for _, a := range attrs {
		if a.from == nil {
			names = append(names, a.name)
		}
	}
	return names
}

// WriteVertical writes the corpus as a vertical. Indexing it again gives an index with the same
// content. Derived attributes, such as words in lower case, are left out.
func (c *Corpus) WriteVertical(ctx context.Context, w io.Writer) error {
	v := &verticalWriter{c: c, next: make([]int, len(c.structs))}
	for _, a := range c.attrs {
		if a.from == nil {
			v.columns = append(v.columns, a)
		}
	}
	fields := make([][]byte, len(v.columns))
	for pos := int64(0); ; pos++ {
		v.tags(pos)
		if pos == c.size || len(v.buf) >= 1<<16 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if _, err := w.Write(v.buf); err != nil {
				return err
			}
			v.buf = v.buf[:0]
			c.leave(max(pos-passed, 0), pos)
		}
		if pos == c.size {
			return nil
		}
		for i, a := range v.columns {
			fields[i] = a.bytes(a.At(pos))
		}
		v.line(&vertical.Line{Kind: vertical.Token, Fields: fields})
	}
}

// verticalWriter writes the lines of a vertical.
type verticalWriter struct {
	c       *Corpus
	columns []*Attr
	next    []int // structure of each name that begins next
	open    []openStruct
	buf     []byte
}

// openStruct is structure at of a name, by its index in Corpus.structs.
type openStruct struct {
	name, at   int
	start, end int64
}

func (v *verticalWriter) isDoc(o openStruct) bool { return v.c.structs[o.name] == v.c.doc }

// tags writes the tags before token pos. Empty structures are inside of a document, if there is one.
func (v *verticalWriter) tags(pos int64) {
	v.close(pos, false)
	inside := slices.ContainsFunc(v.open, v.isDoc)
	if inside {
		v.empty(pos)
	}
	v.close(pos, true)
	if pos < v.c.size && v.c.glue.At(int(pos)) != 0 {
		v.line(&vertical.Line{Kind: vertical.Empty, Name: []byte("g")})
	}
	opens := v.begin(pos, inside)
	slices.SortStableFunc(opens, func(a, b openStruct) int {
		docs := func(o openStruct) int {
			if v.isDoc(o) {
				return 0
			}
			return 1
		}
		return cmp.Or(cmp.Compare(docs(a), docs(b)), cmp.Compare(b.end, a.end))
	})
	for _, o := range opens {
		v.tag(vertical.Open, o)
		if v.isDoc(o) {
			v.empty(pos)
		}
	}
	for _, o := range opens {
		v.next[o.name] = o.at + 1
	}
	v.open = append(v.open, opens...)
}

// begin returns the structures with tokens that begin at token pos, after empty ones. It writes empty
// documents and, without an open document and a new one, the other empty structures.
func (v *verticalWriter) begin(pos int64, inside bool) (opens []openStruct) {
	for i, s := range v.c.structs {
		at := v.next[i]
		for at < s.Len() {
			start, end := s.Span(at)
			if start != pos {
				break
			}
			if at++; start < end {
				opens = append(opens, openStruct{i, at - 1, start, end})
				break
			}
			if s == v.c.doc {
				v.whole(openStruct{i, at - 1, start, end})
				v.next[i] = at
			}
		}
	}
	if !inside && !slices.ContainsFunc(opens, v.isDoc) {
		v.empty(pos)
	}
	return opens
}

// close writes the end of structures that end at token pos: of documents, or of all others.
func (v *verticalWriter) close(pos int64, documents bool) {
	for i := len(v.open) - 1; i >= 0; i-- {
		if o := v.open[i]; o.end == pos && v.isDoc(o) == documents {
			v.tag(vertical.Close, o)
			v.open = slices.Delete(v.open, i, i+1)
		}
	}
}

// empty writes the structures without tokens at token pos, except documents.
func (v *verticalWriter) empty(pos int64) {
	for i, s := range v.c.structs {
		for v.next[i] < s.Len() {
			start, end := s.Span(v.next[i])
			if start != pos || end != pos || s == v.c.doc {
				break
			}
			o := openStruct{i, v.next[i], start, end}
			v.next[i]++
			if s.name == spaceStruct {
				v.tag(vertical.Empty, o)
				continue
			}
			v.whole(o)
		}
	}
}

// whole writes a structure without tokens.
func (v *verticalWriter) whole(o openStruct) {
	v.tag(vertical.Open, o)
	v.tag(vertical.Close, o)
}

func (v *verticalWriter) tag(kind vertical.Kind, o openStruct) {
	s := v.c.structs[o.name]
	l := &vertical.Line{Kind: kind, Name: []byte(s.name)}
	if kind != vertical.Close {
		for _, a := range s.attrs {
			if value := a.bytes(a.At(int64(o.at))); a.from == nil && len(value) > 0 {
				l.Attrs = append(l.Attrs, vertical.Attr{Name: []byte(a.name), Value: value})
			}
		}
	}
	v.line(l)
}

func (v *verticalWriter) line(l *vertical.Line) { v.buf = vertical.AppendLine(v.buf, l) }

// ReadVertical calls read with the vertical of the corpus, as WriteVertical writes it.
func (c *Corpus) ReadVertical(ctx context.Context, read func(io.Reader) error) error {
	return piped(func(w io.Writer) error { return c.WriteVertical(ctx, w) }, read)
}

var errStopped = errors.New("corpus: stopped")

// piped calls read with the output of write, which runs at the same time. Both have returned when it
// returns.
func piped(write func(io.Writer) error, read func(io.Reader) error) error {
	in, pipe := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		pipe.CloseWithError(write(pipe))
	}()
	err := read(in)
	in.CloseWithError(errStopped) // ends the writer after an error
	<-done
	return err
}
