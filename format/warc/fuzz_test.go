package warc

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"chaffinch/internal/testkit/must"
)

// FuzzWARC reads any bytes: the reader ends, does not give more than there is,
// gives the same from a pipe's pieces as from a file as long as nothing is
// damaged, and finds every record again by its place.
func FuzzWARC(f *testing.F) {
	for _, c := range tolerant {
		f.Add([]byte(c.in))
	}
	es := entries()[:3]
	for _, cfg := range []WriterConfig{{}, {Packing: Gzip}, {Packing: Zstd}} {
		var b bytes.Buffer
		w := must.Get(NewWriter(&b, cfg))(f)
		for _, e := range es {
			w.Write(e)
		}
		f.Add(b.Bytes())
	}
	f.Add([]byte(arcFile))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := NewReader(bytes.NewReader(b), Config{MaxHeaderBytes: 8 << 10})
		if err != nil {
			return
		}
		defer r.Close()
		var all []Record
		calls := 0
		for {
			if calls++; calls > 10*len(b)+10 {
				t.Fatal("the reader does not end")
			}
			rec, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				if !errors.As(err, new(*Error)) {
					t.Fatalf("not an *Error: %v", err)
				}
				continue
			}
			n := must.Get(io.Copy(io.Discard, rec))(t)
			rec.Close()
			if rec.Size > n {
				t.Errorf("size %d, but %d bytes were read", rec.Size, n)
			}
			all = append(all, *rec)
		}
		for i := range all {
			if err := r.Seek(all[i].Pos); err != nil {
				t.Fatalf("Seek(%v): %v", all[i].Pos, err)
			}
			rec, err := r.Next()
			if err != nil || rec.Type != all[i].Type || rec.ID != all[i].ID || rec.Length != all[i].Length {
				t.Fatalf("at %v: %v", all[i].Pos, err)
			}
			if i > 20 {
				break
			}
		}
	})
}
