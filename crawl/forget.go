package crawl

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/klauspost/compress/gzip"

	"chaffinch/crawl/scope"
	"chaffinch/format/warc"
	"chaffinch/internal/files"
)

// Forgotten counts what [Forget] removed, or would remove.
type Forgotten struct {
	// Texts is the number of records in text.jsonl, Records the number of records in the archives.
	Texts, Records int64
	// Archives is the number of archives with such records.
	Archives int
	// Bytes is the size of the removed texts and of the records as stored.
	Bytes int64
	// Pages holds the URLs of the removed texts and responses in order, at most 1,000.
	Pages []string
}

// maxForgotten is the most URLs that Forget returns.
const maxForgotten = 1000

// Forget removes the pages that match patterns from the texts and the archives of the crawl in a
// folder, which must not be running. If dry, it only counts them. Removed bytes are overwritten by
// fillers of the same length, so that all other records keep their places: a record "metadata" in an
// archive, a blank line in text.jsonl. Each file is replaced as a whole. The journal keeps URLs, so
// that the pages are not fetched again.
func Forget(ctx context.Context, dir string, list *scope.List, dry bool) (f Forgotten, err error) {
	if _, err := SettingsOf(dir); err != nil {
		return f, err
	}
	lock, err := lockFolder(dir)
	if err != nil {
		return f, err
	}
	defer lock.Close()
	seen := map[string]bool{}
	found := func(url string, bytes int64) bool {
		if !list.MatchURL(url) {
			return false
		}
		f.Bytes += bytes
		if !seen[url] && len(f.Pages) < maxForgotten {
			seen[url] = true
			f.Pages = append(f.Pages, url)
		}
		return true
	}
	for n := 1; ; n++ {
		name := archiveName(dir, n)
		parts, records, err := forgottenRecords(ctx, name, found)
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err != nil {
			return f, fmt.Errorf("%s: %w", name, err)
		}
		if len(parts) == 0 {
			continue
		}
		f.Archives++
		f.Records += records
		if !dry {
			if err := overwrite(ctx, name, parts, fillArchive); err != nil {
				return f, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	name := textName(dir)
	parts, err := forgottenTexts(ctx, name, found)
	if f.Texts = int64(len(parts)); err == nil && !dry && len(parts) > 0 {
		err = overwrite(ctx, name, parts, fillText)
	}
	if err != nil {
		return f, fmt.Errorf("%s: %w", name, err)
	}
	return f, nil
}

// part is a range of a file.
type part struct{ from, to int64 }

// forgottenRecords returns the parts of an archive with the records for which found returns true, and
// their number. Records next to each other are one part.
func forgottenRecords(ctx context.Context, name string, found func(string, int64) bool) (parts []part, n int64, err error) {
	in, err := os.Open(name)
	if err != nil {
		return nil, 0, err
	}
	defer in.Close()
	r, err := warc.NewReader(in, warc.Default)
	if err != nil {
		return nil, 0, err
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if err == io.EOF {
			return parts, n, nil
		}
		if err == nil {
			err = errors.Join(rec.Close(), ctx.Err())
		}
		if err != nil {
			return nil, 0, err
		}
		at := part{rec.Pos.Offset, r.EndOffset(rec)}
		if !found(rec.URI, at.to-at.from) && !found(rec.Header.Get("WARC-Refers-To-Target-URI"), at.to-at.from) {
			continue
		}
		n++
		if last := len(parts) - 1; last >= 0 && parts[last].to == at.from {
			parts[last].to = at.to
		} else {
			parts = append(parts, at)
		}
	}
}

// forgottenTexts returns the parts of a file of records whose URLs found accepts, without line breaks.
func forgottenTexts(ctx context.Context, name string, found func(string, int64) bool) (parts []part, err error) {
	in, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	br := bufio.NewReaderSize(in, 1<<16)
	var line []byte
	for at := int64(0); ; at += int64(len(line)) {
		if line, err = readLine(br, line[:0]); err == io.EOF {
			return parts, nil
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		var r struct{ URL string }
		if json.Unmarshal(line, &r) == nil && found(r.URL, int64(len(line))) {
			parts = append(parts, part{at, at + int64(len(line)) - 1})
		}
	}
}

// overwrite replaces a file by a copy in which fill has written the parts.
func overwrite(ctx context.Context, name string, parts []part, fill func(io.Writer, part) error) error {
	in, err := os.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	return files.Replace(name, func(w io.Writer) error {
		at := int64(0)
		for _, p := range parts {
			if _, err := io.Copy(w, io.NewSectionReader(in, at, p.from-at)); err != nil {
				return err
			}
			if err := errors.Join(fill(w, p), ctx.Err()); err != nil {
				return err
			}
			at = p.to
		}
		_, err := io.Copy(w, io.NewSectionReader(in, at, 1<<62-at))
		return err
	})
}

// fillText writes a blank line.
func fillText(w io.Writer, p part) error {
	_, err := w.Write(bytes.Repeat([]byte(" "), int(p.to-p.from)))
	return err
}

// fillArchive writes a gzip member of exactly the length of a part: a record "metadata".
func fillArchive(w io.Writer, p part) error {
	want := int(p.to - p.from)
	const title = "removed: on request\r\n"
	for spaces := max(want-512, 0); ; {
		b, err := filler(p.from, title, spaces, 0)
		if err != nil {
			return err
		}
		switch missing := want - len(b); {
		case missing == 0:
			_, err := w.Write(b)
			return err
		case missing < 0 && spaces == 0:
			return fmt.Errorf("byte %d: records of %d bytes: too short to be overwritten, wanted at least %d", p.from, want, len(b))
		case missing < 0:
			spaces = max(spaces+missing-16, 0)
		case missing >= minExtra && missing < maxExtra:
			if b, err = filler(p.from, title, spaces, missing); err == nil {
				_, err = w.Write(b)
			}
			return err
		default:
			spaces += max(missing-maxExtra/2, 1)
		}
	}
}

// A member has up to maxExtra bytes in the field FEXTRA of its head: a length of 2 bytes, and a
// subfield with a head of 4 bytes (RFC 1952, section 2.3.1.1).
const minExtra, maxExtra = 6, 64

// filler returns a gzip member with a record of a text and spaces, and with extra bytes in its head.
func filler(offset int64, text string, spaces, extra int) ([]byte, error) {
	var plain, packed bytes.Buffer
	rec, err := warc.NewWriter(&plain, warc.WriterConfig{})
	if err != nil {
		return nil, err
	}
	e := warc.Entry{Type: "metadata", Date: warcDate(time.Unix(0, 0)), ContentType: "application/warc-fields", Block: append([]byte(text), bytes.Repeat([]byte(" "), spaces)...)}
	e.ID = warc.RecordID(offset, e)
	if _, err := rec.Write(e); err != nil {
		return nil, err
	}
	z, err := gzip.NewWriterLevel(&packed, gzip.NoCompression)
	if err != nil {
		return nil, err
	}
	if extra > 0 {
		n := extra - minExtra
		z.Extra = append([]byte{'C', 'F', byte(n), byte(n >> 8)}, make([]byte, n)...)
	}
	if _, err := z.Write(plain.Bytes()); err != nil {
		return nil, err
	}
	err = z.Close()
	return packed.Bytes(), err
}
