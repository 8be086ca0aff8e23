package crawl

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
	"time"

	"chaffinch/crawl/fetch"
	"chaffinch/crawl/schedule"
	"chaffinch/format/warc"
	"chaffinch/internal/files"
	"chaffinch/internal/mapfile"
	"chaffinch/page/weburl"

	"github.com/zeebo/xxh3"
)

// previous is an earlier crawl to repeat. Its pages are downloaded only if they have changed.
type previous struct {
	archives
	seeds  []schedule.Link
	places []byte // sorted places, mapped
	unmap  func() error
	// reading limits the number of bodies that are read concurrently to verify them.
	reading chan struct{}
	older   *previous // the crawl that this one repeated, or nil
}

// placeBytes is the size of a place: a hash of the URL, the number of the archive, the offset of the
// response record, and the time of the visit in Unix time.
const placeBytes = 8 + 4 + 8 + 8

// priorPage is a page stored by an earlier crawl. The body is not read from its archive before
// a server responds that it has not changed.
type priorPage struct {
	url, date, digest string // of the record with the body
	header            warc.Header
	from              *previous
	archive           int
	offset            int64
}

// archives opens the archives of a crawl by their numbers.
type archives interface {
	name(number int) string
	open(number int, offset int64) (io.ReadCloser, error)
}

// folderArchives are the archives in the folder of a crawl.
type folderArchives string

func (dir folderArchives) name(number int) string { return archiveName(string(dir), number) }

