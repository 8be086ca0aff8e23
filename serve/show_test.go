package serve

import (
	"encoding/json"
	"fmt"
	"html"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestNth: each page of an archive can be shown, by the number that it has in the list of
// cleaned pages.
func TestNth(t *testing.T) {
	warc := must.Read(t, "../examples/pages/crawl.warc.gz")
	s := start(t, Config{})
	_, list := s.post(t, "/v1/clean?format=jsonl&annotate=true", "application/warc", string(warc))
	lines := strings.Split(strings.TrimSpace(list), "\n")
	shown := 0
	for i, line := range lines {
		var doc struct{ Title, Drop string }
		must.Succeed(t, json.Unmarshal([]byte(line), &doc))
		if doc.Drop != "" || doc.Title == "" {
			continue
		}
		shown++
		for _, path := range []string{"explain", "render"} {
			a, page := s.post(t, fmt.Sprintf("/v1/%s?nth=%d", path, i+1), "application/warc", string(warc))
			if a.StatusCode != 200 || !strings.Contains(html.UnescapeString(page), doc.Title) {
				t.Errorf("%s of page %d: status %d, no %q in it", path, i+1, a.StatusCode, doc.Title)
			}
		}
	}
	if shown < 2 {
		t.Errorf("%d pages of %d records were looked at", shown, len(lines))
	}
	if a, text := s.post(t, fmt.Sprintf("/v1/explain?nth=%d", len(lines)+1), "application/warc", string(warc)); a.StatusCode != 422 || !strings.Contains(text, "nth") {
		t.Errorf("a page past the last: status %d: %s", a.StatusCode, text)
	}
}
