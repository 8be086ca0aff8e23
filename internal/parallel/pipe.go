package parallel

import (
	"io"

	"chaffinch/internal/panics"
)

// Pipe calls both functions at the same time: read reads what write writes. Where
// one fails or returns early the other one meets an error, so that both return.
// The error is that of read, else that of write.
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
