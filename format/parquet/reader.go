package parquet

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"chaffinch/internal/sequence"
)

// Bounds of what a file may ask of the memory: its table of contents, and all
// pages of columns that stand beside each other, unpacked.
const (
	maxFooter = 16 << 20
	maxPages  = 512 << 20
)

// Reader reads the rows of any Parquet file as JSON objects, one a row, as
// package jsonl reads them. Columns keep their names; those without a value are
// left out. What [Encoder] writes comes as the JSON lines of the same pages.
type Reader struct {
	file   *parquet.File
	in     io.ReaderAt
	groups []parquet.RowGroup
	ours   bool
	at     int // the group that is read
	rows   parquet.Rows
	buf    []parquet.Row
	left   []parquet.Row
	n      int64 // rows before the next one
	begin  int64 // of them, those before the group at hand
	fields []field
}

// field is a column, or a group of columns, as the schema has it at the top.
type field struct {
	name string
	key  []byte // the name as a JSON string and a colon
	unit time.Duration
	days bool
	json bool
}

// NewReader returns a reader of the file in, which has that size.
func NewReader(in io.ReaderAt, size int64) (r *Reader, err error) {
	defer recovered(&err)
	if err := checkFooter(in, size); err != nil {
		return nil, err
	}
	f, err := parquet.OpenFile(in, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true), parquet.ReadBufferSize(64<<10))
	if err != nil {
		return nil, fmt.Errorf("its table of contents cannot be read: %w", err)
	}
	r = &Reader{file: f, in: in, groups: f.RowGroups(), buf: make([]parquet.Row, 16)}
	names := map[string]bool{}
	for _, c := range f.Schema().Fields() {
		key, err := json.Marshal(c.Name())
		if err != nil {
			return nil, err
		}
		fd := field{name: c.Name(), key: append(key, ':')}
		if c.Leaf() {
			if t := c.Type().LogicalType(); t != nil {
				switch v := t.Value.(type) {
				case *format.TimestampType:
					switch v.Unit.Value.(type) {
					case *format.MilliSeconds:
						fd.unit = time.Millisecond
					case *format.MicroSeconds:
						fd.unit = time.Microsecond
					default:
						fd.unit = time.Nanosecond
					}
				case *format.DateType:
					fd.days = true
				case *format.JsonType:
					fd.json = true
				}
			}
		}
		names[fd.name] = true
		r.fields = append(r.fields, fd)
	}
	r.ours = names["id"] && names["text"] && names["record_type"] && names["blocks_all"]
	return r, nil
}

// recovered makes an error of a panic of the library, which trusts what stands
// in a file.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("the Parquet file is damaged: %v", p)
	}
}

// Row returns the number of rows before the next one, Rows that of all.
func (r *Reader) Row() int64 { return r.n }

// Rows returns the number of rows that the file states.
func (r *Reader) Rows() int64 { return r.file.NumRows() }

// Goto goes to the row behind the first n.
func (r *Reader) Goto(n int64) (err error) {
	defer recovered(&err)
	r.close()
	r.at, r.begin, r.n = 0, 0, n
	for r.at < len(r.groups) && n-r.begin >= r.groups[r.at].NumRows() {
		r.begin += r.groups[r.at].NumRows()
		r.at++
	}
	if r.at == len(r.groups) {
		if n > r.begin {
			return fmt.Errorf("row %d of %d: the file has changed", n, r.begin)
		}
		return nil
	}
	if err := r.open(); err != nil {
		return err
	}
	return r.rows.SeekToRow(n - r.begin)
}

// Close frees what reading needs; it does not close the input.
func (r *Reader) Close() error { return r.close() }

func (r *Reader) close() (err error) {
	r.left = nil
	if r.rows != nil {
		err = r.rows.Close()
		r.rows = nil
	}
	return err
}

// open opens the group at hand.
func (r *Reader) open() error {
	if err := r.checkPages(r.at); err != nil {
		return err
	}
	r.rows = r.groups[r.at].Rows()
	return nil
}

