package parquet

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/parquet-go/parquet-go"

	"chaffinch/internal/readers"
)

// Reader reads the rows of any Parquet file as JSON objects, which package jsonl can parse.
// Columns keep their names. Null values are omitted, except in the columns with pages, which
// [NewReader] names. Rows written by [Encoder] become the JSON lines of the same pages.
type Reader struct {
	file   *parquet.File
	in     io.ReaderAt
	groups []parquet.RowGroup
	ours   bool
	text   []string // columns with pages
	at     int      // index of the current group
	rows   parquet.Rows
	buf    []parquet.Row
	left   []parquet.Row
	n      int64 // number of rows before the next row
	begin  int64 // number of rows before the current group
	schema *node
	// indexes holds the loaded offset indexes of the columns of damaged groups.
	indexes map[int][]parquet.OffsetIndex
	budget  int64        // rest of maxRecovery
	body    bufio.Reader // of the page that is checked
	values  rows
}

// NewReader returns a reader of the file in, of size bytes. Bytes that are neither text by
// their type nor valid UTF-8 are written in base64. text names the columns of bytes that
// hold pages: they become strings in their original encoding.
func NewReader(in io.ReaderAt, size int64, text ...string) (r *Reader, err error) {
	defer recovered(&err)
	if err := checkFooter(in, size); err != nil {
		return nil, err
	}
	f, err := parquet.OpenFile(in, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true), parquet.ReadBufferSize(64<<10))
	if err != nil {
		return nil, fmt.Errorf("its table of contents cannot be read: %w", err)
	}
	r = &Reader{file: f, in: in, text: text, groups: f.RowGroups(), buf: make([]parquet.Row, 16), indexes: map[int][]parquet.OffsetIndex{}, budget: maxRecovery}
	if r.schema, err = shape(f, func(name string) bool { return slices.Contains(text, name) }); err != nil {
		return nil, err
	}
	r.ours = true
	for _, name := range []string{"id", "text", "record_type", "blocks_all"} {
		r.ours = r.ours && r.schema.child(name) != nil
	}
	return r, nil
}

// recovered converts a panic to an error. The Parquet library panics on some damaged files.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("the Parquet file is damaged: %v", p)
	}
}

// Row returns the number of rows before the next row.
func (r *Reader) Row() int64 { return r.n }

// Goto skips the first n rows of the file, so that [Reader.Next] returns the row after
// them. It returns an error if the file has fewer than n rows.
func (r *Reader) Goto(n int64) error {
	r.close()
	r.at, r.begin, r.n = 0, 0, n
	for r.at < len(r.groups) && n-r.begin >= r.groups[r.at].NumRows() {
		r.begin += r.groups[r.at].NumRows()
		r.at++
	}
	if r.at == len(r.groups) && n > r.begin {
		return fmt.Errorf("row %d of %d: the file has changed", n, r.begin)
	}
	return nil
}

// Close releases the resources of the reader. It does not close the input.
func (r *Reader) Close() error { return r.close() }

func (r *Reader) close() (err error) {
	r.left = nil
	if r.rows != nil {
		err = r.rows.Close()
		r.rows = nil
	}
	return err
}

// open opens the current group at the next row.
func (r *Reader) open() error {
	if err := r.checkPages(); err != nil {
		return err
	}
	r.rows = r.groups[r.at].Rows()
	return r.rows.SeekToRow(r.n - r.begin)
}

// All returns an iterator over the JSON objects of the rows, each valid until the next. It
// continues after an error as [Reader.Next] does.
func (r *Reader) All() iter.Seq2[[]byte, error] {
	var row []byte
	return readers.All(func() (_ []byte, err error) {
		row, err = r.Next(row[:0])
		return row, err
	}, func(error) bool { return true })
}

