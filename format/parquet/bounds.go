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

var errLarge = fmt.Errorf("pages of columns that unpack to more than %d MB beside each other: write it again with smaller pages", maxPages>>20)

// Errors of a whole row group.
var (
	errValues = errors.New("a header of a page is damaged")
	errCodec  = errors.New("write the file again with one compression")
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

// checkPages returns an error if the largest pages of all columns of the current group together
// exceed maxPages when decompressed.
func (r *Reader) checkPages() error {
	var sum int64
	for i := range r.file.Metadata().RowGroups[r.at].Columns {
		n, err := r.checkColumn(i, r.n-r.begin)
		if err != nil {
			return err
		}
		if sum += n; sum > maxPages {
			return errLarge
		}
	}
	return nil
}

// checkColumn reads the page headers of a column of the current group that the library reads
// from row n on, up to a header that cannot be read: the library then returns the error. It
// returns the decompressed bytes of the largest page and dictionary together.
func (r *Reader) checkColumn(column int, n int64) (sum int64, err error) {
	m := &r.file.Metadata().RowGroups[r.at].Columns[column].MetaData
	name := strings.Join(m.PathInSchema, ".")
	at := m.DataPageOffset
	if d := m.DictionaryPageOffset; d > 0 && d < at {
		at = d
	}
	// The library uses the codec of the first group for all groups.
	if first := r.file.Metadata().RowGroups[0].Columns[column].MetaData.Codec; m.Codec != first {
		return 0, fmt.Errorf("column %s: compressed with %s, but with %s in the first row group: %w", name, m.Codec, first, errCodec)
	}
	end := at + m.TotalCompressedSize
	if at < 4 || m.TotalCompressedSize < 0 || end > r.file.Size() {
		return 0, fmt.Errorf("column %s: bytes %d to %d of %d: damaged", name, at, end, r.file.Size())
	}
	var most, dictionary, stated int64
	skip := r.pageAt(column, n) - at // after the dictionary
	section := bufio.NewReaderSize(io.NewSectionReader(r.in, at, m.TotalCompressedSize), 4<<10)
	complete := true // all headers were read
	for values := int64(0); values < m.NumValues && most+dictionary <= maxPages; {
		if _, err := section.Peek(1); err == io.EOF && skip <= 0 {
			break
		}
		var h format.PageHeader
		r.budget--
		err := thrift.NewDecoder(new(thrift.CompactProtocol).NewReader(section)).Decode(&h)
		size := int64(h.UncompressedPageSize)
		if err == nil && (skip <= 0 || h.Type == format.DictionaryPage) {
			n, err := r.readPage(section, &h, m.Codec)
			if err != nil {
				return 0, fmt.Errorf("column %s: %w", name, err)
			}
			size = max(size, n)
		}
		switch {
		case err != nil:
		case h.Type == format.DictionaryPage:
			dictionary = max(dictionary, size)
		case h.Type == format.DataPage:
			stated += int64(h.DataPageHeader.V.NumValues)
			values += int64(max(h.DataPageHeader.V.NumValues, 1))
		case h.Type == format.DataPageV2:
			stated += int64(h.DataPageHeaderV2.V.NumValues)
			if leaf, _ := r.file.Schema().Lookup(m.PathInSchema...); leaf.MaxDefinitionLevel == 0 {
				stated -= int64(h.DataPageHeaderV2.V.NumNulls) // of values that are never null
			}
			values += int64(max(h.DataPageHeaderV2.V.NumValues, 1))
		}
		most = max(most, size)
		if skip > 0 {
			section.Reset(io.NewSectionReader(r.in, at+skip, m.TotalCompressedSize-skip))
			skip, values = 0, 0
		} else if err != nil {
			complete = false
			break
		}
	}
	if complete && r.indexes[r.at] == nil && stated != m.NumValues && most+dictionary <= maxPages {
		return 0, fmt.Errorf("column %s: %d values in its pages, %d in the table of contents: %w", name, stated, m.NumValues, errValues)
	}
	return most + dictionary, nil
}
