package fetch

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"chaffinch/format/warc"
	"chaffinch/internal/readers"
	"chaffinch/page"
	"chaffinch/page/weburl"
)

// maxInterim is the most interim (1xx) responses.
const maxInterim = 8

// read reads the response: the head, then the body up to the limits. After the head, errors
// truncate the response.
func (x *exchange) read(in *input) error {
	if err := x.readHead(in); err != nil {
		return err
	}
	res := x.res
	in.bodyLength = in.framing(res)
	maxBytes := x.maxBytes()
	in.end, in.maxRaw = in.head, in.head+int(maxBytes)+16<<10
	err := in.grow(in.head + int(min(in.bodyLength, trustedBytes)))
	if err == nil {
		err = in.body(maxBytes)
	}
	res.Response = in.raw[:in.end]
	switch {
	case err == nil:
	case errors.Is(err, errLength):
		res.truncate(cutLength, err)
	case isTimeout(err):
		res.truncate(cutTime, err)
	default:
		res.truncate(cutDisconnect, err)
	}
	x.decode()
	if res.Truncated == cutDisconnect && res.Cut == page.Truncated && in.bodyLength == int64(len(res.Body)) && res.Header.Has("Content-Encoding") {
		res.Truncated, res.Cut, res.Fault = "", page.None, nil // the length referred to the body without its codings
	}
	if res.Status >= 300 && res.Status < 400 {
		if to := res.Header.Get("Location"); to != "" {
			res.Location, _ = weburl.Parse(to, &res.URL)
		}
	}
	return nil
}

// input holds the bytes received on the connection.
type input struct {
	x          *exchange
	raw        []byte
	searched   int // bytes of raw without the end of a head
	head       int // bytes of the head in raw
	bodyLength int64
	end        int // end of the response in raw, once it is read
	maxRaw     int // most bytes that are read, set after the head
}

// trustedBytes is the size that is allocated for a Content-Length before any bytes arrive, and the part
// of a response that does not count in the budget.
const trustedBytes = 128 << 10

// grow grows raw to a capacity of size bytes, when the budget allows.
func (in *input) grow(size int) error {
	if size <= cap(in.raw) {
		return nil
	}
	if n := size - max(cap(in.raw), trustedBytes); n > 0 && in.x.res.sentBudget != nil && !in.x.res.sentBudget.Grow(in.x.ctx, int64(n)) {
		return in.x.ctx.Err()
	}
	in.raw = append(make([]byte, 0, size), in.raw...)
	return nil
}

// Lengths of a body that are not a number of bytes.
const (
	untilClose = -1 // until the connection ends
	inChunks   = -2
)

// fill reads more bytes.
func (in *input) fill() error {
	if len(in.raw) == cap(in.raw) {
		size := len(in.raw) + max(16<<10, len(in.raw))
		if in.maxRaw > len(in.raw) {
			size = min(size, in.maxRaw)
		}
		if err := in.grow(size); err != nil {
			return err
		}
	}
	n, err := in.x.conn.Read(in.raw[len(in.raw):cap(in.raw)])
	if n > 0 && len(in.raw) == 0 {
		in.x.firstByte()
	}
	in.raw = in.raw[:len(in.raw)+n]
	if n > 0 {
		return nil // an error is returned by the next read
	}
	if err == nil {
		return nil
	}
	return err
}

// firstByte replaces the deadline for the first byte by the deadline of the request.
func (x *exchange) firstByte() {
	if x.res.FirstByte == 0 {
		x.res.FirstByte = time.Since(x.res.Start)
		end, _ := x.ctx.Deadline()
		x.conn.SetDeadline(end)
		if x.ctx.Err() != nil { // canceled in the meantime
			x.conn.SetDeadline(pastDeadline)
		}
	}
}

// readHead reads the head of the final response, after interim responses.
func (x *exchange) readHead(in *input) error {
	limit := x.client.cfg.MaxHead
	for range maxInterim + 1 {
		for {
			for len(in.raw) > 0 && (in.raw[0] == '\r' || in.raw[0] == '\n') { // left from the previous response
				in.raw, in.searched = in.raw[1:], 0
			}
			if n := min(len(in.raw), 5); string(in.raw[:n]) != "HTTP/"[:n] {
				return &Error{Reason: BadHead, Err: fmt.Errorf("%w: found %q", warc.ErrHTTP, in.raw[:min(len(in.raw), 24)])}
			}
			if in.head = headEnd(in.raw, max(0, in.searched-len("\n\r\r"))); in.head > 0 && in.head <= limit {
				break
			}
			in.searched = len(in.raw)
			if len(in.raw) >= limit {
				return &Error{Reason: LongHead, Err: fmt.Errorf("more than %d bytes without an empty line", limit)}
			}
			if err := in.fill(); err != nil {
				if isTimeout(err) {
					return &Error{Reason: NoAnswer, Err: err}
				}
				return &Error{Reason: Closed, Err: fmt.Errorf("after %d bytes: %w", len(in.raw), readers.Unexpected(err))}
			}
		}
		h, err := warc.ReadHTTP(newReader(in.raw[:in.head], in.head+1))
		if err != nil {
			return &Error{Reason: BadHead, Err: err}
		}
		switch {
		case h.Status < 100 || h.Status > 999 || h.Status == 101:
			return &Error{Reason: BadHead, Err: fmt.Errorf("invalid status in %q", firstLine(in.raw))}
		case h.Status >= 200:
			x.res.Status, x.res.Header, x.res.Head = h.Status, h.Header, in.head
			return nil
		}
		in.raw, in.searched = in.raw[in.head:], 0
	}
	return &Error{Reason: BadHead, Err: fmt.Errorf("more than %d interim responses", maxInterim)}
}

