package stage_test

import (
	"fmt"
	"testing"

	"chaffinch/build/stage"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// TestExclude drops the pages of listed hosts and addresses.
func TestExclude(t *testing.T) {
	name := must.File(t, "list.txt", "# asked\nexample.org\nexample.net/private/\n")
	stages := must.Get(stage.Build([]stage.Step{{Stage: "exclude", Config: fmt.Appendf(nil, `{"files":[%q]}`, name)}}))(t)
	for url, want := range map[string]page.Reason{
		"https://example.org/": page.Filtered, "https://www.example.org/x": page.Filtered, "https://example.net/private/x": page.Filtered,
		"https://example.net/": page.None, "https://example.com/example.org": page.None, "": page.None,
	} {
		p := &page.Page{URL: url}
		must.Succeed(t, stages[0].Do(t.Context(), p))
		if p.Drop != want {
			t.Errorf("%q: %v, want %v", url, p.Drop, want)
		}
	}
}
