package warc

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"

	"chaffinch/internal/testkit"
)

func deflate(b []byte) []byte {
	var out bytes.Buffer
	w, _ := flate.NewWriter(&out, 6)
	w.Write(b)
	w.Close()
	return out.Bytes()
}

func zlibbed(b []byte) []byte {
	var out bytes.Buffer
	w := zlib.NewWriter(&out)
	w.Write(b)
	w.Close()
	return out.Bytes()
}

func br(b []byte) []byte {
	var out bytes.Buffer
	w := brotli.NewWriter(&out)
	w.Write(b)
	w.Close()
	return out.Bytes()
}

// chunks writes b in chunks of 7 bytes.
func chunks(b []byte) []byte {
	var out bytes.Buffer
	for len(b) > 0 {
		n := min(7, len(b))
		fmt.Fprintf(&out, "%x;ext=1\r\n%s\r\n", n, b[:n])
		b = b[n:]
	}
	out.WriteString("0\r\n\r\n")
	return out.Bytes()
}

func TestPayload(t *testing.T) {
	text := testkit.Words(1, 20000)
	same := func(b []byte) []byte { return b }
	for _, c := range []struct {
		name, transfer, content string
		store                   func([]byte) []byte
		fail                    error
	}{
		{"as it is", "", "", same, nil},
		{"identity", "identity", "identity", same, nil},
		{"chunked", "chunked", "", chunks, nil},
		{"chunked in name only", "chunked", "", same, nil},
		{"gzip", "", "gzip", testkit.Gzip, nil},
		{"x-gzip, upper case", "", "X-GZIP", testkit.Gzip, nil},
		{"gzip in name only", "", "gzip", same, nil},
		{"zlib", "", "deflate", zlibbed, nil},
		{"raw deflate", "", "deflate", deflate, nil},
		{"deflate in name only", "", "deflate", same, nil},
		{"brotli", "", "br", br, nil},
		{"brotli in name only", "", "br", same, nil},
		{"zstd", "", "zstd", testkit.Zstd, nil},
		{"zstd in name only", "", "zstd", same, nil},
		{"gzip, chunked", "chunked", "gzip", func(b []byte) []byte { return chunks(testkit.Gzip(b)) }, nil},
		{"gzip as transfer coding", "gzip, chunked", "", func(b []byte) []byte { return chunks(testkit.Gzip(b)) }, nil},
		{"two content codings", "", "gzip, br", func(b []byte) []byte { return br(testkit.Gzip(b)) }, nil},
		{"a charset as coding", "", "utf-8", same, nil},
		{"unknown coding", "", "compress", func([]byte) []byte { return []byte("\x1f\x9d\x90\x00\x01") }, ErrCoding},
		{"cut gzip", "", "gzip", func(b []byte) []byte { return testkit.Gzip(b)[:4000] }, io.ErrUnexpectedEOF},
		{"cut brotli", "", "br", func(b []byte) []byte { return br(b)[:4000] }, ErrCoding},
		{"cut chunk", "chunked", "", func(b []byte) []byte { return chunks(b)[:4000] }, io.ErrUnexpectedEOF},
		{"bad chunk", "chunked", "", func(b []byte) []byte { return append(chunks(b)[:1400], "no size\r\n"...) }, ErrChunk},
		{"gzip bomb", "", "gzip", func([]byte) []byte { return testkit.Gzip(make([]byte, 8<<20)) }, ErrTooDense},
		{"too large", "", "", func([]byte) []byte { return bytes.Repeat(text, 200) }, ErrTooLarge},
	} {
		h := Header{{"content-type", "text/html"}, {"TRANSFER-encoding", c.transfer}, {"Content-Encoding", c.content}}
		in := bufio.NewReaderSize(bytes.NewReader(c.store(text)), 8<<10)
		got, err := Payload(in, h, Limits{MaxBytes: 3 << 20, MaxRatio: 300, GraceBytes: 1 << 20})
		if !errors.Is(err, c.fail) || c.fail == nil && err != nil {
			t.Errorf("%s: error %v, wanted %v", c.name, err, c.fail)
		}
		switch {
		case c.fail == nil && !bytes.Equal(got, text):
			t.Errorf("%s: %d bytes come back as %d", c.name, len(text), len(got))
		case strings.HasPrefix(c.name, "cut ") && (!bytes.HasPrefix(text, got) || len(got) < 500):
			t.Errorf("%s: %d readable bytes", c.name, len(got))
		case len(got) > 3<<20:
			t.Errorf("%s: %d bytes are over the limit", c.name, len(got))
		}
	}
}

