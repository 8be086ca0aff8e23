package readers

import "io"

// Unexpected returns err, or [io.ErrUnexpectedEOF] if err is [io.EOF]. It is for input that must
// not end.
func Unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
