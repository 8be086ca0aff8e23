package dedup

import (
	"cmp"

	"chaffinch/internal/extsort"
)

// Cursor reads the records of a table in order. Its methods must be called from one goroutine
// at a time.
type Cursor struct {
	m    *extsort.Merger
	gone bitmap // documents whose records are skipped
	doc  int    // offset of the document number, if gone is set
	g    *Group // to be watched; may be nil
	n    int
}

// Next returns the next record, nil at the end. It is valid until the next call and must not
// be changed.
func (c *Cursor) Next() ([]byte, error) {
	for {
		rec, err := c.m.Next()
		if c.n++; c.n&0xfff == 0 && err == nil && c.g != nil {
			err = c.g.fault()
		}
		if rec == nil || err != nil {
			return nil, err
		}
		if c.gone == nil || !c.gone.has(DocAt(rec[c.doc:])) {
			return rec, nil
		}
	}
}

// Close closes the files of the table.
func (c *Cursor) Close() error { return c.m.Close() }

// cursor opens a table to read the records r with from <= r < to; nil means no limit.
func (r *run) cursor(table string, memory int64, from, to []byte) (*Cursor, error) {
	t, err := r.ready(table)
	if err != nil {
		return nil, err
	}
	m, err := r.folder.Merge(t.Runs, extsort.MergeConfig{Memory: memory, From: from, To: to})
	if err != nil {
		return nil, err
	}
	return &Cursor{m: m, gone: r.forgotten(table), doc: t.Doc}, nil
}

// fault returns the error because of which reading should end: a rank that cannot be read, or the
// end of the context.
func (g *Group) fault() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return cmp.Or(g.err, g.ctx.Err())
}

// Open opens a table to be read beside another one. See [Group.Sorted]; the caller closes the
// cursor.
func (g *Group) Open(table string) (*Cursor, error) { return g.OpenFrom(table, 0, 1) }

// OpenFrom opens a table whose records begin with a document number, from document doc on.
// parts is the number of parts of the other table that are read at the same time.
func (g *Group) OpenFrom(table string, doc int64, parts int) (*Cursor, error) {
	var from []byte
	if doc > 0 {
		from = make([]byte, DocBytes)
		PutDoc(from, doc)
	}
	c, err := g.run.cursor(table, g.run.plan.merge/int64(parts), from, nil)
	if err == nil {
		c.g = g
	}
	return c, err
}
