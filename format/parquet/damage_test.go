package parquet

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"chaffinch/internal/testkit/must"
)

// TestDamagedPages damages the header or the data of each page in turn. The rows of the
// other pages are read, and the lost rows are counted.
func TestDamagedPages(t *testing.T) {
	b := foreignFile(t, 400)
	all := lines(openReader(t, b))
	f := must.Get(parquet.OpenFile(bytes.NewReader(b), int64(len(b))))(t)
	pages := 0
	for g, group := range f.RowGroups() {
		for column, c := range group.ColumnChunks() {
			index := must.Get(c.OffsetIndex())(t)
			for i := range index.NumPages() {
				pages++
				from, to := index.FirstRowIndex(i), group.NumRows()
				if i+1 < index.NumPages() {
					to = index.FirstRowIndex(i + 1)
				}
				from, to = from+int64(g)*100, to+int64(g)*100
				for _, at := range []int64{0, index.CompressedPageSize(i) - 3} {
					d := bytes.Clone(b)
					d[index.Offset(i)+at] ^= 0xff
					got := lines(openReader(t, d))
					want := fmt.Sprintf("! rows %d to %d (%d lost): ", from+1, to, to-from)
					if len(got) <= int(from) || !strings.HasPrefix(got[from], want) || !slices.Equal(slices.Delete(slices.Clone(all), int(from), int(to)), slices.Delete(got, int(from), int(from)+1)) {
						t.Fatalf("column %d, page %d, byte %d: %d rows and errors, wanted the error %q", column, i, at, len(got), want)
					}
					r := openReader(t, d)
					must.Succeed(t, r.Goto(to))
					if !slices.Equal(lines(r), all[to:]) {
						t.Fatalf("column %d, page %d: other rows from row %d on", column, i, to)
					}
				}
			}
		}
	}
	if pages < 40 {
		t.Errorf("%d pages", pages)
	}
}

// TestDamagedLZ4 reads a page of LZ4 whose decompression never ended.
func TestDamagedLZ4(t *testing.T) {
	type row struct {
		Text string `parquet:"text,lz4"`
	}
	var b bytes.Buffer
	w := parquet.NewGenericWriter[row](&b)
	for range 9 {
		must.Get(w.Write([]row{{"a text a text a text"}}))(t)
	}
	must.Succeed(t, w.Close())
	must.Equal(t, len(lines(openReader(t, b.Bytes()))), 9)
	d := bytes.Replace(b.Bytes(), []byte("ya text \a\x00"), []byte("ya text \xff\xff"), 1) // an offset of too many bytes
	must.Same(t, lines(openReader(t, d)), []string{"! rows 1 to 9 (9 lost): column text: a page cannot be decompressed: damaged"})
}

// TestCodecs reads a file whose second row group states another compression, as programs write that
// join files.
func TestCodecs(t *testing.T) {
	type row struct {
		Text string `parquet:"text"`
	}
	var b bytes.Buffer
	w := parquet.NewGenericWriter[row](&b)
	for _, text := range []string{"one", "two", "three"} {
		must.Get(w.Write([]row{{text}}))(t)
		must.Succeed(t, w.Flush())
	}
	must.Succeed(t, w.Close())
	meta := must.Get(parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len())))(t).Metadata()
	meta.RowGroups[1].Columns[0].MetaData.Codec = format.Snappy
	footer := must.Get(thrift.Marshal(new(thrift.CompactProtocol), meta))(t)
	b.Write(footer)
	b.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(footer))))
	b.WriteString("PAR1")
	want := "! rows 2 to 2 (1 lost): column text: compressed with SNAPPY, but with UNCOMPRESSED in the first row group: write the file again with one compression"
	must.Same(t, lines(openReader(t, b.Bytes())), []string{`{"text":"one"}`, want, `{"text":"three"}`})
}

// TestDamagedHeaders changes each byte of the headers of pages, which no checksum covers. The
// number of values must not change, which would move later values to other rows.
func TestDamagedHeaders(t *testing.T) {
	type row struct {
		A string `parquet:"a"`
		B int64  `parquet:"b"`
	}
	var b bytes.Buffer
	w := parquet.NewGenericWriter[row](&b, parquet.PageBufferSize(128))
	for i := range 40 {
		must.Get(w.Write([]row{{fmt.Sprint("a", i), int64(i)}}))(t)
	}
	must.Succeed(t, w.Close())
	f := must.Get(parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len())))(t)
	for _, c := range f.RowGroups()[0].ColumnChunks() {
		index := must.Get(c.OffsetIndex())(t)
		for i := range index.NumPages() {
			for at := index.Offset(i); at < index.Offset(i)+24; at++ {
				d := bytes.Clone(b.Bytes())
				d[at] ^= 2
				for _, l := range lines(openReader(t, d)) {
					var a, b int
					if _, err := fmt.Sscanf(l, `{"a":"a%d","b":%d}`, &a, &b); err == nil && a != b {
						t.Fatalf("byte %d: %s", at, l)
					}
				}
			}
		}
	}
}
