// Package wacz writes web archive collections: a ZIP file of web archives with an index of their
// records and a list of pages, which ReplayWeb.page and other programs open without unpacking it.
// [Write] writes a [Collection].
//
// Format: WACZ 1.1.1, with a compressed CDXJ 0.1.0 index.
//
// Unstable: this package may change in any release.
package wacz

import (
	"archive/zip"
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"chaffinch/format/warc"
	"chaffinch/internal/readers"
)

// version is the version of the format.
const version = "1.1.1"

// Collection is the content of a file.
type Collection struct {
	Title, Description string
	// Software is the name and the version of the program that writes the file.
	Software string
	// Archives are the paths of the web archives, whose records are compressed separately. The last may
	// still grow: its incomplete record is omitted.
	Archives []string
	// Pages yields the pages in the order of the list of pages. It may be nil.
	Pages iter.Seq2[Page, error]
	// Records is the path of a file of clean text, whose first RecordsBytes bytes are below records/
	// in the file. It may be "".
	Records      string
	RecordsBytes int64
	// Memory is the most bytes of index lines in memory. Default: 64 MiB.
	Memory int64
	// Dir is the folder of temporary files. Default: the folder of the system.
	Dir string
}

// Page is an entry of the list of pages.
type Page struct {
	ID    string `json:"id"` // unique in the file; set by [Write]
	URL   string `json:"url"`
	Time  string `json:"ts"` // RFC 3339
	Title string `json:"title,omitempty"`
}

// Totals counts the content of a file.
type Totals struct {
	Archives int   `json:"archives"`
	Records  int64 `json:"records"` // in the index
	Pages    int64 `json:"pages"`   // with text
	Extra    int64 `json:"extra_pages"`
}

// resource describes a file in the ZIP file.
type resource struct {
	Name  string `json:"name"` // lower case, as data packages require
	Path  string `json:"path"`
	Hash  string `json:"hash"`
	Bytes int64  `json:"bytes"`
}

// writer writes the parts of a file.
type writer struct {
	zip       *zip.Writer
	modified  time.Time
	resources []resource
}

// Write writes a collection. The result depends only on the collection and the bytes of its files:
// its times are the time of the newest record.
func Write(ctx context.Context, w io.Writer, c Collection) (t Totals, err error) {
	idx := newIndex(c.Dir, cmp.Or(c.Memory, 64<<20))
	defer func() { err = errors.Join(err, idx.close()) }()
	names := map[string]bool{}
	lengths := make([]int64, len(c.Archives))
	for i, name := range c.Archives {
		base := filepath.Base(name)
		if names[base] {
			return t, fmt.Errorf("%s: a second archive of this name: wanted different names", name)
		}
		names[base] = true
		if lengths[i], err = idx.addArchive(ctx, name, i == len(c.Archives)-1); err != nil {
			return t, err
		}
	}
	t.Archives, t.Records = len(c.Archives), idx.records
	out := &writer{zip: zip.NewWriter(w), modified: idx.newest()}
	for i, name := range c.Archives {
		if err := out.addFile(ctx, "archive/"+filepath.Base(name), name, lengths[i], zip.Store); err != nil {
			return t, err
		}
	}
	if err := out.addIndex(idx); err != nil {
		return t, err
	}
	if err := out.addPages(c, idx, &t); err != nil {
		return t, err
	}
	if c.Records != "" {
		if err := out.addFile(ctx, "records/"+filepath.Base(c.Records), c.Records, c.RecordsBytes, zip.Deflate); err != nil {
			return t, err
		}
	}
	if err := out.describe(c); err != nil {
		return t, err
	}
	return t, out.zip.Close()
}

// add adds a file that write writes.
func (w *writer) add(name string, method uint16, write func(io.Writer) error) error {
	f, err := w.zip.CreateHeader(&zip.FileHeader{Name: name, Method: method, Modified: w.modified})
	if err != nil {
		return err
	}
	sum := sha256.New()
	var size counter
	b := bufio.NewWriterSize(io.MultiWriter(f, sum, &size), 64<<10)
	if err := errors.Join(write(b), b.Flush()); err != nil {
		return err
	}
	w.resources = append(w.resources, resource{strings.ToLower(path.Base(name)), name, "sha256:" + hex.EncodeToString(sum.Sum(nil)), int64(size)})
	return nil
}

// counter counts bytes.
type counter int64

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

// addFile adds the first length bytes of a file.
func (w *writer) addFile(ctx context.Context, as, name string, length int64, method uint16) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return w.add(as, method, func(to io.Writer) error {
		_, err := io.CopyN(to, readers.Until(ctx, f), length)
		return err
	})
}

// pagesHeader is the first line of a list of pages.
type pagesHeader struct {
	Format string `json:"format"`
	ID     string `json:"id"`
	Title  string `json:"title"`
}

// addPages adds the pages of the collection, and the other HTML pages of the archives.
func (w *writer) addPages(c Collection, idx *index, t *Totals) error {
	err := w.add("pages/pages.jsonl", zip.Deflate, func(to io.Writer) error {
		e := encoder(to)
		if err := e.Encode(pagesHeader{"json-pages-1.0", "pages", "Pages with text"}); err != nil || c.Pages == nil {
			return err
		}
		for p, err := range c.Pages {
			if err != nil {
				return err
			}
			t.Pages++
			p.ID = strconv.FormatInt(t.Pages, 10)
			if err := e.Encode(p); err != nil {
				return err
			}
			idx.listed(p.URL)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return w.add("pages/extraPages.jsonl", zip.Deflate, func(to io.Writer) error {
		e := encoder(to)
		if err := e.Encode(pagesHeader{"json-pages-1.0", "extra", "Pages without text"}); err != nil {
			return err
		}
		for line, err := range idx.lines.All() {
			if err != nil {
				return err
			}
			p, ok := idx.unlisted(line)
			if !ok {
				continue
			}
			t.Extra++
			p.ID = strconv.FormatInt(t.Pages+t.Extra, 10)
			if err := e.Encode(p); err != nil {
				return err
			}
		}
		return nil
	})
}

// describe adds the description of all files, and its checksum.
func (w *writer) describe(c Collection) error {
	b, err := json.MarshalIndent(struct {
		Profile     string     `json:"profile"`
		Version     string     `json:"wacz_version"`
		Title       string     `json:"title,omitempty"`
		Description string     `json:"description,omitempty"`
		Software    string     `json:"software,omitempty"`
		Created     string     `json:"created"`
		Resources   []resource `json:"resources"`
	}{"data-package", version, c.Title, c.Description, c.Software, w.modified.Format(time.RFC3339), w.resources}, "", "  ")
	if err != nil {
		return err
	}
	sum := sha256.Sum256(b)
	if err := w.add("datapackage.json", zip.Deflate, func(to io.Writer) error { _, err := to.Write(b); return err }); err != nil {
		return err
	}
	return w.add("datapackage-digest.json", zip.Deflate, func(to io.Writer) error {
		return encoder(to).Encode(struct {
			Path string `json:"path"`
			Hash string `json:"hash"`
		}{"datapackage.json", "sha256:" + hex.EncodeToString(sum[:])})
	})
}

func encoder(to io.Writer) *json.Encoder {
	e := json.NewEncoder(to)
	e.SetEscapeHTML(false)
	return e
}

// open opens a web archive.
func open(ctx context.Context, name string) (*warc.Reader, *os.File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	r, err := warc.NewReader(struct {
		io.Reader
		io.Seeker
	}{readers.Until(ctx, f), f}, warc.Config{})
	if err != nil {
		f.Close()
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, f, nil
}
