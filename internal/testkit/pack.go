package testkit

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"fmt"
	"slices"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Gzip returns b as one gzip member.
func Gzip(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(b) // neither can fail: the buffer grows or panics
	w.Close()
	return out.Bytes()
}

// Zstd returns b as one zstd frame.
func Zstd(b []byte) []byte {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic(err) // invalid options
	}
	defer w.Close()
	return w.EncodeAll(b, nil)
}

// File is a file of an archive.
type File struct {
	Name string
	Data []byte
}

// Tar returns a tar archive of the files.
func Tar(files ...File) []byte {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, f := range files {
		w.WriteHeader(&tar.Header{Name: f.Name, Size: int64(len(f.Data)), Mode: 0o644})
		w.Write(f.Data)
	}
	w.Close()
	return out.Bytes()
}

// Zip returns a zip archive of the files.
func Zip(files ...File) []byte {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range files {
		m, err := w.Create(f.Name)
		if err != nil {
			panic(err) // a buffer accepts all writes
		}
		m.Write(f.Data)
	}
	w.Close()
	return out.Bytes()
}

// ZipOf returns a zip archive of files, given as pairs of name and content.
func ZipOf(nameAndText ...string) []byte {
	var files []File
	for pair := range slices.Chunk(nameAndText, 2) {
		files = append(files, File{pair[0], []byte(pair[1])})
	}
	return Zip(files...)
}

// Record returns the WARC record of a page.
func Record(id, url, html string) string {
	http := "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + html
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <%s>\r\nWARC-Target-URI: %s\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", id, url, len(http), http)
}
