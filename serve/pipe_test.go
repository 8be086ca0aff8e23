package serve

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/serve/frame"
)

// asked is a request over pipes.
func asked(t *testing.T, id uint32, head, body string) []byte {
	t.Helper()
	return must.Get(frame.Append(nil, frame.Frame{ID: id, Code: frame.Version, Head: head, Body: []byte(body)}))(t)
}

// piped returns the answers to the frames of in.
func piped(t *testing.T, s *Server, in io.Reader) (answers []frame.Frame, err error) {
	t.Helper()
	var out bytes.Buffer
	err = s.Pipe(t.Context(), in, &out)
	for f, err := range frame.NewReader(&out, 1<<30).All() {
		must.Succeed(t, err)
		answers = append(answers, f)
	}
	return answers, err
}

// TestPipe: requests over pipes are answered as over HTTP, in order, each under the id of its
// request; faults are answers too.
func TestPipe(t *testing.T) {
	s := start(t, Config{Limits: Limits{Body: 10_000}})
	long := strings.Repeat("x", 10_001)
	requests := []struct{ head, kind, body, want string }{
		{"POST /v1/clean", "text/*", article, `"role":"title"`},
		{"POST /v1/clean?format=text&keep=main", "text/html", article, "patience"},
		{"POST /v1/clean?format=text", "text/*", "", ""},
		{"POST /v1/clean?keep=everything", "text/html", article, "everything"},
		{"POST /v1/clean?colour=red", "text/html", article, "colour"},
		{"POST /v1/explain", "text/html", article, "<!doctype html>"},
		{"POST /v1/detect", "text/*", article, `"lang":"en"`},
		{"POST /v1/tokenize?lang=en", "text/plain", "It sings. It stays.", `"sings"`},
		{"POST /v1/tokenize?lang=german", "text/plain", "Es singt.", `"lang":"de"`},
		{"POST /v1/perplexity", "text/plain", "It sings.", `"perplexity"`},
		{"POST /v1/batch", "application/x-ndjson", `{"html":"<p>The finch sings in the morning, and the whole village listens to it at the open windows.</p>"}` + "\n", "finch"},
		{"GET /v1/about", "", "", `"version"`},
		{"POST /v1/nothing", "", "", "nothing at /v1/nothing"},
	}
	var in bytes.Buffer
	for i, r := range requests {
		in.Write(asked(t, uint32(i+1), r.head+"\nContent-Type: "+r.kind, r.body))
		in.Write(asked(t, 100, "POST /v1/clean", long))
		in.Write([]byte{1, 0, 0, 0, 'x'})
	}
	answers, err := piped(t, s.Server, &in)
	if err != nil || len(answers) != 3*len(requests) {
		t.Fatalf("%d answers to %d frames, error %v", len(answers), 3*len(requests), err)
	}
	for i, r := range requests {
		a, tooLong, tooShort := answers[3*i], answers[3*i+1], answers[3*i+2]
		method, path, _ := strings.Cut(r.head, " ")
		request := must.Get(http.NewRequestWithContext(t.Context(), method, s.URL+path, strings.NewReader(r.body)))(t)
		request.Header.Set("Content-Type", r.kind)
		over, body := s.do(t, request)
		if int(a.Code) != over.StatusCode || string(a.Body) != body || a.ID != uint32(i+1) {
			t.Errorf("%s: %d as %d, over HTTP %d: %.200s\n%.200s", r.head, a.Code, a.ID, over.StatusCode, a.Body, body)
		}
		if !strings.Contains(string(a.Body), r.want) {
			t.Errorf("%s: %.300s, wanted %s", r.head, a.Body, r.want)
		}
		if kind := over.Header.Get("Content-Type"); kind != "" && !strings.Contains(a.Head, "Content-Type: "+kind+"\n") {
			t.Errorf("%s: head %q, wanted %s", r.head, a.Head, kind)
		}
		if tooLong.ID != 100 || tooLong.Code != http.StatusRequestEntityTooLarge || tooShort.ID != 0 || tooShort.Code != http.StatusBadRequest {
			t.Errorf("bad frames answered as %d with %d, %d with %d", tooLong.ID, tooLong.Code, tooShort.ID, tooShort.Code)
		}
	}
}

