package desk

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"chaffinch/internal/testkit/must"
	"chaffinch/serve/gate"
)

// TestFrame: the page is shown so that nothing of it runs, with a mark before each block.
func TestFrame(t *testing.T) {
	d := openDesk(t, Config{Dir: newSet(t, 1, 1)})
	for _, id := range []string{"p00", "dump"} {
		r, w := httptest.NewRequest("GET", "/v1/desk/pages/"+id+"/frame", nil), httptest.NewRecorder()
		d.mux.ServeHTTP(w, r)
		p := w.Header().Get("Content-Security-Policy")
		if w.Code != 200 || !strings.HasPrefix(p, "sandbox; default-src 'none'") || strings.Contains(p, "allow-scripts") || strings.Count(w.Body.String(), "<chaffinch-mark id=") != len(d.byID[id].spans) {
			t.Errorf("%d %s\n%s", w.Code, p, w.Body)
		}
	}
}

// TestFrameBusy: a page is shown only if the gate has a place.
func TestFrameBusy(t *testing.T) {
	d, mux, g := openDesk(t, Config{Dir: newSet(t, 1, 1)}), http.NewServeMux(), gate.New(gate.Config{Workers: 1})
	Register(humago.New(mux, huma.DefaultConfig("desk", "1")), d.Desk, g)
	leave := must.Get(g.Enter(t.Context()))(t)
	for _, want := range []int{503, 200} {
		w := httptest.NewRecorder()
		if mux.ServeHTTP(w, httptest.NewRequest("GET", "/v1/desk/pages/p00/frame", nil)); w.Code != want {
			t.Errorf("status %d, wanted %d: %s", w.Code, want, w.Body)
		}
		if want == 503 {
			leave()
		}
	}
}
