package warc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"strconv"
	"strings"
)

// HTTP is the head of an HTTP response (RFC 9112, section 2).
type HTTP struct {
	Proto  string // such as "HTTP/1.1"
	Status int    // 0 if it is not a number
	Reason string // text after the status
	Header Header
	Size   int // bytes of the head with its empty line
}

// ErrHTTP indicates a block that does not begin with an HTTP response.
var ErrHTTP = errors.New("no HTTP response")

// ReadHTTP reads the head of a response from br and leaves br at the payload. It returns
// ErrHTTP if the head exceeds the buffer of br. If the block ends within the head, the head
// is considered complete.
func ReadHTTP(br *bufio.Reader) (*HTTP, error) {
	if b, _ := br.Peek(5); string(b) != "HTTP/" {
		return nil, fmt.Errorf("%w: found %q", ErrHTTP, b)
	}
	var b []byte
	n := 0
	for want := min(4<<10, br.Size()); ; want = min(2*want, br.Size()) {
		var err error
		b, err = br.Peek(want)
		if n = headEnd(b); n > 0 {
			break
		}
		if err != nil { // the block ends here
			n = len(b)
			break
		}
		if want == br.Size() {
			return nil, fmt.Errorf("%w: more than %d bytes without an empty line", ErrHTTP, want)
		}
	}
	first, rest, _ := strings.Cut(string(b[:n]), "\n")
	h := &HTTP{Size: n, Header: parseFields(rest)}
	br.Discard(n)
	h.Proto, first, _ = strings.Cut(strings.TrimSpace(first), " ")
	status, reason, _ := strings.Cut(strings.TrimLeft(first, " "), " ")
	h.Status, _ = strconv.Atoi(status)
	h.Reason = strings.TrimLeft(reason, " ")
	return h, nil
}

// MediaType returns the media type, in lower case without parameters, and the charset
// parameter of a Content-Type field. It is as tolerant as browsers.
func MediaType(contentType string) (media, charset string) {
	if m, params, err := mime.ParseMediaType(contentType); err == nil {
		return m, params["charset"]
	}
	media, rest, _ := strings.Cut(contentType, ";")
	media, _, _ = strings.Cut(media, ",")
	media = strings.ToLower(strings.TrimSpace(media))
	for p := range strings.SplitSeq(rest, ";") {
		if k, v, ok := strings.Cut(p, "="); ok && strings.EqualFold(strings.TrimSpace(k), "charset") {
			charset = strings.Trim(strings.TrimSpace(v), `"'`)
			break
		}
	}
	return media, charset
}

// chunked decodes the chunked transfer coding (RFC 9112, section 7.1).
type chunked struct {
	br    *bufio.Reader
	left  int64
	first bool // no chunk was read yet
	done  bool
}

// ErrChunk indicates a chunk that does not begin with its size.
var ErrChunk = errors.New("bad chunk")

// newChunked returns a reader of the payload in br. It returns nil if br does not begin with
// a chunk: many archives keep the header but store the decoded payload.
func newChunked(br *bufio.Reader) *chunked {
	if _, n, ok := peekChunk(br); !ok || n == 0 {
		return nil
	}
	return &chunked{br: br, first: true}
}

// maxChunkLine bounds the line of a chunk's size with its extensions.
const maxChunkLine = 4 << 10

// peekChunk parses a line with a hexadecimal size. n is the length of the line. It reports
// whether the line is valid.
func peekChunk(br *bufio.Reader) (size int64, n int, ok bool) {
	b, _ := br.Peek(32)
	if !bytes.ContainsRune(b, '\n') {
		b, _ = br.Peek(min(maxChunkLine, br.Size()))
	}
	i := bytes.IndexByte(b, '\n')
	if i < 0 {
		return 0, 0, false
	}
	line := strings.TrimSpace(string(b[:i]))
	line, _, _ = strings.Cut(line, ";")
	line = strings.TrimSpace(line)
	if len(line) > 15 {
		return 0, 0, false
	}
	size, err := strconv.ParseInt(line, 16, 64)
	if err != nil || size < 0 {
		return 0, 0, false
	}
	return size, i + 1, true
}

func (c *chunked) Read(p []byte) (int, error) {
	if c.done {
		return 0, io.EOF
	}
	for c.left == 0 {
		if !c.first {
			b, _ := c.br.Peek(2) // the line break after a chunk
			switch {
			case bytes.Equal(b, []byte("\r\n")):
				c.br.Discard(2)
			case len(b) > 0 && b[0] == '\n':
				c.br.Discard(1)
			case len(b) == 0:
				return 0, io.ErrUnexpectedEOF
			}
		}
		size, n, ok := peekChunk(c.br)
		if !ok {
			b, _ := c.br.Peek(min(maxChunkLine, c.br.Size()))
			if len(b) < maxChunkLine && !bytes.ContainsRune(b, '\n') {
				return 0, io.ErrUnexpectedEOF
			}
			return 0, fmt.Errorf("%w: found %q, wanted a size", ErrChunk, b[:min(len(b), 16)])
		}
		c.br.Discard(n)
		c.first, c.left = false, size
		if size == 0 {
			c.done = true
			return 0, io.EOF
		}
	}
	n, err := c.br.Read(p[:min(int64(len(p)), c.left)])
	c.left -= int64(n)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}
