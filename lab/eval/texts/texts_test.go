package texts

import (
	"path/filepath"
	"testing"
	"time"

	"chaffinch/internal/testkit/must"
)

// TestRead: texts of another program by the names of the pages, and the time that the
// file beside them states.
func TestRead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "other")
	p := &Pages{Pages: []Page{{ID: "a/1"}, {ID: "2"}}}
	if _, err := p.Read(dir, "other"); err == nil {
		t.Error("no text at all: no error")
	}
	must.Write(t, filepath.Join(dir, "a", "1.txt"), "gulls")
	s, err := p.Read(dir, "other")
	if err != nil || s.Texts[0] != "gulls" || s.Missing != 1 || s.Time != untimed {
		t.Errorf("%+v, %v", s, err)
	}
	for text, want := range map[string]time.Duration{`{"cpu_s": 1.5}`: 1500 * time.Millisecond, `{"pages": 2}`: untimed, `x`: untimed} {
		must.Write(t, dir+".json", text)
		if s, err := p.Read(dir+"/", "other"); err != nil || s.Time != want {
			t.Errorf("%s: %v, %v, want %v", text, s.Time, err, want)
		}
	}
}
