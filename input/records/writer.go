package records

import (
	"bytes"
	"fmt"
	"io"
	"slices"
)

// WriterConfig says how documents are written back.
type WriterConfig struct {
	// Format is that of the output, which is that of its documents; "" takes the
	// format of the first one.
	Format Format
	// Annotate keeps everything, whatever the edits drop, and writes the
	// attributes of documents and paragraphs; else what is dropped is cut out.
	Annotate bool
	// Explain cuts out what is dropped, and writes the attributes of the document and
	// of the paragraphs that stay into lines of JSON.
	Explain bool
	// Field is the field of a JSON line for the attributes, by default "dedup".
	// If the line has it already, it is replaced.
	Field string
	// Split "file" tells for plain text that documents were whole files: in one
	// output they lose their empty lines, and one stands behind each. Of the
	// files of a folder a Writer knows that.
	Split string
	// Compat "onion" writes a vertical that was read with the same setting as
	// onion does: with Annotate each line with "1" (dropped) or "0" and a tab in
	// front; else without the dropped paragraphs, but with the document's tags
	// as long as one paragraph is kept.
	Compat string
}

// DefaultWriter is what NewWriter uses for fields that are zero.
var DefaultWriter = WriterConfig{Field: "dedup"}

// setDefaults fills up c.
func (c *WriterConfig) setDefaults() {
	if c.Field == "" {
		c.Field = DefaultWriter.Field
	}
}

// Writer writes documents back as they stood in the input, edited.
type Writer struct {
	w    io.Writer
	cfg  WriterConfig
	buf  []byte
	n    int64 // bytes written
	last [3]byte
	file string // of the last document
	// open tells that the last document is plain text without the empty line
	// that would part it from the next.
	open bool
	err  error
}

// NewWriter returns a Writer on w. Flush has to be called at the end.
func NewWriter(w io.Writer, cfg WriterConfig) *Writer {
	cfg.setDefaults()
	return &Writer{w: w, cfg: cfg}
}

// flushBytes is how much is held before it is written.
const flushBytes = 256 << 10

// Write writes d as e wants it; nil changes nothing. The bytes of a document
// without edits are those of the input.
func (w *Writer) Write(d *Doc, e *Edit) error {
	if w.err != nil {
		return w.err
	}
	if w.cfg.Format == "" {
		w.cfg.Format = d.format
	}
	if d.format != w.cfg.Format {
		return w.fail(fmt.Errorf("%s: its format is %s, that of the output is %s: convert it, or give both in two runs", d.Source.File, d.format, w.cfg.Format))
	}
	begin := len(w.buf)
	buf, err := w.cfg.Append(w.buf, d, e)
	if err != nil {
		return w.fail(err)
	}
	if len(buf) == begin {
		return nil
	}
	if w.file != d.Source.File {
		if w.file != "" { // what may have ended without a line end is followed by more
			buf = slices.Insert(buf, begin, w.gap()...)
		}
		w.file = d.Source.File
	}
	w.buf = buf
	w.ended(buf[begin:])
	w.open = d.format == Text && w.cfg.Split != SplitLine
	return w.spill()
}

// gap returns what has to stand between what was written and
// the next document.
func (w *Writer) gap() []byte {
	switch {
	case w.last[2] != '\n' && w.open:
		return []byte("\n\n")
	case w.last[2] != '\n':
		return []byte("\n")
	case w.open && w.last[1] != '\n' && (w.last[1] != '\r' || w.last[0] != '\n'):
		return []byte("\n")
	}
	return nil
}

// ended keeps the last bytes of b.
func (w *Writer) ended(b []byte) {
	for _, c := range b[max(0, len(b)-len(w.last)):] {
		w.last[0], w.last[1], w.last[2] = w.last[1], w.last[2], c
	}
}

// Outside writes bytes of the input that belong to no document.
func (w *Writer) Outside(b []byte) error {
	if w.err != nil || len(b) == 0 {
		return w.err
	}
	w.buf = append(w.buf, b...)
	w.ended(b)
	return w.spill()
}

func (w *Writer) spill() error {
	if len(w.buf) < flushBytes {
		return nil
	}
	return w.Flush()
}

// Flush writes what is held.
func (w *Writer) Flush() error {
	if w.err != nil || len(w.buf) == 0 {
		return w.err
	}
	n, err := w.w.Write(w.buf)
	w.n += int64(n)
	if err != nil {
		return w.fail(err)
	}
	if w.buf = w.buf[:0]; cap(w.buf) > maxKept {
		w.buf = nil
	}
	return nil
}

// Written returns the number of bytes that were given to the Writer's output or
// wait to be.
func (w *Writer) Written() int64 { return w.n + int64(len(w.buf)) }

func (w *Writer) fail(err error) error {
	w.err = err
	return err
}

// Append appends d to dst as e wants it, nil changes nothing. It may be called by
// several workers.
func (c WriterConfig) Append(dst []byte, d *Doc, e *Edit) ([]byte, error) {
	c.setDefaults()
	if e != nil && len(e.Paras) > 0 && len(e.Paras) != len(d.Paras) {
		return dst, fmt.Errorf("document %s: edits of %d paragraphs, it has %d", d.ID, len(e.Paras), len(d.Paras))
	}
	if e.replaces() && !c.Annotate && !d.Replaceable() {
		return dst, fmt.Errorf("document %s: its text cannot be replaced, for it is no running text of plain text or one field: convert it", d.ID)
	}
	if c.Compat == Onion {
		return c.onion(dst, d, e), nil
	}
	if d.format == Text && (c.Split == SplitFile || d.place.folder) {
		return c.packText(dst, d, e), nil
	}
	if e == nil {
		return append(dst, d.Raw...), nil
	}
	if c.Annotate {
		return c.annotate(dst, d, e)
	}
	switch {
	case e.Drop:
		return dst, nil
	case d.Replaceable() && (e.Joined || e.replaces()):
		return c.changed(dst, d, e), nil
	}
	if c.Explain && d.format == JSONL {
		return c.explain(dst, d, e), nil
	}
	return c.strip(dst, d, e), nil
}

// strip appends d without the paragraphs that are dropped.
func (c *WriterConfig) strip(dst []byte, d *Doc, e *Edit) []byte {
	at, kept := 0, -1
	for i := range e.Paras {
		p := &d.Paras[i]
		if !e.Paras[i].Drop {
			kept = i
			continue
		}
		dst = append(dst, d.Raw[at:p.Start]...)
		if d.format == Vertical || d.format == Prevertical {
			dst = appendUnbalanced(dst, d.Raw[p.Start:p.End], d.place.paraName)
		}
		at = p.End
	}
	if n := len(d.Paras) - 1; d.format == JSONL && len(e.Paras) > 0 && e.Paras[n].Drop {
		dst = c.dangling(dst, d, kept)
	}
	return append(dst, d.Raw[at:]...)
}

// dangling takes from the end of dst what parted the last paragraph of d that
// is kept, -1 if there is none, from those that were dropped.
func (c *WriterConfig) dangling(dst []byte, d *Doc, kept int) []byte {
	last := &d.Paras[len(d.Paras)-1]
	if d.place.elements {
		if last.End != d.place.last { // something else follows
			return dst
		}
		if t := bytes.TrimRight(dst, " \t\r\n"); t[len(t)-1] == ',' {
			return t[:len(t)-1]
		}
		return dst
	}
	if kept >= 0 && last.stop == last.End { // the text had no line break at its end
		p := &d.Paras[kept]
		return dst[:len(dst)-(p.End-p.stop)]
	}
	return dst
}
