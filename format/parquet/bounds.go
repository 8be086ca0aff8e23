package parquet

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// Limits of the memory that a file can require, in bytes.
const (
	maxFooter = 16 << 20  // the footer
	maxPages  = 512 << 20 // the decompressed pages of all columns, one page and dictionary each
)

// checkFooter returns an error for a file that is truncated, encrypted or without a valid
// footer, and for a footer with lengths beyond its size.
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

// checkPages reads the page headers of a row group. It returns an error if the largest
// pages of all columns together exceed maxPages when decompressed.
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
