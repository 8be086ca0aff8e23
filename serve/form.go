package serve

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"chaffinch/format/warc"
	"chaffinch/serve/gate"
	"chaffinch/serve/problem"
)

// acceptEncoding are the codings of bodies that are undone.
const acceptEncoding = "gzip, deflate, br, zstd"

// unpacked returns a handler that decodes a body by Content-Encoding, within the limits of a
// page in an archive. The body of a batch is decoded while it is read.
func (s *Server) unpacked(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		encoding := strings.Join(r.Header.Values("Content-Encoding"), ",")
		if encoding == "" || r.Body == nil {
			next.ServeHTTP(w, r)
			return
		}
		limits := warc.Limits{MaxBytes: s.cfg.Limits.Body + maxForm, MaxRatio: warc.DefaultLimits.MaxRatio, GraceBytes: warc.DefaultLimits.GraceBytes}
		if r.URL.Path == batchPath {
			limits.MaxBytes = 0 // each line has its bound
		} else {
			r.Body = http.MaxBytesReader(w, r.Body, s.cfg.Limits.Body+maxForm)
		}
		in, err := warc.Content(r.Body, encoding, limits)
		if err != nil {
			w.Header().Set("Accept-Encoding", acceptEncoding)
			problem.New(http.StatusUnsupportedMediaType, "Content-Encoding %q: %v: wanted one of %s, or none", encoding, err, acceptEncoding).Write(w)
			return
		}
		r.Header.Del("Content-Encoding")
		if r.URL.Path == batchPath {
			r.Body, r.ContentLength = readCloser{in, r.Body}, -1
			next.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(in)
		switch large := (*http.MaxBytesError)(nil); {
		case errors.Is(err, warc.ErrTooLarge), errors.As(err, &large):
			problem.New(http.StatusRequestEntityTooLarge, "body: too large: wanted at most %d bytes, also unpacked", s.cfg.Limits.Body).Write(w)
			return
		case errors.Is(err, warc.ErrTooDense):
			problem.New(http.StatusRequestEntityTooLarge, "body: %v: send fewer pages", err).Write(w)
			return
		case err != nil:
			problem.New(http.StatusBadRequest, "body: %v: wanted data of Content-Encoding %s", err, encoding).Write(w)
			return
		}
		gate.Holds(r.Context(), int64(len(body)))
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		r.Header.Del("Content-Length")
		next.ServeHTTP(w, r)
	})
}

// readCloser reads one and closes the other.
type readCloser struct {
	io.Reader
	io.Closer
}

// maxForm bounds the fields of a form beside its page, in bytes.
const maxForm = 1 << 20

// formOf describes a form with a file, or one of the fields with its content.
func formOf(fields ...string) *huma.MediaType {
	s := &huma.Schema{Type: huma.TypeObject, AdditionalProperties: &huma.Schema{Type: huma.TypeString}, Description: "A file, or one of the other fields. Query parameters may also be sent as fields.",
		Properties: map[string]*huma.Schema{"file": {Type: huma.TypeString, Format: "binary"}}}
	for _, f := range fields {
		s.Properties[f] = &huma.Schema{Type: huma.TypeString}
	}
	return &huma.MediaType{Schema: s}
}

// isForm reports whether a media type is a form.
func isForm(contentType string) (media string, form bool) {
	media, _, _ = mime.ParseMediaType(contentType)
	return media, media == "multipart/form-data" || media == "application/x-www-form-urlencoded"
}

