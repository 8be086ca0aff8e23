package parquet

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/format"

	"chaffinch/internal/testkit/must"
)

// TestUnpacked compares the lengths of pages with the texts in them.
func TestUnpacked(t *testing.T) {
	text := []byte(strings.Repeat("a text of a page, ", 30_000))
	var gz, br, frames bytes.Buffer
	for _, w := range []io.WriteCloser{gzip.NewWriter(&gz), brotli.NewWriter(&br), must.Get(zstd.NewWriter(&frames))(t)} {
		must.Get(w.Write(text))(t)
		must.Succeed(t, w.Close())
	}
	whole := must.Get(zstd.NewWriter(nil))(t).EncodeAll(text, nil)
	skipped := append([]byte("\x50\x2a\x4d\x18\x03\x00\x00\x00abc"), whole...)
	for name, c := range map[string]struct {
		codec format.CompressionCodec
		page  []byte
		most  int
	}{
		"gzip":                {format.Gzip, gz.Bytes(), len(text)},
		"brotli":              {format.Brotli, br.Bytes(), len(text)},
		"snappy":              {format.Snappy, snappy.Encode(nil, text), len(text)},
		"zstd":                {format.Zstd, whole, len(text)},
		"two frames":          {format.Zstd, append(skipped, whole...), 2 * len(text)},
		"zstd without length": {format.Zstd, frames.Bytes(), len(text) + 128<<10},
	} {
		n, err := unpacked(bufio.NewReader(bytes.NewReader(c.page)), c.codec, 9)
		if must.Succeed(t, err); n < int64(len(text)) || n > int64(c.most) {
			t.Errorf("%s: %d bytes of %d, at most %d", name, n, len(text), c.most)
		}
	}
}

// bomb is a codec whose pages have more bytes than their headers state.
type bomb struct{ compress.Codec }

func (b bomb) Encode(dst, src []byte) ([]byte, error) {
	if b.CompressionCodec() == format.Snappy {
		return append(binary.AppendUvarint(dst[:0], 3<<30), src...), nil
	}
	dst = append(dst[:0], "\x28\xb5\x2f\xfd\x00\x58"...) // a frame without length, windows of 2 MB
	for i := range 5000 {
		last := uint32(0)
		if i == 4999 {
			last = 1
		}
		block := binary.LittleEndian.AppendUint32(nil, 128<<10<<3|1<<1|last) // a byte, 131,072 times
		dst = append(append(dst, block[:3]...), 'a')
	}
	return dst, nil
}

// TestBombs reads pages that decompress to more than the limit and state a few bytes.
func TestBombs(t *testing.T) {
	for _, c := range []compress.Codec{&parquet.Snappy, &parquet.Zstd} {
		var b bytes.Buffer
		w := parquet.NewGenericWriter[struct {
			Text string `parquet:"text"`
		}](&b, parquet.Compression(bomb{c}))
		must.Get(w.Write([]struct {
			Text string `parquet:"text"`
		}{{"a text"}}))(t)
		must.Succeed(t, w.Close())
		if got := strings.Join(lines(openReader(t, b.Bytes())), "\n"); !strings.Contains(got, errLarge.Error()) {
			t.Errorf("%s: %s", c, got)
		}
	}
}
