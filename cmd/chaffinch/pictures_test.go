package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chaffinch/input"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/serve"
	"chaffinch/serve/desk/documents"
)

// pictured are the pictures in docs/pictures: pages of the server, from #, or files that
// commands wrote, and an expression that is true when the page is complete.
var pictured = []struct{ name, page, ready string }{
	{"explain", "explain.html", `document.body.dataset.ready === "yes"`},
	{"filter", "filter.html", `true`},
	{"corpora", "#corpus", `document.body.innerText.includes("skarv")`},
	{"corpus", "#corpus/skarv", `document.body.innerText.includes("tokens")`},
	{"hits", "#corpus/skarv/hits?refs=doc.title&context=45&patt=" + url.QueryEscape(`[lc="boat|boats|ferry"]`), `document.querySelectorAll("mark, .match, td.hit").length > 5`},
	{"collocations", "#corpus/skarv/collocations?patt=" + url.QueryEscape(`[lc="boat|boats|ferry"]`), `document.querySelectorAll("tbody tr").length > 3`},
	{"clean", "#clean?example=true", `document.querySelectorAll("iframe").length === 2`},
	{"documents", "#documents/text?as=ann&id=site/news/mill.html", `document.body.innerText.includes("Save and next")`},
}

// preparing are the commands that write the input of the pictures, in a folder with the site of
// the tutorials.
var preparing = []string{
	"explain site/news/mill.html -o explain.html",
	"clean site --langs en -o pages.jsonl",
	"filter pages.jsonl --rules gopher_quality,c4 -o good.jsonl --report filter.html",
	"dedup -m minhash pages.jsonl -o unique.jsonl",
	"clean site --langs en -o pages.vert",
	"dedup pages.vert --rank input -o unique.vert",
	"corpus index unique.vert -o skarv",
}

// TestPictures takes the pictures of the documentation in Chromium. Without -pictures it
// compares what the pages show with the hashes in docs/pictures/pictures.txt: a difference
// means that a picture is out of date.
//
//	go test ./cmd/chaffinch -run TestPictures -pictures
func TestPictures(t *testing.T) {
	testkit.Browser(t)
	dir := must.Get(filepath.Abs("../../docs/pictures"))(t)
	site := must.Get(filepath.Abs("../../docs/tutorials/data/site"))(t)
	t.Chdir(t.TempDir())
	must.Succeed(t, os.CopyFS("site", os.DirFS(site)))
	for _, line := range preparing {
		var out bytes.Buffer
		if code := run(strings.Fields(line), &console{strings.NewReader(""), &out, &out}); code > 1 {
			t.Fatalf("%s: exit code %d: %s", line, code, out.String())
		}
	}
	here := must.Get(os.Getwd())(t)
	cfg := documents.Default
	cfg.Dir = "genres"
	cfg.Scheme = must.Get(documents.ReadScheme("registers"))(t)
	must.Succeed(t, must.Err(documents.Add(t.Context(), cfg.Dir, []string{"unique.jsonl"}, documents.AddConfig{Scheme: cfg.Scheme, Input: input.Default})))
	desk := must.Get(documents.Open(t.Context(), cfg))(t)
	t.Cleanup(func() { desk.Close() })
	start := func(cfg serve.Config) string {
		cfg.Log = slog.DiscardHandler
		s := must.Get(serve.New(cfg))(t)
		h := httptest.NewServer(s.Handler())
		t.Cleanup(func() { h.Close(); s.Close() })
		return h.URL
	}
	corpora := start(serve.Config{Corpora: map[string]string{"skarv": filepath.Join(here, "skarv")}})
	annotation := start(serve.Config{Documents: desk})
	var list strings.Builder
	tab := testkit.NewTab(t, 1200)
	for _, p := range pictured {
		switch {
		case strings.HasPrefix(p.page, "#documents"):
			tab.Go(annotation + "/" + p.page)
		case strings.HasPrefix(p.page, "#"):
			tab.Go(corpora + "/?" + p.name + p.page) // another document for each
		default:
			tab.Go("file://" + filepath.Join(here, p.page))
		}
		tab.Wait(p.ready)
		tab.Wait(`(window.same = window.text === (window.text = document.body.innerText) ? (window.same || 0) + 1 : 0) > 20`) // nothing more is loading
		shown := tab.Eval(`document.body.innerText + [...document.styleSheets].map(s => { try { return [...s.cssRules].map(r => r.cssText).join() } catch { return "" } }).join()`)
		shown = strings.NewReplacer(corpora, "", annotation, "", here, "").Replace(shown)
		fmt.Fprintf(&list, "%s %x\n", p.name, sha256.Sum256([]byte(shown)))
		if *updatePictures {
			must.Write(t, filepath.Join(dir, p.name+".png"), tab.Picture())
		}
	}
	if *updatePictures {
		must.Write(t, filepath.Join(dir, "overview.png"), overview(t, dir))
		must.Write(t, filepath.Join(dir, "pictures.txt"), list.String())
		return
	}
	for line := range strings.Lines(string(must.Read(t, filepath.Join(dir, "pictures.txt")))) {
		if name, _, _ := strings.Cut(line, " "); !strings.Contains(list.String(), line) {
			t.Errorf("docs/pictures/%s.png is out of date: go test ./cmd/chaffinch -run TestPictures -pictures", name)
		}
	}
}

// overview puts three pictures on one, for README.md.
func overview(t *testing.T, dir string) []byte {
	source := func(name, kind string) string {
		b := must.Read(t, filepath.Join(dir, name))
		if before, rest, ok := bytes.Cut(b, []byte("@media")); ok && kind == "image/svg+xml" { // no animation: the last screen
			_, after, _ := bytes.Cut(rest, []byte("</style>"))
			b = slices.Concat(before, []byte("</style>"), after)
		}
		return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(b)
	}
	page := fmt.Sprintf(`<!doctype html><meta charset="utf-8"><style>
body{margin:0;width:1600px;height:900px;position:relative;background:#e9efec;overflow:hidden}
img{position:absolute;border-radius:10px;box-shadow:0 6px 28px #0004}
</style><img src="%s" style="left:40px;top:40px;width:900px"><img src="%s" style="left:660px;top:150px;width:900px"><img src="%s" style="left:180px;top:560px;width:760px">`,
		source("explain.png", "image/png"), source("hits.png", "image/png"), source("terminal.svg", "image/svg+xml"))
	file := must.File(t, "overview.html", page)
	tab := testkit.NewTab(t, 1600)
	tab.Go("file://" + file)
	return tab.Picture()
}
