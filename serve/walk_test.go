package serve

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"chaffinch/corpus"
	"chaffinch/corpus/sketch"
	"chaffinch/internal/report"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/plagiarism"
	"chaffinch/serve/problem"
	"chaffinch/serve/space"
)

// given is a value of a parameter that is answered and one that is not, and the status
// of the second, 422 unless another is said. Without a wrong value every one will do.
type given struct {
	right, wrong string
	status       int
}

var yes = given{right: "true", wrong: "perhaps"}

// examples are values of all parameters, by name or by operation and name.
var examples = map[string]given{
	"keep": {"body", "bogus", 0}, "favour": {"precision", "both", 0}, "method": {"justext", "magic", 0}, "lang": {"en", "!", 0}, "hidden": {"keep", "hide", 0}, "title": yes, "tag": yes, "without": {"links", "frills", 0}, "annotate": yes, "language": yes,
	"url": {right: "https://finch.example/"}, "nth": {"1", "9", 0}, "rules": {"c4,nontext", "magic", 0}, "Content-Type": {"text/html", "text/html; charset", 415}, "Accept": {"text/plain", "image/png", 406},
	"clean.format": {"text", "pdf", 0}, "documents-export.format": {"tsv", "pdf", 0}, "sure": yes, "format": {"csv", "pdf", 0},
	"corpus": {"finches", "nothing", 404}, "filter": {`doc.year="2001"`, "2001", 0}, "patt": {`"finch"`, `{finch`, 0}, "first": {"1", "-1", 0}, "number": {"2", "two", 0}, "values.number": {"5", "1001", 0},
	"context": {"3", "100000", 0}, "view": {"sentence", "page", 0}, "samplenum": {"2", "-1", 0}, "sampleseed": {"3", "-1", 0}, "good": yes, "refs": {"doc.title,doc", "titel", 0}, "waitfortotal": yes,
	"hits.sort": {"left,doc.year", "sideways", 0}, "freq.sort": {"word", "sideways", 0}, "words.sort": {"arf", "sideways", 0}, "collocations.sort": {"mi3", "sideways", 0}, "keywords.sort": {"logl", "sideways", 0},
	"group": {"word@1,doc.year", "colour", 0}, "fold": yes, "words": yes, "docf": yes, "arf": yes, "min_hits": {"1", "-1", 0}, "min_freq": {"1", "-1", 0}, "max_freq": {"9", "-1", 0},
	"attr": {"word", "colour", 0}, "n": {"2", "7", 0}, "pattern": {"f.*", "(", 0}, "from": {"-3", "101", 0}, "to": {"3", "-101", 0}, "within": {"s", "chapter", 0},
	"reference": {"others", "nothing", 0}, "frequency_list": {"en", "xx", 0}, "refilter": {`doc.year="2001"`, "2001", 0}, "smoothing": {"2", "0", 0}, "bins": {"10", "0", 0}, "start": {"1", "-1", 0}, "end": {"3", "x", 0}, "prefix": {right: "f"},
	"word": {"finch", "windmill", 0}, "relation": {"next", "windmill", 0}, "with": {"next=drinks", "windmill", 0}, "second": {"water", "windmill", 0}, "sketchdiff.first": {"finch", "windmill", 0}, "limit": {"5", "-1", 0}, "cluster": {"0.5", "2", 0}, "sketch.sort": {"hits", "sideways", 0},
	"trends.filter": {`doc.year!="2001"`, "2001", 0}, "dp": {"doc.year", "colour", 0}, "by": {"doc.year", "doc.colour", 0}, "max_q": {"0.5", "2", 0}, "trends.sort": {"change", "sideways", 0},
	"against": {"tagged2", "nothing", 0}, "terms.tag": {"pos", "colour", 0}, "terms.corpus": {"tagged", "nothing", 404}, "terms.attr": {"word", "colour", 0}, "min_tokens": {"1", "7", 0}, "max_tokens": {"2", "0", 0},
	"part": {"forms", "colour", 0}, "time": {"doc.year", "doc.colour", 0}, "register": {"doc.year", "doc.colour", 0}, "site": {"doc.title", "doc.colour", 0},
	"aligned": {"others", "nothing", 0}, "min_likelihood": {"0", "-1", 0}, "person": {"ann", "Ann!", 0}, "id": {"mill", "windmill", 404}, "blank": {"all", "some", 0},
	"perplexity.model": {"harbour", "windmill", 0}, "perplexity.limit": {"8000", "-1", 0}, "compat": {"pyplexity", "x", 0},
	"path": {"x.html", "../x.html", 404}, "If-None-Match": {right: `"x"`},
	"subcorpus": {"reeds", "windmill", 0}, "resubcorpus": {"reeds", "windmill", 0}, "subcorpus-delete.corpus": {"finches", "nothing", 404}, "subcorpus-delete.name": {"mill", "windmill", 404}, "replace": yes,
	"labels.corpus": {right: "finches"}, "labels.patt": {right: "finch"}, "name": {"mill", "windmill", 404}, "upload-file.path": {"a/x.html", "../x.html", 422}, "offset": {"0", "5", 409}, "owner": {"owner", "windmill", 404},
	"admin-user-remove.name": {"mill", "windmill", 422}, "admin-corpus-remove.name": {"dam", "windmill", 404},
}

