//go:build !amd64

package inflate

// fast decodes symbols like [Reader.fastGo].
func (z *Reader) fast() error { return z.fastGo() }
