package testkit

import (
	"bytes"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Gzip returns b as one gzip member.
func Gzip(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(b) // neither can fail: the buffer grows or panics
	w.Close()
	return out.Bytes()
}

// Zstd returns b as one zstd frame.
func Zstd(b []byte) []byte {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic(err) // the options are wrong
	}
	defer w.Close()
	return w.EncodeAll(b, nil)
}