func (dir folderArchives) open(number int, offset int64) (io.ReadCloser, error) {
	f, err := os.Open(dir.name(number))
	if err != nil {
		return nil, err
	}
	if _, err := f.Seek(offset, io.SeekStart); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// openPrevious opens the crawl of a folder, or of ranks in a store, to repeat it. index is the file with
// its places, which is written if it does not exist; after holds the crawls that repeat it.
func openPrevious(ctx context.Context, open OpenStore, dir, index string, after ...string) (*previous, error) {
	if slices.Contains(after, dir) {
		return nil, fmt.Errorf("%s: the crawl repeats itself: wanted an earlier crawl", dir)
	}
	was, shared, err := RepeatedSettings(ctx, open, dir)
	if err != nil {
		return nil, err
	}
	p := &previous{reading: make(chan struct{}, runtime.GOMAXPROCS(0))}
	list := func() ([]place, error) { return folderPlaces(ctx, dir) }
	older := againFile(dir)
	if shared == nil {
		p.archives = folderArchives(dir)
		p.seeds, err = oldSeeds(dir)
	} else {
		var a *sharedArchives
		if a, err = openShared(ctx, shared); err == nil {
			p.archives = a
			p.seeds, err = sharedSeeds(ctx, shared)
		}
		list = func() ([]place, error) { return a.places(ctx) }
		older = index + "-older" // not in the store
	}
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(index); errors.Is(err, fs.ErrNotExist) {
		if err := writePlaces(index, list); err != nil {
			return nil, err
		}
	}
	if p.places, p.unmap, err = mapfile.Open(index); err != nil {
		return nil, err
	}
	if was.Again != "" {
		if p.older, err = openPrevious(ctx, open, was.Again, older, append(after, dir)...); err != nil {
			return nil, errors.Join(err, p.close())
		}
	}
	return p, nil
}

// againFile returns the file with the places of the repeated crawl.
func againFile(dir string) string { return filepath.Join(dir, "visits") }

func (p *previous) close() error {
	if p == nil {
		return nil
	}
	return errors.Join(p.unmap(), p.older.close())
}

// place is the position of a response.
type place [placeBytes]byte

// placeOf returns the position of the response to a page; ok is false if it is in no archive.
func placeOf(p *pageEvent, at time.Time) (b place, ok bool) {
	var archive uint32
	if p == nil || p.Status != 200 && p.Status != 304 {
		return b, false
	}
	if _, err := fmt.Sscanf(p.Warc, archivePattern, &archive); err != nil {
		return b, false
	}
	binary.BigEndian.PutUint64(b[:], xxh3.HashString(p.URL))
	b.set(archive, p.Offset)
	binary.BigEndian.PutUint64(b[20:], uint64(at.Unix()))
	return b, true
}

// set sets the number of the archive and the offset in it.
func (b *place) set(archive uint32, offset int64) {
	binary.BigEndian.PutUint32(b[8:], archive)
	binary.BigEndian.PutUint64(b[12:], uint64(offset))
}

// archive returns the number of the archive and the offset in it.
func (b *place) archive() (number uint32, offset int64) {
	return binary.BigEndian.Uint32(b[8:]), int64(binary.BigEndian.Uint64(b[12:]))
}

// visited returns the time of the visit.
func (b *place) visited() time.Time { return time.Unix(int64(binary.BigEndian.Uint64(b[20:])), 0) }

// folderPlaces returns the positions of the responses of the crawl in a folder.
func folderPlaces(ctx context.Context, dir string) (places []place, err error) {
	s, err := SettingsOf(dir)
	if err != nil {
		return nil, err
	}
	err = eachEvent(ctx, dir, func(e event, away time.Duration) error {
		if b, ok := placeOf(e.Page, s.Began.Add(e.At+away)); ok {
			places = append(places, b)
		}
		return nil
	})
	return places, err
}

// writePlaces writes positions to a file, sorted.
func writePlaces(index string, list func() ([]place, error)) error {
	places, err := list()
	if err != nil {
		return err
	}
	slices.SortFunc(places, func(a, b place) int { return bytes.Compare(a[:], b[:]) })
	return files.Replace(index, func(w io.Writer) error {
		out := bufio.NewWriter(w)
		for i := range places {
			out.Write(places[i][:]) // Flush returns the error
		}
		return out.Flush()
	})
}

// place returns the place of the last visit to a URL, nil if the crawl has not visited it.
func (p *previous) place(u weburl.URL) *place {
	key := xxh3.HashString(u.String())
	n := len(p.places) / placeBytes
	at := func(i int) *place { return (*place)(p.places[i*placeBytes:]) }
	i := sort.Search(n, func(i int) bool { return binary.BigEndian.Uint64(at(i)[:]) > key }) - 1 // the last place of the URL
	if i < 0 || binary.BigEndian.Uint64(at(i)[:]) != key {
		return nil
	}
	return at(i)
}

// visited returns the time of the last visit to a URL in the crawl or the crawls that it repeats.
func (p *previous) visited(u weburl.URL) (at time.Time, ok bool) {
	for ; p != nil; p = p.older {
		if b := p.place(u); b != nil {
			return b.visited(), true
		}
	}
	return at, false
}

// find returns the page stored by an earlier crawl. It returns nil if there is no page or if
// the page does not allow a conditional request.
func (p *previous) find(u weburl.URL) *priorPage {
	if p == nil {
		return nil
	}
	b := p.place(u)
	if b == nil {
		return p.older.find(u)
	}
	number, offset := b.archive()
	p.reading <- struct{}{}
	prior, _, revisit := p.read(int(number), offset, u)
	<-p.reading
	if revisit {
		return p.older.find(u)
	}
	return prior
}

// read reads the response for u, and its body, at an offset of an archive. It returns nil if the record
// is of another URL or cannot be read: then the page is requested without conditions.
func (p *previous) read(number int, offset int64, u weburl.URL) (prior *priorPage, body []byte, revisit bool) {
	f, err := p.open(number, offset)
	if err != nil {
		return nil, nil, false
	}
	defer f.Close()
	r, err := warc.NewReader(f, warc.Default)
	if err != nil {
		return nil, nil, false
	}
	defer r.Close()
	rec, err := r.Next()
	if err != nil || rec.URI != u.String() || rec.Header.Has("WARC-Truncated") && rec.Type != "revisit" {
		return nil, nil, false
	}
	if rec.Type == "revisit" {
		return nil, nil, true
	}
	in := bufio.NewReader(rec)
	h, err := warc.ReadHTTP(in)
	if err != nil || h.Status != 200 || !h.Header.Has("ETag") && !h.Header.Has("Last-Modified") && rec.Header.Get("WARC-Payload-Digest") == "" {
		return nil, nil, false
	}
	body, err = warc.Payload(in, h.Header, pageLimits)
	if err != nil || rec.Close() != nil {
		return nil, nil, false
	}
	return &priorPage{rec.URI, rec.Date, rec.Header.Get("WARC-Payload-Digest"), h.Header, p, number, offset}, body, false
}

// conditions returns the options of a conditional request.
func (prior *priorPage) conditions() fetch.Options {
	if prior == nil {
		return fetch.Options{}
	}
	h := prior.header
	return fetch.Options{ETag: h.Get("ETag"), LastModified: h.Get("Last-Modified")}
}

// profile returns the profile of the revisit record of a response, or "" if the page has
// changed.
func (prior *priorPage) profile(resp *fetch.Result) string {
	switch {
	case prior == nil || resp.Truncated != "":
	case resp.Status == 304:
		return notModified
	case resp.Status == 200 && len(resp.Response) > resp.Head && warc.Digest(resp.Response[resp.Head:]) == prior.digest:
		return identical
	}
	return ""
}

// merge returns the full response for a 304 response: the stored body and header, with the new
// header fields first (RFC 9111, section 4.3.4).
func (prior *priorPage) merge(u weburl.URL, resp *fetch.Result) (*fetch.Result, error) {
	again, body, _ := prior.from.read(prior.archive, prior.offset, u)
	if again == nil {
		return nil, fmt.Errorf("%s: byte %d: the server reports no change, but the stored response cannot be read", prior.from.name(prior.archive), prior.offset)
	}
	return &fetch.Result{URL: u, Status: 200, Header: slices.Concat(resp.Header, prior.header), Body: body}, nil
}

// oldSeeds returns the seeds of the crawl in a folder.
func oldSeeds(dir string) ([]schedule.Link, error) {
	f, err := os.Open(journalName(dir, 1))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	line, err := readLine(bufio.NewReader(f), nil)
	var e event
	if err = cmp.Or(err, files.Unseal(line, &e)); err != nil {
		return nil, fmt.Errorf("%s: line 1: cannot read the seeds of the crawl: %w", f.Name(), err)
	}
	return e.Seed, nil
}