// All ranges over the JSON objects of the rows, each valid until the next. Behind
// an error, which loses the rest of a row group, it goes on.
func (r *Reader) All() iter.Seq2[[]byte, error] {
	var row []byte
	return sequence.Of(func() (_ []byte, err error) {
		row, err = r.Next(row[:0])
		return row, err
	}, func(error) bool { return true })
}

// Next appends the JSON object of the next row to dst, without a line end; io.EOF
// tells that there is none. Behind another error, which loses the rest of a row
// group, Next may be called again.
func (r *Reader) Next(dst []byte) (out []byte, err error) {
	begin := len(dst)
	defer func() {
		if p := recover(); p != nil {
			out, err = dst[:begin], r.lose(fmt.Errorf("the file is damaged: %v", p))
		}
	}()
	for len(r.left) == 0 {
		if r.at == len(r.groups) {
			return dst, io.EOF
		}
		if r.rows == nil {
			if err := r.open(); err != nil {
				return dst, r.lose(err)
			}
		}
		n, err := r.rows.ReadRows(r.buf)
		r.left = r.buf[:n]
		switch {
		case n > 0:
		case err == io.EOF && r.n < r.begin+r.groups[r.at].NumRows():
			return dst, r.lose(fmt.Errorf("ends before the rows that it states: %w", io.ErrUnexpectedEOF))
		case err == io.EOF:
			r.close()
			r.begin += r.groups[r.at].NumRows()
			r.at++
		case err != nil:
			return dst, r.lose(err)
		}
	}
	var v any
	if err := r.file.Schema().Reconstruct(&v, r.left[0]); err != nil {
		r.left = r.left[1:]
		r.n++
		return dst, fmt.Errorf("row %d: %w", r.n, err)
	}
	r.left = r.left[1:]
	r.n++
	row, ok := v.(map[string]any)
	if !ok {
		return dst, fmt.Errorf("row %d: no columns", r.n)
	}
	return r.object(dst, row), nil
}

// lose goes to the next row group and tells which rows are lost.
func (r *Reader) lose(err error) error {
	from := r.n + 1
	r.close()
	r.begin += r.groups[r.at].NumRows()
	r.n = max(r.begin, r.n)
	r.at++
	return fmt.Errorf("rows %d to %d: %w", from, r.n, err)
}

// object appends a row.
func (r *Reader) object(dst []byte, row map[string]any) []byte {
	dst = append(dst, '{')
	first := true
	key := func(k []byte) {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(dst, k...)
	}
	for i := range r.fields {
		f := &r.fields[i]
		v := row[f.name]
		if r.ours {
			if _, nested := nestedIn[f.name]; nested {
				continue
			}
			if s, ok := v.(string); ok && f.name == ownFields {
				if own := strings.TrimSpace(s); len(own) > 2 && own[0] == '{' && json.Valid([]byte(own)) {
					key([]byte(own[1 : len(own)-1]))
				}
				continue
			}
		}
		if isNull(v) {
			continue
		}
		v = f.value(v)
		b, err := json.Marshal(v)
		if err != nil { // infinite numbers, which JSON has not
			continue
		}
		key(append(append([]byte(nil), f.key...), b...))
	}
	if r.ours {
		for _, object := range []string{"source", "counts"} {
			parts := map[string]any{}
			for name, in := range nestedIn {
				if in.object == object && !isNull(row[name]) {
					parts[in.key] = row[name]
				}
			}
			b, err := json.Marshal(parts)
			if err == nil {
				key([]byte(`"` + object + `":`))
				dst = append(dst, b...)
			}
		}
	}
	return append(dst, '}')
}

// nestedIn are the columns of ours that JSON lines hold in objects.
var nestedIn = map[string]struct{ object, key string }{
	"file": {"source", "file"}, "offset": {"source", "offset"}, "record": {"source", "record"}, "record_type": {"source", "type"},
	"blocks_all": {"counts", "blocks"}, "blocks_kept": {"counts", "blocks_kept"}, "words": {"counts", "words"}, "words_kept": {"counts", "words_kept"},
}

