package readers

import "io"

// Counter is a reader that counts the bytes of R.
type Counter struct {
	R io.Reader
	N int64
	// OnRead, if set, receives N after each read.
	OnRead func(n int64)
}

// Read implements [io.Reader].
func (c *Counter) Read(p []byte) (int, error) {
	n, err := c.R.Read(p)
	c.N += int64(n)
	if c.OnRead != nil {
		c.OnRead(c.N)
	}
	return n, err
}
