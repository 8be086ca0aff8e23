package serve

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"chaffinch/corpus"
	"chaffinch/internal/testkit/must"
	"chaffinch/serve/space"
)

// spaced is a server with a folder of workspaces, and clients with the tokens of users.
type spaced struct {
	t      *testing.T
	s      *testServer
	dir    string
	tokens map[string]string
}

// ownerToken is the token of the server.
const ownerToken = "owner-token"

// startSpace starts a server with a corpus and the users anna and bob.
func startSpace(t *testing.T, cfg space.Config) *spaced {
	t.Helper()
	cfg.Dir = filepath.Join(t.TempDir(), "data")
	x := &spaced{t: t, dir: cfg.Dir, tokens: map[string]string{"owner": ownerToken}}
	for _, name := range []string{"anna", "bob"} {
		token, err := space.OpenUsers(cfg.Dir).Add(space.Account{Name: name})
		must.Succeed(t, err)
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
	sp, err := space.Open(cfg)
	must.Succeed(x.t, err)
	x.s = start(x.t, Config{Token: ownerToken, Space: sp, Corpora: map[string]string{"finches": dir}})
	x.t.Cleanup(func() { sp.Close() })
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
		j, err := json.Marshal(b)
		must.Succeed(x.t, err)
		in = strings.NewReader(string(j))
	}
	r, err := http.NewRequestWithContext(x.t.Context(), method, x.s.URL+path, in)
	must.Succeed(x.t, err)
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

// TestUploadFails: a failed build says why and what to change.
func TestUploadFails(t *testing.T) {
	x := startSpace(t, space.Config{Quota: space.Quota{Bytes: 300_000_000, Corpora: 2}})
	x.upload("anna", "none", 0)
	x.want(422, "has no files", "anna", "POST", "/v1/workspace/corpora/none/build", "{}")
}

var _ = url.Values{}
var _ sync.Mutex
var _ = os.Stat