// isNull tells whether a column has nothing to say: null, or an empty list.
func isNull(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// value makes JSON's value of a column's.
func (f *field) value(v any) any {
	switch n := v.(type) {
	case int64:
		switch f.unit {
		case time.Millisecond:
			return date(time.UnixMilli(n), time.RFC3339Nano, n)
		case time.Microsecond:
			return date(time.UnixMicro(n), time.RFC3339Nano, n)
		case time.Nanosecond:
			return date(time.Unix(0, n), time.RFC3339Nano, n)
		}
	case int32:
		if f.days {
			return date(time.Unix(int64(n)*24*3600, 0), time.DateOnly, n)
		}
	case []byte:
		return strings.ToValidUTF8(string(n), "\ufffd")
	case map[string]any:
		for k, e := range n {
			if b, ok := e.([]byte); ok && utf8.Valid(b) {
				n[k] = string(b)
			}
		}
	}
	return v
}

// date writes a time, and leaves the number of one whose year has not four digits,
// which RFC 3339 has no form for.
func date(t time.Time, layout string, n any) any {
	if t = t.UTC(); t.Year() < 0 || t.Year() > 9999 {
		return n
	}
	return t.Format(layout)
}

// checkFooter refuses files whose table of contents asks for more memory than it
// has bytes.
func checkFooter(in io.ReaderAt, size int64) error {
	var tail [8]byte
	if size < 12 {
		return fmt.Errorf("%d bytes: cut off", size)
	}
	if _, err := in.ReadAt(tail[:], size-8); err != nil && err != io.EOF {
		return err
	}
	switch string(tail[4:]) {
	case "PAR1":
	case "PARE":
		return errors.New("encrypted: write it again without encryption")
	default:
		return errors.New("no table of contents at its end: it was cut off")
	}
	n := int64(tail[0]) | int64(tail[1])<<8 | int64(tail[2])<<16 | int64(tail[3])<<24
	if n > size-12 || n > maxFooter {
		return fmt.Errorf("a table of contents of %d bytes in a file of %d (limit %d): damaged", n, size, int64(maxFooter))
	}
	b := make([]byte, n)
	if _, err := in.ReadAt(b, size-8-n); err != nil && err != io.EOF {
		return err
	}
	return (&compact{b: b}).check()
}

// checkPages follows the headers of the pages of a row group, so that none
// unpacks to more than the memory has room for.
func (r *Reader) checkPages(group int) error {
	var sum int64
	for i := range r.file.Metadata().RowGroups[group].Columns {
		m := &r.file.Metadata().RowGroups[group].Columns[i].MetaData
		at := m.DataPageOffset
		if d := m.DictionaryPageOffset; d > 0 && d < at {
			at = d
		}
		if at < 4 || m.TotalCompressedSize < 0 || at+m.TotalCompressedSize > r.file.Size() {
			return fmt.Errorf("column %s: bytes %d to %d of %d: damaged", strings.Join(m.PathInSchema, "."), at, at+m.TotalCompressedSize, r.file.Size())
		}
		section := bufio.NewReaderSize(io.NewSectionReader(r.in, at, m.TotalCompressedSize), 4<<10)
		var most, dictionary int64
		for values := int64(0); values < m.NumValues; {
			var h format.PageHeader
			if err := thrift.NewDecoder(new(thrift.CompactProtocol).NewReader(section)).Decode(&h); err != nil {
				return fmt.Errorf("column %s: header of a page: %w", strings.Join(m.PathInSchema, "."), err)
			}
			size := int64(h.UncompressedPageSize)
			switch h.Type {
			case format.DictionaryPage:
				dictionary = max(dictionary, size)
			case format.DataPage:
				values += int64(max(h.DataPageHeader.V.NumValues, 1))
			case format.DataPageV2:
				values += int64(max(h.DataPageHeaderV2.V.NumValues, 1))
			}
			most = max(most, size)
			if most+dictionary > maxPages {
				break
			}
			if _, err := section.Discard(int(max(h.CompressedPageSize, 0))); err != nil {
				return fmt.Errorf("column %s: a page of %d bytes: the file ends before it does", strings.Join(m.PathInSchema, "."), h.CompressedPageSize)
			}
		}
		sum += most + dictionary
		if sum > maxPages {
			return fmt.Errorf("pages of columns that unpack to more than %d MB beside each other: write it again with smaller pages", maxPages>>20)
		}
	}
	return nil
}
