package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// BenchmarkWET runs the whole command over 20 MB of WET records on one core: reading,
// decoding, splitting, labelling, writing. With -cpu 1 the bytes per second are for one core;
// "keep" shows the cost without labels.
func BenchmarkWET(b *testing.B) {
	var wet bytes.Buffer
	for recs, i := wetRecords(), 0; wet.Len() < 20e6; i++ {
		if len(recs[i%len(recs)]) < 1e6 {
			wet.Write(recs[i%len(recs)])
		}
	}
	name := filepath.Join(b.TempDir(), "dump.wet")
	must.Write(b, name, wet.Bytes())
	for _, method := range []string{"keep", "lines"} {
		b.Run(method, func(b *testing.B) {
			b.SetBytes(int64(wet.Len()))
			for b.Loop() {
				var out, msg bytes.Buffer
				if code := run([]string{"clean", "-q", "-j", "1", "-m", method, name}, &console{strings.NewReader(""), &out, &msg}); code != 0 || out.Len() == 0 {
					b.Fatalf("exit code %d, %d bytes: %s", code, out.Len(), &msg)
				}
			}
		})
	}
}
