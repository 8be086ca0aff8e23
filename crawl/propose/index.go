package propose

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"chaffinch/page/weburl"
)

const (
	// maxIndexLine is the most bytes of a line of an index.
	maxIndexLine = 1 << 20
	// maxIndexHosts is the most hosts of an index that are counted. Pages of others are skipped.
	maxIndexHosts = 1 << 21
)

// Index reads CDXJ indexes of web archives, whose lines have the languages of pages, such as the
// indexes of Common Crawl.
type Index struct {
	lang  matcher
	hosts map[string]*indexHost
	// Lines is the number of lines, Bad of lines that cannot be read, Unknown of pages without
	// languages, Skipped of pages of hosts beyond a limit.
	Lines, Bad, Unknown, Skipped int64
}

type indexHost struct {
	scheme      string
	pages, lang int
}

// NewIndex returns an Index for a language.
func NewIndex(lang string) (*Index, error) {
	m, err := newMatcher(lang)
	return &Index{lang: m, hosts: map[string]*indexHost{}}, err
}

// Read counts the pages in an index: lines of key, time and a JSON object, or the object alone.
func (x *Index) Read(ctx context.Context, in io.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxIndexLine)
	for lines.Scan() {
		if x.Lines++; x.Lines%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		x.add(lines.Bytes())
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("line %d: %w", x.Lines+1, err)
	}
	return nil
}

func (x *Index) add(line []byte) {
	at := bytes.IndexByte(line, '{')
	var r struct{ URL, Status, Languages string }
	if at < 0 || json.Unmarshal(line[at:], &r) != nil {
		x.Bad++
		return
	}
	if r.Status != "" && r.Status != "200" {
		return
	}
	if r.Languages == "" {
		x.Unknown++
		return
	}
	u, err := weburl.Parse(r.URL, nil)
	if err != nil {
		x.Bad++
		return
	}
	h := x.hosts[u.Host()]
	if h == nil {
		if len(x.hosts) == maxIndexHosts {
			x.Skipped++
			return
		}
		h = &indexHost{scheme: u.Scheme()}
		x.hosts[strings.Clone(u.Host())] = h
	}
	h.pages++
	if first, _, _ := strings.Cut(r.Languages, ","); x.lang.has(first) { // the main language comes first
		h.lang++
	}
}

// Proposals returns the home pages of the hosts with pages mainly in the language, by their number in
// descending order. Hosts with fewer than half of their pages in the language come last.
func (x *Index) Proposals() (list []Proposal) {
	var names []string
	for name, h := range x.hosts {
		if h.lang > 0 {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		p, q := x.hosts[a], x.hosts[b]
		return cmp.Or(cmp.Compare(p.minor(), q.minor()), cmp.Compare(q.lang, p.lang), strings.Compare(a, b))
	})
	for _, name := range names {
		h := x.hosts[name]
		list = append(list, Proposal{h.scheme + "://" + name + "/", fmt.Sprintf("index: %d of %s", h.lang, count(h.pages, "page"))})
	}
	return list
}

// minor returns 1 if fewer than half of the pages are in the language, and otherwise 0.
func (h *indexHost) minor() int {
	if 2*h.lang < h.pages {
		return 1
	}
	return 0
}
