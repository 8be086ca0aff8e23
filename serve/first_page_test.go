package serve

import (
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/corpus"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// TestFirstPage: an address without a part shows the part that the server was started for.
func TestFirstPage(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "finches")
	must.Succeed(t, must.Err(corpus.Build(t.Context(), strings.NewReader(vertical()), dir, corpus.DefaultBuild)))
	for want, cfg := range map[string]Config{"Clean web pages": {}, "Search a corpus": {Corpora: map[string]string{"finches": dir}}} {
		if h1 := textOf(classed(testkit.Visit(t, start(t, cfg).URL+"/", 1000), "main", "")...); !strings.Contains(h1, want) {
			t.Errorf("%q, want %q", h1, want)
		}
	}
}
