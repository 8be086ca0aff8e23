// Package large writes inputs that are far larger than the memory limit of a command: endless
// lines, huge pages, and a server with endless bodies.
package large

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
)

// text returns the text that is repeated in lines.
var text = sync.OnceValue(func() []byte {
	rnd := rand.New(rand.NewPCG(11, 12))
	var b []byte
	for len(b) < 256<<10 {
		for range 2 + rnd.IntN(8) {
			b = append(b, byte('a'+rnd.IntN(26)))
		}
		if rnd.IntN(12) == 0 {
			b = append(b, '.')
		}
		b = append(b, ' ')
	}
	return b
})

// words writes size bytes of words without a line feed.
func words(w io.Writer, size int64) {
	for size > 0 {
		n := min(size, int64(len(text())))
		w.Write(text()[:n])
		size -= n
	}
}

// Inputs maps the file names of [Write] to functions that write the files.
var Inputs = map[string]func(w io.Writer, size int64) error{
	"line.txt": func(w io.Writer, size int64) error { words(w, size); return nil },
	"line.jsonl": func(w io.Writer, size int64) error {
		io.WriteString(w, `{"id":"large","text":"`)
		words(w, size)
		_, err := io.WriteString(w, "\"}\n"+`{"id":"small","text":"It was a dark night, and the ferry did not come."}`+"\n")
		return err
	},
	"line.zip": func(w io.Writer, size int64) error {
		z := zip.NewWriter(w)
		m, err := z.Create("line.txt")
		if err != nil {
			return err
		}
		words(m, size)
		return z.Close()
	},
	"line.vert": func(w io.Writer, size int64) error {
		io.WriteString(w, "<doc id=\"small\">\n<p>\nIt\nwas\ndark\n.\n</p>\n</doc>\n<doc id=\"large\">\n<p>\n")
		words(w, size)
		_, err := io.WriteString(w, "\n</p>\n</doc>\n")
		return err
	},
	"doc.vert": func(w io.Writer, size int64) error {
		io.WriteString(w, "<doc id=\"large\">\n<p>\n")
		lines := make([]byte, len(text()))
		for i, c := range text() {
			if lines[i] = c; c == ' ' {
				lines[i] = '\n'
			}
		}
		for ; size > 0; size -= int64(len(lines)) {
			w.Write(lines[:min(size, int64(len(lines)))])
		}
		_, err := io.WriteString(w, "\n</p>\n</doc>\n")
		return err
	},
	"page.html": func(w io.Writer, size int64) error {
		n, _ := io.WriteString(w, "<!DOCTYPE html><title>Large</title>\n")
		for i := 0; int64(n) < size; i++ {
			from := i * 331 % (len(text()) - 400)
			k, err := fmt.Fprintf(w, "<div class=row><p>%s</p></div>\n", text()[from:from+300])
			if err != nil {
				return err
			}
			n += k
		}
		return nil
	},
	"page.warc": func(w io.Writer, size int64) error {
		head := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>"
		fmt.Fprintf(w, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:large>\r\nWARC-Target-URI: https://large.example/\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s", int64(len(head))+size, head)
		words(w, size)
		_, err := io.WriteString(w, "\r\n\r\n")
		return err
	},
}

// Write writes the file dir/name, whose last path element is a key of [Inputs], and returns its
// path.
func Write(dir, name string, size int64) (string, error) {
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return "", err
	}
	f, err := os.Create(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	if err := Inputs[filepath.Base(name)](w, size); err != nil {
		return "", err
	}
	if err := w.Flush(); err != nil {
		return "", err
	}
	return path, f.Close()
}

// bomb returns a gzip member that decompresses to 100 MiB of short paragraphs.
var bomb = sync.OnceValue(func() []byte {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		panic(err)
	}
	rows := bytes.Repeat([]byte("<div class=row><p>a ferry and the island</p></div>\n"), 20_000)
	for range 100 {
		z.Write(rows)
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
})

// Serve answers requests on all addresses of the loopback network, on the port of the returned
// listener, with endless bodies. /packed is a gzip body of about 300 kB that decompresses to 100
// MB. Closing the listener stops it.
func Serve() (net.Listener, error) {
	l, err := net.Listen("tcp4", "0.0.0.0:0")
	if err != nil {
		return nil, err
	}
	go http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			http.NotFound(w, r)
		case "/packed":
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(bomb())
		default:
			w.Header().Set("Content-Type", "text/html")
			for {
				if _, err := w.Write(text()); err != nil {
					return
				}
			}
		}
	}))
	return l, nil
}
