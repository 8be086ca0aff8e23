package serve

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/plagiarism"
)

// TestPlagiarism finds a passage that occurs in a source.
func TestPlagiarism(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "sources")
	b := must.Get(plagiarism.NewIndexBuilder(dir, plagiarism.DefaultIndex, 64<<20, "test"))(t)
	const passage = "The chaffinch comes to the water early in the morning, when nobody else is there, and it stays until the sun stands above the roofs of the town. In winter it feeds on the ground below the beeches, together with bramblings, and one must look twice to tell them apart."
	must.Succeed(t, b.Add("finch.txt", "Ü. Of birds in general nothing shall be said. "+passage+" So much of the finch."))
	must.Succeed(t, b.Close(t.Context()))
	s := start(t, Config{Sources: dir})
	const before = "Ä. My essay treats of quite another thing, as will be seen by and by. "
	_, text := s.post(t, "/v1/plagiarism", "text/plain", before+passage+" And that is my opinion, not that of others.")
	var got passages
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	if len(got.Passages) != 1 || got.Sources != 1 || got.Passages[0].Source.ID != "finch.txt" {
		t.Fatalf("%+v", got)
	}
	p := got.Passages[0]
	if !strings.Contains(p.Text, "early in the morning") || !strings.Contains(p.Source.Text, "early in the morning") || string([]rune(before + passage)[p.Start:][:20]) != string([]rune(p.Text)[:20]) {
		t.Errorf("%+v", p)
	}
	if a, _ := s.post(t, "/v1/plagiarism", "text/plain", strings.Repeat("x", maxSuspicious+1)); a.StatusCode != 413 {
		t.Errorf("a text too long: status %d", a.StatusCode)
	}
	none := start(t, Config{})
	if a, text := none.post(t, "/v1/plagiarism", "text/plain", passage); a.StatusCode != 404 || !strings.Contains(text, "no index of sources") {
		t.Errorf("without sources: status %d: %s", a.StatusCode, text)
	}
	if _, err := New(Config{Sources: t.TempDir()}); err == nil {
		t.Error("a folder without an index is served")
	}
}
