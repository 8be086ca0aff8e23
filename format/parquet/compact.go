package parquet

import "errors"

var errCompact = errors.New("its table of contents is damaged: a list has more elements than there are bytes")

// compact validates a struct in Thrift's compact protocol: no list and no string may be
// longer than the remaining bytes. The decoder allocates the stated length of a list, so
// it must not see invalid lengths.
type compact struct {
	b     []byte
	i     int
	depth int
}

func (c *compact) check() error {
	if !c.structure() {
		return errCompact
	}
	return nil
}

func (c *compact) byte() (byte, bool) {
	if c.i >= len(c.b) {
		return 0, false
	}
	c.i++
	return c.b[c.i-1], true
}

func (c *compact) varint() (uint64, bool) {
	var v uint64
	for shift := 0; shift < 64; shift += 7 {
		b, ok := c.byte()
		if !ok {
			return 0, false
		}
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return v, true
		}
	}
	return 0, false
}

// structure skips the fields of a struct and reports whether they are valid.
func (c *compact) structure() bool {
	if c.depth++; c.depth > 64 {
		return false
	}
	defer func() { c.depth-- }()
	for {
		h, ok := c.byte()
		if !ok {
			return false
		}
		if h == 0 {
			return true
		}
		if h>>4 == 0 { // the field ID is absolute, not a difference
			if _, ok := c.varint(); !ok {
				return false
			}
		}
		if kind := h & 15; kind != 1 && kind != 2 && !c.value(kind) { // the header holds the value of a boolean
			return false
		}
	}
}

// value skips a value of the given kind and reports whether it is valid. Booleans are
// elements of lists, which take one byte.
func (c *compact) value(kind byte) bool {
	switch kind {
	case 1, 2, 3:
		c.i++
	case 4, 5, 6:
		_, ok := c.varint()
		return ok
	case 7:
		c.i += 8
	case 8:
		n, ok := c.varint()
		if !ok || n > uint64(len(c.b)-c.i) {
			return false
		}
		c.i += int(n)
	case 9, 10:
		return c.list()
	case 11:
		return c.pairs()
	case 12:
		return c.structure()
	default:
		return false
	}
	return c.i <= len(c.b)
}

func (c *compact) list() bool {
	h, ok := c.byte()
	if !ok {
		return false
	}
	n := uint64(h >> 4)
	if n == 15 {
		if n, ok = c.varint(); !ok {
			return false
		}
	}
	least := uint64(1)
	if h&15 == 12 { // no struct of the format is empty
		least = 3
	}
	if n > uint64(len(c.b)-c.i)/least {
		return false
	}
	for range n {
		if !c.value(h & 15) {
			return false
		}
	}
	return true
}

func (c *compact) pairs() bool {
	n, ok := c.varint()
	if !ok || n > uint64(len(c.b)-c.i) {
		return false
	}
	if n == 0 {
		return true
	}
	h, ok := c.byte()
	if !ok {
		return false
	}
	for range n {
		if !c.value(h>>4) || !c.value(h&15) {
			return false
		}
	}
	return true
}
