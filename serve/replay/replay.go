// Package replay shows the pages of a web archive in a browser, offline: a list of pages, and each page in a
// frame beside its cleaned blocks. [New] returns the handler.
//
// Archived pages are untrusted. They are sent with a policy that runs no scripts, loads nothing and sends no
// forms; links lead to archived pages only. Captures are found in the index of package wacz.
//
// Unstable: this package may change in any release.
package replay

import (
	"bufio"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"chaffinch/format/wacz"
	"chaffinch/format/warc"
	"chaffinch/internal/csp"
	"chaffinch/page"
	"chaffinch/page/weburl"
	"chaffinch/serve/problem"
)

// Path is the path below which the handler answers.
const Path = "/archive/"

// Config configures a handler.
type Config struct {
	Archive *wacz.Reader
	// Decode decodes a page to UTF-8, and Explain returns the HTML file of its cleaned blocks.
	Decode  func(ctx context.Context, p *page.Page) error
	Explain func(ctx context.Context, p *page.Page) ([]byte, error)
	// MaxPage is the maximum size of a page in bytes; the rest is cut off.
	MaxPage int64
}

// Bounds of a request.
const (
	listed   = 100    // pages of a list
	scanned  = 20_000 // captures read for a list
	captures = 1000   // of one address
)

type handler struct{ cfg Config }

// New returns the handler of an archive.
func New(cfg Config) http.Handler {
	h := &handler{cfg}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+Path+"{$}", h.list)
	mux.HandleFunc("GET "+Path+"page", h.page)
	mux.HandleFunc("GET "+Path+"content", h.content)
	mux.HandleFunc("GET "+Path+"blocks", h.blocks)
	mux.HandleFunc(Path, func(w http.ResponseWriter, r *http.Request) {
		problem.New(http.StatusNotFound, "nothing at %s: see %s", r.URL.Path, Path).Write(w)
	})
	return mux
}

//go:embed replay.css
var css string

//go:embed replay.html
var pages string

var views = template.Must(template.New("").Funcs(template.FuncMap{
	"css":  func() template.CSS { return template.CSS(css) },
	"time": shownTime,
	"at":   at,
}).Parse(pages))

// at returns the address of a view of a capture.
func at(view string, c warc.CDX) string {
	return Path + view + "?" + url.Values{"url": {c.URL}, "time": {c.Timestamp}}.Encode()
}

// shownTime formats the 14 digits of a time.
func shownTime(stamp string) string {
	t, err := time.Parse("20060102150405", stamp[:min(len(stamp), 14)])
	if err != nil {
		return stamp
	}
	return t.Format("2006-01-02 15:04:05") + " UTC"
}

