// Package storable reads files of Perl's Storable module that contain tables of numbers: an array
// of hashes from strings to numbers. [NewReader] opens a file, [Reader.Next] moves to the next hash
// and [Reader.Entry] reads an entry. The format is described in docs/reference/formats/storable.md.
//
// A file is read as a stream in one pass. The memory used does not depend on sizes stated in the
// file.
package storable

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// maxKey is the maximum length of a key in bytes.
const maxKey = 1 << 16

// The tags of Storable in tables of numbers (Storable.xs, SX_*).
const (
	tagScalarLong = 1
	tagArray      = 2
	tagHash       = 3
	tagRef        = 4
	tagInteger    = 6
	tagDouble     = 7
	tagByte       = 8
	tagNetInt     = 9
	tagScalar     = 10
	tagOverload   = 20
	tagUTF8       = 23
	tagUTF8Long   = 24
	tagFlagHash   = 25
)

// Key is the key of an entry. Its bytes are valid until the next call of Entry.
type Key struct {
	// Bytes holds the bytes in the file.
	Bytes []byte
	// UTF8 is set if the key is a string of characters encoded in UTF-8.
	UTF8 bool
	// Latin1 is set if the key is a string of characters below U+0100, encoded in Latin-1 with one
	// byte each.
	Latin1 bool
}

// Reader reads one file.
type Reader struct {
	r      *bufio.Reader
	off    int64
	order  binary.ByteOrder
	net    bool
	intLen int // bytes of a native integer (IV)
	hashes int // remaining hashes
	left   int // remaining entries of the current hash
	flags  bool
	buf    []byte
}

// NewReader reads the header of a file from r. Errors of all methods contain the byte offset.
func NewReader(r io.Reader) (*Reader, error) {
	s := &Reader{r: bufio.NewReaderSize(r, 1<<16)}
	if err := s.head(); err != nil {
		return nil, err
	}
	tag, err := s.container()
	if err != nil {
		return nil, err
	}
	if tag != tagArray {
		return nil, s.errorf("tag %d, wanted an array (%d) of hashes", tag, tagArray)
	}
	if s.hashes, err = s.size(); err != nil {
		return nil, err
	}
	return s, nil
}

// head reads the magic number, the versions and the sizes of native types.
func (s *Reader) head() error {
	magic, err := s.bytes(4)
	if err != nil {
		return err
	}
	if string(magic) != "pst0" {
		return s.errorf("starts with %q, wanted \"pst0\": is it a file of Perl's Storable?", magic)
	}
	major, err := s.byte()
	if err != nil {
		return err
	}
	if major>>1 != 2 {
		return s.errorf("Storable format %d, wanted 2: store it again with a current Perl", major>>1)
	}
	s.net = major&1 != 0
	if _, err = s.byte(); err != nil { // the minor version is irrelevant here
		return err
	}
	s.order = binary.BigEndian
	if s.net {
		return nil
	}
	n, err := s.byte()
	if err != nil {
		return err
	}
	order, err := s.bytes(int(n))
	if err != nil {
		return err
	}
	switch string(order) {
	case "1234", "12345678":
		s.order = binary.LittleEndian
	case "4321", "87654321":
	default:
		return s.errorf("byte order %q, wanted 1234, 12345678, 4321 or 87654321: store it with nstore", order)
	}
	s.intLen = len(order)
	sizes, err := s.bytes(4) // int, long, pointer, NV
	if err != nil {
		return err
	}
	if sizes[0] != 4 || sizes[3] != 8 {
		return s.errorf("int of %d bytes and number of %d, wanted 4 and 8: store it with nstore", sizes[0], sizes[3])
	}
	return nil
}

// Hashes returns the number of remaining hashes.
func (s *Reader) Hashes() int { return s.hashes }

// Next moves to the next hash and returns its number of entries as stated in the file. It returns
// io.EOF after the last hash. All entries of a hash must be read before the next call.
func (s *Reader) Next() (size int, err error) {
	if s.left > 0 {
		return 0, errors.New("storable: Next before the last entry")
	}
	if s.hashes == 0 {
		return 0, io.EOF
	}
	s.hashes--
	tag, err := s.container()
	if err != nil {
		return 0, err
	}
	switch tag {
	case tagHash:
		s.flags = false
	case tagFlagHash:
		s.flags = true
		if _, err = s.byte(); err != nil { // "restricted" or not
			return 0, err
		}
	default:
		return 0, s.errorf("tag %d, wanted a hash (%d or %d)", tag, tagHash, tagFlagHash)
	}
	s.left, err = s.size()
	return s.left, err
}

