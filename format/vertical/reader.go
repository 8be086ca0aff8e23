package vertical

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"

	"chaffinch/internal/readers"
	"chaffinch/internal/runes"
	"chaffinch/page"
)

// ReaderConfig configures a [Reader].
type ReaderConfig struct {
	// Name is the name of the file in messages. Default: "-".
	Name string
	// Strict returns an error for the first fault. Otherwise faults are repaired, counted
	// and reported.
	Strict bool
	// MaxLine is the maximum length of a line in bytes. A longer line is an error. Default:
	// 16 MiB.
	MaxLine int
	// MaxDoc is the maximum number of bytes of text that [Pages] reads from a document.
	// Default: 32 MiB.
	MaxDoc int
	// Columns is the number of columns of tokens. Default: the number of columns of the
	// first token.
	Columns int
	// Ragged allows a different number of columns for each token, at least one.
	Ragged bool
	// Doc is the name of the structure of documents. Its tags close all other structures.
	// Default: "doc".
	Doc string
	// Text reads a prevertical: the lines between tags are running text.
	Text bool
	// Raw does not decode references such as &lt;.
	Raw bool
	// OnRepair, if not nil, is called for each repair with its kind, its position and the
	// fault.
	OnRepair func(Repair, *page.Error)
}

// DefaultReader is the configuration for verticals. Faults are repaired if possible.
var DefaultReader = ReaderConfig{Name: "-", MaxLine: 16 << 20, MaxDoc: 32 << 20, Doc: "doc"}

// Reader reads a vertical or prevertical line by line, in memory bounded by its longest
// line. It repairs and counts faults. It omits nothing silently.
type Reader struct {
	// OnBlock, if not nil, is called before tokens of [Reader.Tokens] become invalid.
	OnBlock func()

	cfg   ReaderConfig
	block *block
	used  int    // lines used of the block
	from  int    // beginning of the next line
	plain int    // plain tokens used of the block
	stop  int    // next of the block's stops
	glue  int    // next of the block's glues
	fill  func() // reads the next block
	line  Line
	tag   tag
	known *knownTags // nil if the caller may change tags
	cols  [][]byte
	open  []string // currently open structures, innermost last
	// hold indicates that line is parsed, but structures are closed before it.
	hold   bool
	ended  bool
	err    error
	report ReaderReport
}

// NewReader returns a Reader of r. Zero fields of cfg select the values of [DefaultReader].
func NewReader(r io.Reader, cfg ReaderConfig) *Reader {
	if cfg.Name == "" {
		cfg.Name = DefaultReader.Name
	}
	if cfg.MaxLine <= 0 {
		cfg.MaxLine = DefaultReader.MaxLine
	}
	if cfg.MaxDoc <= 0 {
		cfg.MaxDoc = DefaultReader.MaxDoc
	}
	if cfg.Doc == "" {
		cfg.Doc = DefaultReader.Doc
	}
	v := &Reader{cfg: cfg, block: new(block)}
	c := &cutter{in: r, max: cfg.MaxLine}
	v.fill = func() { c.cut(v.block) }
	return v
}

// Report returns the counts of lines read and repairs so far.
func (r *Reader) Report() ReaderReport { return r.report }

// Place returns the number of the next line, from 1, and its byte offset.
func (r *Reader) Place() (number, offset int64) { return r.report.Lines + 1, r.report.Bytes }

// All ranges over the lines as [Reader.Next] returns them, up to the first error.
func (r *Reader) All() iter.Seq2[*Line, error] { return readers.All(r.Next, readers.Never) }

// Next returns the next line, which is valid until the next call, or io.EOF at the end.
// After an error it returns the same error again.
func (r *Reader) Next() (*Line, error) {
	if r.err != nil {
		return nil, r.err
	}
	l, err := r.next()
	if err != nil {
		r.err = err
		return nil, err
	}
	if l.Kind == Token {
		r.report.Tokens++
	}
	return l, nil
}

