package warc

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Packing is the compression of records.
type Packing string

// The compressions. Each record is a separate member or frame, so that it can be read alone.
const (
	Unpacked Packing = ""
	Gzip     Packing = "gzip"
	Zstd     Packing = "zstd"
)

// WriterConfig configures a [Writer].
type WriterConfig struct {
	Packing Packing
	// Level is the gzip level, 1 to 9. Default: 6.
	Level int
	// Dictionary, for Zstd, is written at the beginning of the file and used for every
	// record. The zstd program can train one.
	Dictionary []byte
	// Version is "WARC/1.0" or "WARC/1.1". Default: "WARC/1.1".
	Version string
}

// Entry is a record to write. The writer adds the fields WARC-Type, WARC-Record-ID,
// WARC-Date, WARC-Target-URI, Content-Type, Content-Length and the SHA-1 digests of block
// and payload.
type Entry struct {
	Type string // "response", "resource", ...
	// ID is an absolute URI. Default: derived from content and offset, so that the same
	// entries produce the same file.
	ID   string
	URI  string
	Date string // RFC 3339, UTC
	// ContentType is the type of the block, such as "application/http; msgtype=response".
	ContentType string
	// Extra holds additional fields, written in order.
	Extra Header
	Block []byte
	// Compressed indicates that the block is mostly compressed already, such as a response
	// with a content coding. Gzip then stores it.
	Compressed bool
	// BlockDigest is the Digest of Block. Default: computed.
	BlockDigest string
}

// Writer writes an archive.
type Writer struct {
	cfg WriterConfig
	w   io.Writer
	n   int64 // bytes written
	gz  *gzip.Writer
	raw *gzip.Writer // stores compressed data
	zs  *zstd.Encoder
	buf []byte

	packed bytes.Buffer // a complete record, written by one call
}

// NewWriter returns a writer to w. For Zstd with a dictionary it writes the frame of the
// dictionary.
func NewWriter(w io.Writer, cfg WriterConfig) (*Writer, error) {
	if cfg.Version == "" {
		cfg.Version = "WARC/1.1"
	}
	if cfg.Version != "WARC/1.0" && cfg.Version != "WARC/1.1" {
		return nil, fmt.Errorf("WARC version %q: WARC/1.0 and WARC/1.1 are written", cfg.Version)
	}
	x := &Writer{cfg: cfg, w: w}
	var err error
	switch cfg.Packing {
	case Unpacked:
	case Gzip:
		if cfg.Level == 0 {
			cfg.Level = 6
		}
		if x.gz, err = gzip.NewWriterLevel(w, cfg.Level); err == nil {
			x.raw, err = gzip.NewWriterLevel(w, gzip.NoCompression)
		}
	case Zstd:
		opts := []zstd.EOption{zstd.WithEncoderConcurrency(1)}
		if cfg.Dictionary != nil {
			opts = append(opts, zstd.WithEncoderDict(cfg.Dictionary))
		}
		if x.zs, err = zstd.NewWriter(nil, opts...); err == nil && cfg.Dictionary != nil {
			head := binary.LittleEndian.AppendUint32(nil, dictFrame)
			head = binary.LittleEndian.AppendUint32(head, uint32(len(cfg.Dictionary)))
			err = x.put(append(head, cfg.Dictionary...))
		}
	default:
		err = fmt.Errorf("packing %q: there are gzip, zstd and none", cfg.Packing)
	}
	return x, err
}

// dictFrame is the magic number of the skippable frame that holds the dictionary (IIPC,
// "Zstandard compression for WARC files", section 2).
const dictFrame = 0x184D2A5D

func (x *Writer) put(b []byte) error {
	n, err := x.w.Write(b)
	x.n += int64(n)
	return err
}

// Offset returns the number of bytes written, which is the offset of the next record.
func (x *Writer) Offset() int64 { return x.n }

// Write writes a record and returns its offset.
func (x *Writer) Write(e Entry) (offset int64, err error) {
	offset = x.n
	e.digest()
	h, err := x.header(e)
	if err != nil {
		return offset, err
	}
	x.buf = append(append(append(x.buf[:0], h...), e.Block...), "\r\n\r\n"...)
	switch {
	case x.gz != nil:
		gz := x.gz
		if e.Compressed {
			gz = x.raw
		}
		x.packed.Reset()
		gz.Reset(&x.packed)
		if _, err = gz.Write(x.buf); err == nil {
			err = gz.Close()
		}
		if err != nil {
			return offset, err
		}
		return offset, x.put(x.packed.Bytes())
	case x.zs != nil:
		return offset, x.put(x.zs.EncodeAll(x.buf, nil))
	}
	return offset, x.put(x.buf)
}

// oneLine removes line breaks from the value of a field.
var oneLine = strings.NewReplacer("\r", " ", "\n", " ")

// header returns the version line and the fields with the empty line.
func (x *Writer) header(e Entry) (string, error) {
	if e.Type == "" || e.Date == "" {
		return "", errors.New("a WARC record needs a type and a date")
	}
	if e.ID == "" {
		e.ID = RecordID(x.n, e)
	}
	var b strings.Builder
	b.WriteString(x.cfg.Version + "\r\n")
	field := func(name, value string) {
		if value != "" {
			b.WriteString(name + ": " + oneLine.Replace(value) + "\r\n")
		}
	}
	field("WARC-Type", e.Type)
	field("WARC-Record-ID", "<"+e.ID+">")
	field("WARC-Date", e.Date)
	field("WARC-Target-URI", e.URI) // the grammar of 1.0 has brackets around it; its examples and all tools have none
	for _, f := range e.Extra {
		field(f.Name, f.Value)
	}
	if !e.Extra.Has("WARC-Payload-Digest") {
		if p, ok := payload(e); ok {
			field("WARC-Payload-Digest", Digest(p))
		}
	}
	field("WARC-Block-Digest", e.BlockDigest)
	if e.ContentType != "" && len(e.Block) > 0 {
		field("Content-Type", e.ContentType)
	}
	field("Content-Length", strconv.Itoa(len(e.Block)))
	b.WriteString("\r\n")
	return b.String(), nil
}

// payload returns the data of the payload digest: the data after the HTTP head, or the block
// of resource and conversion records.
func payload(e Entry) ([]byte, bool) {
	switch e.Type {
	case "response", "request":
		if strings.HasPrefix(e.ContentType, "application/http") {
			if n := headEnd(e.Block); n > 0 {
				return e.Block[n:], true
			}
		}
	case "resource", "conversion":
		return e.Block, true
	}
	return nil, false
}

// digest returns the digest of the block.
func (e *Entry) digest() string {
	if e.BlockDigest == "" {
		e.BlockDigest = Digest(e.Block)
	}
	return e.BlockDigest
}

// RecordID returns a name-based UUID (RFC 9562, section 5.5) as a URI, derived from the
// offset and the content of a record.
func RecordID(offset int64, e Entry) string {
	h := sha1.New()
	fmt.Fprintf(h, "%d %s %s %s\n%s", offset, e.Type, e.URI, e.Date, e.digest())
	u := h.Sum(nil)[:16]
	u[6] = u[6]&0x0f | 0x50
	u[8] = u[8]&0x3f | 0x80
	s := hex.EncodeToString(u)
	return "urn:uuid:" + s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}
