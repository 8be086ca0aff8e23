package crawl

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"time"

	"chaffinch/format/wacz"
)

// WriteWACZ writes the archives of a crawl as one web archive collection: the pages with text, the
// other HTML pages, an index of all responses, and the clean text below records/. The crawl may be
// running: records that are not complete are omitted.
func WriteWACZ(ctx context.Context, dir string, w io.Writer) (wacz.Totals, error) {
	s, err := SettingsOf(dir)
	if err != nil {
		return wacz.Totals{}, err
	}
	archives, err := filepath.Glob(filepath.Join(dir, "warc", "*.warc.gz"))
	if err != nil {
		return wacz.Totals{}, err
	}
	slices.Sort(archives)
	if len(archives) == 0 {
		return wacz.Totals{}, fmt.Errorf("%s: no archive in the folder warc: the crawl has fetched nothing", dir)
	}
	c := wacz.Collection{
		Title:       "Crawl of " + s.Began.UTC().Format(time.DateOnly),
		Description: "Text crawl: pages without images, styles and scripts. Operator: " + s.Contact,
		Software:    "chaffinch " + programVersion(),
		Archives:    archives,
		Records:     textName(dir),
	}
	if c.RecordsBytes, err = wholeLines(c.Records); errors.Is(err, os.ErrNotExist) {
		c.Records = ""
	} else if err != nil {
		return wacz.Totals{}, err
	} else {
		c.Pages = listedPages(ctx, c.Records, c.RecordsBytes)
	}
	return wacz.Write(ctx, w, c)
}

// wholeLines returns the length of a file up to its last line break.
func wholeLines(name string) (int64, error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	end, err := f.Seek(0, io.SeekEnd)
	b := make([]byte, 64<<10)
	for err == nil && end > 0 {
		n := min(int64(len(b)), end)
		if _, err = f.ReadAt(b[:n], end-n); err != nil {
			break
		}
		if i := bytes.LastIndexByte(b[:n], '\n'); i >= 0 {
			return end - n + int64(i) + 1, nil
		}
		end -= n
	}
	return 0, err
}

// listedPages yields the address, time and title of the first length bytes of records.
func listedPages(ctx context.Context, name string, length int64) iter.Seq2[wacz.Page, error] {
	return func(yield func(wacz.Page, error) bool) {
		f, err := os.Open(name)
		if err != nil {
			yield(wacz.Page{}, err)
			return
		}
		defer f.Close()
		d := json.NewDecoder(bufio.NewReaderSize(io.LimitReader(f, length), 1<<20))
		for ctx.Err() == nil {
			var r struct{ URL, Title, Fetched string }
			switch err := d.Decode(&r); {
			case err == io.EOF:
				return
			case err != nil:
				yield(wacz.Page{}, fmt.Errorf("%s: byte %d: %w", name, d.InputOffset(), err))
				return
			}
			if !yield(wacz.Page{URL: r.URL, Time: r.Fetched, Title: r.Title}, nil) {
				return
			}
		}
		yield(wacz.Page{}, ctx.Err())
	}
}
