package archive

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"chaffinch/internal/packed"
)

// block is the block size of a tar archive in bytes.
const block = 512

// maxHeader limits the headers before a member: long names, PAX records.
const maxHeader = 4 << 20

// IsTar reports whether head begins a tar archive: a header with a valid checksum.
func IsTar(head []byte) bool {
	if len(head) < block || head[0] == 0 {
		return false
	}
	head = head[:block]
	stated, err := strconv.ParseInt(string(bytes.Trim(head[148:156], " \x00")), 8, 32)
	if err != nil {
		return false
	}
	sum := int64(8 * ' ')
	for i, c := range head {
		if i < 148 || i >= 156 {
			sum += int64(c)
		}
	}
	return sum == stated
}

// tarFiles reads a tar archive sequentially. Concatenated archives are read as one.
type tarFiles struct {
	in   *packed.Reader
	t    *tar.Reader
	left io.Reader // unread rest of the last member
	size int64     // of the last member
	at   int64     // uncompressed offset of the first of its headers
}

// newTar returns a reader of the archive in.
func newTar(in *packed.Reader) *tarFiles { return &tarFiles{in: in} }

var (
	errTarEnd    = errors.New("the tar archive ends in the middle of a file: it was cut off")
	errTarHeader = errors.New("no file header where one is due: the tar archive is damaged here")
)

// Next returns the next regular file.
func (r *tarFiles) Next() (*Member, error) {
	if err := r.finish(); err != nil {
		return nil, err
	}
	for {
		more, err := r.header()
		if err != nil || !more {
			return nil, cmpEOF(err)
		}
		r.in.Forget()
		place, offset := r.Place(), r.in.At(r.in.Pos())
		r.at = r.in.Offset()
		r.t = tar.NewReader(&limited{r: r.in, left: maxHeader})
		h, err := r.t.Next()
		if err != nil {
			return nil, r.fail(offset, err)
		}
		r.t = nil
		name := strings.TrimPrefix(path.Clean(h.Name), "./")
		switch h.Typeflag {
		case tar.TypeReg, tar.TypeGNUSparse:
		default:
			continue
		}
		if h.Typeflag == tar.TypeGNUSparse || h.PAXRecords["GNU.sparse.major"] != "" {
			return nil, &Error{Name: name, Offset: offset, Err: errors.New("a sparse file: pack the archive again without --sparse")}
		}
		body := &body{r: r.in, left: h.Size}
		r.left, r.size = body, h.Size
		return &Member{Name: name, Offset: offset, Place: place, Reader: body}, nil
	}
}

func cmpEOF(err error) error {
	if err == nil {
		return io.EOF
	}
	return err
}

// body reads the bytes of one file.
type body struct {
	r    io.Reader
	left int64
}

func (b *body) Read(p []byte) (int, error) {
	if b.left == 0 {
		return 0, io.EOF
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.left)])
	if b.left -= int64(n); err == io.EOF {
		err = fmt.Errorf("%w (%w)", errTarEnd, io.ErrUnexpectedEOF)
	}
	return n, err
}

// limited fails after a maximum number of bytes.
type limited struct {
	r    io.Reader
	left int64
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, fmt.Errorf("headers of more than %d bytes in front of one file", maxHeader)
	}
	n, err := l.r.Read(p[:min(int64(len(p)), l.left)])
	l.left -= int64(n)
	return n, err
}

// finish skips the unread rest of the last member and the padding of its last block.
func (r *tarFiles) finish() error {
	if r.left == nil {
		return nil
	}
	_, err := io.Copy(io.Discard, r.left)
	r.left = nil
	if err == nil {
		_, err = r.in.Discard((block - r.size%block) % block)
	}
	var d *packed.Damage
	if errors.As(err, &d) {
		return r.damage(d)
	}
	return nil // the member itself, or the next header, reports an early end
}

// damage skips bytes that cannot be decompressed and returns an error for them.
func (r *tarFiles) damage(d *packed.Damage) error {
	offset := d.At
	r.in.Resync()
	return &Error{Offset: offset, Err: fmt.Errorf("cannot be unpacked: %w", d.Err)}
}

// header moves to the next header and reports whether there is one. After damage it searches for a
// header and returns an error that reports the damage.
func (r *tarFiles) header() (bool, error) {
	lost := false
	offset := int64(0)
	for {
		b, err := r.in.Peek(block)
		var d *packed.Damage
		switch {
		case errors.As(err, &d):
			return false, r.damage(d)
		case len(b) < block:
			if len(bytes.Trim(b, "\x00")) > 0 && !lost {
				r.in.Discard(int64(len(b)))
				return false, &Error{Offset: r.in.At(r.in.Pos()), Err: fmt.Errorf("%w (%w)", errTarEnd, io.ErrUnexpectedEOF)}
			}
			if lost {
				r.in.Discard(int64(len(b)))
				return false, &Error{Offset: offset, Err: errTarHeader}
			}
			return false, nil
		case IsTar(b):
			if lost {
				return false, &Error{Offset: offset, Err: errTarHeader}
			}
			return true, nil
		}
		if !lost && len(bytes.Trim(b, "\x00")) > 0 {
			lost, offset = true, r.in.At(r.in.Pos())
		}
		r.in.Discard(block)
		r.in.Forget()
	}
}

// fail returns an error for a header that cannot be read and skips it, so that the next call
// searches for another header.
func (r *tarFiles) fail(offset int64, err error) error {
	r.t = nil
	var d *packed.Damage
	if errors.As(err, &d) {
		return r.damage(d)
	}
	if n := r.in.Offset() - r.at; n == 0 {
		r.in.Discard(block)
	} else {
		r.in.Discard((block - n%block) % block)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = fmt.Errorf("%w (%w)", errTarEnd, io.ErrUnexpectedEOF)
	}
	return &Error{Offset: offset, Err: fmt.Errorf("header of a file: %w", err)}
}

// Place returns where the search for the next header begins.
func (r *tarFiles) Place() Place {
	p := r.in.Pos()
	return Place{Member: p.Member, Skip: p.Skip}
}

// Seek moves to the place of a member, or to a result of Place.
func (r *tarFiles) Seek(p Place) error {
	r.left = nil
	return r.in.Seek(packed.Pos{Member: p.Member, Skip: p.Skip})
}
