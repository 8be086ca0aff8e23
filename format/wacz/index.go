package wacz

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"time"

	"chaffinch/format/warc"
	"chaffinch/internal/extsort"
)

// blockLines is the number of index lines that are compressed together.
const blockLines = 3000

// index collects the lines of the index.
type index struct {
	lines   *extsort.Lines
	records int64
	latest  string                // timestamp of the newest record
	pages   map[[16]byte]struct{} // hashes of listed addresses
}

func newIndex(dir string, memory int64) *index {
	return &index{lines: extsort.NewLines(dir, memory), pages: map[[16]byte]struct{}{}}
}

func (x *index) close() error { return x.lines.Close() }

// newest returns the time of the newest record.
func (x *index) newest() time.Time {
	t, err := time.Parse("20060102150405", x.latest)
	if err != nil {
		return time.Unix(0, 0).UTC()
	}
	return t
}

// addArchive adds the records of an archive and returns its length up to the end of its last
// complete record. Damage is an error, except at the end of the last archive.
func (x *index) addArchive(ctx context.Context, name string, last bool) (length int64, err error) {
	r, f, err := open(ctx, name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	defer r.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	var damage error
	err = warc.Index(r, filepath.Base(name), func(c warc.CDX) error {
		offset, _ := strconv.ParseInt(c.Offset, 10, 64)
		if e := (*warc.Error)(nil); errors.As(damage, &e) && e.Pos.Offset == offset {
			return nil // the damaged record itself
		}
		if damage != nil {
			return fmt.Errorf("%s: %w", name, damage)
		}
		size, _ := strconv.ParseInt(c.Length, 10, 64)
		length = max(length, offset+size)
		x.latest = max(x.latest, c.Timestamp)
		x.records++
		return x.lines.Add(c.String())
	}, func(e error) { damage = e })
	switch {
	case err != nil:
		return 0, err
	case damage == nil:
		return info.Size(), nil
	case !last || ctx.Err() != nil:
		return 0, fmt.Errorf("%s: %w", name, damage)
	}
	return length, nil
}

// addIndex adds the compressed index: blocks of lines, and a list of the blocks by first line.
func (w *writer) addIndex(x *index) error {
	var list bytes.Buffer
	list.WriteString(`!meta 0 {"format":"cdxj-gzip-1.0","filename":"index.cdx.gz"}` + "\n")
	err := w.add("indexes/index.cdx.gz", zip.Store, func(to io.Writer) error {
		var block, packed bytes.Buffer
		var offset int64
		first, n := "", 0
		flush := func() error {
			packed.Reset()
			z := gzip.NewWriter(&packed)
			z.Write(block.Bytes())
			z.Close() // cannot fail on a buffer
			sum := sha256.Sum256(packed.Bytes())
			fmt.Fprintf(&list, `%s {"offset":%d,"length":%d,"digest":"sha256:%s","filename":"index.cdx.gz"}`+"\n", first, offset, packed.Len(), hex.EncodeToString(sum[:]))
			offset += int64(packed.Len())
			block.Reset()
			n = 0
			_, err := to.Write(packed.Bytes())
			return err
		}
		for line, err := range x.lines.All() {
			if err != nil {
				return err
			}
			if n == 0 {
				first = head(line)
			}
			block.WriteString(line)
			block.WriteByte('\n')
			if n++; n == blockLines {
				if err := flush(); err != nil {
					return err
				}
			}
		}
		if n > 0 {
			return flush()
		}
		return nil
	})
	if err != nil {
		return err
	}
	return w.add("indexes/index.idx", zip.Deflate, func(to io.Writer) error { _, err := to.Write(list.Bytes()); return err })
}

// listed notes that the list of pages contains an address.
func (x *index) listed(url string) { x.pages[hash(url)] = struct{}{} }

func hash(url string) [16]byte {
	sum := sha256.Sum256([]byte(url))
	return [16]byte(sum[:])
}

// unlisted returns the page of an index line if it is an HTML page that no list contains.
func (x *index) unlisted(line string) (p Page, ok bool) {
	c, ok := parse(line)
	if !ok || c.Status != "200" || c.MIME != "text/html" && c.MIME != "application/xhtml+xml" {
		return p, false
	}
	id := hash(c.URL)
	if _, known := x.pages[id]; known {
		return p, false
	}
	x.pages[id] = struct{}{}
	t, err := time.Parse("20060102150405", c.Timestamp)
	return Page{URL: c.URL, Time: t.Format(time.RFC3339)}, err == nil
}
