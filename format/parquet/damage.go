package parquet

import (
	"errors"
	"fmt"
	"io"
	"sort"

	"github.com/parquet-go/parquet-go"
)

// maxRecovery bounds the page headers, the bytes of indexes and the kB of pages that are read after damage.
const maxRecovery = 1 << 24

// lose handles an error of [Reader.read]. It returns nil if reading continues with the next
// row, and otherwise err with the numbers of the lost rows.
func (r *Reader) lose(err error) error {
	r.close()
	rows := r.groups[r.at].NumRows()
	n := min(r.n-r.begin, rows)
	if errors.Is(err, errValues) || errors.Is(err, errCodec) || !r.loadIndex() {
		n = rows // the pages may hold other rows than their index states
	}
	for n < rows {
		if r.budget <= 0 {
			n = rows
			break
		}
		row, column, bad := r.row(n)
		if bad == nil {
			r.left = r.buf[:1]
			r.left[0] = row
			break
		}
		n = r.nextPage(column, n)
	}
	from := r.n + 1
	r.n = max(r.n, r.begin+n)
	if n == rows {
		r.leave()
	}
	if r.n < from && n < rows {
		return nil
	}
	return fmt.Errorf("rows %d to %d (%d lost): %w", from, r.n, r.n-from+1, err)
}

// loadIndex loads the offset indexes of all columns of the current group, and reports whether
// it has them. The library then seeks to a page without reading the preceding pages.
func (r *Reader) loadIndex() bool {
	if r.indexes[r.at] != nil {
		return true
	}
	columns := r.file.Metadata().RowGroups[r.at].Columns
	for i := range columns {
		if columns[i].OffsetIndexLength <= 0 {
			return false
		}
		r.budget -= int64(columns[i].OffsetIndexLength)
	}
	if r.budget <= 0 {
		return false
	}
	chunks := r.groups[r.at].ColumnChunks()
	list := make([]parquet.OffsetIndex, len(chunks))
	for i := range columns {
		m := &columns[i]
		b := make([]byte, m.OffsetIndexLength)
		if _, err := r.in.ReadAt(b, m.OffsetIndexOffset); err != nil || (&compact{b: b}).check() != nil {
			return false
		}
		var err error
		if list[i], err = chunks[i].OffsetIndex(); err != nil || list[i].NumPages() == 0 {
			return false
		}
	}
	r.indexes[r.at] = list
	return true
}

// pageAt returns the offset of the page of a column at which the library begins to read row n of
// the current group, or 0 without an index.
func (r *Reader) pageAt(column int, n int64) int64 {
	list := r.indexes[r.at]
	if list == nil {
		return 0
	}
	i := sort.Search(list[column].NumPages(), func(i int) bool { return list[column].FirstRowIndex(i) > n })
	return list[column].Offset(max(i-1, 0))
}

// nextPage returns the first row of the first page of a column after row n of the current
// group, or the number of rows of the group.
func (r *Reader) nextPage(column int, n int64) int64 {
	next, index := r.groups[r.at].NumRows(), r.indexes[r.at][column]
	r.budget -= int64(index.NumPages())
	for i := range index.NumPages() {
		if row := index.FirstRowIndex(i); row > n {
			next = min(next, row)
		}
	}
	return next
}

// row reads row n of the current group and no later row. It returns the column that cannot be
// read with an error.
func (r *Reader) row(n int64) (row parquet.Row, column int, err error) {
	defer recovered(&err)
	var c parquet.ColumnChunk
	for column, c = range r.groups[r.at].ColumnChunks() {
		if row, err = r.cell(row, c, column, n); err != nil {
			break
		}
	}
	return row, column, err
}

// cell appends the values of a column in row n of the current group.
func (r *Reader) cell(row parquet.Row, c parquet.ColumnChunk, column int, n int64) (parquet.Row, error) {
	switch sum, err := r.checkColumn(column, n); {
	case err != nil:
		return row, err
	case sum > maxPages:
		return row, errLarge
	}
	pages := c.Pages()
	defer pages.Close()
	if err := pages.SeekToRow(n); err != nil {
		return row, err
	}
	p, err := pages.ReadPage()
	if err != nil {
		return row, err
	}
	defer parquet.Release(p)
	var buf [64]parquet.Value
	values := p.Slice(0, 1).Values()
	for {
		k, err := values.ReadValues(buf[:])
		for _, v := range buf[:k] {
			row = append(row, v.Clone())
		}
		if err == io.EOF {
			return row, nil
		}
		if err == nil && k == 0 {
			err = io.ErrNoProgress
		}
		if err != nil {
			return row, err
		}
	}
}
