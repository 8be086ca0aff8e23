package model

import (
	"fmt"

	"github.com/klauspost/compress/zstd"

	"chaffinch/internal/huge"
	"chaffinch/internal/mapfile"
	"chaffinch/internal/parallel"
)

// Pack compresses the bytes of a section for [File.Unpack].
func Pack(b []byte) ([]byte, error) {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	return z.EncodeAll(b, nil), nil
}

// maxUnpacked is the maximum size of a decompressed section in bytes.
const maxUnpacked = 1 << 24

// newDecoder returns a decoder of sections for the given number of goroutines.
func newDecoder(goroutines int, options ...zstd.DOption) (*zstd.Decoder, error) {
	return zstd.NewReader(nil, append(options, zstd.WithDecoderConcurrency(goroutines), zstd.WithDecoderMaxMemory(maxUnpacked))...)
}

// Unpack returns the decompressed bytes of sections that [Pack] compressed, in the order of
// names. A decompressed section has at most 16 MiB.
func (f *File) Unpack(names ...string) ([][]byte, error) {
	z, err := newDecoder(len(names))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	out := make([][]byte, len(names))
	err = parallel.All(len(names), func(i int) error {
		packed, ok := f.Section(names[i])
		if !ok {
			return fmt.Errorf("model %s: no section %q: train again", f.path, names[i])
		}
		var h zstd.Header
		if err := h.Decode(packed); err == nil && h.FrameContentSize <= maxUnpacked {
			const room = 32 // for the decoder, and for readers of whole words
			out[i] = huge.Make[uint8](0, int(h.FrameContentSize)+room)
		}
		var err error
		if out[i], err = z.DecodeAll(packed, out[i]); err != nil {
			return fmt.Errorf("model %s: section %s: %w", f.path, names[i], err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Unpack decompresses bytes that [Pack] returned.
func Unpack(packed []byte) ([]byte, error) {
	z, err := newDecoder(1)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	return z.DecodeAll(packed, nil)
}

// Unpacker decompresses sections one after another into the same memory. The memory is outside of the
// Go heap, so that the start of a program collects no garbage.
type Unpacker struct {
	z   *zstd.Decoder
	buf []byte
}

// unpackerBytes is the size of the memory of an Unpacker. Larger sections are in the heap.
const unpackerBytes = 1 << 19

// NewUnpacker returns an unpacker, to be closed after use.
func NewUnpacker() (*Unpacker, error) {
	z, err := newDecoder(1,
		zstd.WithDecoderLowmem(false), // one buffer of full size instead of several that grow
		zstd.IgnoreChecksum(true))     // the file has one
	if err != nil {
		return nil, err
	}
	buf, err := mapfile.Anonymous(unpackerBytes)
	if err != nil {
		z.Close()
		return nil, fmt.Errorf("model: memory for sections: %w", err)
	}
	return &Unpacker{z, buf}, nil
}

// Unpack decompresses bytes that [Pack] returned. The result is valid until the next call of Unpack
// or Close.
func (u *Unpacker) Unpack(packed []byte) ([]byte, error) { return u.z.DecodeAll(packed, u.buf[:0]) }

// Close releases the resources of u.
func (u *Unpacker) Close() {
	u.z.Close()
	mapfile.Unmap(u.buf) // succeeds for a whole mapping
}
