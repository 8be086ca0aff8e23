package serve

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"errors"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
)

//go:embed view
var view embed.FS

// pagePolicy is the Content-Security-Policy of the page: its own scripts and styles,
// frames that the server fills, nothing from elsewhere.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"frame-src 'self' blob:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// asset is a file of the browser interface, plain and compressed.
type asset struct {
	body, packed []byte
	kind, tag    string
}

// kinds are the media types by the ending of a file. Package mime reads the types of the machine.
var kinds = map[string]string{".css": "text/css; charset=utf-8", ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}

// assets are all of them by name, each packed when it is first asked for: a worker
// never is.
func assets() (map[string]func() asset, error) {
	all := map[string]func() asset{}
	files, err := fs.ReadDir(view, "view")
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		b, err := view.ReadFile(path.Join("view", f.Name()))
		if err != nil {
			return nil, err
		}
		all[f.Name()] = sync.OnceValue(func() asset {
			sum := sha256.Sum256(b)
			return asset{b, pack(b), kinds[path.Ext(f.Name())], base64.RawURLEncoding.EncodeToString(sum[:12])}
		})
	}
	return all, nil
}

// pack returns b as gzip.
func pack(b []byte) []byte {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err == nil {
		_, err = z.Write(b)
	}
	if err = errors.Join(err, z.Close()); err != nil {
		panic(err) // into memory
	}
	return out.Bytes()
}

// serve answers with a file of the page; a browser that has it is told so.
func (a asset) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", a.kind)
	h.Set("Content-Security-Policy", pagePolicy)
	h.Set("Cache-Control", "no-cache")
	h.Set("Vary", "Accept-Encoding")
	tag, body := `"`+a.tag+`"`, a.body
	if gzips(r.Header.Get("Accept-Encoding")) {
		h.Set("Content-Encoding", "gzip")
		tag, body = `"`+a.tag+`-gzip"`, a.packed
	}
	h.Set("ETag", tag)
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Write(body) // a client that is gone needs no answer
}

// gzips reports whether a client accepts gzip, by its header Accept-Encoding.
func gzips(accept string) bool {
	for part := range strings.SplitSeq(accept, ",") {
		name, weight, _ := strings.Cut(part, ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			return strings.Trim(strings.ToLower(weight), " q=.0") != "" || strings.TrimSpace(weight) == ""
		}
	}
	return false
}