// prepared are requests before each request of an operation, whose answers do not matter: method,
// path and body.
var prepared = map[string][][3]string{
	"subcorpus-delete": {{"POST", "/v1/workspace/subcorpora", `{"corpus": "finches", "name": "mill", "filter": "doc.year>=2000"}`}},
	"saved":            {savedMill}, "saved-delete": {savedMill},
	"upload-create": {{"DELETE", "/v1/workspace/corpora/mill", ""}}, "upload-delete": newMill, "upload-file": newMill, "upload-build": newMill, "upload-share": newMill, "admin-upload-delete": newMill,
	"upload-cancel":    append(slices.Clone(newMill), [3]string{"POST", "/v1/workspace/corpora/mill/build", "{}"}),
	"admin-corpus-add": {{"DELETE", "/v1/admin/corpora?name=dam", ""}}, "admin-corpus-remove": {{"POST", "/v1/admin/corpora", `{"name": "dam", "path": "DIR/others"}`}},
	"admin-user-remove": {{"POST", "/v1/admin/users", `{"name": "mill"}`}},
}

var savedMill = [3]string{"POST", "/v1/workspace/import", `{"chaffinch_workspace": 1, "saved": [{"id": "mill", "name": "Mill", "corpus": "finches", "view": "hits", "params": {}}]}`}

// newMill creates an uploaded corpus with a file.
var newMill = [][3]string{{"DELETE", "/v1/workspace/corpora/mill", ""}, {"POST", "/v1/workspace/corpora", `{"name": "mill"}`}, {"POST", "/v1/workspace/corpora/mill/files?path=a.txt", "The mill grinds."}}

// bodies are those of the operations that take no page: one that is answered, and one
// that is not.
var bodies = map[string]struct{ kind, right, wrong string }{
	"batch": {"application/x-ndjson", `{"text": "The finch drinks water in the morning."}`, ""}, "tokenize": {"text/plain", "The finch drinks.", ""},
	"perplexity": {"text/plain", "The finch drinks.", ""}, "plagiarism": {"text/plain", "The finch drinks.", ""},
	"shard":           {"application/json", `{"op": "size"}`, `{"op": "windmill"}`},
	"scrape":          {"application/json", `{"url": "http://finch.example/a"}`, `{"url": 5}`},
	"desk-label":      {"application/json", `{"what": "label", "seq": SEQ, "labels": [{"block": 0, "label": "navigation"}]}`, `{"what": "erase", "seq": 0}`},
	"desk-judge":      {"application/json", `{"block": 0, "label": "notice"}`, `{"block": "first", "label": "notice"}`},
	"desk-use":        {"application/json", `{"number": 0}`, `{"number": -1}`},
	"documents-label": {"application/json", `{"what": "label", "seq": SEQ, "labels": ["ne"]}`, `{"what": "erase", "seq": 0}`}, "documents-judge": {"application/json", `{"labels": ["ne"]}`, `{"labels": "ne"}`},
	"documents-use": {"application/json", `{"number": 0}`, `{"number": -1}`}, "documents-train": {"application/json", ``, ""}, "documents-cancel": {"application/json", ``, ""},
	"subcorpus-save":   {"application/json", `{"corpus": "finches", "name": "winter", "filter": "doc.year>=2000"}`, `{"corpus": "finches", "name": "winter"}`},
	"history-add":      {"application/json", `{"corpus": "finches", "view": "hits", "params": {"patt": "finch"}}`, ""},
	"saved-save":       {"application/json", `{"name": "Finch", "corpus": "finches", "view": "hits", "params": {"patt": "finch"}}`, `{"id": "windmill", "name": "x", "corpus": "x", "view": "x", "params": 5}`},
	"labels-set":       {"application/json", `{"labels": [{"corpus": "finches", "patt": "finch", "start": 1, "end": 2, "label": 3}]}`, `{"labels": [{"corpus": "finches", "patt": "finch", "start": 2, "end": 2, "label": 3}]}`},
	"workspace-import": {"application/json", `{"chaffinch_workspace": 1}`, `{"chaffinch_workspace": 2}`}, "upload-create": {"application/json", `{"name": "mill"}`, `{"name": "../mill"}`},
	"upload-build": {"application/json", `{}`, `{"recipe": "windmill"}`}, "upload-cancel": {"application/json", ``, ""}, "upload-share": {"application/json", `{"shared": true}`, ""}, "upload-file": {"application/octet-stream", "The mill grinds.", ""},
	"admin-corpus-add": {"application/json", `{"name": "dam", "path": "DIR/others"}`, `{"name": "dam", "path": "/etc"}`}, "admin-user-set": {"application/json", `{"name": "mill"}`, `{"name": "../mill"}`},
	"desk-train": {"application/json", ``, ""}, "desk-cancel": {"application/json", ``, ""},
}

