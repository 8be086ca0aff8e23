package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"chaffinch/internal/packed"
)

// Member is one regular file in an archive.
type Member struct {
	// Name is the path in the archive, with slashes and without a leading "./".
	Name string
	// Offset is the byte offset of the member in the archive file, for messages. Place is its
	// position for Seek.
	Offset int64
	Place  Place
	// Extra is set for members of a WACZ package that are not part of its content: an
	// index, a style sheet, an image.
	Extra bool
	// Reader reads the content. It is valid until the next call of Next.
	io.Reader
}

// Place is the position of a member: in a tar archive, the position of its header in the
// uncompressed bytes; in a zip archive, its index in the table of contents.
type Place struct {
	Member int64 `json:"member,omitempty"`
	Skip   int64 `json:"skip,omitempty"`
}

// Members iterates over the files of an archive.
type Members interface {
	// Next returns the next regular file, or io.EOF after the last. An [*Error] means that one
	// member cannot be read; Next may be called again.
	Next() (*Member, error)
	// Place returns where the search for the next member begins. It is valid before the first call
	// of Next and after a call that returned no member.
	Place() Place
	// Seek moves to the place of a member, or to a result of Place.
	Seek(p Place) error
}

// Open returns the files of the archive that in decompresses. file is the underlying file, nil for
// standard input. A file of a zip archive may decompress to limits.MaxRatio bytes for each
// compressed byte, after the first limits.GraceBytes.
func Open(in *packed.Reader, file *os.File, limits packed.Config) (Members, error) {
	head, err := in.Peek(block)
	switch {
	case IsZip(head):
		size, err := Table(in, file)
		if err != nil {
			return nil, err
		}
		return newZip(file, size, limits.MaxRatio, limits.GraceBytes)
	case IsTar(head), len(head) > 0 && len(bytes.Trim(head, "\x00")) == 0:
		return newTar(in), nil
	case err != nil && err != io.EOF:
		return nil, err
	}
	return nil, errNone
}

var (
	errNone  = errors.New("neither a folder nor a tar or zip archive")
	errSeek  = errors.New("standard input cannot go back to its table of contents, which is at the end: save it as a file")
	errTwice = errors.New("compressed again: decompress it first, its table of contents is at the end")
)

// Table returns the size of file, from which in reads. It is for formats whose table of contents is
// at the end of the file.
func Table(in *packed.Reader, file *os.File) (int64, error) {
	if in.Kind() != packed.Plain {
		return 0, errTwice
	}
	if file == nil {
		return 0, errSeek
	}
	st, err := file.Stat()
	if err != nil {
		return 0, err
	}
	if !st.Mode().IsRegular() {
		return 0, errSeek
	}
	return st.Size(), nil
}

// Error is a part of an archive that cannot be read.
type Error struct {
	Name   string // name of the member, "" if unknown
	Offset int64  // in the archive file
	Err    error
}

// Error returns the cause, without the name of the archive, which the caller adds.
func (e *Error) Error() string {
	if e.Name == "" {
		return e.Err.Error()
	}
	return fmt.Sprintf("member %q: %v", e.Name, e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
