package serve

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"chaffinch/explain"
	"chaffinch/page"
	"chaffinch/serve/problem"
)

// The two ways to look at a page in a frame take what a form sends as well, since a
// form can show its answer in a frame of its own, which nothing else of the page
// can reach into.

// maxForm bounds the fields of a form beside its page, in bytes.
const maxForm = 1 << 20

// form makes of a form what a request without a form would have sent: a body and a
// query. Its fields are the names of the query, and html, text or file.
func (s *Server) form(r *http.Request) error {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != "multipart/form-data" && media != "application/x-www-form-urlencoded" {
		return nil
	}
	r.Body = http.MaxBytesReader(nil, r.Body, s.cfg.Limits.Body+maxForm)
	if media == "multipart/form-data" {
		err = r.ParseMultipartForm(s.cfg.Limits.Body + maxForm) // all in memory: nothing of a client goes to the disk
	} else {
		err = r.ParseForm()
	}
	if big := (*http.MaxBytesError)(nil); errors.As(err, &big) {
		return problem.New(http.StatusRequestEntityTooLarge, "the form has more than %d bytes", big.Limit)
	}
	if err != nil {
		return problem.New(http.StatusUnprocessableEntity, "form: %v", err)
	}
	query := r.URL.Query()
	for name, values := range r.PostForm {
		if v := strings.TrimSpace(values[0]); name != "html" && name != "text" && v != "" {
			query.Set(name, v)
		}
	}
	r.URL.RawQuery = query.Encode()
	var body []byte
	var kind string
	switch {
	case r.PostForm.Get("html") != "":
		body, kind = []byte(r.PostForm.Get("html")), "text/html; charset=utf-8"
	case r.PostForm.Get("text") != "":
		body, kind = []byte(r.PostForm.Get("text")), "text/plain; charset=utf-8"
	case r.MultipartForm != nil && len(r.MultipartForm.File["file"]) > 0:
		f, err := r.MultipartForm.File["file"][0].Open()
		if err != nil {
			return problem.New(http.StatusUnprocessableEntity, "form: %v", err)
		}
		defer f.Close()
		if body, err = io.ReadAll(f); err != nil {
			return problem.New(http.StatusUnprocessableEntity, "form: %v", err)
		}
		kind = "application/octet-stream"
	}
	if body == nil && query.Get("url") != "" { // to be fetched
		body, err = json.Marshal(item{URL: query.Get("url")})
		if err != nil {
			return err
		}
		kind = "application/json"
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	r.Header.Set("Content-Type", kind)
	return nil
}

// takesForms is a middleware of the operations that a form may ask for.
func (s *Server) takesForms(ctx huma.Context, next func(huma.Context)) {
	r, w := humago.Unwrap(ctx)
	if err := s.form(r); err != nil {
		problem.Of(err).Write(w)
		return
	}
	next(ctx)
}

// ShownPage is a request with a body of which one page is shown.
type ShownPage struct {
	PageBody
	Nth int `query:"nth" minimum:"0" doc:"Which page of an archive, from 1. Default: the first that has text or bytes."`
}

type explainInput struct {
	ShownPage
	PageSettings
}

type frameOutput struct {
	ContentType string `header:"Content-Type"`
	Policy      string `header:"Content-Security-Policy"`
	Body        []byte
}

// one returns the page of the body that is to be shown.
func (s *Server) one(ctx context.Context, in *ShownPage) (*page.Page, error) {
	pages, _, err := s.pages(ctx, &in.PageBody)
	if err != nil {
		return nil, err
	}
	if in.Nth > len(pages) {
		return nil, problem.Parameter("nth", in.Nth, fmt.Errorf("%d: wanted at most %d, as many pages as the body has", in.Nth, len(pages)))
	}
	if in.Nth > 0 {
		return pages[in.Nth-1], nil
	}
	for _, p := range pages {
		if p.Drop == page.None {
			return p, nil
		}
	}
	return pages[0], nil
}

// explainer returns the Explainer of the settings.
func (s *Server) explainer(p PageSettings) (*explain.Explainer, error) {
	return s.explainers.get(p, func() (*explain.Explainer, error) {
		if err := p.check(); err != nil {
			return nil, err
		}
		made, err := explain.New(explain.Config{Clean: p.options(s.cfg.Limits)})
		if err != nil {
			return nil, problem.New(http.StatusUnprocessableEntity, "%v", err)
		}
		return made, nil
	})
}

// explain answers with the HTML file of "chaffinch explain". It runs its own scripts
// in an origin of its own.
func (s *Server) explain(ctx context.Context, in *explainInput) (*frameOutput, error) {
	e, err := s.explainer(in.PageSettings)
	if err != nil {
		return nil, err
	}
	p, err := s.one(ctx, &in.ShownPage)
	if err != nil {
		return nil, err
	}
	p.ID = cmp.Or(p.ID, p.URL, "the page")
	leave, err := s.gate.Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	ctx, cancel := context.WithTimeout(ctx, s.cfg.Limits.PageTime)
	defer cancel()
	own(p)
	x, err := e.Do(ctx, p)
	if err != nil {
		return nil, problem.New(http.StatusUnprocessableEntity, "%v", err)
	}
	var out bytes.Buffer
	if err := x.WriteHTML(&out); err != nil {
		return nil, err
	}
	return &frameOutput{"text/html; charset=utf-8", "sandbox allow-scripts; frame-ancestors 'self'", out.Bytes()}, nil
}

// render answers with the page itself, decoded, under a policy by which nothing of it
// runs and nothing is loaded.
func (s *Server) render(ctx context.Context, in *ShownPage) (*frameOutput, error) {
	p, err := s.one(ctx, in)
	if err != nil {
		return nil, err
	}
	if err := s.read(ctx, p); err != nil {
		return nil, err
	}
	kind := "text/html; charset=utf-8"
	if p.PlainText() {
		kind = "text/plain; charset=utf-8"
	}
	return &frameOutput{kind, "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'", []byte(p.HTML)}, nil
}
