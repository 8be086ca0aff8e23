package reports

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"reflect"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"chaffinch/internal/csp"
	"chaffinch/internal/report"
	evalclean "chaffinch/lab/eval/clean"
	evallines "chaffinch/lab/eval/lines"
	"chaffinch/plagiarism"
	"chaffinch/serve/explain"
	"chaffinch/serve/gate"
	"chaffinch/serve/problem"
)

// pagePath is the path of HTML reports.
const pagePath = "/v1/reports/page"

// policy returns a content security policy that allows only the scripts of this program's
// reports, in a separate origin, and no loading or sending.
var policy = sync.OnceValue(func() string {
	scripts := []string{report.Script, explain.Script(), evalclean.Script(), evallines.Script(), plagiarism.Script()}
	var sources []string
	for _, s := range scripts {
		sources = append(sources, csp.Source(s))
	}
	return "sandbox allow-scripts; default-src 'none'; script-src " + strings.Join(sources, " ") +
		"; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
})

// api answers for a Folder.
type api struct {
	folder *Folder
	gate   *gate.Gate
}

// Register adds the operations on the reports of a Folder. Without one they answer
// that there is none.
func Register(to huma.API, f *Folder, g *gate.Gate) {
	a := &api{f, g}
	operation := func(id, path, summary string) huma.Operation {
		return huma.Operation{OperationID: id, Method: http.MethodGet, Path: path, Summary: summary, Tags: []string{"reports"}}
	}
	list := operation("reports", "/v1/reports", "List the reports, running ones first")
	problem.Answers(to, &list, "The reports", map[string]reflect.Type{"application/json": reflect.TypeFor[Reports]()})
	huma.Register(to, list,
		func(ctx context.Context, in *struct{ Known }) (*cachedReport, error) {
			return a.answer(ctx, in.Known, ".", func() (any, error) { return f.List() })
		})
	view := operation("report", "/v1/reports/view", "Show the state of a report")
	problem.Answers(to, &view, "The report", map[string]reflect.Type{"application/json": reflect.TypeFor[View]()})
	huma.Register(to, view,
		func(ctx context.Context, in *struct {
			Known
			Named
		}) (*cachedReport, error) {
			return a.answer(ctx, in.Known, in.Path, func() (any, error) { return f.View(ctx, in.Path) })
		})
	page := operation("report-page", pagePath, "An HTML report, without scripts other than chaffinch's")
	problem.Answers(to, &page, "The page", map[string]reflect.Type{"text/html": nil})
	problem.Register(to, page, a.page)
}

// Known is the state of a client's copy.
type Known struct {
	IfNoneMatch string `header:"If-None-Match" doc:"ETag of the client's copy: status 304 if it is current."`
}

// Named names a report.
type Named struct {
	Path string `query:"path" required:"true" doc:"Path in the folder of reports."`
}

// cachedReport is a response that clients poll.
type cachedReport struct {
	ContentType string `header:"Content-Type"`
	Tag         string `header:"ETag"`
	Cache       string `header:"Cache-Control"`
	Body        []byte
}

// answer answers with what do returns of a path, or that the client has it.
func (a *api) answer(ctx context.Context, known Known, path string, do func() (any, error)) (*cachedReport, error) {
	if a.folder == nil {
		return nil, problem.New(http.StatusNotFound, "this server has no folder of reports")
	}
	leave, err := a.gate.Enter(ctx)
	if err != nil {
		return nil, problem.Of(err)
	}
	defer leave()
	v, err := do()
	if err != nil {
		return nil, found(path, err)
	}
	b, err := json.Marshal(v)
	if err != nil {
		return nil, problem.Of(err)
	}
	sum := sha256.Sum256(b)
	out := &cachedReport{"application/json", `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`, "no-cache", b}
	if strings.Contains(known.IfNoneMatch, out.Tag) {
		return nil, huma.ErrorWithHeaders(huma.Status304NotModified(), http.Header{"ETag": {out.Tag}, "Cache-Control": {out.Cache}})
	}
	return out, nil
}

// found makes a problem of a path that leads nowhere, or out of the folder: a client
// is told no more than that.
func found(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.As(err, new(*fs.PathError)) {
		return problem.New(http.StatusNotFound, "path %q: no such report", path)
	}
	return problem.Of(err)
}

// page sends an HTML report.
func (a *api) page(ctx context.Context, in *struct{ Named }) (*huma.StreamResponse, error) {
	if a.folder == nil {
		return nil, problem.New(http.StatusNotFound, "this server has no folder of reports")
	}
	if name := strings.ToLower(in.Path); !strings.HasSuffix(name, ".html") && !strings.HasSuffix(name, ".htm") {
		return nil, found(in.Path, fs.ErrNotExist)
	}
	f, err := a.folder.regular(in.Path)
	if err != nil {
		return nil, found(in.Path, err)
	}
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		defer f.Close()
		ctx.SetHeader("Content-Type", "text/html; charset=utf-8")
		ctx.SetHeader("Content-Security-Policy", policy())
		ctx.SetHeader("Cache-Control", "no-cache")
		io.Copy(ctx.BodyWriter(), f) // a client that is gone needs no answer
	}}, nil
}
