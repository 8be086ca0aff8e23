package parquet

import (
	"errors"
	"fmt"
	"slices"

	"github.com/parquet-go/parquet-go"
)

// rows assembles the values of one row, which are ordered by column, into JSON.
type rows struct {
	columns [][]parquet.Value // unread values of each column
	bad     bool              // the columns contradict each other
}

var errRows = errors.New("the columns of the row contradict each other: damaged")

// set starts a row with the given number of columns.
func (r *rows) set(row parquet.Row, columns int) error {
	if len(r.columns) != columns {
		r.columns = make([][]parquet.Value, columns)
	}
	clear(r.columns)
	r.bad = false
	for len(row) > 0 {
		c, n := row[0].Column(), 1
		for n < len(row) && row[n].Column() == c {
			n++
		}
		if c < 0 || c >= columns {
			return fmt.Errorf("a value of column %d of %d: damaged", c, columns)
		}
		r.columns[c], row = row[:n:n], row[n:]
	}
	return nil
}

// end returns an error unless all values of the row were read without contradiction.
func (r *rows) end() error {
	for _, c := range r.columns {
		r.bad = r.bad || len(c) > 0
	}
	if r.bad {
		return errRows
	}
	return nil
}

// peek returns the next value of the first column of n without reading it.
func (r *rows) peek(n *node) parquet.Value {
	if n.first == n.end {
		return parquet.Value{}
	}
	if len(r.columns[n.first]) == 0 {
		r.bad = true
		return parquet.Value{}
	}
	return r.columns[n.first][0]
}

// take reads the next value of a leaf.
func (r *rows) take(n *node) parquet.Value {
	v := r.peek(n)
	if !r.bad {
		r.columns[n.first] = r.columns[n.first][1:]
	}
	return v
}

// skip reads one placeholder value from each column of n, which is null or empty.
func (r *rows) skip(n *node) {
	for c := n.first; c < n.end; c++ {
		if len(r.columns[c]) == 0 {
			r.bad = true
			return
		}
		r.columns[c] = r.columns[c][1:]
	}
}

// present reports whether n has a value. If not, it skips n.
func (r *rows) present(n *node) bool {
	if n.first < n.end && r.peek(n).DefinitionLevel() < n.def {
		r.skip(n)
		return false
	}
	return true
}

// append appends n, which may be null or repeated.
func (r *rows) append(dst []byte, n *node) []byte {
	switch {
	case n.repeated:
		return r.array(dst, n)
	case n.optional && !r.present(n):
		return append(dst, "null"...)
	}
	return r.content(dst, n)
}

// array appends the items of a repeated field.
func (r *rows) array(dst []byte, n *node) []byte {
	dst = append(dst, '[')
	for range r.items(n) {
		if dst[len(dst)-1] != '[' {
			dst = append(dst, ',')
		}
		dst = r.content(dst, n)
	}
	return append(dst, ']')
}

// items returns an iterator over the items of a repeated field. The loop body must read
// each item.
func (r *rows) items(n *node) func(yield func() bool) {
	return func(yield func() bool) {
		if n.first == n.end || !r.present(n) {
			return
		}
		for yield() && !r.bad {
			if c := r.columns[n.first]; len(c) == 0 || c[0].RepetitionLevel() < n.rep {
				return
			}
		}
	}
}

// content appends n, which is neither null nor repeated, or one item of a repeated n.
func (r *rows) content(dst []byte, n *node) []byte {
	switch n.kind {
	case leaf:
		v := r.take(n)
		if v.IsNull() {
			return append(dst, "null"...)
		}
		return n.value(dst, v)
	case list:
		return r.array(dst, n.children[0])
	case wrapper:
		return r.append(dst, n.children[0])
	case mapping:
		return r.mapping(dst, n.children[0])
	case variant:
		return r.variant(dst, n)
	}
	dst = append(dst, '{')
	for i, c := range n.children {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = r.append(append(dst, c.key...), c)
	}
	return append(dst, '}')
}

// mapping appends the entries of a map as an object, or as an array of objects if the keys
// are not scalars.
func (r *rows) mapping(dst []byte, entry *node) []byte {
	key := entry.children[0]
	if key.kind != leaf || key.repeated {
		return r.array(dst, entry)
	}
	dst = append(dst, '{')
	for range r.items(entry) {
		if dst[len(dst)-1] != '{' {
			dst = append(dst, ',')
		}
		begin := len(dst)
		if dst = r.append(dst, key); dst[begin] != '"' {
			dst = append(slices.Insert(dst, begin, '"'), '"')
		}
		dst = append(dst, ':')
		if len(entry.children) == 2 {
			dst = r.append(dst, entry.children[1])
		} else {
			dst = append(dst, "null"...)
		}
	}
	return append(dst, '}')
}
