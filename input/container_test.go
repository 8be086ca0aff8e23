package input_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"testing"

	"chaffinch/input"
	"chaffinch/internal/testkit"
)

// told reads everything and returns the ids of the pages and the errors.
func told(t *testing.T, r *input.Reader) (ids []string, errs []string) {
	t.Helper()
	for range 1000 {
		p, err := r.Next()
		switch {
		case err == io.EOF:
			return ids, errs
		case err != nil:
			errs = append(errs, err.Error())
		default:
			ids = append(ids, fmt.Sprintf("%s %s %q %s", p.ID, p.MIME, p.Raw, p.Drop))
		}
	}
	t.Fatal("the reader does not end")
	return nil, nil
}

// TestArchives reads pages in archives as if these were folders.
func TestArchives(t *testing.T) {
	inside := []testkit.File{
		{Name: "./a/one.html", Data: []byte("<html><p>one")},
		{Name: "two.txt.gz", Data: testkit.Gzip([]byte("two"))},
		{Name: "three.jsonl", Data: []byte("{\"id\":\"x\",\"text\":\"three\"}\n")},
	}
	for name, b := range map[string][]byte{
		"p.tar": testkit.Tar(inside...), "p.tar.gz": testkit.Gzip(testkit.Tar(inside...)), "p.zip": testkit.Zip(inside...),
		"both": append(testkit.Tar(inside[:1]...), testkit.Tar(inside[1:]...)...),
	} {
		dir := t.TempDir()
		write(t, dir, name, b)
		ids, errs := told(t, open(t, input.Config{}, dir+"/"+name))
		at := dir + "/" + name + "/"
		want := []string{at + `a/one.html text/html "<html><p>one" `, at + `two.txt.gz text/plain "two" `, `x text/plain "three" `}
		if strings.Join(ids, "\n") != strings.Join(want, "\n") || len(errs) > 0 {
			t.Errorf("%s:\n%s\nwanted\n%s\n%q", name, strings.Join(ids, "\n"), strings.Join(want, "\n"), errs)
		}
	}
}

// TestBadArchives names the errors of an archive, and reads the rest.
func TestBadArchives(t *testing.T) {
	page := testkit.File{Name: "a.html", Data: []byte("<html><p>one")}
	zeros := testkit.File{Name: "zeros.html", Data: append([]byte("<html>"), make([]byte, 40<<20)...)}
	whole := testkit.Zip(page, page)
	encrypted := bytes.Clone(whole)
	encrypted[6] |= 1
	encrypted[bytes.Index(encrypted, []byte("PK\x01\x02"))+8] |= 1
	overlap := bytes.Clone(whole)
	second := bytes.LastIndex(overlap, []byte("PK\x01\x02"))
	binary.LittleEndian.PutUint32(overlap[second+42:], 0) // both files are the first one
	for _, c := range []struct {
		name  string
		data  []byte
		pages int
		want  string
	}{
		{"cut.tar", testkit.Tar(page, zeros)[:5000], 2, "it was cut off"},
		{"cut.tar.gz", testkit.Gzip(testkit.Tar(page, page))[:100], 2, "unexpected EOF"},
		{"dense.tar.gz", testkit.Gzip(testkit.Tar(page, zeros, page)), 2, "unpacks to more than the limit"},
		{"dense.zip", testkit.Zip(page, zeros, page), 3, "unpacks to more than the limit"},
		{"cut.zip", whole[:60], 0, "no table of contents at its end"},
		{"encrypted.zip", encrypted, 1, "encrypted"},
		{"overlap.zip", overlap, 0, "a zip bomb"},
		{"zip.gz", testkit.Gzip(whole), 0, "compressed again"},
		{"nested.tar", testkit.Tar(page, testkit.File{Name: "in.zip", Data: whole}), 1, "an archive in an archive"},
		{"rows.parquet", []byte("PAR1 and so on PAR1"), 0, "without their reader"},
		{"tokens.vert", []byte("<doc id=\"1\">\n<p>\na\nb\n</p>\n</doc>\n"), 0, "a vertical, wanted pages"},
		{"photo.png", []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR"), 1, "image/png"},
	} {
		dir := t.TempDir()
		write(t, dir, c.name, c.data)
		ids, errs := told(t, open(t, input.Config{}, dir+"/"+c.name))
		if len(ids) != c.pages || len(errs) == 0 || !strings.Contains(strings.Join(errs, "\n"), c.want) || !strings.Contains(errs[0], c.name) {
			t.Errorf("%s: %d pages, wanted %d; errors %q, wanted %q", c.name, len(ids), c.pages, errs, c.want)
		}
	}
}

// TestTarDamage finds the files after a damaged header.
func TestTarDamage(t *testing.T) {
	file := func(name string) testkit.File { return testkit.File{Name: name, Data: []byte("<html><p>" + name)} }
	b := testkit.Tar(file("a.html"), file("b.html"), file("c.html"))
	b[1024+3] ^= 0x20 // the name in the second header
	dir := t.TempDir()
	write(t, dir, "p.tar", b)
	ids, errs := told(t, open(t, input.Config{}, dir+"/p.tar"))
	if len(ids) != 2 || len(errs) != 1 || !strings.Contains(errs[0], "byte 1024: no file header") {
		t.Errorf("%q %q", ids, errs)
	}
}