func (r *Reader) next() (*Line, error) {
	for {
		if r.hold {
			if i := r.ends(); i >= 0 {
				return r.closeOpen(i)
			}
			r.hold = false
			if r.ended {
				return nil, io.EOF
			}
			if keep, err := r.track(); err != nil || keep {
				return &r.line, err
			}
			continue
		}
		b, marks, err := r.read()
		if err == io.EOF {
			r.ended, r.hold = true, true
			continue
		}
		if err != nil {
			return nil, err
		}
		ok, err := r.parse(b, marks)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		if r.line.Kind == Open || r.line.Kind == Close {
			r.hold = true
			continue
		}
		return &r.line, nil
	}
}

// wrong counts a repair, or returns an error if Strict.
func (r *Reader) wrong(k Repair, format string, args ...any) error {
	if !r.cfg.Strict && r.cfg.OnRepair == nil {
		r.report.Repairs[k]++
		return nil
	}
	e := r.here(format, args...)
	if r.cfg.Strict {
		return e
	}
	r.report.Repairs[k]++
	r.cfg.OnRepair(k, e)
	return nil
}

// here returns an error in the current line.
func (r *Reader) here(format string, args ...any) *page.Error {
	return &page.Error{File: r.cfg.Name, Line: r.line.Number, Offset: r.line.Offset, Err: fmt.Errorf(format, args...)}
}

// more reports whether there is another line. It reads the next block if all lines of this one are used.
func (r *Reader) more() bool {
	for r.used == len(r.block.ends) {
		if r.block.err != nil {
			return false
		}
		r.fill()
		r.used, r.from, r.plain, r.stop, r.glue = 0, 0, 0, 0, 0
	}
	return true
}

// take returns the next line with its line feed and its properties. If there is none, it
// returns the error after the last line.
func (r *Reader) take() (b []byte, marks uint8, err error) {
	if !r.more() {
		return nil, 0, r.block.err
	}
	end := int(r.block.ends[r.used])
	b, marks = r.block.data[r.from:end], r.block.marks[r.used]
	r.used, r.from, r.plain = r.used+1, end, r.plain+int(marks/plain)
	if b[len(b)-1] != '\n' {
		err = r.block.err
	}
	return b, marks, err
}

// read returns the next line without its end, and its properties.
func (r *Reader) read() ([]byte, uint8, error) {
	b, marks, err := r.take()
	r.line.Offset = r.report.Bytes
	r.report.Bytes += int64(len(b))
	if len(b) == 0 && err != nil {
		return nil, 0, r.readError(err)
	}
	r.report.Lines++
	r.line.Number = r.report.Lines
	if len(b) > r.cfg.MaxLine {
		return nil, 0, r.here("longer than %d bytes, as no token is: is this a vertical? If so, take the line out (sed %dd), or raise the limit of the bytes of a line", r.cfg.MaxLine, r.line.Number)
	}
	if err != nil && err != io.EOF {
		return nil, 0, r.readError(err)
	}
	if err == io.EOF {
		if err := r.wrong(NoNewline, "no line feed after the last line: is the file cut off?"); err != nil {
			return nil, 0, err
		}
	} else {
		b = b[:len(b)-1]
	}
	if r.line.Number == 1 {
		if b, err = r.prologue(b); err != nil {
			return nil, 0, err
		}
	}
	if n := len(b); n > 0 && b[n-1] == '\r' {
		b = b[:n-1]
		if err := r.wrong(CRLF, "CR LF at the end of the line: the CR is left out"); err != nil {
			return nil, 0, err
		}
	}
	return b, marks, nil
}

func (r *Reader) readError(err error) error {
	if err == io.EOF {
		return err
	}
	return &page.Error{File: r.cfg.Name, Line: r.report.Lines + 1, Offset: r.report.Bytes, Err: err}
}

