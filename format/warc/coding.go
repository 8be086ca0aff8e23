package warc

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"

	"chaffinch/internal/inflate"
	"chaffinch/internal/readers"
)

// Limits bounds the size of a decoded payload.
type Limits struct {
	// MaxBytes bounds the payload. Longer payloads are truncated.
	MaxBytes int64
	// MaxRatio bounds the payload bytes per stored byte, for payloads of more than
	// GraceBytes.
	MaxRatio   float64
	GraceBytes int64
}

// DefaultLimits are limits for web pages.
var DefaultLimits = Limits{MaxBytes: 32 << 20, MaxRatio: 300, GraceBytes: 1 << 20}

// Errors of payloads.
var (
	// ErrTooLarge indicates that the payload was truncated at Limits.MaxBytes.
	ErrTooLarge = errors.New("more bytes than the limit")
	// ErrTooDense indicates that the payload exceeds Limits.MaxRatio.
	ErrTooDense = errors.New("unpacks to more than the limit for its packed size")
	// ErrCoding indicates a coding that is unknown or cannot be decoded.
	ErrCoding = errors.New("coding that cannot be undone")
)

// Payload reads the payload that follows the head h in br and decodes its transfer and
// content codings. The returned slice is newly allocated. With an error, it holds the bytes
// that could be read.
func Payload(br *bufio.Reader, h Header, lim Limits) ([]byte, error) {
	hint := parseLength(h.Get("Content-Length"))
	if len(codings(h, "Transfer-Encoding"))+len(codings(h, "Content-Encoding")) > 0 {
		hint *= 4
	}
	// One more byte, to detect the end without growing. At most 1 MB is allocated in advance.
	return PayloadIn(make([]byte, min(max(hint+1, 32<<10), 1<<20)), br, h, lim)
}

// PayloadIn is like Payload, but overwrites buf, and returns a part of it if the payload is shorter.
func PayloadIn(buf []byte, br *bufio.Reader, h Header, lim Limits) ([]byte, error) {
	in := &readers.Counter{R: br}
	transfer, content := codings(h, "Transfer-Encoding"), codings(h, "Content-Encoding")
	if len(transfer)+len(content) == 0 {
		return readLimited(buf, in, in, lim)
	}
	body := bufio.NewReaderSize(in, 4<<10)
	for _, list := range [][]string{transfer, content} {
		for i := len(list) - 1; i >= 0; i-- {
			next, err := undo(body, list[i])
			if err != nil {
				return nil, err
			}
			body = next
		}
	}
	return readLimited(buf, body, in, lim)
}

// AppendPayload appends a payload without codings to buf, which is empty.
func AppendPayload(buf, payload []byte, lim Limits) ([]byte, error) {
	size := int64(len(payload))
	if size > lim.MaxBytes {
		return append(buf, payload[:lim.MaxBytes]...), tooLarge(lim)
	}
	return append(buf, payload...), nil
}

func tooLarge(lim Limits) error { return fmt.Errorf("%w of %d", ErrTooLarge, lim.MaxBytes) }

// Content returns a reader that decodes the codings of a Content-Encoding field, for a body
// outside an archive. It supports only gzip, deflate, br and zstd. It returns the errors of
// Payload.
func Content(r io.Reader, encoding string, lim Limits) (io.Reader, error) {
	list := codings(Header{{Name: "Content-Encoding", Value: encoding}}, "Content-Encoding")
	for _, c := range list {
		if !slices.Contains([]string{"gzip", "x-gzip", "deflate", "br", "zstd"}, c) {
			return nil, fmt.Errorf("%w: unknown coding %q (gzip, deflate, br, zstd are read)", ErrCoding, c)
		}
	}
	if len(list) == maxCodings {
		return nil, fmt.Errorf("%w: %d codings one after the other, wanted fewer", ErrCoding, len(list))
	}
	in := &readers.Counter{R: r}
	body := bufio.NewReaderSize(in, 4<<10)
	for _, c := range slices.Backward(list) {
		next, err := undo(body, c)
		if err != nil {
			return nil, err
		}
		body = next
	}
	return &content{body, in, 0, lim}, nil
}

// content is a reader with limits.
type content struct {
	r   io.Reader
	in  *readers.Counter
	n   int64 // bytes read
	lim Limits
}

// Read implements [io.Reader].
func (c *content) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	if dense := c.lim.dense(c.n, c.in.N); dense != nil {
		return 0, dense
	}
	if c.lim.MaxBytes > 0 && c.n > c.lim.MaxBytes {
		return 0, tooLarge(c.lim)
	}
	return n, err
}

// dense returns an error if size exceeds the ratio for the stored bytes.
func (lim Limits) dense(size, stored int64) error {
	if size > lim.GraceBytes && lim.MaxRatio > 0 && float64(size) > lim.MaxRatio*float64(stored) {
		return fmt.Errorf("%w: %d bytes from %d stored ones (limit %g for one)", ErrTooDense, size, stored, lim.MaxRatio)
	}
	return nil
}

// maxCodings bounds the number of nested codings.
const maxCodings = 4

