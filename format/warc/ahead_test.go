package warc

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestWorkers reads damaged archives with members unpacked ahead and without, and with the search for
// swallowed records that complete members make unnecessary: records, their places and errors are the
// same.
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
		file = append(file, wrongLengths(rng, round+1)...)
		want := told(t, file, 1, true)
		for _, workers := range []int{1, 3} {
			if got := told(t, file, workers, false); got != want {
				t.Fatalf("round %d, %d workers: got\n%s\nwanted\n%s", round, workers, got, want)
			}
		}
	}
}

// wrongLengths returns members with records that contain lines like those of a record, some of them
// with a wrong length or without line breaks at their end.
func wrongLengths(rng *rand.Rand, records int) (file []byte) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	for i := range records {
		block := strings.Repeat("text\n", rng.IntN(40_000)) + "\nWARC/1.0\r\nContent-Length: 3\r\n\r\nabc"
		size := len(block) + []int{0, 0, 0, -1, 2, 1 << 16}[rng.IntN(6)]
		fmt.Fprintf(z, "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:wrong:%d>\r\nContent-Length: %d\r\n\r\n%s%s",
			i, size, block, strings.Repeat("\r\n", rng.IntN(4)))
		if rng.IntN(3) > 0 {
			z.Close()
			z.Reset(&b)
		}
	}
	z.Close()
	return b.Bytes()
}

// told describes all records and errors of an archive. It always searches blocks for swallowed records
// if search is true.
func told(t *testing.T, file []byte, workers int, search bool) string {
	r := must.Get(NewReader(bytes.NewReader(file), Config{Workers: workers}))(t)
	defer r.Close()
	var b bytes.Buffer
	sound := 0
	all, errs := readWith(t, r, func() {
		if r.sound {
			sound++
		}
		r.sound = r.sound && !search
	})
	if sound == 0 {
		t.Fatal("no member is known to be complete")
	}
	for _, s := range all {
		fmt.Fprintln(&b, s.rec.Pos, s.rec.End, s.rec.ID, s.rec.Size, s.rec.Tail, crc32.ChecksumIEEE(s.block))
	}
	for _, e := range errs {
		fmt.Fprintln(&b, e)
	}
	return b.String()
}
