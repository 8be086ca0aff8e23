package serve

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"

	"chaffinch/extract/documents/readers"
	"chaffinch/format/document"
	"chaffinch/page"
	"chaffinch/serve/explain"
	"chaffinch/serve/problem"
	"chaffinch/serve/replay"
)

// ShownPage is a request with a body of which one page is shown.
type ShownPage struct {
	PageBody
	Nth int `query:"nth" minimum:"0" doc:"Number of the page in an archive, from 1. Default: the first page with text or bytes."`
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
	pages, _, err := s.pages(ctx, &in.PageBody, nil)
	if err != nil {
		return nil, err
	}
	if in.Nth > len(pages) {
		return nil, problem.Parameter("nth", in.Nth, fmt.Errorf("%d: wanted at most %d, the number of pages in the body", in.Nth, len(pages)))
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

// explain returns the HTML file of "chaffinch explain". Its scripts run in a separate
// origin.
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
	out, err := s.explained(ctx, e, p)
	if err != nil {
		return nil, err
	}
	return &frameOutput{"text/html; charset=utf-8", "sandbox allow-scripts; frame-ancestors 'self'", out}, nil
}

// explained returns the HTML file with the blocks of a page.
func (s *Server) explained(ctx context.Context, e *explain.Explainer, p *page.Page) ([]byte, error) {
	leave, err := s.gate.Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	copyRaw(p)
	if err := e.Prepare(ctx, p); err != nil {
		return nil, problem.New(http.StatusUnprocessableEntity, "%v", err)
	}
	ctx, cancel := context.WithTimeout(ctx, s.cfg.Limits.PageTime)
	defer cancel()
	x, err := e.Do(ctx, p)
	if err != nil {
		return nil, problem.New(http.StatusUnprocessableEntity, "%v", err)
	}
	var out bytes.Buffer
	err = x.WriteHTML(&out)
	return out.Bytes(), err
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
	kind, shown := "text/html; charset=utf-8", p.HTML
	if p.PlainText() {
		kind = "text/plain; charset=utf-8"
	}
	if p.Format == "pdf" {
		if shown, err = s.pictures(ctx, p); err != nil {
			return nil, err
		}
	}
	return &frameOutput{kind, "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'", []byte(shown)}, nil
}

// Pictures of pages are drawn up to maxPictures, pictureWidth pixels wide.
const (
	maxPictures  = 20
	pictureWidth = 800
)

// pictures returns HTML with pictures of the first pages of a PDF document.
func (s *Server) pictures(ctx context.Context, p *page.Page) (string, error) {
	leave, err := s.gate.Enter(ctx)
	if err != nil {
		return "", err
	}
	defer leave()
	var b strings.Builder
	b.WriteString("<!doctype html><html lang=en><title>Pages</title><style>body{margin:0;background:#888}img{display:block;width:100%;margin-bottom:8px}p{padding:0 1em;color:#fff;font-family:sans-serif}</style>")
	total := max(1, strings.Count(p.HTML, document.PageBreak))
	for n := 1; n <= min(total, maxPictures); n++ {
		picture, err := readers.Picture(ctx, p.Raw, n, pictureWidth)
		if err != nil {
			return "", problem.New(http.StatusUnprocessableEntity, "page %d: %v", n, err)
		}
		fmt.Fprintf(&b, `<img alt="Page %d" src="data:image/png;base64,%s">`, n, base64.StdEncoding.EncodeToString(picture))
	}
	if total > maxPictures {
		fmt.Fprintf(&b, "<p>The first %d of %d pages.", maxPictures, total)
	}
	return b.String(), nil
}

// replay returns the handler of the archive.
func (s *Server) replay() http.Handler {
	return replay.New(replay.Config{Archive: s.cfg.Archive, MaxPage: s.cfg.Limits.Page, Decode: s.read, Explain: func(ctx context.Context, p *page.Page) ([]byte, error) {
		e, err := s.explainer(PageSettings{})
		if err != nil {
			return nil, err
		}
		return s.explained(ctx, e, p)
	}})
}
