package extsort

import (
	"bytes"
	"path/filepath"
	"testing"

	"chaffinch/internal/testkit/must"
)

// FuzzRun reads run files of any bytes: they are what the manifest says, or an
// error.
func FuzzRun(f *testing.F) {
	dir := f.TempDir()
	folder, err := OpenFolder(dir)
	must.Succeed(f, err)
	w, err := folder.NewWriter(WriterConfig{Record: 12, Key: 12})
	must.Succeed(f, err)
	state := uint64(1)
	for range 3000 {
		rec, err := w.Add()
		must.Succeed(f, err)
		random(rec, &state, 256)
	}
	runs, err := w.Flush()
	must.Succeed(f, err)
	path := filepath.Join(dir, runs[0].Name)
	good := must.Read(f, path)
	f.Add(uint32(0), byte(0), uint32(0))
	f.Add(uint32(20), byte(1), uint32(0))
	f.Add(uint32(headerSize+blockSize-1), byte(128), uint32(0))
	f.Add(uint32(len(good)-1), byte(255), uint32(7))
	f.Fuzz(func(t *testing.T, at uint32, flip byte, cut uint32) {
		b := bytes.Clone(good[:len(good)-int(cut)%len(good)])
		b[int(at)%len(b)] ^= flip
		must.Write(t, path, b)
		n := 0
		m, err := folder.Merge(runs, MergeConfig{Memory: 1 << 20})
		if err == nil {
			for _, e := range m.All() {
				if err = e; err == nil {
					n++
				}
			}
			m.Close()
		}
		if same := bytes.Equal(b, good); same != (err == nil) || same && n != 3000 {
			t.Fatalf("the same bytes: %v; %d records: %v", same, n, err)
		}
	})
}
