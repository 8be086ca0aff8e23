package serve

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"io/fs"
	"mime"
	"net/http"
	"path"
)

//go:embed view
var view embed.FS

// pagePolicy is the Content-Security-Policy of the page: its own scripts and styles,
// frames that the server fills, nothing from elsewhere.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"frame-src 'self' blob:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// asset is a file of the page.
type asset struct {
	body      []byte
	kind, tag string
}

// assets are all of them by name.
func assets() (map[string]asset, error) {
	all := map[string]asset{}
	files, err := fs.ReadDir(view, "view")
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		b, err := view.ReadFile(path.Join("view", f.Name()))
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(b)
		all[f.Name()] = asset{b, mime.TypeByExtension(path.Ext(f.Name())), `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`}
	}
	return all, nil
}

// serveAsset answers with a file of the page; a browser that has it is told so.
func (a asset) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", a.kind)
	h.Set("Content-Security-Policy", pagePolicy)
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", a.tag)
	if r.Header.Get("If-None-Match") == a.tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Write(a.body) // a client that is gone needs no answer
}