// form converts a request with a form of a media type to an equivalent request with a body and a
// query. Fields are parameters of the query, html or text; a file may have any name.
func (s *Server) form(r *http.Request, media string) error {
	wrong := func(found any) error {
		return problem.New(http.StatusBadRequest, "form (Content-Type %s): %v: wanted a file, a field html or text, or the page itself as the body with its Content-Type, such as text/html", media, found)
	}
	r.Body = http.MaxBytesReader(nil, r.Body, s.cfg.Limits.Body+maxForm)
	err := r.ParseMultipartForm(s.cfg.Limits.Body + maxForm) // all in memory: nothing of a client goes to the disk
	if errors.Is(err, http.ErrNotMultipart) {
		err = nil // its fields were read
	}
	if big := (*http.MaxBytesError)(nil); errors.As(err, &big) {
		return problem.New(http.StatusRequestEntityTooLarge, "form: too large: wanted a file of at most %d bytes, and %d bytes of other fields", s.cfg.Limits.Body, maxForm)
	}
	if err != nil {
		return wrong(err)
	}
	query := r.URL.Query()
	for name, values := range r.PostForm {
		if n := len(values) + len(query[name]); n > 1 {
			return problem.New(http.StatusUnprocessableEntity, "form: field %s: %d values: wanted one", name, n)
		}
		if v := strings.TrimSpace(values[0]); name != "html" && name != "text" && v != "" {
			query.Set(name, v)
		}
	}
	r.URL.RawQuery = query.Encode()
	var body []byte
	var kind string
	files, html, text := filesOf(r.MultipartForm), r.PostForm.Get("html"), r.PostForm.Get("text")
	switch n := len(files) + min(len(html), 1) + min(len(text), 1); {
	case n > 1:
		return problem.New(http.StatusBadRequest, "form: %d pages: wanted one: send each separately, or all as JSON lines to %s", n, batchPath)
	case html != "":
		body, kind = []byte(html), "text/html; charset=utf-8"
	case text != "":
		body, kind = []byte(text), "text/plain; charset=utf-8"
	case len(files) == 1:
		f, err := files[0].Open()
		if err != nil {
			return problem.New(http.StatusUnprocessableEntity, "form: %v", err)
		}
		defer f.Close()
		if body, err = io.ReadAll(f); err != nil {
			return problem.New(http.StatusUnprocessableEntity, "form: %v", err)
		}
		kind = fileType(files[0].Header.Get("Content-Type"))
	case query.Get("url") != "": // to be fetched
		if body, err = json.Marshal(item{URL: query.Get("url")}); err != nil {
			return err
		}
		kind = "application/json"
	default:
		return wrong("no content")
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	r.Header.Set("Content-Type", kind)
	return nil
}

// filesOf returns the files of a form that have bytes: a field of a page without a choice has
// none.
func filesOf(form *multipart.Form) (files []*multipart.FileHeader) {
	if form == nil {
		return nil
	}
	for _, list := range form.File {
		files = append(files, slices.DeleteFunc(list, func(f *multipart.FileHeader) bool { return f.Size == 0 })...)
	}
	return files
}

// fileType returns the media type of a file in a form, if it is useful. Other types are often
// wrong, and the format is detected from the content.
func fileType(stated string) string {
	media, _, err := mime.ParseMediaType(cmp.Or(stated, "application/octet-stream"))
	if err == nil && slices.Contains([]string{"text/html", "application/xhtml+xml", "text/plain", "application/json"}, media) {
		return stated
	}
	return "application/octet-stream"
}

// takesForms is a middleware of operations that take a form. curl declares any body without a
// Content-Type as a form: one that begins like HTML is a page.
func (s *Server) takesForms(ctx huma.Context, next func(huma.Context)) {
	if media, form := isForm(ctx.Header("Content-Type")); form {
		r, w := humago.Unwrap(ctx)
		body := bufio.NewReader(r.Body)
		r.Body = readCloser{body, r.Body}
		if head, _ := body.Peek(64); bytes.HasPrefix(bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n"), []byte("<")) {
			next(ctx)
			return
		}
		if err := s.form(r, media); err != nil {
			problem.Of(err).Write(w)
			return
		}
	}
	next(ctx)
}

// refusesForms is a middleware of the batch, whose body is read line by line.
func refusesForms(ctx huma.Context, next func(huma.Context)) {
	if media, form := isForm(ctx.Header("Content-Type")); form {
		_, w := humago.Unwrap(ctx)
		problem.New(http.StatusUnsupportedMediaType, "Content-Type %s: wanted JSON lines as the body, as application/x-ndjson (/v1/clean accepts a form with a file)", media).Write(w)
		return
	}
	next(ctx)
}

// refusesJSON is a middleware of operations on plain text, which would take JSON for the text.
func refusesJSON(ctx huma.Context, next func(huma.Context)) {
	kind := ctx.Header("Content-Type")
	media, _, err := mime.ParseMediaType(cmp.Or(kind, "text/plain"))
	if err == nil && media != "application/json" {
		next(ctx)
		return
	}
	_, w := humago.Unwrap(ctx)
	problem.New(http.StatusUnsupportedMediaType, "Content-Type %s: wanted the text itself as the body, as text/plain", kind).Write(w)
}
