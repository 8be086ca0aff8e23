package packed

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// lz4Texts are what testdata/reference/make.py has compressed with python-lz4.
func lz4Texts() map[string][]byte {
	var text bytes.Buffer
	for i := range 12000 {
		fmt.Fprintf(&text, "line %d of a text, %d\n", i, i*i%977)
	}
	stored := make([]byte, 1000)
	for i := range stored {
		stored[i] = byte(i*7919 + i/256*104729)
	}
	return map[string][]byte{"linked": text.Bytes(), "independent": text.Bytes(), "large": text.Bytes(), "stored": stored, "empty": nil}
}

func lz4File(t testing.TB, name string) []byte {
	t.Helper()
	return must.Read(t, filepath.Join("testdata", "reference", name+".lz4"))
}

func TestLZ4(t *testing.T) {
	var file, whole []byte
	for name, want := range lz4Texts() {
		f := lz4File(t, name)
		r := must.Get(NewReader(bytes.NewReader(f), Default))(t)
		got, bad := collect(r)
		if len(bad) > 0 || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, wanted %d; damage %v", name, len(got), len(want), bad)
		}
		file = append(append(file, f...), 0x51, 0x2a, 0x4d, 0x18, 1, 0, 0, 0, 'x')
		whole = append(whole, want...)
	}
	r := must.Get(NewReader(bytes.NewReader(append(file, lz4File(t, "stored")...)), Default))(t)
	if n, err := r.Discard(int64(len(whole))); int(n) != len(whole) || err != nil {
		t.Fatalf("%d of %d bytes, %v", n, len(whole), err)
	}
	r.Peek(1)
	if p := r.Pos(); p != (Pos{int64(len(file)), 0}) {
		t.Errorf("the last frame is at %v, wanted %d", p, len(file))
	}
}

func TestLZ4Damage(t *testing.T) {
	for name, want := range lz4Texts() {
		whole := lz4File(t, name)
		for at := range 60 {
			f := bytes.Clone(whole)
			k := at * len(f) / 60
			if k < 4 {
				continue // the magic number
			}
			f[k] ^= 0x41
			r := must.Get(NewReader(bytes.NewReader(append(f, whole...)), Default))(t)
			got, bad := collect(r)
			if name != "large" && len(bad) == 0 { // it has no checksum
				t.Errorf("%s: byte %d was changed, and nothing is said", name, k)
			}
			if !bytes.HasSuffix(got, want) {
				t.Errorf("%s: byte %d was changed: the next frame is lost", name, k)
			}
		}
	}
	f := lz4File(t, "linked")
	r := must.Get(NewReader(bytes.NewReader(f[:len(f)-3]), Default))(t)
	if got, bad := collect(r); len(bad) != 1 || !errors.Is(bad[0], io.ErrUnexpectedEOF) || !bytes.Equal(got, lz4Texts()["linked"]) {
		t.Errorf("without its end: %d bytes, %v", len(got), bad)
	}
}

// FuzzReader unpacks any bytes: there is an end, every damage is a *Damage, and
// every place is found again.
func FuzzReader(f *testing.F) {
	small := [][]byte{testkit.Words(1, 100), testkit.Words(2, 10), testkit.Words(3, 300)}
	for _, p := range pack(small) {
		f.Add(p.file)
	}
	f.Add(lz4File(f, "stored"))
	f.Add(lz4File(f, "linked")[:2000])
	cfg := Config{MaxRatio: 100, GraceBytes: 1 << 16}
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := NewReader(bytes.NewReader(b), cfg)
		if err != nil {
			return
		}
		defer r.Close()
		p := make([]byte, 1000)
		var at Pos
		var want []byte
		for calls := 0; ; calls++ {
			place := r.Pos()
			n, err := r.Read(p)
			if calls%3 == 1 && n > 0 {
				at, want = place, bytes.Clone(p[:min(n, 20)])
			}
			var d *Damage
			if errors.As(err, &d) {
				err = r.Resync()
			}
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("not a *Damage: %v", err)
			}
			if calls > 300*len(b)+1000 {
				t.Fatal("no end")
			}
		}
		if want == nil {
			return
		}
		if err := r.Seek(at); err != nil {
			t.Fatalf("Seek(%v): %v", at, err)
		}
		if got, _ := r.Peek(len(want)); !bytes.Equal(got, want) {
			t.Fatalf("at %v: %q, wanted %q", at, got, want)
		}
	})
}
