package serve

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"chaffinch/corpus"
	"chaffinch/crawl/fetch"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/serve/space"
)

// spaced is a server with a folder of workspaces, and clients with the tokens of users.
type spaced struct {
	t      *testing.T
	s      *testServer
	dir    string
	tokens map[string]string
	close  func() // closes server and folder
}

// ownerToken is the token of the server.
const ownerToken = "owner-token"

// startSpace starts a server with a corpus and the users anna and bob.
func startSpace(t *testing.T, cfg space.Config) *spaced {
	t.Helper()
	cfg.Dir = filepath.Join(t.TempDir(), "data")
	x := &spaced{t: t, dir: cfg.Dir, tokens: map[string]string{"owner": ownerToken}}
	for _, name := range []string{"anna", "bob"} {
		token := must.Get(space.OpenUsers(cfg.Dir).Add(space.Account{Name: name}))(t)
		x.tokens[name] = token
	}
	x.open(cfg)
	return x
}

// open opens the folder and starts a server.
func (x *spaced) open(cfg space.Config) {
	x.t.Helper()
	dir := filepath.Join(x.t.TempDir(), "finches")
	must.Succeed(x.t, must.Err(corpus.Build(x.t.Context(), strings.NewReader(vertical()), dir, corpus.DefaultBuild)))
	sp := must.Get(space.Open(cfg))(x.t)
	x.s = start(x.t, Config{Token: ownerToken, Space: sp, Corpora: map[string]string{"finches": dir}})
	x.close = sync.OnceFunc(func() {
		x.s.http.Close()
		if err := sp.Close(); err != nil {
			x.t.Error(err)
		}
	})
	x.t.Cleanup(x.close)
}

// ask sends a request of a user and decodes the answer into out, unless it is nil. It returns status
// and answer.
func (x *spaced) ask(user, method, path string, body, out any) (int, string) {
	x.t.Helper()
	var in io.Reader
	kind := "application/json"
	switch b := body.(type) {
	case nil:
	case []byte:
		in, kind = strings.NewReader(string(b)), "application/octet-stream"
	case string:
		in = strings.NewReader(b)
	default:
		j := must.Get(json.Marshal(b))(x.t)
		in = strings.NewReader(string(j))
	}
	r := must.Get(http.NewRequestWithContext(x.t.Context(), method, x.s.URL+path, in))(x.t)
	r.Header.Set("Content-Type", kind)
	r.Header.Set("Authorization", "Bearer "+x.tokens[user])
	a, text := x.s.do(x.t, r)
	if out != nil {
		if a.StatusCode != 200 {
			x.t.Fatalf("%s %s of %s: status %d: %s", method, path, user, a.StatusCode, text)
		}
		must.Succeed(x.t, json.Unmarshal([]byte(text), out))
	}
	return a.StatusCode, text
}

// want is ask with an expected status and a part of the answer.
func (x *spaced) want(status int, part, user, method, path string, body any) {
	x.t.Helper()
	if got, text := x.ask(user, method, path, body, nil); got != status || !strings.Contains(text, part) {
		x.t.Errorf("%s %s of %s: status %d, wanted %d with %q: %.300s", method, path, user, got, status, part, text)
	}
}

// page returns a page with distinct text.
func page1(n int) []byte {
	return []byte(fmt.Sprintf(`<!doctype html><html lang="en"><title>Page %d</title><body><article><h1>The heron %[1]d</h1>
<p>The heron number %[1]d stands in the shallow water of the lake and waits for a long time until a fish comes near enough.</p>
<p>In the evening, when %[1]d boats have left the harbour, it flies back over the meadow to the old trees behind the church.</p></article></body></html>`, n))
}

// upload uploads pages to a new corpus of a user.
func (x *spaced) upload(user, name string, pages int) {
	x.t.Helper()
	x.want(200, `"state":"new"`, user, "POST", "/v1/workspace/corpora", map[string]string{"name": name})
	for i := range pages {
		x.want(200, "", user, "POST", fmt.Sprintf("/v1/workspace/corpora/%s/files?path=pages/%d.html", name, i), page1(i))
	}
}

