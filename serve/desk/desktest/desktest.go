// Package desktest sends requests to annotation desks in tests.
//
// Unstable: this package may change in any release.
package desktest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"chaffinch/internal/testkit/must"
	"chaffinch/serve/gate"
	"chaffinch/serve/problem"
)

// Operations returns the operations that register adds to an API.
func Operations(register func(huma.API, *gate.Gate)) *http.ServeMux {
	mux := http.NewServeMux()
	register(humago.New(mux, huma.DefaultConfig("desk", "1")), gate.New(gate.Config{Workers: 2, Queue: 10, PerClient: 10, BodyBytes: 1 << 20, MaxBody: 1 << 20}))
	return mux
}

// Do sends a request with a JSON body and reads the response, which must have the given status,
// into out: a string, or a value for JSON. It returns the problem of an error response.
func Do(t testing.TB, h http.Handler, method, path string, body any, status int, out any) *problem.Problem {
	t.Helper()
	var in io.Reader
	if body != nil {
		b := must.Get(json.Marshal(body))(t)
		in = bytes.NewReader(b)
	}
	r := httptest.NewRequest(method, path, in)
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != status {
		t.Fatalf("%s %s: %d, wanted %d: %s", method, path, w.Code, status, w.Body)
	}
	if status >= 400 {
		p := new(problem.Problem)
		must.Succeed(t, json.Unmarshal(w.Body.Bytes(), p))
		return p
	}
	if s, ok := out.(*string); ok {
		*s = w.Body.String()
	} else if out != nil {
		must.Succeed(t, json.Unmarshal(w.Body.Bytes(), out))
	}
	return nil
}
