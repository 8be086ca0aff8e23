package archive

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"

	"chaffinch/internal/testkit/must"

	"github.com/klauspost/compress/zstd"

	"chaffinch/internal/files"
)

func read(t *testing.T, name string) map[string]string {
	t.Helper()
	got := map[string]string{}
	if err := Walk(name, func(p string, r io.Reader) error {
		b, err := io.ReadAll(r)
		got[p] = string(b)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return got
}

func TestWalk(t *testing.T) {
	want := map[string]string{"a/b.txt": "one", "c.txt": "two"}
	dir := t.TempDir()
	os.MkdirAll(filepath.Join(dir, "set", "a"), 0o755)
	var plain bytes.Buffer
	tw := tar.NewWriter(&plain)
	for p, s := range want {
		os.WriteFile(filepath.Join(dir, "set", p), []byte(s), 0o644)
		tw.WriteHeader(&tar.Header{Name: "./" + p, Size: int64(len(s)), Mode: 0o644, Typeflag: tar.TypeReg})
		io.WriteString(tw, s)
	}
	tw.Close()
	os.WriteFile(filepath.Join(dir, "set", "a", files.PageList), []byte("not text"), 0o644)
	var gz, zs bytes.Buffer
	g := gzip.NewWriter(&gz)
	g.Write(plain.Bytes())
	g.Close()
	z, _ := zstd.NewWriter(&zs)
	z.Write(plain.Bytes())
	z.Close()
	for name, b := range map[string][]byte{"p.tar": plain.Bytes(), "g.tgz": gz.Bytes(), "z.tar.zst": zs.Bytes()} {
		os.WriteFile(filepath.Join(dir, name), b, 0o644)
	}
	for _, name := range []string{"set", "p.tar", "g.tgz", "z.tar.zst"} {
		must.Same(t, read(t, filepath.Join(dir, name)), want, name)
	}
	n := 0
	if err := Walk(filepath.Join(dir, "z.tar.zst"), func(string, io.Reader) error { n++; return ErrStop }); err != nil || n != 1 {
		t.Errorf("ErrStop: %d files, %v", n, err)
	}
	if err := Walk(filepath.Join(dir, "c.txt"), nil); err == nil {
		t.Error("no error for a missing archive")
	}
}
