package parquet

import (
	"io"
	"reflect"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"chaffinch/page"
)

// Config says how a file is cut and packed.
type Config struct {
	// RowGroupBytes is the size of a row group before packing, in bytes of its
	// values: a writer or reader holds one at a time. A larger row is a group
	// of its own.
	RowGroupBytes int64
	// PageBytes is the size of a page of a column before packing: what a reader
	// unpacks at once.
	PageBytes int
	// Columns tells whether a column is written; nil writes all.
	Columns func(name string) bool
}

// Default is the configuration that the command uses.
var Default = Config{RowGroupBytes: 32 << 20, PageBytes: 256 << 10}

// Writer writes rows into one Parquet file, compressed with zstd. The bytes depend
// on the rows alone.
type Writer struct {
	w    *parquet.GenericWriter[Row] // for all columns, else
	some *parquet.GenericWriter[any]
	cfg  Config
	row  reflect.Value // with the columns that are written
	from []int         // the fields of Row that they are
	size int64         // of the row group at hand
}

// NewWriter returns a Writer to w. Zero fields of cfg are those of [Default].
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
	// Smallest and largest text help no query, and would be copied into the
	// footer.
	for _, path := range [][]string{{"text"}, {"description"}, {"blocks", "list", "element", "text"}} {
		options = append(options, parquet.SkipPageBounds(path...), parquet.SkipPageStatistics(path...))
	}
	if cfg.Columns == nil {
		return &Writer{w: parquet.NewGenericWriter[Row](w, options...), cfg: cfg}
	}
	out := &Writer{cfg: cfg}
	var fields []reflect.StructField
	for i, t := 0, reflect.TypeFor[Row](); i < t.NumField(); i++ {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("parquet"), ",")
		if cfg.Columns(name) {
			fields = append(fields, t.Field(i))
			out.from = append(out.from, i)
		}
	}
	out.row = reflect.New(reflect.StructOf(fields))
	out.some = parquet.NewGenericWriter[any](w, append(options, parquet.NewSchema("Row", parquet.SchemaOf(out.row.Interface())))...)
	return out
}

// Write adds a row. It keeps nothing of r.
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

// Close writes what is left and the footer; without it the file cannot be read.
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

// size estimates the bytes of the values of r: those that can be large are
// counted, the others taken to have a few hundred.
func (r *Row) size() int64 {
	n := 512 + len(r.Text) + len(r.Description) + len(r.URL) + len(r.Title)
	for i := range r.Blocks {
		n += 96 + len(r.Blocks[i].Text) + len(r.Blocks[i].Why)
	}
	return int64(n)
}

// Encoder writes pages into one Parquet file: the rows of pages are made one by
// one, and packed when there is no more to come. The zero value writes the
// kept text of kept pages.
type Encoder struct {
	// Annotate writes dropped pages too, and every block with label, score and
	// reason.
	Annotate bool
	// Columns tells whether a column is written; nil writes all.
	Columns func(name string) bool
}

// Append appends the row of p, in a form that [Encoder.Pack] reads, to dst;
// nothing for a dropped page, unless annotated.
func (e Encoder) Append(dst []byte, p *page.Page) []byte {
	if p.Drop != page.None && !e.Annotate {
		return dst
	}
	r := rowOf(p, e.Annotate)
	return appendRow(dst, &r)
}

// Pack writes the file that holds the given rows, which it gets one after the
// other from next, [io.EOF] after the last.
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
