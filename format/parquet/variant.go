package parquet

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strconv"
	"time"

	"chaffinch/internal/jsonscan"
)

var errVariant = errors.New("a VARIANT value is damaged")

// setVariant marks n as a VARIANT, and also the groups in its typed_value, whose parts are
// columns (VariantShredding.md of the Parquet format). A group with other fields remains a
// group.
func (n *node) setVariant() {
	for _, c := range n.children {
		switch {
		case c.repeated:
			return
		case c.name == "metadata" || c.name == "value":
			if c.kind != leaf {
				return
			}
		case c.name != "typed_value":
			return
		}
	}
	if len(n.children) == 0 {
		return
	}
	n.kind = variant
	typed := n.child("typed_value")
	if typed == nil {
		return
	}
	switch typed.kind {
	case group:
		for _, c := range typed.children {
			c.setVariant()
		}
	case list:
		item := typed.children[0]
		if item.kind == wrapper {
			item = item.children[0]
		}
		item.setVariant()
	}
}

func (n *node) child(name string) *node {
	for _, c := range n.children {
		if c.name == name {
			return c
		}
	}
	return nil
}

// variant appends the value of a VARIANT, or null if it has no value.
func (r *rows) variant(dst []byte, n *node) []byte {
	var names []string
	if m := n.child("metadata"); m != nil {
		var err error
		if names, err = variantNames(r.peek(m).ByteArray()); err != nil {
			r.bad = true
		}
	}
	begin := len(dst)
	if dst = r.shredded(dst, n, names); len(dst) == begin {
		dst = append(dst, "null"...)
	}
	return dst
}

// shredded appends the value of a VARIANT or of one of its parts. It appends nothing if
// there is no value. names is the dictionary of the whole VARIANT.
func (r *rows) shredded(dst []byte, n *node, names []string) []byte {
	var value []byte
	var typed *node
	begin := len(dst)
	for _, c := range n.children {
		switch {
		case c.name == "typed_value":
			if typed = c; !c.optional || r.present(c) {
				dst = r.typed(dst, c, names)
			}
		default:
			if v := r.take(c); c.name == "value" && !v.IsNull() {
				value = v.ByteArray()
			}
		}
	}
	if value == nil || len(dst) > begin && dst[begin] != '{' {
		return dst
	}
	d := variantDecoder{names: names, left: len(value)}
	if len(dst) == begin {
		dst = d.value(dst, value)
	} else { // the fields of the object without columns
		d.without = func(name string) bool { return typed.kind == group && typed.child(name) != nil }
		end := len(dst) - 1
		dst = d.value(dst[:end], value)
		switch {
		case dst[end] != '{':
			d.bad = true
		case dst[end+1] == '}' || dst[end-1] == '{':
			dst = slices.Delete(dst, end, end+1)
		default:
			dst[end] = ','
		}
	}
	r.bad = r.bad || d.bad
	return dst
}

// typed appends the value in the columns of a VARIANT.
func (r *rows) typed(dst []byte, n *node, names []string) []byte {
	switch n.kind {
	case list:
		dst = append(dst, '[')
		item := n.children[0]
		part := item
		if item.kind == wrapper {
			part = item.children[0]
		}
		for range r.items(item) {
			if dst[len(dst)-1] != '[' {
				dst = append(dst, ',')
			}
			begin := len(dst)
			if !part.optional || r.present(part) {
				dst = r.part(dst, part, names)
			}
			if len(dst) == begin {
				dst = append(dst, "null"...)
			}
		}
		return append(dst, ']')
	case group:
		dst = append(dst, '{')
		for _, c := range n.children {
			begin := len(dst)
			if begin > 0 && dst[begin-1] != '{' {
				dst = append(dst, ',')
			}
			dst = append(dst, c.key...)
			at := len(dst)
			if !c.optional || r.present(c) {
				dst = r.part(dst, c, names)
			}
			if len(dst) == at { // a missing field
				dst = dst[:begin]
			}
		}
		return append(dst, '}')
	}
	return r.content(dst, n)
}

// part appends a field or an item in the columns of a VARIANT.
func (r *rows) part(dst []byte, n *node, names []string) []byte {
	if n.kind == variant {
		return r.shredded(dst, n, names)
	}
	return r.content(dst, n)
}

// variantNames parses the dictionary of field names.
func variantNames(b []byte) ([]string, error) {
	if len(b) == 0 || b[0]&15 != 1 {
		return nil, errVariant
	}
	size := int(b[0]>>6) + 1
	u := uints{b: b[1:]}
	n := u.next(size)
	if n > len(u.b)/size {
		return nil, errVariant
	}
	offsets := u.list(n+1, size)
	if u.bad {
		return nil, errVariant
	}
	names := make([]string, n)
	for i := range names {
		if offsets[i] > offsets[i+1] || offsets[i+1] > len(u.b) {
			return nil, errVariant
		}
		names[i] = string(u.b[offsets[i]:offsets[i+1]])
	}
	return names, nil
}

// uints reads little-endian numbers.
type uints struct {
	b   []byte
	bad bool
}

// next reads a number of 1 to 4 bytes.
func (u *uints) next(size int) (n int) {
	if len(u.b) < size {
		u.bad, u.b = true, nil
		return 0
	}
	for i := range size {
		n |= int(u.b[i]) << (8 * i)
	}
	u.b = u.b[size:]
	return n
}

