package crawl

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"chaffinch/crawl/sitemap"
	"chaffinch/extract"
	"chaffinch/format/sniff"
	"chaffinch/format/warc"
	"chaffinch/page"
	"chaffinch/page/weburl"
)

const (
	// maxHostSeeds is the most links to a host that are taken from an archive.
	maxHostSeeds = 5
	// maxSeedLine is the most bytes of a line in a list of seeds.
	maxSeedLine = 1 << 20
)

// SeedFormats holds the formats of seed lists: lines (URLs, CDXJ or JSON lines), sitemap (also
// feeds) and warc.
var SeedFormats = []string{"lines", "sitemap", "warc"}

// ReadSeeds reads seeds from a list of URLs, one per line, a sitemap, a feed, an index of archives
// (CDXJ), JSON lines with a field "url", or the pages of a WARC file and their links. Format is one
// of [SeedFormats], or "" to detect it from the content. Compressed input must be decompressed by
// the caller. Seeds that cannot be read are passed to onError, and reading continues.
func ReadSeeds(in io.Reader, format string, onError func(*page.Error)) (seeds []string, err error) {
	br := bufio.NewReaderSize(in, sniff.Bytes)
	switch format {
	case "":
	case "lines":
		return lineSeeds(br, onError)
	case "sitemap":
		return sitemapSeeds(br, onError)
	case "warc":
		return archiveSeeds(br, onError)
	default:
		return nil, fmt.Errorf("format of seeds %q: wanted one of %s", format, strings.Join(SeedFormats, ", "))
	}
	head, _ := br.Peek(sniff.Bytes)
	switch form := sniff.Of(head); {
	case form == sniff.WARC:
		return archiveSeeds(br, onError)
	case bytes.HasPrefix(bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n"), []byte("<")):
		return sitemapSeeds(br, onError)
	case form == sniff.Text || form == sniff.JSONLines || form == sniff.Markdown || form == sniff.Annotated || form == sniff.Empty:
		return lineSeeds(br, onError)
	default:
		return nil, &sniff.Error{Form: form, Want: "a list of URLs, a sitemap, a feed, CDXJ or WARC"}
	}
}

// lineSeeds reads one seed per line: the first word, or the field "url" of JSON. Lines that begin
// with # are comments.
func lineSeeds(in io.Reader, onError func(*page.Error)) (seeds []string, err error) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxSeedLine)
	n := int64(1)
	for ; lines.Scan(); n++ {
		line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))
		if line == "" || line[0] == '#' {
			continue
		}
		if word := strings.Fields(line)[0]; n == 1 && (word == "host" || word == "url") {
			continue // column names
		}
		seed, err := lineSeed(line)
		if err == nil {
			_, err = ParseSeed(seed)
		}
		if err != nil {
			onError(&page.Error{Line: n, Offset: -1, Err: err})
			continue
		}
		seeds = append(seeds, seed)
	}
	if err := lines.Err(); err != nil {
		return seeds, &page.Error{Line: n, Offset: -1, Err: err}
	}
	return seeds, nil
}

var errNoURL = errors.New(`no field "url"`)

// lineSeed returns the URL in a line.
func lineSeed(line string) (string, error) {
	first, rest, _ := strings.Cut(line, " ")
	switch {
	case line[0] == '{':
		rest = line
	case strings.Contains(first, ")") && strings.HasSuffix(line, "}"): // CDXJ: key, time, JSON
		_, rest, _ = strings.Cut(rest, " ")
	default:
		return strings.Fields(line)[0], nil
	}
	var r struct{ URL string }
	if err := json.Unmarshal([]byte(rest), &r); err != nil {
		return "", err
	}
	if r.URL == "" {
		return "", errNoURL
	}
	return r.URL, nil
}

// unknownHost is the host of relative URLs in a list of unknown origin.
const unknownHost = "unknown.invalid"

func sitemapSeeds(in io.Reader, onError func(*page.Error)) (seeds []string, err error) {
	base, err := weburl.Parse("https://"+unknownHost+"/", nil)
	if err != nil {
		return nil, err
	}
	r, err := sitemap.NewReader(in, base, sitemap.Default)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for e, err := range r.All() {
		if err == nil && e.URL.Host() == unknownHost {
			err = fmt.Errorf("%q: wanted an absolute URL: the site of the list is unknown", e.URL.Target())
		}
		if err != nil {
			bad := page.AsError(err)
			bad.File = ""
			onError(bad)
			continue
		}
		seeds = append(seeds, e.URL.String())
	}
	return seeds, nil
}

// archiveSeeds returns the pages of an archive and their links, at most maxHostSeeds per host.
func archiveSeeds(in io.Reader, onError func(*page.Error)) (seeds []string, err error) {
	r, err := warc.NewReader(in, warc.Default)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	of := map[string]int{} // number of seeds by host
	seen := map[string]bool{}
	add := func(u weburl.URL) {
		u = u.Normalize()
		if s := u.String(); of[u.Host()] < maxHostSeeds && u.Trap() == weburl.NoTrap && !seen[s] {
			of[u.Host()]++
			seen[s] = true
			seeds = append(seeds, s)
		}
	}
	for {
		rec, err := r.Next()
		if err == io.EOF {
			return seeds, nil
		}
		var bad *warc.Error
		if errors.As(err, &bad) {
			onError(&page.Error{Record: bad.Record, Offset: bad.Pos.Offset, Err: bad.Err})
			continue
		}
		if err != nil {
			return seeds, err
		}
		if rec.Type != "response" || !rec.HasHTTP() {
			continue
		}
		if u, err := weburl.Parse(rec.URI, nil); err == nil {
			recordLinks(rec, u, add)
		}
	}
}

// recordLinks calls add for a page and its links. Records that cannot be read are skipped.
func recordLinks(rec *warc.Record, u weburl.URL, add func(weburl.URL)) {
	br := bufio.NewReader(rec)
	h, err := warc.ReadHTTP(br)
	if err != nil || h.Status != 200 {
		return
	}
	if media, _ := warc.MediaType(h.Header.Get("Content-Type")); !strings.Contains(media, "html") {
		return
	}
	add(u)
	body, _ := warc.Payload(br, h.Header, pageLimits)
	list, href := extract.Links(string(body))
	base := baseOf(u, href)
	for _, l := range list {
		if l.Element != "a" {
			continue
		}
		if to, err := weburl.Parse(l.URL, &base); err == nil {
			add(to)
		}
	}
}
