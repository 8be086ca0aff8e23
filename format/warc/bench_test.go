package warc

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// benchArchive packs n pages of some 20 KB, and returns the unpacked size too.
func benchArchive(b *testing.B, p Packing, n int) (file []byte, size int64) {
	b.Helper()
	var out bytes.Buffer
	w := must.Get(NewWriter(&out, WriterConfig{Packing: p}))(b)
	for i := range n {
		var body bytes.Buffer
		body.WriteString("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: 18500\r\n\r\n<!DOCTYPE html><html><body>")
		for k := range 100 {
			fmt.Fprintf(&body, "<div class=\"block entry\" id=\"n%d\"><p>%s</p><a href=\"/page/%d\">more</a></div>\n", k, testkit.Words(uint64(i*100+k), 120), k)
		}
		e := Entry{Type: "response", URI: fmt.Sprintf("http://example.org/%d", i), Date: "2026-01-02T03:04:05Z",
			ContentType: "application/http; msgtype=response", Block: body.Bytes()}
		must.Succeed(b, must.Err(w.Write(e)))
		size += int64(body.Len()) + 400
	}
	return out.Bytes(), size
}

// BenchmarkRead reads all records with their payloads; MB/s are of unpacked bytes.
func BenchmarkRead(b *testing.B) {
	for _, p := range []Packing{Unpacked, Gzip, Zstd} {
		name := "plain"
		if p != "" {
			name = string(p)
		}
		b.Run(name, func(b *testing.B) {
			const pages = 500
			file, size := benchArchive(b, p, pages)
			b.SetBytes(size)
			b.ReportAllocs()
			br := bufio.NewReaderSize(nil, 64<<10)
			n := 0
			for b.Loop() {
				r := must.Get(NewReader(bytes.NewReader(file), Config{}))(b)
				for {
					rec, err := r.Next()
					if err == io.EOF {
						break
					}
					must.Succeed(b, err)
					br.Reset(rec)
					h := must.Get(ReadHTTP(br))(b)
					must.Succeed(b, must.Err(Payload(br, h.Header, DefaultLimits)))
					n++
				}
				r.Close()
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "records/s")
		})
	}
}
