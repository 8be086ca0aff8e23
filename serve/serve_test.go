package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"chaffinch"
	"chaffinch/build/recipe"
	"chaffinch/build/stage"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// article is a page with a menu, a text and a comment that a script stands in.
const article = `<!doctype html><html lang="en"><head><title>The finch</title><script>alert("head")</script></head><body>
<nav><a href="/">Home</a> <a href="/birds">Birds</a></nav>
<article><h1>The finch at the water</h1>
<p>The chaffinch comes to the water early in the morning, when nobody else is there, and it stays until the sun stands above the roofs of the town.</p>
<p>In winter it feeds on the ground below the beeches, together with bramblings, and one must look twice to tell them apart. <b onclick="alert(1)">It sings</b> from February on.</p>
<p>Whoever wants to see it needs no more than patience, warm shoes and a place from which the bank of the river can be seen.</p></article>
<script>document.write("late")</script><footer>Imprint <a href="javascript:alert(2)">Contact</a></footer></body></html>`

// testServer is a server on a separate listener.
type testServer struct {
	*Server
	http *httptest.Server
	URL  string
	log  *bytes.Buffer
	dir  string // of the corpora of everything
}

func start(t *testing.T, cfg Config) *testServer {
	t.Helper()
	log := new(bytes.Buffer)
	cfg.Log = slog.NewJSONHandler(log, nil)
	s := must.Get(New(cfg))(t)
	h := httptest.NewServer(s.Handler())
	t.Cleanup(func() { h.Close(); s.Close() })
	return &testServer{Server: s, http: h, URL: h.URL, log: log}
}

