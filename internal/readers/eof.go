package readers

import "io"

// Unexpected returns err, but [io.ErrUnexpectedEOF] for [io.EOF]: an end where more must come.
func Unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