func firstLine(b []byte) []byte {
	b, _, _ = bytes.Cut(b, []byte("\n"))
	return bytes.TrimSpace(b[:min(len(b), 40)])
}

// headEnd returns the length of the head at the start of b, including its empty line; 0 if b does
// not contain its end. The head is known not to end before from.
func headEnd(b []byte, from int) int {
	for at := from; ; {
		i := bytes.IndexByte(b[at:], '\n')
		if i < 0 {
			return 0
		}
		at += i + 1
		switch {
		case bytes.HasPrefix(b[at:], []byte("\n")):
			return at + 1
		case bytes.HasPrefix(b[at:], []byte("\r\n")):
			return at + 2
		case bytes.HasPrefix(b[at:], []byte("\r\r\n")):
			return at + 3
		}
	}
}

// framing returns the length of the body (RFC 9112, section 6.3). Contradictory fields are read as
// browsers do.
func (in *input) framing(res *Result) int64 {
	if res.Status == 204 || res.Status == 304 {
		return 0
	}
	for _, f := range res.Header {
		if strings.EqualFold(f.Name, "Transfer-Encoding") && strings.Contains(strings.ToLower(f.Value), "chunked") {
			return inChunks
		}
	}
	length, _, _ := strings.Cut(res.Header.Get("Content-Length"), ",")
	n, err := strconv.ParseUint(strings.TrimSpace(length), 10, 63)
	if err != nil {
		return untilClose
	}
	return int64(n)
}

// errLength indicates that the body is longer than the limit.
var errLength = errors.New("body longer than the limit")

// body reads the body, at most limit bytes.
func (in *input) body(limit int64) error {
	chunks := chunkScanner{}
	for {
		have := int64(len(in.raw) - in.head)
		in.end = in.head + int(min(have, limit))
		switch {
		case in.bodyLength >= 0 && in.bodyLength <= limit && have >= in.bodyLength:
			in.end = in.head + int(in.bodyLength)
			return nil
		case in.bodyLength == inChunks:
			if n := chunks.scan(in.raw[in.head:]); n > 0 && int64(n) <= limit {
				in.end = in.head + n
				return nil
			}
			if chunks.bad {
				in.bodyLength = untilClose // not chunked: the bytes are the body
			}
		}
		if have > limit || have == limit && in.bodyLength > limit {
			return fmt.Errorf("%w of %d", errLength, limit)
		}
		err := in.fill()
		switch {
		case err == nil:
		case in.bodyLength == untilClose && isEnd(err), in.bodyLength == inChunks && isEnd(err) && chunks.notChunked(in.raw[in.head:]):
			return nil
		case err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF):
			return fmt.Errorf("the connection ends after %d bytes of the body", have)
		default:
			return err
		}
	}
}

// isEnd reports whether err means that the server closed the connection. Many servers close TLS
// connections without close_notify.
func isEnd(err error) bool {
	var alert tls.AlertError
	return err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &alert)
}

// chunkScanner finds the end of a chunked body (RFC 9112, section 7.1) while it is received.
type chunkScanner struct {
	at           int  // offset of the next line
	lineBreakDue bool // a line break must follow, after a chunk
	trailer      bool // the last chunk was read
	bad          bool // a chunk is invalid
}

// maxChunkLine is the most bytes of a line with the size of a chunk.
const maxChunkLine = 4 << 10

// scan returns the length of the body if b, which begins with it, contains all of it; else 0. It
// continues at the position of the previous call.
func (c *chunkScanner) scan(b []byte) int {
	for !c.bad && c.at <= len(b) {
		i := bytes.IndexByte(b[c.at:], '\n')
		if i < 0 {
			c.bad = len(b)-c.at > maxChunkLine
			return 0
		}
		line := bytes.TrimRight(b[c.at:c.at+i], "\r \t")
		next := c.at + i + 1
		switch {
		case c.trailer:
			c.at = next
			if len(line) == 0 {
				return next
			}
		case c.lineBreakDue && len(line) == 0:
			c.lineBreakDue, c.at = false, next
		default:
			size, ok := chunkSize(line)
			if !ok {
				c.bad = true
				return 0
			}
			c.at, c.lineBreakDue, c.trailer = next+int(size), true, size == 0
		}
	}
	return 0
}

// notChunked reports whether a complete body does not begin with a chunk.
func (c *chunkScanner) notChunked(b []byte) bool {
	if c.at > 0 || len(b) == 0 {
		return false
	}
	_, ok := chunkSize(b[:1])
	return !ok
}

// chunkSize parses the size at the start of a chunk.
func chunkSize(line []byte) (int64, bool) {
	digits, _, _ := bytes.Cut(line, []byte(";"))
	digits = bytes.TrimSpace(digits)
	if len(digits) == 0 || len(digits) > 8 {
		return 0, false
	}
	n, err := strconv.ParseUint(string(digits), 16, 31)
	return int64(n), err == nil
}
