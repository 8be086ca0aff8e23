package prometheus

import (
	"net/http/httptest"
	"testing"
)

func TestWriter(t *testing.T) {
	a := httptest.NewRecorder()
	w := New(a, "x_")
	w.One("open", "gauge", "What is open.", 3)
	w.Head("all_total", "counter", "All.")
	w.Value("all_total", `why="a"`, 0.5)
	const want = "# HELP x_open What is open.\n# TYPE x_open gauge\nx_open 3\n# HELP x_all_total All.\n# TYPE x_all_total counter\nx_all_total{why=\"a\"} 0.5\n"
	if got := a.Body.String(); got != want || a.Header().Get("Content-Type") != "text/plain; version=0.0.4; charset=utf-8" {
		t.Errorf("got %s, %v", got, a.Header())
	}
}