// post sends a body and returns the answer read.
func (s *testServer) post(t *testing.T, path, kind, body string, header ...string) (*http.Response, string) {
	t.Helper()
	r := must.Get(http.NewRequestWithContext(t.Context(), "POST", s.URL+path, strings.NewReader(body)))(t)
	r.Header.Set("Content-Type", kind)
	for _, h := range header {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	return s.do(t, r)
}

func (s *testServer) do(t *testing.T, r *http.Request) (*http.Response, string) {
	t.Helper()
	a := must.Get(http.DefaultClient.Do(r))(t)
	defer a.Body.Close()
	b := must.Get(io.ReadAll(a.Body))(t)
	return a, string(b)
}

func (s *testServer) get(t *testing.T, path string) (*http.Response, string) {
	t.Helper()
	r := must.Get(http.NewRequestWithContext(t.Context(), "GET", s.URL+path, nil))(t)
	return s.do(t, r)
}

// cleaned is the output of the command clean for a page in a format.
func cleaned(t *testing.T, o chaffinch.Options, format string, annotate bool, p *page.Page) string {
	t.Helper()
	stages := must.Get(stage.Build(recipe.Clean(recipe.CleanOptions{Options: o, Format: format, Annotate: annotate}).Stages))(t)
	must.Succeed(t, pipeline.Do(t.Context(), stages, p, time.Minute))
	f := must.Get(recipe.FormatOf(format))(t)
	return string(f.New(recipe.EncoderOptions{Annotate: annotate}).Append(nil, p))
}

// mediaOf returns the media type of answers in a format.
func mediaOf(format string) string {
	i := slices.IndexFunc(recipe.Formats, func(f recipe.Format) bool { return f.Name == format })
	return recipe.Formats[i].Media[0]
}

// TestClean: each format, by name and by Accept, is what the command makes.
func TestClean(t *testing.T) {
	s := start(t, Config{})
	for _, c := range []struct {
		query, accept, format string
		annotate              bool
		o                     chaffinch.Options
	}{
		{"", "", "json", true, chaffinch.Options{}},
		{"", "*/*", "json", true, chaffinch.Options{}},
		{"", "text/plain", "text", false, chaffinch.Options{}},
		{"", "text/html, text/*;q=0.5, application/json;q=0.1", "text", false, chaffinch.Options{}},
		{"", "text/markdown;q=0.9, application/json;q=0.8", "markdown", false, chaffinch.Options{}},
		{"", "application/x-ndjson", "jsonl", false, chaffinch.Options{}},
		{"?annotate=false", "", "json", false, chaffinch.Options{}},
		{"?annotate=true", "application/jsonl", "jsonl", true, chaffinch.Options{}},
		{"?annotate=true&format=prevertical", "", "prevertical", true, chaffinch.Options{}},
		{"?format=conllu", "", "conllu", false, chaffinch.Options{}},
		{"?format=text&annotate=true", "application/json", "text", true, chaffinch.Options{}},
		{"?format=vertical&keep=body", "", "vertical", false, chaffinch.Options{Keep: "body"}},
		{"?format=jsonl&method=ncleaner&lang=en", "", "jsonl", false, chaffinch.Options{Method: "ncleaner", Lang: "en"}},
		{"?format=jsonl&method=ncleaner&lang=English", "", "jsonl", false, chaffinch.Options{Method: "ncleaner", Lang: "en"}},
	} {
		a, got := s.post(t, "/v1/clean"+c.query, "text/html", article, "Accept: "+c.accept)
		want := cleaned(t, c.o, c.format, c.annotate, &page.Page{Raw: []byte(article), MIME: "text/html"})
		if a.StatusCode != 200 || got != want || want == "" {
			t.Errorf("%q, Accept %q: status %d:\n%s, wanted\n%s", c.query, c.accept, a.StatusCode, got, want)
		}
		if kind := a.Header.Get("Content-Type"); kind != mediaOf(c.format)+"; charset=utf-8" || a.Header.Get("Vary") != "Accept" {
			t.Errorf("%q, Accept %q: Content-Type %q, Vary %q", c.query, c.accept, kind, a.Header.Get("Vary"))
		}
		if a.Header.Get("Content-Language") != "en" || a.Header.Get("X-Request-Id") == "" {
			t.Errorf("headers %v", a.Header)
		}
	}
	_, bare := s.post(t, "/v1/clean?format=markdown&without=headings,emphasis", "text/html", article)
	if bare == "" || strings.Contains(bare, "#") {
		t.Errorf("Markdown without headings: %q", bare)
	}
	_, tei := s.post(t, "/v1/clean?format=xml", "text/html", article)
	if !strings.HasPrefix(tei, "<?xml") || !strings.Contains(tei, "<teiHeader") || !strings.HasSuffix(strings.TrimSpace(tei), "</teiCorpus>") {
		t.Errorf("TEI: %s", tei)
	}
}

// TestBodies: one text in all the ways in which it can be sent.
func TestBodies(t *testing.T) {
	s := start(t, Config{})
	_, want := s.post(t, "/v1/clean?format=text", "text/html", article)
	if !strings.Contains(want, "early in the morning") || strings.Contains(want, "Imprint") {
		t.Fatalf("the text is %q", want)
	}
	item, _ := json.Marshal(map[string]string{"html": article, "url": "https://finch.example/"})
	warc := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n%s", article)
	warc = fmt.Sprintf("WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: https://finch.example/\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:1>\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", len(warc), warc)
	for _, c := range []struct{ kind, body string }{
		{"text/html; charset=utf-8", article},
		{"application/octet-stream", article},
		{"", article},
		{"application/json", string(item)},
		{"application/warc", warc},
		{"text/html", "\xef\xbb\xbf" + article},
	} {
		a, got := s.post(t, "/v1/clean?format=text", c.kind, c.body)
		if a.StatusCode != 200 || got != want || a.Header.Get("Chaffinch-Pages") != "1" {
			t.Errorf("%q: status %d: %q", c.kind, a.StatusCode, got)
		}
		if of := a.Header.Get("Chaffinch-Page-Type"); !slices.Contains(page.Types, of) {
			t.Errorf("%q: page type %q", c.kind, of)
		}
	}
	a, got := s.post(t, "/v1/clean?format=text", "application/warc", warc+warc)
	if got != want+want || a.Header.Get("Chaffinch-Pages") != "2" || a.Header.Get("Chaffinch-Page-Type") != "" {
		t.Errorf("two records: %v, %q", a.Header, got)
	}
	if a, _ = s.post(t, "/v1/clean?format=text", "application/warc", warc+warc[:len(warc)-400]); a.Header.Get("Chaffinch-Faults") != "1" {
		t.Errorf("a record that ends early: %v", a.Header)
	}
	lines := string(item) + "\n" + `{"text":"Own text."}` + "\n"
	if a, got = s.post(t, "/v1/clean?format=text&method=keep", "application/x-ndjson", lines); a.Header.Get("Chaffinch-HTML-Field") != "html" || a.Header.Get("Chaffinch-Pages") != "2" {
		t.Errorf("records with html: %v, %q", a.Header, got)
	}
	if a, got := s.post(t, "/v1/clean?format=json&annotate=false", "text/html", "<nav>Home</nav>"); a.StatusCode != 200 || got != `{"id":"","drop":"all-bad"}`+"\n" {
		t.Errorf("a dropped page as JSON: %d %q", a.StatusCode, got)
	}
	if a, got := s.post(t, "/v1/clean?format=text", "text/html", "<nav>Home</nav>"); a.Header.Get("Chaffinch-Drop") != "all-bad" || got != "" || a.StatusCode != 200 {
		t.Errorf("a page without text: %v, %q", a.Header, got)
	}
}

// TestBytesOfTheirOwn: a page that is left behind is not changed by the request that gets the body's bytes.
func TestBytesOfTheirOwn(t *testing.T) {
	s := start(t, Config{})
	c := must.Get(s.cleaner(cleanerKey{}))(t)
	for name, read := range map[string]func(*page.Page) error{
		"clean":  func(p *page.Page) error { return s.cleanPage(t.Context(), s.gate.Enter, c, p) },
		"detect": func(p *page.Page) error { return s.read(t.Context(), p) },
	} {
		body := []byte(article)
		p := &page.Page{Raw: body}
		if err := read(p); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i := range body {
			body[i] = '#'
		}
		if string(p.Raw) != article {
			t.Errorf("%s: the page changed with the body: %.40q", name, p.Raw)
		}
	}
}

// TestProblems: what cannot be answered is a problem with its status.
func TestProblems(t *testing.T) {
	s := start(t, Config{Limits: Limits{Body: 10_000}})
	for _, c := range []struct {
		path, kind, body string
		status           int
		says             string
	}{
		{"/v1/clean?keep=bogus", "text/html", article, 422, "query.keep"},
		{"/v1/clean?method=magic", "text/html", article, 422, "wanted one of"},
		{"/v1/clean?method=justext&keep=body", "text/html", article, 422, "query.keep"},
		{"/v1/clean?lang=%21", "text/html", article, 422, "wanted a tag such as en or pt-BR, or an English name"},
		{"/v1/clean?lang=germn", "text/html", article, 422, "did you mean German (de)?"},
		{"/v1/tokenize?lang=germn", "text/plain", "Wir gehen.", 422, "did you mean German (de)?"},
		{"/v1/clean?favour=both", "text/html", article, 422, "query.favour"},
		{"/v1/clean?url=https://a.example/50%-off", "text/html", article, 400, `query: invalid URL escape \"%-o\": wanted %25 for a percent sign`},
		{"/v1/clean?kep=body", "text/html", article, 422, "query.kep"},
		{"/v1/clean?format=pdf", "text/html", article, 422, "wanted one of"},
		{"/v1/clean?format=markdown&annotate=true", "text/html", article, 422, "cannot hold labels"},
		{"/v1/clean?format=text&without=links", "text/html", article, 422, "no markup"},
		{"/v1/clean?format=markdown&without=lnks", "text/html", article, 422, "cannot be left out"},
		{"/v1/clean", "text/html; charset", article, 415, "Content-Type"},
		{"/v1/clean", "application/json", `{"htm": "x"}`, 422, "unknown field"},
		{"/v1/clean", "application/json", `{`, 400, "JSON"},
		{"/v1/clean", "application/json", `{"text": "x", "lang": "zz"}`, 422, "is not a language"},
		{"/v1/clean", "application/json", `[{"html": "x"}]`, 422, "body: JSON array: wanted a JSON object"},
		{"/v1/clean", "application/json", `{"html": 3}`, 422, "body: html: JSON number: wanted a JSON object"},
		{"/v1/clean", "application/json", `{"html": "x"}` + "\n" + `{"html": "y"}`, 400, "send several pages as JSON lines to /v1/batch"},
		{"/v1/tokenize", "application/json", `{"text": "x"}`, 415, "wanted the text itself"},
		{"/v1/perplexity", "application/json; charset=utf-8", `{"text": "x"}`, 415, "wanted the text itself"},
		{"/v1/clean", "application/warc", "", 400, "body: missing: wanted application/json"},
		{"/v1/clean", "application/warc", "WARC/1.1\r\n", 422, "body"},
		{"/v1/clean", "text/html", strings.Repeat("x", 10_001), 413, "body: too large: wanted at most 10000 bytes"},
		{"/v1/explain", "text/html", strings.Repeat("x", 10_001+maxForm), 413, "wanted at most 10000"},
		{"/v1/nothing", "text/html", "", 404, "/docs"},
		{"/v1/about", "text/html", "", 405, ""},
	} {
		a, got := s.post(t, c.path, c.kind, c.body)
		if a.StatusCode != c.status || !strings.Contains(got, c.says) {
			t.Errorf("%s: status %d, wanted %d: %s", c.path, a.StatusCode, c.status, got)
		}
		if len(got) > 2000 {
			t.Errorf("%s: the answer repeats what was sent: %d bytes", c.path, len(got))
		}
		if kind := a.Header.Get("Content-Type"); kind != "application/problem+json" {
			t.Errorf("%s: Content-Type %s", c.path, kind)
		}
	}
	if a, got := s.post(t, "/v1/clean", "text/html", article, "Accept: image/png"); a.StatusCode != 406 {
		t.Errorf("Accept: image/png: status %d: %s", a.StatusCode, got)
	}
}

// TestText: language, tokens, perplexity.
func TestText(t *testing.T) {
	s := start(t, Config{})
	var d detected
	ask := func(v any, path, kind, body string) {
		t.Helper()
		a, text := s.post(t, path, kind, body)
		if a.StatusCode != 200 {
			t.Fatalf("%s: status %d: %s", path, a.StatusCode, text)
		}
		if err := json.Unmarshal([]byte(text), v); err != nil {
			t.Fatalf("%s: %v: %s", path, err, text)
		}
	}
	ask(&d, "/v1/detect", "text/plain", "\xc4rzte und \xc4pfel, das ist eine gew\xf6hnliche Zeile auf Deutsch, die niemand anders liest.")
	if d.Charset != "windows-1252" || d.Lang != "de" || len(d.Langs) != 1 || d.Langs[0].Lang != "de" || d.Langs[0].Share != 1 {
		t.Errorf("detected %+v", d)
	}
	d = detected{}
	if ask(&d, "/v1/detect", "text/plain", " \n"); d.Lang != "und" || d.Drop != "no-text" {
		t.Errorf("nothing: %+v", d)
	}
	var k tokenized
	const text = "It's Dr. Brown's. Ärzte!\n"
	ask(&k, "/v1/tokenize?lang=en", "text/plain", text)
	if k.Tokens != 8 || len(k.Sentences) != 2 || k.Sentences[1].Tokens[0] != (tokenText{Text: "Ärzte", Start: 18, End: 24}) {
		t.Errorf("tokens %+v", k)
	}
	if _, got := s.post(t, "/v1/tokenize?lang=en", "text/plain", "Go home.", "Accept: text/plain"); got != "<p end=\"no\">\n<s>\nGo\nhome\n<g/>\n.\n</s>\n</p>\n" {
		t.Errorf("vertical %q", got)
	}
	var p scored
	ask(&p, "/v1/perplexity", "text/plain", "this is normal text\n\nxq zv jk wq\n")
	if len(p.Lines) != 2 || *p.Lines[0].Perplexity >= *p.Lines[1].Perplexity {
		t.Errorf("perplexity %+v", p)
	}
	ask(&p, "/v1/perplexity?limit=8000&model=en", "text/plain", "This is normal text. Xq zv jk wq.\n\nxq zv jk wq\n")
	if p.Model != "en" || p.Limit != 8000 || p.Text == nil || *p.Text != "This is normal text.\n" || len(p.Lines) != 2 {
		t.Errorf("perplexity with a limit %+v, text %q", p, *p.Text)
	}
	for query, says := range map[string]string{"model=../x": "wanted one of en", "compat=pyplexity": "model of PyPlexity", "compat=x": "pyplexity", "limit=-1": "query.limit", "limit=NaN": "query.limit", "limit=Inf": "wanted a finite number"} {
		if a, text := s.post(t, "/v1/perplexity?"+query, "text/plain", "text"); a.StatusCode != 422 || !strings.Contains(text, says) {
			t.Errorf("%s: status %d: %s", query, a.StatusCode, text)
		}
	}
	harbour := start(t, Config{WordModels: map[string]string{"harbour": "../text/lm/pyplexity/testdata/reference/bigrams.st"}})
	for _, compat := range []string{"", "&compat=pyplexity"} {
		a, text := harbour.post(t, "/v1/perplexity?model=harbour&limit=10"+compat, "text/plain", "the ferry leaves\n")
		if a.StatusCode != 200 || !strings.Contains(text, `"model":"harbour"`) || strings.Contains(text, `"compat"`) != (compat != "") {
			t.Errorf("%s: status %d: %s", compat, a.StatusCode, text)
		}
	}
	var a about
	_, about := s.get(t, "/v1/about")
	if err := json.Unmarshal([]byte(about), &a); err != nil || len(a.Formats) != 8 || len(a.Roles) != page.RoleCount || len(a.Policies) != len(page.Policies()) || a.Fetch {
		t.Errorf("%v: about %s", err, about)
	}
}

// form returns a form as a browser sends it.
func form(t *testing.T, fields map[string]string, file string) (kind, body string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for name, value := range fields {
		w.WriteField(name, value)
	}
	if file != "" {
		f := must.Get(w.CreateFormFile("file", `x".html`))(t)
		io.WriteString(f, file)
	}
	w.Close()
	return w.FormDataContentType(), b.String()
}

// TestFrames: what is shown of a page may not run scripts of the page, load anything,
// or reach into the page around it, however it was sent.
func TestFrames(t *testing.T) {
	s := start(t, Config{Limits: Limits{Body: 100_000}})
	kind, fields := form(t, map[string]string{"html": article, "url": ""}, "")
	fileKind, file := form(t, map[string]string{"nth": "1"}, article)
	for _, c := range []struct{ path, kind, body string }{
		{"/v1/render", "text/html", article}, {"/v1/render", kind, fields}, {"/v1/render", fileKind, file},
		{"/v1/render", "application/x-www-form-urlencoded", url.Values{"html": {article}}.Encode()},
		{"/v1/explain", "text/html", article}, {"/v1/explain", kind, fields}, {"/v1/explain", fileKind, file},
	} {
		a, got := s.post(t, c.path, c.kind, c.body)
		policy := a.Header.Get("Content-Security-Policy")
		if a.StatusCode != 200 || a.Header.Get("Content-Type") != "text/html; charset=utf-8" || !strings.HasPrefix(policy, "sandbox") || strings.Contains(policy, "allow-same-origin") {
			t.Errorf("%s %s: status %d, %v: %s", c.path, c.kind, a.StatusCode, a.Header, got[:min(len(got), 300)])
			continue
		}
		if c.path == "/v1/render" && (got != article || strings.Contains(policy, "allow-scripts") || !strings.Contains(policy, "default-src 'none'")) {
			t.Errorf("the page is not as it was, or may run: %s", policy)
		}
		if c.path == "/v1/explain" && (strings.Contains(got, `onclick="alert`) || strings.Contains(got, "<script>alert") || !strings.Contains(got, "early in the morning")) {
			t.Errorf("explain shows the page as markup")
		}
	}
	if a, got := s.post(t, "/v1/render", "text/plain", "1 < 2, and that is all."); !strings.HasPrefix(a.Header.Get("Content-Type"), "text/plain") || got != "1 < 2, and that is all." {
		t.Errorf("plain text: %v", a.Header)
	}
	if a, got := s.post(t, "/v1/explain", kind, fields+strings.Repeat("x", 2<<20)); a.StatusCode != 413 {
		t.Errorf("a form too large: status %d: %s", a.StatusCode, got)
	}
	if a, got := s.post(t, "/v1/explain", "multipart/form-data; boundary=x", "--y\r\n"); a.StatusCode != 400 {
		t.Errorf("a broken form: status %d: %s", a.StatusCode, got)
	}
}

// TestPage: the page and its files come with a policy that allows only themselves.
func TestPage(t *testing.T) {
	s := start(t, Config{})
	names := must.Get(assets())(t)
	paths := []string{"/", "/docs"}
	for name := range names {
		paths = append(paths, "/assets/"+name)
	}
	for _, p := range paths {
		a, _ := s.get(t, p)
		if a.StatusCode != 200 || a.Header.Get("Content-Security-Policy") != pagePolicy || a.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: status %d, %v", p, a.StatusCode, a.Header)
		}
		r, _ := http.NewRequest("GET", s.URL+p, nil)
		r.Header.Set("If-None-Match", a.Header.Get("ETag"))
		if again, body := s.do(t, r); again.StatusCode != 304 || body != "" {
			t.Errorf("%s again: status %d", p, again.StatusCode)
		}
	}
	for _, p := range []string{"/assets/", "/assets/..%2fserve.go", "/assets/%2e%2e/serve.go", "/assets/view/index.html", "/../serve.go", "//etc/passwd", "/assets/index.html%00"} {
		if a, got := s.get(t, p); a.StatusCode != 404 && a.StatusCode != 400 {
			t.Errorf("%s: status %d: %.80s", p, a.StatusCode, got)
		}
	}
	if a, got := s.get(t, "/openapi.json"); a.StatusCode != 200 || !json.Valid([]byte(got)) || !strings.Contains(got, `"openapi":"3.1.0"`) || !strings.Contains(got, "/v1/corpora/{corpus}/hits") {
		t.Errorf("openapi.json: status %d", a.StatusCode)
	}
}