// described is what the test reads of the OpenAPI document.
type described struct {
	Paths map[string]map[string]struct {
		OperationID, Summary string
		Parameters           []struct {
			Name, In, Description string
			Required              bool
			Schema                struct{ Minimum, Maximum *float64 }
		}
		RequestBody *struct{ Content map[string]any }
		Responses   map[string]struct {
			Content map[string]struct{ Schema map[string]any }
		}
	}
	Components struct{ Schemas map[string]map[string]any }
}

// differs returns the first difference between a JSON value and its schema, or "".
func (d *described) differs(schema map[string]any, at string, value any) string {
	if ref, ok := schema["$ref"].(string); ok {
		schema = d.Components.Schemas[strings.TrimPrefix(ref, "#/components/schemas/")]
	}
	kinds, _ := schema["type"].([]any)
	if kind, ok := schema["type"].(string); ok {
		kinds = []any{kind}
	}
	kind := map[string]string{"<nil>": "null", "map[string]interface {}": "object", "[]interface {}": "array", "float64": "number", "bool": "boolean", "string": "string"}[fmt.Sprintf("%T", value)]
	if kinds != nil && !slices.Contains(kinds, any(kind)) && !(kind == "number" && slices.Contains(kinds, any("integer"))) {
		return fmt.Sprintf("%s: %s, described as %v", at, kind, kinds)
	}
	switch v := value.(type) {
	case []any:
		items, _ := schema["items"].(map[string]any)
		for _, x := range v {
			if found := d.differs(items, at+"[]", x); found != "" {
				return found
			}
		}
	case map[string]any:
		required, _ := schema["required"].([]any)
		for _, name := range required {
			if _, ok := v[name.(string)]; !ok {
				return fmt.Sprintf("%s: no %s", at, name)
			}
		}
		properties, _ := schema["properties"].(map[string]any)
		others, _ := schema["additionalProperties"].(map[string]any)
		for name, x := range v {
			of, ok := properties[name].(map[string]any)
			if !ok && schema["additionalProperties"] == false {
				return fmt.Sprintf("%s: %s is not described", at, name)
			}
			if !ok {
				of = others
			}
			if found := d.differs(of, at+"."+name, x); found != "" {
				return found
			}
		}
	}
	return ""
}

// walker goes through the operations of a server.
type walker struct {
	*testServer
	t   *testing.T
	seq map[string]int // steps by operation
}

