package corpora

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"chaffinch/corpus"
	"chaffinch/internal/testkit/must"
	"chaffinch/serve/gate"
	"chaffinch/serve/problem"
)

// open serves the corpora of folders or lists.
func open(t *testing.T, dir string, dirs map[string]string) *server {
	t.Helper()
	set := must.Get(Open(dirs))(t)
	t.Cleanup(func() { set.Close() })
	mux := http.NewServeMux()
	cfg := huma.DefaultConfig("test", "0")
	cfg.CreateHooks, cfg.RejectUnknownQueryParameters = nil, true
	Register(humago.New(mux, cfg), set, gate.New(gate.Config{Workers: 2, Queue: 8}), savedParts)
	return &server{Handler: mux, dir: dir, set: set}
}

// savedParts returns subcorpora: german by a filter, wet by hits.
func savedParts(_ context.Context, _, name string) (Part, error) {
	switch name {
	case "german":
		return Part{Filter: `doc.lang="de"`}, nil
	case "wet":
		return Part{Patt: `"number1" "." within <s/>`, In: "s"}, nil
	case "chosen":
		return Part{Attr: "doc.id", Values: []string{"d1", "d9", "d11", "x"}, Filter: `doc.year>2001`}, nil
	}
	return Part{}, problem.New(404, "no subcorpus %q", name)
}

// front serves a corpus of 12 documents as one index (all), as shards on this server (near), and as
// shards on three other servers (far).
func front(t *testing.T, wrap func(i int, h http.Handler) http.Handler) (s *server, shards []*httptest.Server) {
	t.Helper()
	dir := t.TempDir()
	docs := strings.SplitAfter(vertical(12), "</doc>\n")[:12]
	index(t, filepath.Join(dir, "all"), strings.Join(docs, ""))
	var near, far strings.Builder
	for i, part := range [][]string{docs[:1], docs[1:7], docs[7:]} {
		name := fmt.Sprint("part", i)
		index(t, filepath.Join(dir, name), strings.Join(part, ""))
		fmt.Fprintln(&near, name)
		x := httptest.NewServer(wrap(i, open(t, dir, map[string]string{"c": filepath.Join(dir, name)})))
		t.Cleanup(x.Close)
		shards = append(shards, x)
		fmt.Fprintf(&far, "%s/v1/corpora/c?token=secret\n", x.URL)
	}
	must.Write(t, filepath.Join(dir, "near.shards"), "# near\n"+near.String())
	must.Write(t, filepath.Join(dir, "far.shards"), far.String())
	return open(t, dir, map[string]string{"all": filepath.Join(dir, "all"), "near": filepath.Join(dir, "near.shards"), "far": filepath.Join(dir, "far.shards")}), shards
}

func plainHandler(_ int, h http.Handler) http.Handler { return h }

