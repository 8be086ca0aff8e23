package tokenizer

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// charsmap is SentencePiece's table of replacements (precompiled_charsmap): a trie of the replaced
// strings and their replacements. Its bytes are
//
//	4      size of the trie in bytes, little-endian
//	size   units of 4 bytes of a double array in the form of darts-clone
//	rest   replacements, each ended by a zero byte; the trie's values are their offsets
type charsmap struct {
	units []uint32
	texts []byte
	ascii [utf8.RuneSelf]asciiRule // the replacement of each ASCII character alone
}

type asciiRule struct {
	replaced bool
	text     string
}

// maxCluster is the length in bytes from which a grapheme cluster is replaced character by
// character.
const maxCluster = 6

func parseCharsmap(b []byte) (*charsmap, error) {
	if len(b) < 4 {
		return nil, fmt.Errorf("%d bytes, wanted a size of 4 bytes and a table", len(b))
	}
	size := int64(binary.LittleEndian.Uint32(b))
	if size%4 != 0 || size == 0 || size > int64(len(b)-4) {
		return nil, fmt.Errorf("a trie of %d bytes, wanted a multiple of 4 and at most the %d that follow", size, len(b)-4)
	}
	c := &charsmap{units: make([]uint32, size/4), texts: b[4+size:]}
	for i := range c.units {
		c.units[i] = binary.LittleEndian.Uint32(b[4+4*i:])
	}
	for i := range c.ascii {
		if text, ok := c.find([]byte{byte(i)}); ok {
			c.ascii[i] = asciiRule{true, string(text)}
		}
	}
	if !utf8.Valid(c.texts) {
		return nil, fmt.Errorf("replacements that are no UTF-8")
	}
	return c, nil
}

// unitHasLeaf reports whether a unit of darts-clone has a leaf. The others return its other fields.
func unitHasLeaf(u uint32) bool  { return u>>8&1 == 1 }
func unitValue(u uint32) uint32  { return u & (1<<31 - 1) }
func unitLabel(u uint32) uint32  { return u & (1<<31 | 0xFF) }
func unitOffset(u uint32) uint32 { return u >> 10 << (u & (1 << 9) >> 6) }

// find returns the replacement of the shortest prefix of key that has one, which replaces all of
// key. This is how the tokenizers library reads these tables.
func (c *charsmap) find(key []byte) (text []byte, ok bool) {
	at := unitOffset(c.units[0])
	for _, b := range key {
		if b == 0 {
			break
		}
		at ^= uint32(b)
		if int64(at) >= int64(len(c.units)) {
			return nil, false
		}
		u := c.units[at]
		if unitLabel(u) != uint32(b) {
			return nil, false
		}
		at ^= unitOffset(u)
		if !unitHasLeaf(u) {
			continue
		}
		if int64(at) >= int64(len(c.units)) {
			return nil, false
		}
		from := unitValue(c.units[at])
		if int64(from) > int64(len(c.texts)) {
			return nil, false
		}
		text = c.texts[from:]
		if end := bytes.IndexByte(text, 0); end >= 0 {
			text = text[:end]
		}
		return text, true
	}
	return nil, false
}

// normalize replaces text by grapheme clusters. An ASCII character followed by another one is a
// cluster, except a carriage return before a line feed.
func (c *charsmap) normalize(dst, src []byte) []byte {
	for i := 0; i < len(src); {
		if boundary(src, i+1) && src[i] < utf8.RuneSelf {
			if r := &c.ascii[src[i]]; r.replaced {
				dst = append(dst, r.text...)
			} else {
				dst = append(dst, src[i])
			}
			i++
			continue
		}
		end := i + 1
		for !boundary(src, end) {
			end++
		}
		dst = c.clusters(dst, src[i:end])
		i = end
	}
	return dst
}

// boundary reports whether a cluster ends before src[i], as far as this can be decided without
// Unicode's tables.
func boundary(src []byte, i int) bool {
	return i >= len(src) || src[i] < utf8.RuneSelf && src[i-1] < utf8.RuneSelf && !(src[i] == '\n' && src[i-1] == '\r')
}

func (c *charsmap) clusters(dst, src []byte) []byte {
	for it := graphemes.FromBytes(src); it.Next(); {
		g := it.Value()
		if len(g) < maxCluster {
			if text, ok := c.find(g); ok {
				dst = append(dst, text...)
				continue
			}
		}
		for len(g) > 0 {
			_, n := utf8.DecodeRune(g)
			if text, ok := c.find(g[:n]); ok {
				dst = append(dst, text...)
			} else {
				dst = append(dst, g[:n]...)
			}
			g = g[n:]
		}
	}
	return dst
}
