package model

import (
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// Pack compresses the bytes of a section; [File.Unpack] gives them back.
func Pack(b []byte) ([]byte, error) {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	return z.EncodeAll(b, nil), nil
}

// maxUnpacked is the largest size of a section that was unpacked, in bytes.
const maxUnpacked = 1 << 24

// Unpack returns the bytes of sections that [Pack] compressed, in the order of their
// names. A section has at most 16 MiB of them.
func (f *File) Unpack(names ...string) ([][]byte, error) {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxUnpacked))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	out := make([][]byte, len(names))
	for i, name := range names {
		packed, ok := f.Section(name)
		if !ok {
			return nil, fmt.Errorf("model %s: no section %q: train again", f.path, name)
		}
		if out[i], err = z.DecodeAll(packed, nil); err != nil {
			return nil, fmt.Errorf("model %s: section %s: %w", f.path, name, err)
		}
	}
	return out, nil
}
