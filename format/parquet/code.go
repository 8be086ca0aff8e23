package parquet

import (
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"unsafe"
)

// errRow indicates bytes that are not a row written by [Encoder.Append].
var errRow = errors.New("not a page row of this build")

// coder encodes or decodes a row, field by field. Both directions share one list of fields.
type coder struct {
	b       []byte // encoded bytes, or bytes still to decode
	reading bool
	bad     bool
}

// row encodes or decodes all fields of r.
func (c *coder) row(r *Row) {
	for _, s := range []*string{
		&r.ID, &r.URL, &r.Text, &r.Title, &r.Site, &r.Lang, &r.DeclaredLang, &r.Date, &r.Modified, &r.Fetched, &r.Canonical,
		&r.Description, &r.License, &r.Optout, &r.Translated, &r.Image, &r.Type, &r.MIME, &r.Charset, &r.File, &r.Record, &r.RecordType, &r.ConfidencePolicy, &r.PageType, &r.Drop, &r.Cut, &r.Fields,
	} {
		c.str(s)
	}
	for _, list := range []*[]string{&r.Authors, &r.Categories, &r.Tags, &r.Registers} {
		each(c, list, c.str)
	}
	for _, n := range []*int64{&r.Offset, &r.BlocksAll, &r.BlocksKept, &r.Words, &r.WordsKept} {
		c.num(n)
	}
	c.float(&r.LangConfidence)
	c.float(&r.Confidence)
	c.float(&r.PageTypeConfidence)
	each(c, &r.Langs, func(l *Lang) { c.str(&l.Lang); c.float(&l.Share) })
	each(c, &r.Blocks, c.block)
}

func (c *coder) block(b *Block) {
	for _, s := range []*string{&b.Kind, &b.Lang, &b.Label, &b.Role, &b.By, &b.Reason, &b.Text} {
		c.str(s)
	}
	level, hidden := int64(b.Level), int64(0)
	if b.Hidden {
		hidden = 1
	}
	for _, n := range []*int64{&level, &hidden, &b.Start, &b.End} {
		c.num(n)
	}
	b.Level, b.Hidden = int32(level), hidden != 0
	c.float(&b.Score)
	c.float(&b.LangConfidence)
}

// str encodes or decodes a string: its length in bytes, then its bytes. Parquet strings are
// UTF-8, so invalid bytes become U+FFFD. A decoded string refers to the encoded bytes.
func (c *coder) str(s *string) {
	if !c.reading {
		v := strings.ToValidUTF8(*s, "\uFFFD")
		c.b = append(binary.AppendUvarint(c.b, uint64(len(v))), v...)
		return
	}
	n := c.length(1)
	*s = unsafe.String(unsafe.SliceData(c.b), n)
	c.b = c.b[n:]
}

func (c *coder) num(n *int64) {
	if !c.reading {
		c.b = binary.AppendVarint(c.b, *n)
		return
	}
	v, size := binary.Varint(c.b)
	c.advance(size)
	*n = v
}

func (c *coder) float(f *float64) {
	if !c.reading {
		c.b = binary.LittleEndian.AppendUint64(c.b, math.Float64bits(*f))
		return
	}
	if len(c.b) < 8 {
		c.advance(0)
		return
	}
	*f = math.Float64frombits(binary.LittleEndian.Uint64(c.b))
	c.advance(8)
}

// each encodes or decodes a list: its length, then its elements with the function one.
// Decoding reuses the memory of the list.
func each[T any](c *coder, list *[]T, one func(*T)) {
	if !c.reading {
		c.b = binary.AppendUvarint(c.b, uint64(len(*list)))
	} else {
		n := c.length(1) // an element has at least one byte
		*list = (*list)[:0]
		for range n {
			var zero T
			*list = append(*list, zero)
		}
	}
	for i := range *list {
		one(&(*list)[i])
	}
}

// length decodes a number of elements of at least size bytes each. If there are too few
// bytes left, it sets c.bad and returns 0.
func (c *coder) length(size int) int {
	n, used := binary.Uvarint(c.b)
	c.advance(used)
	if n > uint64(len(c.b)/size) {
		c.bad, c.b = true, nil
		return 0
	}
	return int(n)
}

// advance skips n bytes. If n <= 0, there was no value to read, and it sets c.bad.
func (c *coder) advance(n int) {
	if n <= 0 {
		c.bad, c.b = true, nil
		return
	}
	c.b = c.b[n:]
}

// appendRow appends the encoding of r to dst.
func appendRow(dst []byte, r *Row) []byte {
	c := coder{b: dst}
	c.row(r)
	return c.b
}

// parse decodes b, the encoding of one row, into r. The strings of r refer to b.
func (r *Row) parse(b []byte) error {
	c := coder{b: b, reading: true}
	c.row(r)
	if c.bad || len(c.b) > 0 {
		return errRow
	}
	return nil
}