func TestReadHTTP(t *testing.T) {
	for _, c := range []struct {
		in     string
		status int
		ct     string
		rest   string
	}{
		{"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nbody", 200, "text/html", "body"},
		{"HTTP/1.0 404\nContent-Type:text/plain\n\n\nbody", 404, "text/plain", "\nbody"},
		{"HTTP/2 301 Moved\r\nX: a\r\n b\r\nContent-Type : a/b\r\n\r\n", 301, "a/b", ""},
		{"HTTP/1.1 abc\r\n\r\nbody", 0, "", "body"},
		{"HTTP/1.1 200 OK", 200, "", ""},
		{"HTTP/1.1  403   Not  You\r\nContent-Type: a/b\r\n\r\nbody", 403, "a/b", "body"},
	} {
		b := bufio.NewReader(strings.NewReader(c.in))
		h, err := ReadHTTP(b)
		if err != nil {
			t.Errorf("%q: %v", c.in, err)
			continue
		}
		rest, _ := io.ReadAll(b)
		if h.Status != c.status || h.Header.Get("Content-Type") != c.ct || string(rest) != c.rest {
			t.Errorf("%q: status %d, type %q, rest %q", c.in, h.Status, h.Header.Get("content-type"), rest)
		}
	}
	for _, in := range []string{"", "<html>", "HTTP/1.1 200 OK\r\n" + strings.Repeat("X: y\r\n", 100000)} {
		if _, err := ReadHTTP(bufio.NewReader(strings.NewReader(in))); !errors.Is(err, ErrHTTP) {
			t.Errorf("%.20q: %v, wanted ErrHTTP", in, err)
		}
	}
}

func TestMediaType(t *testing.T) {
	for in, want := range map[string][2]string{
		"text/html; charset=UTF-8":           {"text/html", "UTF-8"},
		"Text/HTML;Charset=\"iso-8859-1\"":   {"text/html", "iso-8859-1"},
		"text/html; charset=":                {"text/html", ""},
		"text/html;; charset=utf-8; x":       {"text/html", "utf-8"},
		"text/html, text/html":               {"text/html", ""},
		"text/html; charset='windows-1251'":  {"text/html", "windows-1251"},
		"":                                   {"", ""},
		"text/html charset=koi8-r; charset=": {"text/html charset=koi8-r", ""},
	} {
		if m, c := MediaType(in); m != want[0] || c != strings.Trim(want[1], "'") && c != "'windows-1251'" {
			t.Errorf("%q: %q %q, wanted %q", in, m, c, want)
		}
	}
}

func FuzzHTTP(f *testing.F) {
	for _, s := range []string{"", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + string(testkit.Gzip([]byte("text"))),
		"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\n" + string(br([]byte("text"))),
		"HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\n\r\n" + string(zlibbed([]byte("text"))),
		"HTTP/1.1 200 OK\r\nContent-Encoding: zstd, gzip\r\nContent-Type: text/html; charset=x\r\n\r\n" + string(testkit.Gzip(testkit.Zstd([]byte("text"))))} {
		f.Add([]byte(s))
	}
	lim := Limits{MaxBytes: 1 << 20, MaxRatio: 300, GraceBytes: 1 << 16}
	f.Fuzz(func(t *testing.T, b []byte) {
		in := bufio.NewReaderSize(bytes.NewReader(b), 64<<10)
		h, err := ReadHTTP(in)
		if err != nil {
			return
		}
		MediaType(h.Header.Get("Content-Type"))
		p, err := Payload(in, h.Header, lim)
		if int64(len(p)) > lim.MaxBytes {
			t.Errorf("%d bytes are over the limit", len(p))
		}
		if err == nil && h.Size > len(b) {
			t.Errorf("a head of %d bytes in %d", h.Size, len(b))
		}
	})
}