// until waits for a state of an uploaded corpus.
func (x *spaced) until(user, name string, states ...string) space.Upload {
	x.t.Helper()
	for range 600 {
		var list space.Uploads
		x.ask(user, "GET", "/v1/workspace/corpora", nil, &list)
		for _, u := range list.Corpora {
			for _, s := range states {
				if u.Name == name && u.State == s {
					return u
				}
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	_, text := x.ask(user, "GET", "/v1/workspace/corpora", nil, nil)
	x.t.Fatalf("%s of %s is not %v: %s", name, user, states, text)
	return space.Upload{}
}

// TestUpload: files are uploaded in pieces, built and queried by their owner alone, until the owner
// shares the corpus or deletes it.
func TestUpload(t *testing.T) {
	x := startSpace(t, space.Config{})
	x.upload("anna", "herons", 2)
	whole := page1(7)
	x.want(200, "", "anna", "POST", "/v1/workspace/corpora/herons/files?path=long.html", whole[:100])
	x.want(409, "wanted this offset", "anna", "POST", "/v1/workspace/corpora/herons/files?path=long.html&offset=50", whole[50:])
	x.want(200, fmt.Sprintf(`"files":3,"bytes":%d`, len(page1(0))+len(page1(1))+len(whole)), "anna", "POST", "/v1/workspace/corpora/herons/files?path=long.html&offset=100", whole[100:])
	x.want(404, "no uploaded corpus", "bob", "POST", "/v1/workspace/corpora/herons/files?path=x.html", whole)
	kind, form := formBody("@file=" + string(whole))
	if a, got := x.s.post(t, "/v1/workspace/corpora/herons/files?path=x.html", kind, form, "Authorization: Bearer "+x.tokens["anna"]); a.StatusCode != 415 || !strings.Contains(got, "as the body") {
		t.Errorf("a form as a file: status %d: %s", a.StatusCode, got)
	}
	if a, got := x.s.post(t, "/v1/workspace/corpora/herons/files?path=x.html", "application/x-www-form-urlencoded", string(whole), "Authorization: Bearer "+x.tokens["anna"]); a.StatusCode != 415 {
		t.Errorf("a form of fields as a file: status %d: %s", a.StatusCode, got)
	}
	x.want(404, "no uploaded corpus", "bob", "POST", "/v1/workspace/corpora/herons/build", "{}")
	x.want(200, `"queued"`, "anna", "POST", "/v1/workspace/corpora/herons/build", map[string]any{"langs": []string{"en"}, "all": true})
	u := x.until("anna", "herons", "ready", "failed")
	if u.State != "ready" || u.Corpus != "herons~anna" || u.Pages != 3 || u.Tokens < 100 {
		t.Fatalf("%+v", u)
	}
	hits := "/v1/corpora/herons~anna/hits?patt=heron"
	x.want(200, `"total":6`, "anna", "GET", hits, nil)
	x.want(404, "no corpus", "bob", "GET", hits, nil)
	x.want(404, "no corpus", "owner", "GET", hits, nil)
	for user, want := range map[string]bool{"anna": true, "bob": false, "owner": false} {
		for _, path := range []string{"/v1/about", "/v1/corpora", "/fcs?operation=explain&x-fcs-endpoint-description=true"} {
			if _, text := x.ask(user, "GET", path, nil, nil); strings.Contains(text, "herons") != want {
				t.Errorf("%s of %s: names the corpus of anna: %v", path, user, !want)
			}
		}
	}
	x.want(404, "", "bob", "POST", "/v1/workspace/corpora/herons/share", map[string]bool{"shared": true})
	x.want(200, `"shared":true`, "anna", "POST", "/v1/workspace/corpora/herons/share", map[string]bool{"shared": true})
	x.want(200, `"total":6`, "bob", "GET", hits, nil)
	x.want(404, "", "bob", "DELETE", "/v1/workspace/corpora/herons", nil)
	x.want(403, "not an administrator", "bob", "DELETE", "/v1/admin/uploads?owner=anna&name=herons", nil)
	x.want(200, "", "anna", "DELETE", "/v1/workspace/corpora/herons", nil)
	x.want(404, "no corpus", "anna", "GET", hits, nil)
	if left, _ := filepath.Glob(filepath.Join(x.dir, "corpora", "anna", "*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// TestUploadFails: the result of a failed build names the reason and the fix.
func TestUploadFails(t *testing.T) {
	x := startSpace(t, space.Config{Quota: space.Quota{Bytes: 300_000_000, Corpora: 2}})
	x.upload("anna", "none", 0)
	x.want(422, "has no files", "anna", "POST", "/v1/workspace/corpora/none/build", "{}")
	x.want(200, "", "anna", "POST", "/v1/workspace/corpora/none/files?path=a.html", page1(1))
	x.want(422, "wanted one of linguist", "anna", "POST", "/v1/workspace/corpora/none/build", `{"recipe": "/etc/passwd"}`)
	x.want(422, "langs", "anna", "POST", "/v1/workspace/corpora/none/build", `{"langs": ["klingon language"]}`)
	x.want(422, "does not crawl", "anna", "POST", "/v1/workspace/corpora/none/build", `{"urls": ["http://127.0.0.1/"]}`)
	x.want(200, "", "anna", "POST", "/v1/workspace/corpora/none/build", `{"langs": ["fr"]}`)
	u := x.until("anna", "none", "ready", "failed")
	if u.State != "failed" || u.Error != "No text was kept." || !strings.Contains(u.Hint, "fr? Leave the languages empty") {
		t.Errorf("%+v", u)
	}
	x.want(404, "", "anna", "GET", "/v1/corpora/none~anna/hits?patt=heron", nil)
	x.want(200, "", "anna", "POST", "/v1/workspace/corpora/none/build", `{"all": true}`)
	if u := x.until("anna", "none", "ready", "failed"); u.State != "ready" {
		t.Errorf("%+v", u)
	}
	x.want(200, "", "anna", "POST", "/v1/workspace/corpora", map[string]string{"name": "second"})
	x.want(413, "your quota is 2", "anna", "POST", "/v1/workspace/corpora", map[string]string{"name": "third"})
	must.Succeed(t, space.OpenUsers(x.dir).Set("anna", false, space.Quota{Bytes: 100_000}))
	x.want(413, "your quota is 100000", "anna", "POST", "/v1/workspace/corpora/second/files?path=a", make([]byte, 100_001))
}

// TestWorkspaceIsolation: users see and change only their items; a shared query is read by its link.
func TestWorkspaceIsolation(t *testing.T) {
	x := startSpace(t, space.Config{})
	const subs, saved = "/v1/workspace/subcorpora", "/v1/workspace/saved"
	late := map[string]any{"corpus": "finches", "name": "late", "filter": "doc.year>=2001"}
	x.want(200, `"tokens":`, "anna", "POST", subs, late)
	x.want(200, "", "anna", "POST", subs, late) // the same again
	late["filter"] = "doc.year>=2002"
	x.want(409, "another definition", "anna", "POST", subs, late)
	x.want(200, "", "anna", "POST", subs+"?replace=true", late)
	x.want(422, "no condition", "anna", "POST", subs, map[string]any{"corpus": "finches", "name": "x"})
	x.want(422, "doc.colour", "anna", "POST", subs, map[string]any{"corpus": "finches", "name": "x", "filter": `doc.colour="red"`})
	x.want(404, "no corpus", "anna", "POST", subs, map[string]any{"corpus": "herons~bob", "name": "x", "filter": "doc.year>=2001"})
	x.want(200, "", "anna", "GET", "/v1/corpora/finches/hits?patt=finch&subcorpus=late", nil)
	x.want(422, "no subcorpus", "bob", "GET", "/v1/corpora/finches/hits?patt=finch&subcorpus=late", nil)
	x.want(404, "no subcorpus", "bob", "DELETE", subs+"?corpus=finches&name=late", nil)

	var q space.Saved
	x.ask("anna", "POST", saved, map[string]any{"name": "Finch", "corpus": "finches", "view": "hits", "params": map[string]string{"patt": "finch"}}, &q)
	x.want(404, "no saved query", "bob", "GET", saved+"/"+q.ID, nil)
	x.want(404, "no saved query", "bob", "DELETE", saved+"/"+q.ID, nil)
	q.Shared = true
	x.want(200, `"version":1`, "anna", "POST", saved, q)
	x.want(409, "changed elsewhere", "anna", "POST", saved, q)
	x.want(200, `"Finch"`, "bob", "GET", saved+"/"+q.ID, nil)
	x.want(404, "no saved query", "bob", "POST", saved, q)
	x.want(404, "no saved query", "bob", "DELETE", saved+"/"+q.ID, nil)
	x.want(200, `"added":1`, "bob", "POST", "/v1/workspace/import", map[string]any{"chaffinch_workspace": 1, "saved": []any{q}})
	x.want(200, `"owner":"anna"`, "anna", "GET", saved+"/"+q.ID, nil) // the import has another identifier

	label := map[string]any{"labels": []any{map[string]any{"corpus": "finches", "patt": "finch", "start": 3, "end": 4, "label": 2, "match": "=finch"}}, "names": []any{map[string]any{"corpus": "finches", "patt": "finch", "names": map[string]string{"2": "bird"}}}}
	x.want(200, "", "anna", "POST", "/v1/workspace/labels", label)
	x.want(200, `"match":"=finch"`, "anna", "GET", "/v1/workspace/labels?corpus=finches", nil)
	x.want(200, "finches,finch,2,bird,,3,4,,,=finch,", "anna", "GET", "/v1/workspace/labels?format=csv", nil)
	x.want(200, `"labels":[]`, "bob", "GET", "/v1/workspace/labels", nil)
	x.want(200, "", "anna", "POST", "/v1/workspace/history", map[string]any{"corpus": "finches", "view": "hits", "params": map[string]string{"patt": "finch"}})
	for _, user := range []string{"bob", "owner"} {
		if _, text := x.ask(user, "GET", "/v1/workspace", nil, nil); strings.Contains(text, "late") || strings.Contains(text, `"history":[{`) {
			t.Errorf("%s sees %s", user, text)
		}
	}
	for _, c := range [][2]string{{"GET", "/v1/admin"}, {"POST", "/v1/admin/users"}, {"DELETE", "/v1/admin/users?name=anna"}, {"POST", "/v1/admin/corpora"}, {"DELETE", "/v1/admin/corpora?name=finches"}} {
		body := map[string]any{"name": "bob", "path": "/tmp", "admin": true}
		if strings.HasSuffix(c[1], "users") {
			delete(body, "path")
		} else {
			delete(body, "admin")
		}
		x.want(403, "not an administrator", "bob", c[0], c[1], body)
	}
	x.tokens["wrong"] = x.tokens["anna"][1:]
	x.want(401, "missing or wrong token", "wrong", "GET", "/v1/workspace", nil)
	x.want(200, "", "owner", "DELETE", "/v1/admin/users?name=anna", nil)
	x.want(401, "missing or wrong token", "anna", "GET", "/v1/workspace", nil)
}

// TestSubcorpora: a subcorpus from hits or values is what the filter of the same documents is.
func TestSubcorpora(t *testing.T) {
	x := startSpace(t, space.Config{})
	for name, part := range map[string]map[string]any{
		"hits":   {"patt": `[] within <doc year="2001"/>`},
		"values": {"attr": "doc.year", "values": []string{"2001", "1066"}},
		"filter": {"filter": `doc.year="2001"`},
		"all":    {"filter": `doc.year>=1`, "patt": `<doc year="2001"/>`, "attr": "doc.year", "values": []string{"2001", "2002"}},
	} {
		part["corpus"], part["name"] = "finches", name
		x.want(200, "", "anna", "POST", "/v1/workspace/subcorpora", part)
	}
	for _, op := range []string{"hits?patt=finch", "hits?patt=finch&sort=left&format=csv", "freq?patt=finch&group=doc.year", "words?number=5", "docs?", "dispersion?patt=finch", "collocations?patt=finch", "count?patt=finch"} {
		_, want := x.ask("anna", "GET", "/v1/corpora/finches/"+op+"&filter="+url.QueryEscape(`doc.year="2001"`), nil, nil)
		want = strings.Replace(want, `"filter":"doc.year=\"2001\"",`, "", 1)
		for _, name := range []string{"hits", "values", "filter", "all"} {
			if status, got := x.ask("anna", "GET", "/v1/corpora/finches/"+op+"&subcorpus="+name, nil, nil); status != 200 || got != want {
				t.Errorf("%s in %s: status %d: %.300s\nwanted %.300s", op, name, status, got, want)
			}
		}
	}
	x.want(422, "wanted an attribute of a structure", "anna", "POST", "/v1/workspace/subcorpora", map[string]any{"corpus": "finches", "name": "x", "attr": "year", "values": []string{"2001"}})
	x.want(422, "no token where", "anna", "POST", "/v1/workspace/subcorpora", map[string]any{"corpus": "finches", "name": "x", "attr": "doc.year", "values": []string{"1066"}})
	x.want(422, "character", "anna", "POST", "/v1/workspace/subcorpora", map[string]any{"corpus": "finches", "name": "x", "patt": "[word="})
}

// TestSpaceAttacks sends what no client sends that means well: nothing is written outside the folder
// of the corpus, and the answer is a problem.
func TestSpaceAttacks(t *testing.T) {
	x := startSpace(t, space.Config{Roots: []string{t.TempDir()}})
	x.upload("anna", "herons", 1)
	long := strings.Repeat("x", 300)
	for _, path := range []string{"../x", "a/../../x", "/etc/x", "a//b", "a/./b", ".", "..", "a\\b", "C:x", "a\x00b", "a\nb", long, strings.Repeat("d/", 40) + "x", "\xff"} {
		if status, text := x.ask("anna", "POST", "/v1/workspace/corpora/herons/files?path="+url.QueryEscape(path), page1(1), nil); status != 422 && status != 400 {
			t.Errorf("path %q: status %d: %s", path, status, text)
		}
	}
	x.want(409, "wanted another name", "anna", "POST", "/v1/workspace/corpora/herons/files?path=pages", page1(1))
	x.want(409, "wanted another name", "anna", "POST", "/v1/workspace/corpora/herons/files?path=pages/0.html/x", page1(1))
	for _, name := range []string{"../x", "a/b", "Herons", "a~bob", "", ".", "a b", long, "é"} {
		x.want(422, "", "anna", "POST", "/v1/workspace/corpora", map[string]string{"name": name})
	}
	x.want(409, "exists already", "owner", "POST", "/v1/workspace/corpora", map[string]string{"name": "finches"})
	for _, path := range []string{"/etc", "store", "../..", x.dir} {
		x.want(422, "wanted an absolute path in one of", "owner", "POST", "/v1/admin/corpora", map[string]string{"name": "etc", "path": path})
	}
	x.want(422, "reserved", "owner", "POST", "/v1/admin/users", map[string]string{"name": "owner"})
	x.want(422, "", "owner", "POST", "/v1/admin/users", map[string]string{"name": "../x"})
	x.want(422, "", "anna", "POST", "/v1/workspace/labels", map[string]any{"labels": []any{map[string]any{"corpus": "finches", "patt": strings.Repeat("x", 5000), "start": 1, "end": 2, "label": 1}}})
	for _, l := range []map[string]any{{"start": 5, "end": 5, "label": 1}, {"start": 1, "end": 2, "label": 0}} {
		l["corpus"], l["patt"] = "finches", "x"
		x.want(422, "wanted 1 to 9, and an end after the start", "anna", "POST", "/v1/workspace/import", map[string]any{"chaffinch_workspace": 1, "labels": []any{l}})
	}
	many := map[string]string{}
	for i := range 10 {
		many[fmt.Sprint(i)] = "x"
	}
	x.want(422, "10 labels", "anna", "POST", "/v1/workspace/import", map[string]any{"chaffinch_workspace": 1, "label_names": []any{map[string]any{"corpus": "finches", "patt": "x", "names": many}}})
	x.want(413, "", "anna", "POST", "/v1/workspace/saved", map[string]any{"name": "x", "corpus": "finches", "view": "hits", "params": map[string]string{"patt": strings.Repeat("x", 2<<20)}})
	x.want(413, "", "anna", "POST", "/v1/workspace/saved", map[string]any{"name": "x", "corpus": "finches", "view": "hits", "params": map[string]string{"patt": strings.Repeat("x", 5<<20)}})
	x.want(413, "", "anna", "POST", "/v1/workspace/corpora/herons/files?path=big", make([]byte, 33<<20))
	r := must.Get(http.NewRequestWithContext(t.Context(), "POST", x.s.URL+"/v1/workspace/history", strings.NewReader("{}")))(t)
	r.AddCookie(x.s.login(t, x.tokens["anna"]))
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	if a, text := x.s.do(t, r); a.StatusCode != 403 {
		t.Errorf("a request of another site: status %d: %s", a.StatusCode, text)
	}
	var files []string
	must.Succeed(t, filepath.WalkDir(filepath.Dir(x.dir), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, strings.TrimPrefix(path, x.dir))
		}
		return err
	}))
	want := []string{"/corpora/anna/herons/corpus.json", "/corpora/anna/herons/source/pages/0.html", "/lock", "/users.json", "/users.json.lock"}
	if !slices.Equal(files, want) {
		t.Errorf("files %q, wanted %q", files, want)
	}
}

// TestSpaceRestart: workspaces, corpora and the queue survive the end of the server; an interrupted
// build can be built again, a torn line of a log is removed, and a second server is refused.
func TestSpaceRestart(t *testing.T) {
	x := startSpace(t, space.Config{})
	x.upload("anna", "herons", 2)
	x.want(200, "", "anna", "POST", "/v1/workspace/corpora/herons/build", `{"all": true}`)
	x.until("anna", "herons", "ready")
	x.upload("bob", "ducks", 2)
	x.want(200, "", "anna", "POST", "/v1/workspace/subcorpora", map[string]any{"corpus": "finches", "name": "late", "filter": "doc.year>=2001"})
	if _, err := space.Open(space.Config{Dir: x.dir}); err == nil || !strings.Contains(err.Error(), "open in another server") {
		t.Errorf("a second server: %v", err)
	}
	x.close()
	edit := func(name, old, now string) {
		name = filepath.Join(x.dir, filepath.FromSlash(name))
		b := string(must.Read(t, name))
		if !strings.Contains(b, old) {
			t.Fatalf("%s: no %s: %s", name, old, b)
		}
		must.Write(t, name, strings.Replace(b, old, now, 1))
	}
	edit("corpora/bob/ducks/corpus.json", `"state": "new"`, `"state": "building"`) // as after a crash
	edit("workspaces/anna.jsonl", "\n", "\n{\"kind\": \"sav")
	x.open(space.Config{Dir: x.dir})
	x.want(200, `"total":4`, "anna", "GET", "/v1/corpora/herons~anna/hits?patt=heron", nil)
	x.want(200, `"late"`, "anna", "GET", "/v1/workspace", nil)
	if u := x.until("bob", "ducks", "interrupted"); u.Files != 2 || u.Hint == "" {
		t.Errorf("%+v", u)
	}
	x.want(200, "", "bob", "POST", "/v1/workspace/corpora/ducks/build", `{"all": true}`)
	x.until("bob", "ducks", "ready")
	x.close()
	edit("corpora/bob/ducks/corpus.json", `"state": "ready"`, `"state": "queued"`)
	x.open(space.Config{Dir: x.dir})
	x.until("bob", "ducks", "ready")
	x.want(200, `"total":4`, "bob", "GET", "/v1/corpora/ducks~bob/hits?patt=heron", nil)
}

// TestSpaceConcurrent: users write at once; nothing is lost, and the log is shortened now and then.
func TestSpaceConcurrent(t *testing.T) {
	testkit.Slow(t)
	x := startSpace(t, space.Config{})
	var work sync.WaitGroup
	for _, user := range []string{"anna", "bob", "owner"} {
		for part := range 4 {
			work.Go(func() {
				for i := range 20 {
					var labels []any
					for k := range 100 { // the same hits again and again
						labels = append(labels, map[string]any{"corpus": "finches", "patt": "finch", "start": 1000*part + k, "end": 1000*part + k + 1, "label": 1 + i%9})
					}
					x.want(200, "", user, "POST", "/v1/workspace/labels", map[string]any{"labels": labels})
					x.want(200, "", user, "POST", "/v1/workspace/saved", map[string]any{"name": fmt.Sprint(part, i), "corpus": "finches", "view": "hits", "params": map[string]string{}})
				}
			})
		}
	}
	work.Wait()
	x.close()
	lines := strings.Count(string(must.Read(t, filepath.Join(x.dir, "workspaces", "anna.jsonl"))), "\n")
	if lines > 7000 { // of 8,080 changes
		t.Errorf("%d lines", lines)
	}
	x.open(space.Config{Dir: x.dir})
	for _, user := range []string{"anna", "bob", "owner"} {
		var w space.Workspace
		x.ask(user, "GET", "/v1/workspace", nil, &w)
		var l space.HitLabels
		x.ask(user, "GET", "/v1/workspace/labels", nil, &l)
		if len(w.Saved) != 80 || len(l.Labels) != 400 || l.Labels[0].Label != 1+19%9 {
			t.Errorf("%s: %d saved, %d labels: %+v", user, len(w.Saved), len(l.Labels), l.Labels[0])
		}
	}
}

// TestAdmin: an administrator serves a corpus of an allowed folder, and adds a user, who has the
// token at once.
func TestAdmin(t *testing.T) {
	root := t.TempDir()
	x := startSpace(t, space.Config{Roots: []string{root}})
	dir := filepath.Join(root, "others")
	must.Succeed(t, must.Err(corpus.Build(t.Context(), strings.NewReader(vertical()), dir, corpus.DefaultBuild)))
	x.want(200, "", "owner", "POST", "/v1/admin/corpora", map[string]string{"name": "others", "path": dir})
	x.want(409, "exists already", "owner", "POST", "/v1/admin/corpora", map[string]string{"name": "others", "path": dir})
	x.want(422, "wanted the folder of an index", "owner", "POST", "/v1/admin/corpora", map[string]string{"name": "root", "path": root})
	var u space.UserSet
	x.ask("owner", "POST", "/v1/admin/users", map[string]any{"name": "eve", "admin": true, "bytes": 1000}, &u)
	x.tokens["eve"] = u.Token
	x.want(200, `"total"`, "eve", "GET", "/v1/corpora/others/hits?patt=finch", nil)
	x.want(200, `"quota":{"bytes":1000,"corpora":20}`, "eve", "GET", "/v1/admin", nil)
	if b := string(must.Read(t, filepath.Join(x.dir, "users.json"))); strings.Contains(b, u.Token) {
		t.Error("the token is stored")
	}
	x.close()
	x.open(space.Config{Dir: x.dir})
	x.want(200, `"total"`, "anna", "GET", "/v1/corpora/others/hits?patt=finch", nil)
	x.want(200, "", "eve", "DELETE", "/v1/admin/corpora?name=others", nil)
	x.want(404, "", "anna", "GET", "/v1/corpora/others/hits?patt=finch", nil)
	if _, err := os.Stat(dir); err != nil {
		t.Error(err)
	}
}

// TestUploadCrawls: the pages of addresses are fetched, at most as many as asked for, and built.
func TestUploadCrawls(t *testing.T) {
	testkit.Slow(t)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		w.Write(page1(len(r.URL.Path)))
	}))
	defer web.Close()
	net := fetch.Default
	net.UserAgent, net.AllowPrivate = "test", true
	fetcher := must.Get(fetch.New(net))(t)
	x := startSpace(t, space.Config{Contact: "ann@finch.example", Fetcher: fetcher})
	x.upload("anna", "web", 0)
	x.want(422, "wanted an address", "anna", "POST", "/v1/workspace/corpora/web/build", `{"urls": ["file:///etc/passwd"]}`)
	x.want(422, "wanted at most 10000", "anna", "POST", "/v1/workspace/corpora/web/build", `{"urls": ["http://x.example/"], "pages": 100000}`)
	x.want(200, "", "anna", "POST", "/v1/workspace/corpora/web/build", map[string]any{"all": true, "urls": []string{web.URL + "/a"}, "pages": 1})
	if u := x.until("anna", "web", "ready", "failed"); u.State != "ready" || u.Pages != 1 {
		t.Fatalf("%+v", u)
	}
	x.want(200, `"total":2`, "anna", "GET", "/v1/corpora/web~anna/hits?patt=heron", nil)
	dead := web.URL
	web.Close()
	x.want(200, "", "anna", "POST", "/v1/workspace/corpora/web/build", map[string]any{"all": true, "urls": []string{dead + "/b"}})
	if u := x.until("anna", "web", "ready", "failed"); u.State != "failed" || !strings.Contains(u.Error, "No address answered") {
		t.Errorf("%+v", u)
	}
}
