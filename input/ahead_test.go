package input_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"strings"
	"testing"

	"chaffinch/format/warc"
	"chaffinch/input"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// TestAhead reads an archive with and without records that are decompressed ahead: pages and errors
// are the same.
func TestAhead(t *testing.T) {
	var file, packed bytes.Buffer
	w := must.Get(warc.NewWriter(&file, warc.WriterConfig{Packing: warc.Gzip, Level: 1}))(t)
	rng := rand.New(rand.NewPCG(7, 7))
	for i := range 200 {
		text := testkit.Words(uint64(i), 1+rng.IntN(8000))
		head := "Content-Type: text/html\r\n"
		switch i % 20 {
		case 3:
			head += "X-Long: " + strings.Repeat("long ", 4000) + "\r\n"
		case 5:
			head += "X-TooLong: " + strings.Repeat("long ", 60_000) + "\r\n"
		case 7:
			text = nil
		case 9:
			head += "Content-Encoding: gzip\r\n"
			packed.Reset()
			z := gzip.NewWriter(&packed)
			z.Write(text)
			z.Close()
			text = packed.Bytes()
		case 11:
			text = bytes.Repeat(text, 3+rng.IntN(40))
		case 13:
			head = "Content-Type: image/png\r\n"
		}
		block := fmt.Appendf(nil, "HTTP/1.1 %d OK\r\n%s\r\n%s", 200+i%17/16*204, head, text)
		if i%20 == 15 {
			block = block[:rng.IntN(20)]
		}
		must.Succeed(t, must.Err(w.Write(warc.Entry{
			Type: "response", URI: fmt.Sprintf("https://ahead.example/%d", i), Date: "2026-01-01T00:00:00Z",
			ContentType: "application/http; msgtype=response", Block: block,
		})))
	}
	name := must.File(t, "pages.warc.gz", file.Bytes())
	read := func(workers int) string {
		r := must.Get(input.Open([]string{name}, input.Config{Workers: workers, MaxPageBytes: 200_000}))(t)
		defer r.Close()
		var s strings.Builder
		for p, err := range r.All() {
			if err != nil {
				fmt.Fprintln(&s, err)
				continue
			}
			fmt.Fprintln(&s, p.URL, p.MIME, p.Drop, p.Cut, len(p.Raw), crc32.ChecksumIEEE(p.Raw))
			r.Release(p)
		}
		return s.String()
	}
	want := read(1)
	if n := strings.Count(want, "\n"); n < 200 {
		t.Fatalf("%d pages and errors", n)
	}
	must.Equal(t, read(3), want)
}