// Entry returns the next entry of the current hash, or io.EOF after the last one.
func (s *Reader) Entry() (Key, float64, error) {
	if s.left == 0 {
		return Key{}, 0, io.EOF
	}
	s.left--
	v, err := s.number()
	if err != nil {
		return Key{}, 0, err
	}
	var k Key
	if s.flags {
		f, err := s.byte()
		if err != nil {
			return Key{}, 0, err
		}
		if f&^7 != 0 {
			return Key{}, 0, s.errorf("key flags %#x, wanted UTF-8 (1), was UTF-8 (2) or locked (4)", f)
		}
		k.UTF8, k.Latin1 = f&1 != 0, f&2 != 0
	}
	n, err := s.size()
	if err != nil {
		return Key{}, 0, err
	}
	if n > maxKey {
		return Key{}, 0, s.errorf("key of %d bytes, at most %d are read", n, maxKey)
	}
	k.Bytes, err = s.bytes(n)
	return k, v, err
}

// container skips references and returns the tag of their target.
func (s *Reader) container() (byte, error) {
	for range 8 {
		tag, err := s.byte()
		if err != nil || tag != tagRef && tag != tagOverload {
			return tag, err
		}
	}
	return 0, s.errorf("more than 8 references in a row")
}

// number reads a scalar that is a number or the text of a number.
func (s *Reader) number() (float64, error) {
	tag, err := s.byte()
	if err != nil {
		return 0, err
	}
	switch tag {
	case tagByte:
		b, err := s.byte()
		return float64(int(b) - 128), err
	case tagNetInt:
		b, err := s.bytes(4)
		if err != nil {
			return 0, err
		}
		return float64(int32(binary.BigEndian.Uint32(b))), nil
	case tagInteger:
		if s.net {
			return 0, s.errorf("a native integer in a file in network order")
		}
		b, err := s.bytes(s.intLen)
		if err != nil {
			return 0, err
		}
		if s.intLen == 4 {
			return float64(int32(s.order.Uint32(b))), nil
		}
		return float64(int64(s.order.Uint64(b))), nil
	case tagDouble:
		if s.net {
			return 0, s.errorf("a native number in a file in network order")
		}
		b, err := s.bytes(8)
		if err != nil {
			return 0, err
		}
		v := math.Float64frombits(s.order.Uint64(b))
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return 0, s.errorf("value %v, wanted a finite number", v)
		}
		return v, nil
	case tagScalar, tagUTF8:
		n, err := s.byte()
		if err != nil {
			return 0, err
		}
		return s.text(int(n))
	case tagScalarLong, tagUTF8Long:
		n, err := s.size()
		if err != nil {
			return 0, err
		}
		return s.text(n)
	}
	return 0, s.errorf("tag %d, wanted a number: an integer (6, 8, 9), a double (7) or the text of one (1, 10, 23, 24)", tag)
}

// text reads a number from n bytes of decimal text.
func (s *Reader) text(n int) (float64, error) {
	if n > 64 {
		return 0, s.errorf("text of %d bytes for a number, at most 64 are read", n)
	}
	b, err := s.bytes(n)
	if err != nil {
		return 0, err
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(string(b)), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, s.errorf("text %q, wanted a finite number", b)
	}
	return v, nil
}

// size reads a 4-byte length.
func (s *Reader) size() (int, error) {
	b, err := s.bytes(4)
	if err != nil {
		return 0, err
	}
	n := int32(s.order.Uint32(b))
	if n < 0 {
		return 0, s.errorf("size %d: the file is damaged", n)
	}
	return int(n), nil
}

func (s *Reader) byte() (byte, error) {
	b, err := s.r.ReadByte()
	if err != nil {
		return 0, s.ended(err)
	}
	s.off++
	return b, nil
}

// bytes reads n bytes, which are valid until the next call. n is small.
func (s *Reader) bytes(n int) ([]byte, error) {
	if cap(s.buf) < n {
		s.buf = make([]byte, max(n, 256))
	}
	b := s.buf[:n]
	m, err := io.ReadFull(s.r, b)
	s.off += int64(m)
	if err != nil {
		return nil, s.ended(err)
	}
	return b, nil
}

func (s *Reader) ended(err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("storable: byte %d: %w", s.off, err)
}

func (s *Reader) errorf(format string, a ...any) error {
	return fmt.Errorf("storable: before byte %d: %s", s.off, fmt.Sprintf(format, a...))
}
