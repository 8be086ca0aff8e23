package warc

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestWorkers reads damaged archives with members unpacked ahead and without: records,
// their places and errors are the same.
func TestWorkers(t *testing.T) {
	es := entries()
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range 60 {
		block := []byte("HTTP/1.1 200 OK\r\n\r\n")
		for range rng.IntN(10_000) {
			block = fmt.Appendf(block, "%08x", rng.Uint32())
		}
		es = append(es, Entry{Type: "response", URI: fmt.Sprintf("http://example.org/page/%d", i), Date: es[0].Date, Block: block})
	}
	whole, _ := writeAll(t, WriterConfig{Packing: Gzip}, es)
	if len(whole) < 1<<20 {
		t.Fatalf("%d bytes are too few", len(whole))
	}
	for round := range 8 {
		file := bytes.Clone(whole)
		for range round {
			at := rng.IntN(len(file))
			switch n := rng.IntN(50); rng.IntN(3) {
			case 0:
				file = append(file[:at:at], file[min(at+n, len(file)):]...)
			case 1:
				file = append(file[:at:at], append(make([]byte, n), file[at:]...)...)
			case 2:
				file[at] ^= 1
			}
		}
		want := told(t, file, 1)
		if got := told(t, file, 3); got != want {
			t.Fatalf("round %d: got\n%s\nwanted\n%s", round, got, want)
		}
	}
}

// told describes all records and errors of an archive.
func told(t *testing.T, file []byte, workers int) string {
	r, err := NewReader(bytes.NewReader(file), Config{Workers: workers})
	must.Succeed(t, err)
	defer r.Close()
	var b bytes.Buffer
	all, errs := readAll(t, r)
	for _, s := range all {
		fmt.Fprintln(&b, s.rec.Pos, s.rec.End, s.rec.ID, s.rec.Size, s.rec.Tail, crc32.ChecksumIEEE(s.block))
	}
	for _, e := range errs {
		fmt.Fprintln(&b, e)
	}
	return b.String()
}