// TestWalk goes through the OpenAPI document as a client does: every operation with each
// parameter right and wrong, without what it needs, and with what it does not know.
func TestWalk(t *testing.T) {
	testkit.Slow(t)
	w := &walker{testServer: everything(t), t: t, seq: map[string]int{}}
	_, text := w.get(t, "/openapi.json")
	var doc described
	must.Succeed(t, json.Unmarshal([]byte(text), &doc))
	for _, person := range []string{"bob", "eve"} { // they differ on block 0
		label := map[string]string{"bob": "navigation", "eve": "body"}[person]
		for _, body := range []string{fmt.Sprintf(`{"what": "label", "seq": 0, "labels": [{"block": 0, "label": %q}]}`, label), `{"what": "accept", "seq": 1}`} {
			if a, text := w.post(t, "/v1/desk/pages/mill/labels?person="+person, "application/json", body); a.StatusCode != 200 {
				t.Fatalf("status %d: %s", a.StatusCode, text)
			}
		}
	}
	used := map[string]bool{}
	for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
		for method, op := range doc.Paths[path] {
			t.Run(op.OperationID, func(t *testing.T) {
				w.t = t
				if op.Summary == "" || len(op.Responses["200"].Content) == 0 {
					t.Errorf("no summary, or no media type of the answer: %+v", op)
				}
				example := func(name string) given {
					for _, key := range []string{op.OperationID + "." + name, name} {
						if g, ok := examples[key]; ok {
							used[key] = true
							return g
						}
					}
					t.Fatalf("no example of the parameter %s", name)
					return given{}
				}
				needed := map[string]string{}
				for _, p := range op.Parameters {
					if p.Required {
						needed[p.Name] = example(p.Name).right
					}
				}
				switch op.OperationID {
				case "keywords": // not against itself
					needed["refilter"] = `doc.year="2002"`
				case "filter":
					needed["rules"] = "c4"
				case "perplexity": // of a model of PyPlexity
					needed["model"] = "harbour"
				}
				twice := "" // a parameter of the query
				ask := func(changes map[string]string, body string) (*http.Response, string) {
					r := &walked{op: op.OperationID, method: strings.ToUpper(method), path: path, query: url.Values{}, header: http.Header{}, body: body}
					all := maps.Clone(needed)
					maps.Copy(all, changes)
					if all["frequency_list"] != "" { // the list is the reference
						delete(all, "refilter")
					}
					for _, p := range op.Parameters {
						r.set(p.In, p.Name, all)
					}
					for name, value := range all { // what the operation does not know
						r.query.Set(name, value)
					}
					if twice != "" {
						r.query.Add(twice, "x")
					}
					return w.ask(r, op.RequestBody != nil)
				}
				right := func(what, body string, changes map[string]string) {
					a, text := ask(changes, body)
					if strings.HasSuffix(op.OperationID, "-train") && a.StatusCode == 422 && strings.Contains(text, "for training") {
						return // fewer pages or documents are done
					}
					if op.OperationID == "upload-cancel" && a.StatusCode == 409 {
						return // the build has ended
					}
					media, _, _ := strings.Cut(a.Header.Get("Content-Type"), ";")
					content, ok := op.Responses["200"].Content[media]
					if a.StatusCode != 200 || !ok {
						t.Errorf("%s: status %d, Content-Type %s: %.300s", what, a.StatusCode, media, text)
						return
					}
					for from := json.NewDecoder(strings.NewReader(text)); content.Schema != nil && from.More(); {
						var value any
						must.Succeed(t, from.Decode(&value))
						if found := doc.differs(content.Schema, media, value); found != "" {
							t.Errorf("%s: %s", what, found)
						}
					}
				}
				wrong := func(what, name, found string, status int, body string, changes map[string]string) {
					a, text := ask(changes, body)
					checkProblem(t, what, a, text, status, name, found)
				}
				right("what is needed", "", nil)
				for _, p := range op.Parameters {
					if p.Description == "" {
						t.Errorf("the parameter %s is not described", p.Name)
					}
					g := example(p.Name)
					right(p.Name+"="+g.right, "", map[string]string{p.Name: g.right})
					for _, bound := range []*float64{p.Schema.Minimum, p.Schema.Maximum} {
						if bound == nil {
							continue
						}
						value := strconv.FormatFloat(*bound, 'f', -1, 64)
						if a, text := ask(map[string]string{p.Name: value}, ""); a.StatusCode >= 500 {
							t.Errorf("%s=%s: status %d: %.300s", p.Name, value, a.StatusCode, text)
						}
					}
					if g.wrong != "" {
						status := g.status
						if status == 0 {
							status = 422
						}
						place := p.Name
						if p.Name == "id" {
							kind, _, _ := strings.Cut(op.OperationID, "-")
							place = map[string]string{"desk": "page", "documents": "document", "saved": "saved query"}[kind]
						}
						wrong(p.Name+"="+g.wrong, place, g.wrong, status, "", map[string]string{p.Name: g.wrong})
					}
					if p.In == "query" {
						twice = p.Name
						wrong(p.Name+" twice", p.Name, "2 values", 422, "", map[string]string{p.Name: g.right})
						twice = ""
					}
					if p.Required && p.In == "query" {
						wrong("without "+p.Name, p.Name, "missing", 422, "", map[string]string{p.Name: ""})
					}
				}
				wrong("a parameter that it does not know", "bogus", "unknown parameter", 422, "", map[string]string{"bogus": "1"})
				if b := bodies[op.OperationID]; b.wrong != "" {
					wrong("a wrong body", "", "wanted", 422, b.wrong, nil)
					wrong("half a body", "body", "", 400, "{", nil)
				}
			})
		}
	}
	for name := range examples {
		if !used[name] {
			t.Errorf("no operation has the parameter %s", name)
		}
	}
	w.t = t
	w.elsewhere(doc)
}

