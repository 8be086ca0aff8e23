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
	// Name is its path in the archive, with slashes and without a leading "./".
	Name string
	// Size is the number of bytes that the archive states.
	Size int64
	// Offset is the byte offset of the member in the file of the archive, for
	// messages, and Place where Seek finds it again.
	Offset int64
	Place  Place
	// Extra reports that the member belongs to a package (WACZ, EPUB), but not to its
	// content: an index, a style sheet, an image.
	Extra bool
	// Reader reads it; it is valid until the next call of Next.
	io.Reader
}

// Place is where a member begins: in a tar the place of its header among
// the unpacked bytes, in a zip its number in the table.
type Place struct {
	Member int64 `json:"member,omitempty"`
	Skip   int64 `json:"skip,omitempty"`
}

// Members are the files of an archive, one after the other.
type Members interface {
	// Next returns the next regular file, io.EOF behind the last. An [*Error] tells
	// of one that cannot be read; Next may be called again.
	Next() (*Member, error)
	// Place returns where the search for the next member begins, before the first
	// call of Next and after one that returned no member.
	Place() Place
	// Seek goes to the place of a member, or one that Place returned.
	Seek(p Place) error
}

// Open returns the files of the archive that in unpacks. file holds it, nil for
// standard input. A file of a zip archive may unpack to limits.MaxRatio bytes for
// each packed one, after the first limits.GraceBytes.
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

// Table returns the size of file, which in unpacks, for a format whose table of
// contents stands at the end.
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
	Name   string // of the member, "" if it is not known
	Offset int64  // in the file of the archive
	Err    error
}

// Error says what is wrong; the place is left to the caller, who knows the file.
func (e *Error) Error() string {
	if e.Name == "" {
		return e.Err.Error()
	}
	return fmt.Sprintf("member %q: %v", e.Name, e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
