// Package frame reads and writes the messages of a worker: requests and answers of the
// HTTP API over a pair of pipes, without HTTP, which costs a Python program more than
// cleaning a page. A frame has the same layout in both directions, with little-endian
// numbers:
//
//	bytes 0-3    size of the rest of the frame, in bytes
//	bytes 4-7    id, which the answer has from its request
//	bytes 8-9    in a request the version of the protocol, in an answer its status
//	bytes 10-11  size of the head
//	head         of a request "POST /v1/clean?keep=main" and headers, of an answer
//	             headers, one per line, such as "Content-Type: text/html"
//	body         the rest
//
// Unstable: this package may change in any release.
package frame

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"

	"chaffinch/internal/readers"
)

// Version is the version of the protocol.
const Version = 1

const (
	sizeBytes = 4
	// fixedBytes is the part of a frame between its size and its head.
	fixedBytes = 8
	// MaxHead is the most bytes of a head.
	MaxHead = 1<<16 - 1
)

// Frame is a message.
type Frame struct {
	ID   uint32
	Code uint16 // version of a request, status of an answer
	Head string
	Body []byte
}

// BadFrame is the error of an invalid frame. The next frame can be read.
type BadFrame struct {
	ID      uint32 // 0 if the frame is too short to have one
	TooLong bool
	why     string
}

// Error returns the reason.
func (e *BadFrame) Error() string { return e.why }

// ErrCut means that the input ended within a frame.
var ErrCut = errors.New("the input ended within a frame")

// Reader reads frames. Make one with NewReader.
type Reader struct {
	in  *bufio.Reader
	max int64
}

// NewReader returns a reader of frames whose body has at most maxBody bytes.
func NewReader(in io.Reader, maxBody int64) *Reader {
	return &Reader{bufio.NewReaderSize(in, 64<<10), maxBody}
}

// Next returns the next frame. The error is a *BadFrame for an invalid frame, [io.EOF] at
// the end, [ErrCut] if the input ends within a frame, or the error of the input. The body is
// not reused.
func (r *Reader) Next() (Frame, error) {
	var fixed [sizeBytes + fixedBytes]byte
	if _, err := io.ReadFull(r.in, fixed[:sizeBytes]); err != nil {
		return Frame{}, cut(err)
	}
	size := int64(binary.LittleEndian.Uint32(fixed[:]))
	n := min(size, fixedBytes)
	if _, err := io.ReadFull(r.in, fixed[sizeBytes:sizeBytes+n]); err != nil {
		return Frame{}, within(err)
	}
	if size < fixedBytes {
		return Frame{}, &BadFrame{why: fmt.Sprintf("a frame of %d bytes, wanted at least %d", size, fixedBytes)}
	}
	f := Frame{ID: binary.LittleEndian.Uint32(fixed[4:]), Code: binary.LittleEndian.Uint16(fixed[8:])}
	head, rest := int64(binary.LittleEndian.Uint16(fixed[10:])), size-fixedBytes
	bad := func(long bool, format string, args ...any) (Frame, error) {
		if _, err := io.CopyN(io.Discard, r.in, rest); err != nil {
			return Frame{}, within(err)
		}
		return Frame{}, &BadFrame{f.ID, long, fmt.Sprintf(format, args...)}
	}
	if head > rest {
		return bad(false, "a head of %d bytes in a frame with %d", head, rest)
	}
	if body := rest - head; body > r.max {
		return bad(true, "a body of %d bytes, wanted at most %d", body, r.max)
	}
	b := make([]byte, rest)
	if _, err := io.ReadFull(r.in, b); err != nil {
		return Frame{}, within(err)
	}
	f.Head, f.Body = string(b[:head]), b[head:]
	return f, nil
}

// All returns the frames to the end of the input. The loop continues after a *BadFrame and
// ends after any other error.
func (r *Reader) All() iter.Seq2[Frame, error] {
	return readers.All(r.Next, func(err error) bool { return errors.As(err, new(*BadFrame)) })
}

// cut returns err, or ErrCut for an end of the input within a frame.
func cut(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrCut
	}
	return err
}

// within returns err as an error within a frame.
func within(err error) error {
	if errors.Is(err, io.EOF) {
		return ErrCut
	}
	return cut(err)
}

// Append appends a frame to dst. It fails if head or body is too long for its field.
func Append(dst []byte, f Frame) ([]byte, error) {
	size := int64(fixedBytes) + int64(len(f.Head)) + int64(len(f.Body))
	if len(f.Head) > MaxHead || size > 1<<32-1 {
		return dst, fmt.Errorf("a frame with a head of %d and a body of %d bytes: wanted at most %d and %d together", len(f.Head), len(f.Body), MaxHead, int64(1<<32-1-fixedBytes))
	}
	dst = binary.LittleEndian.AppendUint32(dst, uint32(size))
	dst = binary.LittleEndian.AppendUint32(dst, f.ID)
	dst = binary.LittleEndian.AppendUint16(dst, f.Code)
	dst = binary.LittleEndian.AppendUint16(dst, uint16(len(f.Head)))
	return append(append(dst, f.Head...), f.Body...), nil
}