// elsewhere asks what no operation answers: paths near those of the document, and what
// other servers have; and each path of the document by other methods.
func (w *walker) elsewhere(doc described) {
	paths := map[string]bool{"/v1/": true, "/v2": true, "/docs/": true, "/assets/": true, "/assets/../serve.go": true, "/schemas": true, "/schemas/Hits.json": true, "/debug/pprof/": true, "/debug/vars": true,
		"/admin": true, "/favicon.ico": true, "/robots.txt": true, "/.well-known/security.txt": true, "/metrics/": true, "/healthz/": true, "/fcs/": true, "/mcp/": true, "/v1/openapi.json": true, "/swagger.json": true}
	fill := strings.NewReplacer("{corpus}", "finches", "{id}", "mill", "{name}", "mill")
	for path := range doc.Paths {
		path = fill.Replace(path)
		paths[path+"/"], paths[path+"/nothing"], paths[strings.ToUpper(path)] = true, true, true
		for up := path; up != "/"; up = filepath.Dir(up) {
			paths[up] = true
		}
	}
	for path, ops := range doc.Paths {
		path = fill.Replace(path)
		delete(paths, path)
		for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"} {
			if _, ok := ops[strings.ToLower(method)]; ok {
				continue
			}
			a, text := w.ask(&walked{method: method, path: path, header: http.Header{}}, false)
			checkProblem(w.t, method+" "+path, a, text, 405, path, method)
			if _, get := ops["get"]; strings.Contains(a.Header.Get("Allow"), "GET, HEAD") != get || a.Header.Get("Allow") == "" {
				w.t.Errorf("%s %s: Allow %q", method, path, a.Header.Get("Allow"))
			}
		}
	}
	for path := range paths {
		if strings.HasPrefix(path, "/v1/corpora/finches/nothing") || path == "/v1/corpora/nothing" {
			continue
		}
		a, text := w.ask(&walked{method: "GET", path: path, header: http.Header{}}, false)
		if a.StatusCode != 404 && a.StatusCode != 405 {
			w.t.Errorf("%s, which is not in the document: status %d: %.200s", path, a.StatusCode, text)
		}
	}
}

// walked is a request of a walker.
type walked struct {
	op, method, path string
	query            url.Values
	header           http.Header
	body             string
}

// set takes a parameter out of those that are left and puts it in its place.
func (r *walked) set(in, name string, left map[string]string) {
	value, ok := left[name]
	if !ok {
		return
	}
	delete(left, name)
	switch in {
	case "query":
		r.query.Set(name, value)
	case "path":
		r.path = strings.Replace(r.path, "{"+name+"}", url.PathEscape(value), 1)
	case "header":
		r.header.Set(name, value)
	}
}

