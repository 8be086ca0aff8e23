package parquet

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"
)

var errUnpack = errors.New("a page cannot be decompressed: damaged")

// readPage reads a page after its header and returns a bound of its decompressed bytes, or more than
// maxPages. The header states a size, which a hostile file makes too small: the library would
// decompress 2 kB to any size.
func (r *Reader) readPage(in *bufio.Reader, h *format.PageHeader, codec format.CompressionCodec) (size int64, err error) {
	page := &io.LimitedReader{R: in, N: int64(max(h.CompressedPageSize, 0))}
	r.body.Reset(page)
	packed := true
	if v := &h.DataPageHeaderV2.V; h.Type == format.DataPageV2 {
		packed = !v.IsCompressed.Valid || v.IsCompressed.V
		levels := int64(v.RepetitionLevelsByteLength) + int64(v.DefinitionLevelsByteLength)
		if levels < 0 || levels > page.N {
			return 0, errUnpack
		}
		r.body.Discard(int(levels)) // they are not compressed
	}
	if packed {
		size, err = unpacked(&r.body, codec, int64(max(h.UncompressedPageSize, 0)))
	}
	if r.indexes[r.at] != nil { // after damage, the pages of a group are checked again
		r.budget -= size >> 10
	}
	io.Copy(io.Discard, page)
	if page.N > 0 {
		return 0, fmt.Errorf("a page of %d bytes: the file ends before it does", h.CompressedPageSize)
	}
	return size, err
}

// unpacked returns a bound of the decompressed bytes of a page that states a size, or more than maxPages.
// Other damage than that of LZ4 is an error of the library.
func unpacked(in *bufio.Reader, codec format.CompressionCodec, stated int64) (int64, error) {
	switch codec {
	case format.Snappy:
		n, _ := binary.ReadUvarint(in)
		return int64(min(n, maxPages+1)), nil
	case format.Gzip:
		z, err := gzip.NewReader(in)
		if err != nil {
			return 0, nil
		}
		return length(z), nil
	case format.Brotli:
		return length(brotli.NewReader(in)), nil
	case format.Zstd:
		return zstdLength(in), nil
	case format.Lz4Raw: // the library would decompress damaged data into ever larger buffers
		b, err := io.ReadAll(in)
		if err != nil || stated > maxPages {
			return stated, err
		}
		if _, err := lz4.UncompressBlock(b, make([]byte, stated+16)); err != nil {
			return 0, errUnpack
		}
	}
	return stated, nil
}

// length returns the number of bytes of r, or more than maxPages.
func length(r io.Reader) int64 {
	n, _ := io.Copy(io.Discard, io.LimitReader(r, maxPages+1))
	return n
}

// zstdLength returns a bound of the decompressed bytes of frames (RFC 8878), or more than maxPages. It
// reads the headers of frames and blocks only.
func zstdLength(in *bufio.Reader) (size int64) {
	for size <= maxPages {
		head, _ := in.Peek(zstd.HeaderMaxSize)
		var h zstd.Header
		if h.Decode(head) != nil { // the end, or damage
			break
		}
		in.Discard(h.HeaderSize)
		if h.Skippable {
			in.Discard(int(h.SkippableSize))
			continue
		}
		var sum int64
		for last := false; !last && sum <= maxPages; {
			var b [4]byte
			if _, err := io.ReadFull(in, b[:3]); err != nil {
				return size + sum
			}
			block := binary.LittleEndian.Uint32(b[:])
			last = block&1 != 0
			stored, unpacked := block>>3, block>>3
			switch block >> 1 & 3 {
			case 1: // a repeated byte
				stored = 1
			case 2:
				unpacked = 128 << 10
			}
			in.Discard(int(stored))
			sum += int64(unpacked)
		}
		if h.HasCheckSum {
			in.Discard(4)
		}
		if h.HasFCS { // the library stops there
			sum = int64(min(h.FrameContentSize, maxPages+1))
		}
		size += sum
	}
	return size
}
