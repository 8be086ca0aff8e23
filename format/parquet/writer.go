package parquet

import (
	"io"
	"reflect"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"chaffinch/page"
)

// Config configures a [Writer].
type Config struct {
	// RowGroupBytes is the maximum size of a row group before compression, in bytes of its
	// values. Writers and readers hold one group in memory. A larger row is a separate
	// group. Default: 32 MiB.
	RowGroupBytes int64
	// PageBytes is the size of a column page before compression, in bytes. Readers
	// decompress one page at a time. Default: 256 KiB.
	PageBytes int
	// Columns reports whether to write a column. Default: all.
	Columns func(name string) bool
}

// Default is the configuration used by the command.
var Default = Config{RowGroupBytes: 32 << 20, PageBytes: 256 << 10}

// Writer writes rows to a Parquet file, compressed with zstd. The same rows and
// configuration always produce the same bytes.
type Writer struct {
	w    *parquet.GenericWriter[Row] // for all columns, or nil
	some *parquet.GenericWriter[any] // for selected columns, or nil
	cfg  Config
	row  reflect.Value // a row of the selected columns
	from []int         // indexes of the fields of Row to write
	size int64         // of the current row group
}

// Names returns the names of the columns of [Row], in order.
func Names() []string {
	t := reflect.TypeFor[Row]()
	names := make([]string, t.NumField())
	for i := range names {
		names[i], _, _ = strings.Cut(t.Field(i).Tag.Get("parquet"), ",")
	}
	return names
}

// NewWriter returns a Writer to w. Zero fields of cfg select the values of [Default].
func NewWriter(w io.Writer, cfg Config) *Writer {
	if cfg.RowGroupBytes <= 0 {
		cfg.RowGroupBytes = Default.RowGroupBytes
	}
	if cfg.PageBytes <= 0 {
		cfg.PageBytes = Default.PageBytes
	}
	options := []parquet.WriterOption{
		parquet.Compression(&zstd.Codec{Level: zstd.SpeedDefault, Concurrency: 1}),
		parquet.PageBufferSize(cfg.PageBytes),
		parquet.CreatedBy("chaffinch", "1", ""),
	}
	// The minimum and maximum of a text are useless for queries and would be copied into the
	// footer.
	for _, path := range [][]string{{"text"}, {"description"}, {"blocks", "list", "element", "text"}} {
		options = append(options, parquet.SkipPageBounds(path...), parquet.SkipPageStatistics(path...))
	}
	if cfg.Columns == nil {
		return &Writer{w: parquet.NewGenericWriter[Row](w, options...), cfg: cfg}
	}
	out := &Writer{cfg: cfg}
	var fields []reflect.StructField
	for i, name := range Names() {
		if cfg.Columns(name) {
			fields = append(fields, reflect.TypeFor[Row]().Field(i))
			out.from = append(out.from, i)
		}
	}
	out.row = reflect.New(reflect.StructOf(fields))
	out.some = parquet.NewGenericWriter[any](w, append(options, parquet.NewSchema("Row", parquet.SchemaOf(out.row.Interface())))...)
	return out
}

// Write writes a row. It does not retain r.
func (w *Writer) Write(r *Row) error {
	size := r.size()
	if w.size > 0 && w.size+size > w.cfg.RowGroupBytes {
		if err := w.flush(); err != nil {
			return err
		}
		w.size = 0
	}
	w.size += size
	if w.some == nil {
		_, err := w.w.Write([]Row{*r})
		return err
	}
	from := reflect.ValueOf(r).Elem()
	for k, i := range w.from {
		w.row.Elem().Field(k).Set(from.Field(i))
	}
	_, err := w.some.Write([]any{w.row.Interface()})
	return err
}

// Close writes the buffered rows and the footer. Without the footer, the file is unreadable.
func (w *Writer) Close() error {
	if w.some != nil {
		return w.some.Close()
	}
	return w.w.Close()
}

func (w *Writer) flush() error {
	if w.some != nil {
		return w.some.Flush()
	}
	return w.w.Flush()
}

// size estimates the size of the values of r in bytes. It counts the values that can be
// large and adds a constant for the others.
func (r *Row) size() int64 {
	n := 512 + len(r.Text) + len(r.Description) + len(r.URL) + len(r.Title)
	for i := range r.Blocks {
		n += 96 + len(r.Blocks[i].Text) + len(r.Blocks[i].Reason)
	}
	return int64(n)
}

// Encoder writes pages to a Parquet file. [Encoder.Append] encodes one row at a time, and
// [Encoder.Pack] writes the file. The zero value writes the kept text of kept pages.
type Encoder struct {
	// Annotate also writes dropped pages, and every block with label, score and reason.
	Annotate bool
	// Columns reports whether to write a column. Default: all.
	Columns func(name string) bool
}

// Append appends the row of p to dst, in a format for [Encoder.Pack]. It appends nothing for
// a dropped page unless annotated.
func (e Encoder) Append(dst []byte, p *page.Page) []byte {
	if p.Drop != page.None && !e.Annotate {
		return dst
	}
	r := rowOf(p, e.Annotate)
	return appendRow(dst, &r)
}

// Pack writes a file of the rows that next returns. next must return [io.EOF] after the
// last row.
func (e Encoder) Pack(w io.Writer, next func() ([]byte, error)) error {
	cfg := Default
	cfg.Columns = e.Columns
	out := NewWriter(w, cfg)
	var r Row
	for {
		b, err := next()
		if err == io.EOF {
			return out.Close()
		}
		if err == nil {
			if err = r.parse(b); err == nil {
				err = out.Write(&r)
			}
		}
		if err != nil {
			return err
		}
	}
}