// prologue removes the byte-order mark and other prologue from the first line.
func (r *Reader) prologue(b []byte) ([]byte, error) {
	if runes.HasUTF16Mark(b) {
		return nil, errors.New(r.cfg.Name + ": UTF-16: a vertical is in UTF-8: convert it, for example with iconv -f UTF-16 -t UTF-8")
	}
	if bom := []byte("\ufeff"); bytes.HasPrefix(b, bom) {
		for bytes.HasPrefix(b, bom) { // concatenated files have several
			b = b[len(bom):]
		}
		return b, r.wrong(Prologue, "byte-order mark: left out")
	}
	return b, nil
}

// parse parses b, which has the properties marks, into the line. It reports whether b is a
// line to return.
func (r *Reader) parse(b []byte, marks uint8) (bool, error) {
	l := &r.line
	if marks&damaged != 0 {
		if err := r.wrong(NotUTF8, "invalid UTF-8: U+FFFD in its place"); err != nil {
			return false, err
		}
		b = bytes.ToValidUTF8(b, []byte("\ufffd"))
	}
	l.Name, l.Attrs, l.Fields, l.Added = nil, nil, nil, false
	if len(b) > 0 && b[0] == '<' {
		t := &r.tag
		if r.known != nil {
			t = r.known.parse(b, !r.cfg.Raw)
		} else if !t.parse(b, !r.cfg.Raw) {
			t = nil
		}
		if t != nil {
			l.Kind, l.Name, l.Attrs = t.kind, t.name, t.attrs
			if t.problem != "" {
				return true, r.wrong(t.repair, "%s", t.problem)
			}
			return true, nil
		}
		if bytes.HasPrefix(b, []byte("<?xml")) || bytes.HasPrefix(b, []byte("<!--")) && bytes.HasSuffix(b, []byte("-->")) {
			return false, r.wrong(Prologue, "XML declaration or comment: left out")
		}
	}
	if r.cfg.Text {
		return r.text(b), nil
	}
	if marks&(blank|tab|ampersand) == 0 && len(b) > 0 && r.cfg.Columns <= 1 { // a single word
		r.cfg.Columns = 1
		r.cols = append(r.cols[:0], b)
		l.Kind, l.Fields = Token, r.cols
		return true, nil
	}
	return r.token(b)
}

// text parses b as a line of running text and reports whether it is not empty.
func (r *Reader) text(b []byte) bool {
	if len(bytes.TrimSpace(b)) == 0 {
		return false
	}
	if !r.cfg.Raw {
		b = unescape(b)
	}
	r.cols = append(r.cols[:0], b)
	r.line.Kind, r.line.Fields = Text, r.cols
	return true
}

// token parses b as a token. It reports false for an empty line.
func (r *Reader) token(b []byte) (bool, error) {
	if len(b) == 0 || b[0] == ' ' && len(bytes.Trim(b, " ")) == 0 {
		return false, r.wrong(EmptyLine, "empty line: left out")
	}
	cols := r.cols[:0]
	blanks := false
	for {
		i := bytes.IndexByte(b, '\t')
		f := b
		if i >= 0 {
			f = b[:i]
		}
		if n := len(f); n > 0 && (f[0] == ' ' || f[n-1] == ' ') {
			f = bytes.Trim(f, " ")
			blanks = true
		}
		if !r.cfg.Raw {
			f = unescape(f)
		}
		cols = append(cols, f)
		if i < 0 {
			break
		}
		b = b[i+1:]
	}
	if blanks {
		if err := r.wrong(Space, "blanks at the ends of a column: left out"); err != nil {
			return false, err
		}
	}
	if r.cfg.Columns == 0 {
		r.cfg.Columns = len(cols)
	}
	if want := r.cfg.Columns; len(cols) != want && !r.cfg.Ragged {
		if err := r.wrong(Columns, "%d columns in the line of %s, %d elsewhere", len(cols), quote(cols[0]), want); err != nil {
			return false, err
		}
		for len(cols) < want {
			cols = append(cols, nil)
		}
		cols = cols[:want]
	}
	r.cols = cols
	if len(cols) == 1 && len(cols[0]) == 0 {
		return false, r.wrong(EmptyLine, "empty line: left out")
	}
	r.line.Kind, r.line.Fields = Token, cols
	return true, nil
}