// TestNoLanguage: who does not want the language gets the same text without it, but where
// the method looks at it.
func TestNoLanguage(t *testing.T) {
	s := start(t, Config{})
	for query, told := range map[string]bool{"": true, "&language=false": false, "&language=false&method=justext": true, "&language=false&lang=en": false} {
		head := "POST /v1/clean?format=text" + query + "\nContent-Type: text/html"
		answers := must.Get(piped(t, s.Server, bytes.NewReader(asked(t, 1, head, article))))(t)
		if a := answers[0]; a.Code != http.StatusOK || strings.Contains(a.Head, "Content-Language: en") != told || !told && !strings.Contains(string(a.Body), "patience") {
			t.Errorf("%s: %d, %q, %q", query, a.Code, a.Head, a.Body)
		}
	}
}

// TestPipeAhead: three requests, each longer than a pipe holds, can be sent before an
// answer is read, which clients rely on.
func TestPipeAhead(t *testing.T) {
	s := start(t, Config{})
	in, ask := io.Pipe()
	answers, out := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- s.Pipe(t.Context(), in, out) }()
	const n = 3
	for id := range uint32(n) {
		must.Succeed(t, must.Err(ask.Write(asked(t, id, "POST /v1/clean?format=text\nContent-Type: text/html", strings.Repeat(article, 100)))))
	}
	ask.Close()
	r := frame.NewReader(answers, 1<<30)
	for id := range uint32(n) {
		if f, err := r.Next(); err != nil || f.ID != id || f.Code != http.StatusOK {
			t.Fatalf("answer %d: id %d, status %d, error %v", id, f.ID, f.Code, err)
		}
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestPipeBadHeads: a head that is none is answered with what was wanted.
func TestPipeBadHeads(t *testing.T) {
	s := start(t, Config{})
	for head, want := range map[string]string{
		"":                               "wanted GET or POST",
		"PUT /v1/clean":                  "wanted GET or POST",
		"POST":                           "wanted GET or POST",
		"POST v1/clean":                  "a path such as /v1/clean",
		"POST /%zz":                      "invalid path",
		"POST /v1/clean\nContent-Type":   "wanted headers as Name: value",
		"POST /v1/clean\n\xff: \x00\n\n": "wanted headers",
	} {
		answers, err := piped(t, s.Server, bytes.NewReader(asked(t, 7, head, article)))
		if err != nil || len(answers) != 1 || answers[0].ID != 7 || answers[0].Code != http.StatusBadRequest || !strings.Contains(string(answers[0].Body), want) {
			t.Errorf("%q: %v, error %v; wanted %s", head, answers, err, want)
		}
	}
	other := must.Get(frame.Append(nil, frame.Frame{ID: 8, Code: frame.Version + 1, Head: "GET /v1/about"}))(t)
	if answers, err := piped(t, s.Server, bytes.NewReader(other)); err != nil || len(answers) != 1 || answers[0].Code != http.StatusBadRequest || !strings.Contains(string(answers[0].Body), "different releases") {
		t.Errorf("%v, error %v", answers, err)
	}
}

// TestPipeFault: a fault of the program is the answer to one request.
func TestPipeFault(t *testing.T) {
	s := start(t, Config{})
	direct := s.direct
	s.direct = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/fault" {
			w.Write([]byte("half of it"))
			panic("a fault")
		}
		direct.ServeHTTP(w, r)
	})
	answers, err := piped(t, s.Server, io.MultiReader(bytes.NewReader(asked(t, 1, "GET /fault", "")), bytes.NewReader(asked(t, 2, "GET /healthz", ""))))
	if err != nil || len(answers) != 2 || answers[0].Code != http.StatusInternalServerError || strings.Contains(string(answers[0].Body), "half") || string(answers[1].Body) != "ok\n" {
		t.Errorf("%v, error %v", answers, err)
	}
}

// TestPipeEnds: with the context while it waits, and with an error where the input ends
// within a frame.
func TestPipeEnds(t *testing.T) {
	s := start(t, Config{})
	ctx, cancel := context.WithCancel(t.Context())
	in, writer := io.Pipe()
	defer writer.Close()
	ended := make(chan error)
	go func() { ended <- s.Pipe(ctx, in, io.Discard) }()
	must.Succeed(t, must.Err(writer.Write(asked(t, 1, "GET /healthz", ""))))
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	whole := asked(t, 1, "GET /healthz", "")
	answers, err := piped(t, s.Server, io.MultiReader(bytes.NewReader(whole), bytes.NewReader(whole[:9])))
	if !errors.Is(err, frame.ErrCut) || len(answers) != 1 {
		t.Errorf("%d answers, error %v", len(answers), err)
	}
}