// TestFront compares answers over shards with the answers of one index.
func TestFront(t *testing.T) {
	s, _ := front(t, plainHandler)
	for _, q := range [][]string{
		{"/hits", `patt="finch" []{1,2} "water"`, "refs=doc.id,s", "number=5", "first=7", "waitfortotal=true"},
		{"/hits", `patt=water`, "sort=left,doc.year", "number=9", "refs=doc"},
		{"/hits", `patt=[]`, "samplenum=6", "sampleseed=3"},
		{"/hits", `patt="water"`, "format=csv", "view=sentence"},
		{"/hits", `patt="nowhere"`}, {"/hits", `patt="water"`, "good=true", "number=5", "samplenum=20"}, {"/hits", `patt="water"`, "good=true", "sort=left"}, {"/hits", `patt="water"`, "good=true", "format=csv", "refs=doc.id"},
		{"/hits", `patt="water`},
		{"/hits", `patt="water"`, `filter=doc.year<2002`},
		{"/hits", `patt="water"`, `filter=doc.year<1000`},
		{"/hits", `patt="water"`, `filter=doc.nope="x"`},
		{"/hits", `patt="water"`, "sort=upwards"},
		{"/hits", `patt="water"`, "subcorpus=german", "waitfortotal=true"}, {"/freq", `patt="water"`, "group=doc.year", "subcorpus=german", "filter=doc.year<2005"},
		{"/hits", `patt="water"`, "subcorpus=nothing"}, {"/dispersion", `patt="water"`, "subcorpus=german"},
		{"/trends", "by=doc.year", "min_freq=1", "number=5"}, {"/trends", "by=doc.nope"}, {"/trends", "pattern=(("},
		{"/terms"}, {"/terms", "against=nowhere"}, {"/terms", "min_tokens=4", "max_tokens=2"},
		{"/count", `patt=[]`}, {"/count", `patt="The" []`, `filter=doc.lang="de"`},
		{"/freq", `patt="number.*"`, "group=word,doc.lang", "first=1", "number=3"},
		{"/freq", `patt="number.*"`, "group=doc.lang", "sort=relative"},
		{"/freq", `patt="x"`, "group=lemma"},
		{"/words", "number=4", "docf=true", "arf=true"}, {"/words", "sort=arf", "number=5"}, {"/words", "sort=dp", "dp=doc.lang"}, {"/words", "dp=doc"}, {"/words", "dp=nope"}, {"/words", "n=2", "words=true", "format=tsv"}, {"/words", "pattern=(("},
		{"/collocations", `patt="water"`, "within=s", "number=3"}, {"/collocations", `patt="water"`, "sort=best"},
		{"/keywords", "reference=all", `refilter=doc.lang="de"`, "number=5"},
		{"/docs"}, {"/docs", "first=3", "number=4", `patt="number2"`, `filter=doc.lang="de"`}, {"/docs", "format=csv", "first=2", "number=5"}, {"/docs", `patt="`}, {"/docs", "number=0"},
		{"/profile", "word=finch"}, {"/profile", "word=finch", "time=doc.nope"}, {"/profile", "word=nothing"},
		{"/interpret", "patt=the finch-water"}, {"/interpret", `patt="finch`}, {"/interpret", "patt={finch}"},
		{"/values"}, {"/values", "prefix=n", "number=2"}, {"/values", "attr=doc.lang"}, {"/values", "attr=doc.nope"},
		{"/snippet", "start=25", "end=27", "context=5"}, {"/snippet", "start=239", "end=240"}, {"/snippet", "start=240", "end=241"},
		{"/hits", `patt="water"`, "subcorpus=wet", "waitfortotal=true"}, {"/freq", `patt="water"`, "group=doc.year", "subcorpus=chosen"}, {"/docs", "subcorpus=chosen"},
		{"/dispersion", `patt="water"`, "bins=7"}, {"/dispersion", `patt="water"`, "bins=7", `filter=doc.lang="en"`},
	} {
		want := s.get(t, "/all"+q[0], q[1:]...)
		for _, name := range []string{"near", "far"} {
			got := s.get(t, "/"+name+q[0], q[1:]...)
			// Hints and places of errors may name the corpus.
			if got.Code != want.Code || answerOf(t, got.Body.String(), want.Code) != answerOf(t, want.Body.String(), want.Code) {
				t.Errorf("%s%s: status %d, wanted %d:\n%s\nwanted\n%s", name, q, got.Code, want.Code, got.Body, want.Body)
			}
		}
	}
	var i Info
	s.ask(t, &i, "/far")
	if i.Tokens != 240 || len(i.Shards) != 3 || i.Shards[1].Tokens != 120 || strings.Contains(fmt.Sprint(i), "secret") {
		t.Errorf("%+v", i)
	}
	if w := s.get(t, "/far/sketch", "word=finch"); w.Code != 502 || !strings.Contains(w.Body.String(), "no word sketches") {
		t.Errorf("a sketch: status %d: %s", w.Code, w.Body)
	}
	for _, q := range [][]string{{"/translations", `patt="water"`, "aligned=x"}} {
		if w := s.get(t, "/far"+q[0], q[1:]...); w.Code != 422 || !strings.Contains(w.Body.String(), "corpus far consists of shards: this operation needs one index") {
			t.Errorf("%s: status %d: %s", q, w.Code, w.Body)
		}
	}
	if w := s.get(t, "/far/hits", `patt="water"`, "aligned=x"); w.Code != 422 || !strings.Contains(w.Body.String(), "over shards") {
		t.Errorf("translations: status %d: %s", w.Code, w.Body)
	}
	if n, err := s.set.Check(t.Context(), "near", Part{Filter: `doc.lang="de"`}); err != nil || n != 120 {
		t.Errorf("a subcorpus of shards: %d tokens, %v", n, err)
	}
}

// TestHiddenShards: a corpus of shards that the user may not query is unknown to the user, and is gone
// after it is removed.
func TestHiddenShards(t *testing.T) {
	s, _ := front(t, plainHandler)
	allowed := false
	must.Succeed(t, s.set.Add("hidden", filepath.Join(s.dir, "near.shards"), func(context.Context) bool { return allowed }))
	paths := [][]string{{"/hidden"}, {"/hidden/hits", `patt="water"`}, {"/hidden/count", `patt="water"`}, {"/hidden/dispersion", `patt="water"`}}
	check := func(status int) {
		t.Helper()
		for _, q := range paths {
			if w := s.get(t, q[0], q[1:]...); w.Code != status {
				t.Errorf("%s: status %d, wanted %d: %s", q, w.Code, status, w.Body)
			}
		}
	}
	check(404)
	if w := s.get(t, "/all/keywords", "reference=hidden"); w.Code != 422 {
		t.Errorf("a hidden reference: status %d: %s", w.Code, w.Body)
	}
	allowed = true
	check(200)
	must.Succeed(t, s.set.Remove("hidden"))
	check(404)
}

