package parallel

import (
	"io"

	"chaffinch/internal/panics"
)

// Pipe calls both functions concurrently: read reads the output of write. If one fails or returns
// early, the other gets an error, so that both return. Pipe returns the error of read, otherwise
// the error of write.
func Pipe(write func(io.Writer) error, read func(io.Reader) error) error {
	out, in := io.Pipe()
	written := make(chan error, 1)
	go func() {
		err := panics.Catch(func() error { return write(in) })
		in.CloseWithError(err)
		written <- err
	}()
	err := panics.Catch(func() error { return read(out) })
	out.CloseWithError(err)
	if e := <-written; err == nil {
		err = e
	}
	return err
}
