package archive

import (
	"fmt"
	"io"
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