// codings returns the codings in the order in which they were applied.
func codings(h Header, name string) []string {
	var out []string
	for _, f := range h {
		if !strings.EqualFold(f.Name, name) {
			continue
		}
		for c := range strings.SplitSeq(f.Value, ",") {
			c, _, _ = strings.Cut(c, ";")
			c = strings.ToLower(strings.Trim(strings.TrimSpace(c), `"`))
			if c != "" && c != "identity" && c != "none" && len(out) < maxCodings {
				out = append(out, c)
			}
		}
	}
	return out
}

// undo returns a reader that decodes a coding. A payload that is stored decoded, under the
// header of an encoded one, is read unchanged.
func undo(br *bufio.Reader, coding string) (*bufio.Reader, error) {
	head, _ := br.Peek(256)
	if len(head) == 0 {
		return br, nil
	}
	var r io.Reader
	var err error
	switch coding {
	case "gzip", "x-gzip":
		if !bytes.HasPrefix(head, []byte{0x1f, 0x8b}) {
			return br, nil
		}
		r, err = newMembers(br)
	case "deflate":
		switch {
		case isZlib(head):
			r, err = zlib.NewReader(br)
		case begins(flate.NewReader(bytes.NewReader(head))):
			r = flate.NewReader(br)
		default:
			return br, nil
		}
	case "br":
		if !begins(brotli.NewReader(bytes.NewReader(head))) {
			return br, nil
		}
		r = brotli.NewReader(br)
	case "zstd":
		if !bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}) {
			return br, nil
		}
		var z *zstd.Decoder
		z, err = zstd.NewReader(br, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(8<<20)) // RFC 9659: not more than 8 MB for web content
		if err == nil {
			r = z.IOReadCloser()
		}
	case "chunked":
		c := newChunked(br)
		if c == nil {
			return br, nil
		}
		return bufio.NewReaderSize(c, 4<<10), nil
	default:
		if printable(head) { // a charset or a language stated as a coding
			return br, nil
		}
		return nil, fmt.Errorf("%w: unknown coding %q (gzip, deflate, br, zstd are read)", ErrCoding, coding)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrCoding, coding, readers.Unexpected(err))
	}
	return bufio.NewReaderSize(codingReader{r, coding}, 4<<10), nil
}

// codingReader adds the name of the coding to errors.
type codingReader struct {
	io.Reader
	coding string
}

func (c codingReader) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if err != nil && err != io.EOF {
		err = fmt.Errorf("%w: %s: %w", ErrCoding, c.coding, err)
	}
	return n, err
}

// members reads all members of a gzip file.
type members struct {
	br  *bufio.Reader
	z   *inflate.Reader // nil after an error
	err error
}

// inflaters reuses readers, which take 150 kB each.
var inflaters = sync.Pool{New: func() any { return new(inflate.Reader) }}

func newMembers(br *bufio.Reader) (*members, error) {
	m := &members{br: br, z: inflaters.Get().(*inflate.Reader)}
	m.end(m.z.Reset(br))
	return m, m.err
}

func (m *members) Read(p []byte) (int, error) {
	for m.err == nil {
		n, err := m.z.Read(p)
		if err == io.EOF {
			err = m.z.Reset(m.br) // io.EOF if no member follows
		}
		m.end(err)
		if n > 0 {
			return n, m.err
		}
	}
	return 0, m.err
}

// end releases the inflater after an error, including io.EOF.
func (m *members) end(err error) {
	if err != nil {
		inflaters.Put(m.z)
		m.z, m.err = nil, err
	}
}

// isZlib reports whether b begins with a zlib header (RFC 1950, section 2.2).
func isZlib(b []byte) bool {
	return len(b) >= 2 && b[0]&0x0f == 8 && b[0]>>4 <= 7 && (int(b[0])<<8|int(b[1]))%31 == 0
}

// begins reports whether r, which holds only the first bytes, can be decoded.
func begins(r io.Reader) bool {
	var b [512]byte
	_, err := io.ReadFull(r, b[:])
	if err == nil || err == io.EOF {
		return true
	}
	return errors.Is(err, io.ErrUnexpectedEOF)
}

// printable reports whether b has only control bytes that occur in text.
func printable(b []byte) bool {
	for _, c := range b {
		if c < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != 0x1b {
			return false
		}
	}
	return true
}

// readLimited reads r, whose stored bytes in counts, into buf.
func readLimited(buf []byte, r io.Reader, in *readers.Counter, lim Limits) ([]byte, error) {
	buf = buf[:0]
	for {
		if len(buf) == cap(buf) {
			buf = slices.Grow(buf, max(len(buf), 32<<10)) // append grows by a quarter, which copies large bodies five times
		}
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		size := int64(len(buf))
		if err := lim.dense(size, in.N); err != nil {
			return buf[:min(size, lim.MaxBytes)], err
		}
		if size > lim.MaxBytes {
			return buf[:lim.MaxBytes], tooLarge(lim)
		}
		if err == io.EOF {
			return buf, nil
		}
		if err != nil {
			return buf, err
		}
	}
}
