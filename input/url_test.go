package input_test

import (
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/input"
	"chaffinch/internal/testkit/must"
)

// TestURL gives a single page its address, and no other input.
func TestURL(t *testing.T) {
	dir := t.TempDir()
	one, two, lines := filepath.Join(dir, "a.html"), filepath.Join(dir, "b.html"), filepath.Join(dir, "c.jsonl")
	for file, text := range map[string]string{one: "<p>a", two: "<p>b", lines: `{"id":"1","text":"words"}` + "\n"} {
		must.Write(t, file, text)
	}
	const address = "https://h.example/a"
	for _, c := range []struct {
		url   string
		files []string
		want  string // part of the error
	}{
		{address, []string{one}, ""},
		{address, []string{one, two}, "2 files"},
		{address, []string{dir}, "3 files"},
		{address, []string{lines}, "its pages have addresses"},
		{"h.example/a", []string{one}, "no absolute address"},
		{"mailto:a@h.example", []string{one}, "no absolute address"},
	} {
		r, err := input.Open(c.files, input.Config{URL: c.url})
		if err == nil {
			p, e := r.Next()
			if err = e; err == nil && p.URL != c.url {
				t.Errorf("%s, %v: the page has the address %q", c.url, c.files, p.URL)
			}
		}
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s, %v: %v, wanted %q", c.url, c.files, err, c.want)
		}
	}
}