// TestCorpora: a server with a corpus; a missing one is an error at the start.
func TestCorpora(t *testing.T) {
	must.Fail(t, must.Err(New(Config{Corpora: map[string]string{"x": filepath.Join(t.TempDir(), "nothing")}})), "no such folder")
}

// TestQuality is section 12.5.1 of RFC 9110.
func TestQuality(t *testing.T) {
	const accept = "text/*;q=0.3, text/plain;q=0.7, text/plain;format=flowed, text/markdown;q=0, */*;q=0.5"
	for offer, want := range map[string]float64{"text/html": 0.3, "text/plain": 0.7, "text/markdown": 0, "application/json": 0.5} {
		if got := quality(accept, offer); got != want {
			t.Errorf("%s: %v, wanted %v", offer, got, want)
		}
	}
	if got := bestType(accept, []string{"text/markdown"}); got != "" {
		t.Errorf("what is refused is chosen: %s", got)
	}
}

// FuzzBodies sends anything in any form: an answer comes, and it is no fault of the
// program.
func FuzzBodies(f *testing.F) {
	examples := must.Get(filepath.Glob("../examples/pages/*/*"))(f)
	for _, name := range examples {
		b := must.Read(f, name)
		f.Add("/v1/clean", "text/html", b[:min(len(b), 4000)])
	}
	f.Add("/v1/explain", "multipart/form-data; boundary=x", []byte("--x\r\nContent-Disposition: form-data; name=\"html\"\r\n\r\n<p>a\r\n--x--\r\n"))
	f.Add("/v1/batch", "application/x-ndjson", []byte("{\"text\":\"a\"}\n{\n\n"))
	f.Add("/v1/clean", "application/json", []byte(`{"html":"<p>x"}`))
	f.Add("/v1/tokenize", "text/plain", []byte("a\xffb"))
	s := must.Get(New(Config{Limits: Limits{Body: 1 << 20}}))(f)
	paths := []string{"/v1/clean", "/v1/batch", "/v1/explain", "/v1/render", "/v1/detect", "/v1/tokenize", "/v1/perplexity"}
	f.Fuzz(func(t *testing.T, path, kind string, body []byte) {
		if !slices.Contains(paths, path) || strings.ContainsAny(kind, "\r\n\x00") {
			return
		}
		r := httptest.NewRequest("POST", "http://127.0.0.1"+path, bytes.NewReader(body))
		r.Header.Set("Content-Type", kind)
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		if w.Code >= 500 && w.Code != http.StatusGatewayTimeout {
			t.Errorf("%s %q: status %d: %s", path, kind, w.Code, w.Body)
		}
	})
}