// answerOf removes hints, and the messages of errors, which may name the corpus.
func answerOf(t *testing.T, body string, status int) string {
	t.Helper()
	var v map[string]any
	if json.Unmarshal([]byte(body), &v) != nil {
		return body
	}
	delete(v, "hints")
	if status != 200 {
		return fmt.Sprint(v["status"], v["at"], v["try"])
	}
	b := must.Get(json.Marshal(v))(t)
	return string(b)
}

// cut ends answers to shards after some bytes.
type cut struct {
	http.ResponseWriter
	left int
}

func (c *cut) Write(b []byte) (int, error) {
	if c.left -= len(b); c.left < 0 {
		panic(http.ErrAbortHandler)
	}
	return c.ResponseWriter.Write(b)
}

// TestLostServer: a server that is gone, or whose answer is cut, is an error that names it.
func TestLostServer(t *testing.T) {
	left := 1 << 20
	s, shards := front(t, func(i int, h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if i == 1 {
				w = &cut{w, left}
			}
			h.ServeHTTP(w, r)
		})
	})
	check := func(what string) {
		t.Helper()
		for _, path := range []string{`/hits?patt=[]&sort=left`, `/hits?patt=[]&waitfortotal=true`, `/hits?patt=[]&first=100`, `/freq?patt=[]&group=word`, `/words?n=2`, `/collocations?patt="water"`, `/keywords?reference=all`, `/dispersion?patt=[]`, `/hits?patt="water"&filter=doc.lang="en"`} {
			w := httptest.NewRecorder()
			s.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", "/v1/corpora/far"+strings.ReplaceAll(path, `"`, "%22"), nil))
			if w.Code != 502 || !strings.Contains(w.Body.String(), shards[1].URL) || strings.Contains(w.Body.String(), "secret") {
				t.Errorf("%s, %s: status %d: %s", what, path, w.Code, w.Body)
			}
		}
		w := s.get(t, "/far/count", "patt=[]")
		if !strings.Contains(w.Body.String(), shards[1].URL) || strings.Contains(w.Body.String(), `"exact":true`) {
			t.Errorf("%s, count: %s", what, w.Body)
		}
	}
	left = 60
	check("cut")
	shards[1].Close()
	check("gone")
}

// TestDial: addresses that are none of a corpus are refused.
func TestDial(t *testing.T) {
	for _, address := range []string{"", "host/v1/corpora/x", "ftp://host/v1/corpora/x", "http://host/", "http://host/v1/corpora/x/hits", "http://host/?token=secret"} {
		_, err := Dial(address)
		must.Fail(t, err, "wanted one such as http://")
		if strings.Contains(err.Error(), "secret") {
			t.Errorf("%v", err)
		}
	}
	dir := t.TempDir()
	must.Write(t, filepath.Join(dir, "x.shards"), "# nothing\n")
	must.Fail(t, must.Err(corpus.OpenShards(t.Context(), filepath.Join(dir, "x.shards"), Dial)), "no shards")
	must.Write(t, filepath.Join(dir, "x.shards"), "http://127.0.0.1:1/v1/corpora/x\n")
	must.Fail(t, must.Err(corpus.OpenShards(t.Context(), filepath.Join(dir, "x.shards"), Dial)), "shard 1 of 1, http://127.0.0.1:1/v1/corpora/x: ")
}

// TestShardRequests: a request that lacks a field or names another operation is a problem.
func TestShardRequests(t *testing.T) {
	s := serve(t)
	for body, want := range map[string]int{
		`{"op":"count","query":"\"water\""}`: 200, `{"op":"count"}`: 422, `{"op":"nothing"}`: 422, `{"op":"words"}`: 422, `{`: 400, `{"op":"hits","query":"[","hits":{"View":"kwic"}}`: 422,
		`{"op":"size","unknown":1}`: 400, `{"op":"frequencies","words":{},"items":[[]]}`: 422, `{"op":"bins","query":"[]","bins":1000000000,"total":1}`: 422, `{"op":"hits","query":"[]","hits":{"View":"kwic","First":-1}}`: 500,
	} {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), "POST", "/v1/corpora/finch/shard", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		s.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("%s: status %d, wanted %d: %s", body, w.Code, want, w.Body)
		}
	}
}

// TestShardsInUse: shards that are removed during a request stay open until its end.
func TestShardsInUse(t *testing.T) {
	s, _ := front(t, plainHandler)
	a := &api{set: s.set, saved: noParts}
	c, done, err := a.open(t.Context(), Of{Corpus: "near"}, "filter")
	must.Succeed(t, err)
	must.Succeed(t, s.set.Remove("near"))
	if n, _, err := c.Count(t.Context(), `"water"`); err != nil || n == 0 {
		t.Errorf("%d matches, %v", n, err)
	}
	done()
	if _, _, err := a.open(t.Context(), Of{Corpus: "near"}, "filter"); err == nil {
		t.Error("opened after it was removed")
	}
	must.Succeed(t, s.set.Close())
	for _, name := range []string{"all", "far"} {
		if w := s.get(t, "/"+name); w.Code != 503 {
			t.Errorf("%s after the end: status %d: %s", name, w.Code, w.Body)
		}
	}
}
