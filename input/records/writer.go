package records

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
)

// WriterConfig configures how documents are written.
type WriterConfig struct {
	// Format is the format of the output and of its documents. Default: the format of the first
	// document.
	Format Format
	// Annotate keeps everything, even what the edits drop, and writes the attributes of
	// documents and paragraphs. Otherwise dropped parts are removed.
	Annotate bool
	// Explain removes dropped parts. It writes the attributes of the document and of the kept
	// paragraphs into JSON lines.
	Explain bool
	// Field is the field of a JSON line for the attributes. If the line already has the field,
	// it is replaced. Default: "dedup".
	Field string
	// Split "file" states that documents of plain text were complete files. In one output their
	// empty lines are removed, and an empty line follows each document. A Writer detects this
	// for the files of a folder.
	Split string
	// Compat "onion" writes a vertical file that was read with the same setting as onion does.
	// With Annotate, each line is preceded by "1" (dropped) or "0" and a tab. Otherwise dropped
	// paragraphs are omitted, and the document's tags are kept if at least one paragraph is
	// kept.
	Compat string
}

// DefaultWriter holds the values that NewWriter uses for zero fields.
var DefaultWriter = WriterConfig{Field: "dedup"}

// setDefaults sets the defaults of zero fields.
func (c *WriterConfig) setDefaults() {
	c.Field = cmp.Or(c.Field, DefaultWriter.Field)
}

// Writer writes documents in the form of the input, with edits applied.
type Writer struct {
	w    io.Writer
	cfg  WriterConfig
	buf  []byte
	n    int64 // bytes written
	last [3]byte
	file string // of the last document
	// open reports whether the last document is plain text without the empty line that
	// separates it from the next.
	open bool
	err  error
}

// NewWriter returns a Writer to w. Call Flush at the end.
func NewWriter(w io.Writer, cfg WriterConfig) *Writer {
	cfg.setDefaults()
	return &Writer{w: w, cfg: cfg}
}

// flushBytes is the number of bytes that are buffered before they are written.
const flushBytes = 256 << 10

// Write writes d with the edits of e; a nil e makes no change. A document without edits is
// written byte for byte.
func (w *Writer) Write(d *Doc, e *Edit) error {
	if w.err != nil {
		return w.err
	}
	w.cfg.Format = cmp.Or(w.cfg.Format, d.format)
	if d.format != w.cfg.Format {
		return w.fail(fmt.Errorf("%s: its format is %s, the format of the output is %s: convert it, or give both in two runs", d.Source.File, d.format, w.cfg.Format))
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
		if w.file != "" { // more follows a file that may have no final line end
			buf = slices.Insert(buf, begin, w.gap()...)
		}
		w.file = d.Source.File
	}
	w.buf = buf
	w.ended(buf[begin:])
	w.open = d.format == Text && w.cfg.Split != SplitLine
	return w.spill()
}

// gap returns the bytes required between the written output and the next document.
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

// ended records the last bytes of b.
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

// Flush writes the buffered bytes.
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

// Written returns the number of bytes written or buffered.
func (w *Writer) Written() int64 { return w.n + int64(len(w.buf)) }

func (w *Writer) fail(err error) error {
	w.err = err
	return err
}

// Append appends d with the edits of e to dst; a nil e makes no change. It is safe for
// concurrent use.
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

// strip appends d without the dropped paragraphs.
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

// dangling removes the separator after the last kept paragraph of d from the end of dst, if the
// paragraphs after it were dropped. kept is the index of that paragraph, -1 if there is none.
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