// show writes a view. It may have frames of this server, and no scripts.
func show(w http.ResponseWriter, name string, data any) {
	var out strings.Builder
	if err := views.ExecuteTemplate(&out, name, data); err != nil {
		fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src "+csp.Source(css)+"; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	io.WriteString(w, out.String())
}

func fail(w http.ResponseWriter, err error) {
	var p *problem.Problem
	if !errors.As(err, &p) {
		p = problem.New(http.StatusUnprocessableEntity, "%v", err)
	}
	p.Write(w)
}

// isPage reports whether a capture is a page that can be shown.
func isPage(c warc.CDX) bool {
	return (c.Status == "200" || c.Status == "" || c.MIME == "warc/revisit") && slices.Contains([]string{"text/html", "application/xhtml+xml", "text/plain", "warc/revisit"}, c.MIME)
}

// prefix returns the beginning of the keys of the addresses that a search finds: of a host and its
// subdomains, or of addresses that begin with it.
func prefix(q string) string {
	q = strings.TrimSpace(q)
	if q == "" {
		return ""
	}
	if !strings.Contains(q, "://") {
		q = "http://" + q
	}
	key := warc.SURT(q)
	if u, err := url.Parse(q); err == nil && strings.Trim(u.Path, "/") == "" && u.RawQuery == "" {
		key = strings.TrimSuffix(strings.TrimSuffix(key, "/"), ")")
	}
	return key
}

// list lists the pages of the archive by address.
func (h *handler) list(w http.ResponseWriter, r *http.Request) {
	q, from := r.FormValue("q"), r.FormValue("from")
	start := prefix(q)
	view := struct {
		Query, Next string
		Pages       []warc.CDX
	}{Query: q}
	n := 0
	var last warc.CDX
	for c, err := range h.cfg.Archive.Index.From(max(start, from)) {
		if err == nil {
			err = r.Context().Err()
		}
		if err != nil {
			fail(w, err)
			return
		}
		if !strings.HasPrefix(c.Key, start) {
			break
		}
		if len(view.Pages) == listed || n == scanned {
			view.Next = Path + "?" + url.Values{"q": {q}, "from": {wacz.After(last)}}.Encode()
			break
		}
		n++
		last = c
		if rest := c.Key[len(start):]; start != "" && !strings.Contains(start, ")") && rest != "" && !strings.ContainsAny(rest[:1], "),:") {
			continue // another host that begins alike
		}
		if isPage(c) {
			view.Pages = append(view.Pages, c)
		}
	}
	show(w, "list", view)
}

// page shows a capture beside its blocks.
func (h *handler) page(w http.ResponseWriter, r *http.Request) {
	c, all, err := h.capture(r)
	if err != nil {
		fail(w, err)
		return
	}
	show(w, "page", struct {
		Capture  warc.CDX
		Captures []warc.CDX
	}{c, all})
}

// capture returns the capture that a request names, the newest by default, and all of its address.
func (h *handler) capture(r *http.Request) (c warc.CDX, all []warc.CDX, err error) {
	address, stamp := r.FormValue("url"), r.FormValue("time")
	all, err = h.cfg.Archive.Index.Lookup(address, captures)
	if err != nil {
		return c, nil, err
	}
	all = slices.DeleteFunc(all, func(c warc.CDX) bool { return !isPage(c) })
	if len(all) == 0 {
		return c, nil, problem.New(http.StatusNotFound, "the archive has no page %.500q", address)
	}
	c = all[len(all)-1]
	for _, other := range all {
		if other.Timestamp == stamp {
			c = other
		}
	}
	return c, all, nil
}

// read reads the page of a capture. The second record of an unchanged page refers to the first.
func (h *handler) read(c warc.CDX) (p *page.Page, err error) {
	for range 4 {
		refers := ""
		err = h.cfg.Archive.Record(c, func(rec *warc.Record) error {
			if rec.Type == "revisit" {
				refers = rec.Header.Get("WARC-Refers-To-Date")
				return nil
			}
			in := bufio.NewReaderSize(rec, 64<<10)
			p = &page.Page{ID: rec.URI, URL: rec.URI}
			header := warc.Header{}
			if rec.Type == "response" {
				head, err := warc.ReadHTTP(in)
				if err != nil {
					return err
				}
				header = head.Header
				p.MIME, p.HTTPCharset = warc.MediaType(header.Get("Content-Type"))
			}
			body, err := warc.Payload(in, header, warc.Limits{MaxBytes: h.cfg.MaxPage, MaxRatio: 1000, GraceBytes: 1 << 20})
			p.Raw = body
			if len(body) > 0 {
				err = nil // the readable part is shown
			}
			return err
		})
		if err != nil || p != nil {
			break
		}
		if c, err = h.original(c, refers); err != nil {
			return nil, err
		}
	}
	if err == nil && p == nil {
		err = errors.New("the record of this page refers to records that refer to others")
	}
	if err != nil {
		return nil, fmt.Errorf("%.500s: %w", c.URL, err)
	}
	return p, nil
}

// original returns the capture to which the record of an unchanged page refers.
func (h *handler) original(c warc.CDX, date string) (warc.CDX, error) {
	all, err := h.cfg.Archive.Index.Lookup(c.URL, captures)
	if err != nil {
		return c, err
	}
	stamp := strings.NewReplacer("-", "", ":", "", "T", "", "Z", "").Replace(date)
	for _, other := range all {
		if other.MIME != "warc/revisit" && (other.Timestamp == stamp || date == "" && other.Digest == c.Digest) {
			return other, nil
		}
	}
	return c, errors.New("the page had not changed, and the archive of the earlier crawl is not here")
}

// requested returns the page of a request.
func (h *handler) requested(r *http.Request) (*page.Page, error) {
	c, _, err := h.capture(r)
	if err != nil {
		return nil, err
	}
	return h.read(c)
}

// contentPolicy is the policy of an archived page: no scripts, no requests, no forms. A click on a link may
// leave the frame. Without scripts, the same origin only sends the cookie of the server with that click.
const contentPolicy = "sandbox allow-same-origin allow-top-navigation-by-user-activation; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

// content sends an archived page.
func (h *handler) content(w http.ResponseWriter, r *http.Request) {
	p, err := h.requested(r)
	if err == nil {
		err = h.cfg.Decode(r.Context(), p)
	}
	if err != nil {
		fail(w, err)
		return
	}
	w.Header().Set("Content-Security-Policy", contentPolicy)
	if p.PlainText() {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		io.WriteString(w, string(p.HTML))
		return
	}
	base, err := weburl.Parse(p.URL, nil)
	if err != nil {
		fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write(rewrite([]byte(p.HTML), base, h.target(r.Context())))
}

// target returns a function that returns the address of the view of an archived page, or "".
func (h *handler) target(ctx context.Context) func(weburl.URL) string {
	known := map[string]string{}
	return func(u weburl.URL) string {
		s := u.String()
		to, ok := known[s]
		if !ok && ctx.Err() == nil {
			if list, err := h.cfg.Archive.Index.Lookup(s, captures); err == nil && slices.ContainsFunc(list, isPage) {
				to = Path + "page?" + url.Values{"url": {s}}.Encode()
			}
			known[s] = to
		}
		return to
	}
}

// blocks sends the cleaned blocks of an archived page. The scripts of the view run in a separate origin.
func (h *handler) blocks(w http.ResponseWriter, r *http.Request) {
	p, err := h.requested(r)
	var out []byte
	if err == nil {
		out, err = h.cfg.Explain(r.Context(), p)
	}
	if err != nil {
		fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "sandbox allow-scripts; frame-ancestors 'self'")
	w.Write(out)
}