// ask sends a request, with the body of its operation unless it has one.
func (w *walker) ask(r *walked, page bool) (*http.Response, string) {
	w.t.Helper()
	kind, body := "text/html", ""
	if page {
		body = article
	}
	if b, ok := bodies[r.op]; ok {
		kind, body = b.kind, strings.ReplaceAll(b.right, "SEQ", fmt.Sprint(w.seq[r.op]))
	}
	if r.body != "" {
		body = r.body
	}
	for _, p := range prepared[r.op] {
		q := must.Get(http.NewRequestWithContext(w.t.Context(), p[0], w.URL+p[1], strings.NewReader(strings.ReplaceAll(p[2], "DIR", w.dir))))(w.t)
		q.Header.Set("Content-Type", "application/json")
		w.do(w.t, q)
	}
	body = strings.ReplaceAll(body, "DIR", w.dir)
	q, err := http.NewRequestWithContext(w.t.Context(), r.method, w.URL+r.path+"?"+r.query.Encode(), strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	q.Header.Set("Content-Type", kind)
	maps.Copy(q.Header, r.header)
	a, text := w.do(w.t, q)
	if strings.HasSuffix(r.op, "-label") && a.StatusCode == 200 {
		w.seq[r.op]++
	}
	return a, text
}

// says are the words by which a problem tells what would do.
var says = regexp.MustCompile(`wanted|have|it has|there are|no such|has no`)

// checkProblem checks that an answer is a problem that says place, found and wanted.
func checkProblem(t *testing.T, what string, a *http.Response, text string, status int, place, found string) {
	t.Helper()
	var p problem.Problem
	if err := json.Unmarshal([]byte(text), &p); err != nil || a.StatusCode != status || p.Status != status || a.Header.Get("Content-Type") != "application/problem+json" || p.Title != http.StatusText(status) {
		t.Errorf("%s: status %d, wanted %d, Content-Type %s: %.300s", what, a.StatusCode, status, a.Header.Get("Content-Type"), text)
		return
	}
	if !strings.Contains(p.Detail, place) || !strings.Contains(p.Detail, found) || !says.MatchString(p.Detail) && found != "missing" && status != 400 {
		t.Errorf("%s: the problem does not say %s, %s and what was wanted: %s", what, place, found, p.Detail)
	}
}

// buildTagged builds an index of the corpus finches in which all tokens are nouns, with sketches.
func buildTagged(t *testing.T, dir string) {
	t.Helper()
	build := corpus.DefaultBuild
	build.Columns = []string{"word", "pos"}
	text := regexp.MustCompile(`(?m)^([^<\n]+)$`).ReplaceAllString(vertical(), "$1\tNOUN")
	must.Succeed(t, must.Err(corpus.Build(t.Context(), strings.NewReader(text), dir, build)))
	addSketches(t, dir)
}

// addSketches adds word sketches with the relation of each word to the next one.
func addSketches(t *testing.T, dir string) {
	t.Helper()
	grammar := must.File(t, "grammar", "*DUAL\n=next/before\n1:[] 2:[]\n")
	_, _, err := sketch.Update(t.Context(), dir, grammar, sketch.DefaultBuild)
	must.Succeed(t, err)
}

// everything is a server with all that a server can have.
func everything(t *testing.T) *testServer {
	t.Helper()
	dir := t.TempDir()
	cfg := Config{Corpora: map[string]string{}, Reports: filepath.Join(dir, "reports"), Sources: filepath.Join(dir, "sources"), Visitor: finchWeb(t),
		WordModels: map[string]string{"harbour": "../text/lm/pyplexity/testdata/reference/bigrams.st"}}
	for _, name := range []string{"finches", "others", "tagged", "tagged2"} {
		cfg.Corpora[name] = filepath.Join(dir, name)
		if strings.HasPrefix(name, "tagged") {
			buildTagged(t, cfg.Corpora[name])
			continue
		}
		must.Succeed(t, must.Err(corpus.Build(t.Context(), strings.NewReader(vertical()), cfg.Corpora[name], corpus.DefaultBuild)))
	}
	addSketches(t, cfg.Corpora["finches"])
	align(t, cfg.Corpora["finches"], cfg.Corpora["others"])
	b := must.Get(plagiarism.NewIndexBuilder(cfg.Sources, plagiarism.DefaultIndex, 64<<20, "test"))(t)
	must.Succeed(t, b.Add("finch.txt", "The chaffinch comes to the water early in the morning, when nobody else is there."))
	must.Succeed(t, b.Close(t.Context()))
	must.Succeed(t, os.Mkdir(cfg.Reports, 0o777))
	must.Write(t, filepath.Join(cfg.Reports, "x.html"), report.Mark+article)
	cfg.Desk, _ = mills(t)
	cfg.Documents = documentsOf(t, "registers", `{"id":"mill","title":"Mill","text":"The mill grinds corn."}`)
	sp := must.Get(space.Open(space.Config{Dir: filepath.Join(dir, "store"), Roots: []string{dir}}))(t)
	cfg.Space = sp
	s := start(t, cfg)
	t.Cleanup(func() { sp.Close() })
	s.dir = dir
	for _, name := range []string{"finches", "tagged"} {
		if a, text := s.post(t, "/v1/workspace/subcorpora", "application/json", `{"corpus": "`+name+`", "name": "reeds", "filter": "doc.year>=2000"}`); a.StatusCode != 200 {
			t.Fatalf("status %d: %s", a.StatusCode, text)
		}
	}
	return s
}

// align aligns the sentences of two indexes by number.
func align(t *testing.T, first, second string) {
	t.Helper()
	a := must.Get(corpus.Open(first))(t)
	defer a.Close()
	b := must.Get(corpus.Open(second))(t)
	defer b.Close()
	must.Succeed(t, must.Err(corpus.Align(t.Context(), a, b, corpus.AlignConfig{Unit: "s"})))
}