// Next appends the JSON object of the next row to dst, without a line end. It returns
// io.EOF after the last row. After another error, Next can be called again: it continues
// with the next row that can be read. In a file without an offset index, damaged pages lose
// the later rows of their row group.
func (r *Reader) Next(dst []byte) ([]byte, error) {
	for len(r.left) == 0 {
		if r.at == len(r.groups) {
			return dst, io.EOF
		}
		if err := r.read(); err != nil {
			if err = r.lose(err); err != nil {
				return dst, err
			}
		}
	}
	row := r.left[0]
	r.left = r.left[1:]
	r.n++
	out, err := r.object(dst, row)
	if err != nil {
		return dst, fmt.Errorf("row %d: %w", r.n, err)
	}
	return out, nil
}

// read reads the next rows of the current group, or moves to the next group.
func (r *Reader) read() (err error) {
	defer recovered(&err)
	end := r.begin + r.groups[r.at].NumRows()
	if end == r.begin { // an empty table has a group without pages
		r.leave()
		return nil
	}
	if r.rows == nil {
		if err := r.open(); err != nil {
			return err
		}
	}
	n, err := r.rows.ReadRows(r.buf)
	switch {
	case n > 0:
		r.left = r.buf[:n]
		return nil
	case err == io.EOF && r.n < end:
		return fmt.Errorf("ends before the rows that it states: %w", io.ErrUnexpectedEOF)
	case err == io.EOF:
		r.leave()
		return nil
	case err != nil:
		return err
	}
	return errors.New("no columns")
}

// leave moves to the next row group.
func (r *Reader) leave() {
	r.close()
	r.begin += r.groups[r.at].NumRows()
	r.at++
}

// object appends a row.
func (r *Reader) object(dst []byte, row parquet.Row) (_ []byte, err error) {
	defer recovered(&err)
	if err := r.values.set(row, r.schema.end); err != nil {
		return dst, err
	}
	if r.ours {
		return r.page(dst)
	}
	dst = append(dst, '{')
	for _, n := range r.schema.children {
		dst = r.field(dst, n)
	}
	return append(dst, '}'), r.values.end()
}

// field appends a field of an object. A value that is null is omitted, except in a column with pages.
func (r *Reader) field(dst []byte, n *node) []byte {
	begin := len(dst)
	if dst[begin-1] != '{' {
		dst = append(dst, ',')
	}
	dst = append(dst, n.key...)
	at := len(dst)
	dst = r.values.append(dst, n)
	if string(dst[at:]) == "null" && !slices.Contains(r.text, n.name) || r.ours && string(dst[at:]) == "[]" {
		return dst[:begin]
	}
	return dst
}

// page appends a row written by [Encoder].
func (r *Reader) page(dst []byte) ([]byte, error) {
	dst = append(dst, '{')
	objects := map[string][]byte{"source": {'{'}, "counts": {'{'}}
	for _, n := range r.schema.children {
		in, nested := nestedIn[n.name]
		switch {
		case nested:
			renamed := *n
			renamed.key = []byte(`"` + in.key + `":`)
			objects[in.object] = r.field(objects[in.object], &renamed)
		case n.name == ownFields && n.kind == leaf && !n.repeated:
			own := bytes.TrimSpace(r.values.take(n).ByteArray())
			if len(own) > 2 && own[0] == '{' && json.Valid(own) {
				if dst[len(dst)-1] != '{' {
					dst = append(dst, ',')
				}
				dst = append(dst, own[1:len(own)-1]...)
			}
		default:
			dst = r.field(dst, n)
		}
	}
	for _, name := range []string{"source", "counts"} {
		if dst[len(dst)-1] != '{' {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, `"`+name+`":`...), objects[name]...), '}')
	}
	return append(dst, '}'), r.values.end()
}

// nestedIn maps columns written by [Encoder] to the nested objects of JSON lines.
var nestedIn = map[string]struct{ object, key string }{
	"file": {"source", "file"}, "offset": {"source", "offset"}, "record": {"source", "record"}, "record_type": {"source", "type"},
	"blocks_all": {"counts", "blocks"}, "blocks_kept": {"counts", "blocks_kept"}, "words": {"counts", "words"}, "words_kept": {"counts", "words_kept"},
}