func (u *uints) list(n, size int) []int {
	if n > len(u.b)/size {
		u.bad = true
		return nil
	}
	out := make([]int, n)
	for i := range out {
		out[i] = u.next(size)
	}
	return out
}

// variantDecoder appends values in the encoding of VARIANT (VariantEncoding.md of the
// Parquet format) as JSON.
type variantDecoder struct {
	names   []string
	without func(name string) bool // reports whether to omit a field of the outermost object; may be nil
	left    int                    // budget in bytes, so that offsets cannot reuse the same bytes for many values
	depth   int
	bad     bool
}

// maxVariantDepth is the maximum nesting depth of values.
const maxVariantDepth = 1000

// value appends the value at the beginning of b.
func (d *variantDecoder) value(dst, b []byte) []byte {
	d.left--
	d.depth++
	defer func() { d.depth-- }()
	if d.bad = d.bad || d.left < 0 || d.depth > maxVariantDepth || len(b) == 0; d.bad {
		return append(dst, "null"...)
	}
	header := int(b[0] >> 2)
	switch b[0] & 3 {
	case 0:
		return d.primitive(dst, header, b[1:])
	case 1:
		return d.text(dst, b[1:], header)
	case 2:
		return d.object(dst, header, b[1:])
	}
	return d.array(dst, header, b[1:])
}

// bytes returns the first n bytes of b and subtracts them from the budget. If there are too
// few, it sets d.bad and returns zeros.
func (d *variantDecoder) bytes(b []byte, n int) []byte {
	if n > len(b) || n > d.left {
		d.bad = true
		return make([]byte, min(n, 16)) // enough for a value of fixed size
	}
	d.left -= n
	return b[:n]
}

func (d *variantDecoder) text(dst, b []byte, n int) []byte {
	return jsonscan.AppendString(dst, string(d.bytes(b, n)))
}

// long returns the bytes after a length of 4 bytes.
func (d *variantDecoder) long(b []byte) []byte {
	u := uints{b: b}
	n := u.next(4)
	d.bad = d.bad || u.bad
	return d.bytes(u.b, n)
}

func (d *variantDecoder) array(dst []byte, header int, b []byte) []byte {
	u := uints{b: b}
	n := u.next(1 + 3*(header>>2&1))
	size := header&3 + 1
	offsets := u.list(n+1, size)
	d.bad = d.bad || u.bad
	dst = append(dst, '[')
	for i := 0; i < n && !d.bad; i++ {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = d.value(dst, u.b[min(offsets[i], len(u.b)):])
	}
	return append(dst, ']')
}

func (d *variantDecoder) object(dst []byte, header int, b []byte) []byte {
	without := d.without
	d.without = nil
	u := uints{b: b}
	n := u.next(1 + 3*(header>>4&1))
	ids := u.list(n, header>>2&3+1)
	offsets := u.list(n+1, header&3+1)
	d.bad = d.bad || u.bad
	dst = append(dst, '{')
	for i := 0; i < n && !d.bad; i++ {
		if ids[i] >= len(d.names) {
			d.bad = true
			break
		}
		name := d.names[ids[i]]
		if without != nil && without(name) {
			continue
		}
		if dst[len(dst)-1] != '{' {
			dst = append(dst, ',')
		}
		dst = append(jsonscan.AppendString(dst, name), ':')
		dst = d.value(dst, u.b[min(offsets[i], len(u.b)):])
	}
	return append(dst, '}')
}

// primitive appends a value of a primitive type. kind is the type ID of the encoding.
func (d *variantDecoder) primitive(dst []byte, kind int, b []byte) []byte {
	little := binary.LittleEndian
	long := func() int64 { return int64(little.Uint64(d.bytes(b, 8))) }
	switch kind {
	case 0:
		return append(dst, "null"...)
	case 1, 2:
		return strconv.AppendBool(dst, kind == 1)
	case 3:
		return strconv.AppendInt(dst, int64(int8(d.bytes(b, 1)[0])), 10)
	case 4:
		return strconv.AppendInt(dst, int64(int16(little.Uint16(d.bytes(b, 2)))), 10)
	case 5:
		return strconv.AppendInt(dst, int64(int32(little.Uint32(d.bytes(b, 4)))), 10)
	case 6:
		return strconv.AppendInt(dst, long(), 10)
	case 7:
		return appendFloat(dst, math.Float64frombits(uint64(long())), 64)
	case 8, 9, 10:
		v := d.bytes(b, 1+4<<(kind-8))
		unscaled := slices.Clone(v[1:])
		slices.Reverse(unscaled)
		return appendBigDecimal(dst, unscaled, int32(v[0]))
	case 11:
		return appendDate(dst, int64(int32(little.Uint32(d.bytes(b, 4)))))
	case 12, 13:
		return appendTimestamp(dst, long(), time.Microsecond, kind == 12)
	case 14:
		return appendFloat(dst, float64(math.Float32frombits(little.Uint32(d.bytes(b, 4)))), 32)
	case 15:
		return appendBase64(dst, d.long(b))
	case 16:
		return jsonscan.AppendString(dst, string(d.long(b)))
	case 17:
		return appendTime(dst, long(), time.Microsecond)
	case 18, 19:
		return appendTimestamp(dst, long(), time.Nanosecond, kind == 18)
	case 20:
		return appendUUID(dst, d.bytes(b, 16))
	}
	d.bad = true
	return append(dst, "null"...)
}
