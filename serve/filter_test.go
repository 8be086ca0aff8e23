package serve

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestRuleNames: all rules that the server lists can be asked for, and by their names only.
func TestRuleNames(t *testing.T) {
	s := start(t, Config{})
	if names := s.ruleNames(); len(names) < 5 {
		t.Fatalf("rules %v", names)
	}
	for _, name := range s.ruleNames() {
		if a, body := s.post(t, "/v1/filter?rules="+name, "text/html", article); a.StatusCode != http.StatusOK {
			t.Errorf("%s: status %d: %s", name, a.StatusCode, body)
		}
	}
	for _, name := range []string{"addresses", "ccnet", "wordlist", "nothing"} {
		if a, body := s.post(t, "/v1/filter?rules="+name, "text/html", article); a.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("%s: status %d: %s", name, a.StatusCode, body)
		}
	}
}

// TestUndetermined: a text in no language that can be named is judged and detected like
// any other.
func TestUndetermined(t *testing.T) {
	s := start(t, Config{})
	const text = "12 34"
	var f filtered
	if a, body := s.post(t, "/v1/filter?rules=gopher_quality", "text/plain", text); a.StatusCode != http.StatusOK || json.Unmarshal([]byte(body), &f) != nil {
		t.Fatalf("status %d: %s", a.StatusCode, body)
	}
	if f.Lang != "und" || f.Drop != "filtered" || !strings.HasPrefix(f.Rule, "gopher_quality.words 2 <") {
		t.Errorf("filtered %+v", f)
	}
	var d detected
	if a, body := s.post(t, "/v1/detect", "text/plain", text); a.StatusCode != http.StatusOK || json.Unmarshal([]byte(body), &d) != nil || d.Lang != "und" {
		t.Errorf("status %d: %s", a.StatusCode, body)
	}
}

// TestScoreLimits: scores come with the limits that decide, and the one that is broken is
// outside of them.
func TestScoreLimits(t *testing.T) {
	s := start(t, Config{})
	var f filtered
	if a, body := s.post(t, "/v1/filter?rules=gopher_quality", "text/plain", "Too short."); a.StatusCode != http.StatusOK || json.Unmarshal([]byte(body), &f) != nil {
		t.Fatalf("status %d: %s", a.StatusCode, body)
	}
	l, ok := f.Limits["gopher_quality.words"]
	if !ok || l.Min == nil || l.Max == nil || *l.Min != 50 || f.Scores["gopher_quality.words"] >= *l.Min {
		t.Errorf("limits %+v of scores %v", l, f.Scores)
	}
	for name := range f.Limits {
		if _, ok := f.Scores[name]; !ok {
			t.Errorf("a limit of %s, which has no score", name)
		}
	}
}

// TestFilter: scores and decision of a page, and of plain text.
func TestFilter(t *testing.T) {
	s := start(t, Config{})
	ask := func(query, kind, body string) (got filtered) {
		t.Helper()
		a, text := s.post(t, "/v1/filter?rules="+query, kind, body)
		if a.StatusCode != 200 {
			t.Fatalf("%s: status %d: %s", query, a.StatusCode, text)
		}
		must.Succeed(t, json.Unmarshal([]byte(text), &got))
		return got
	}
	if got := ask("gopher_quality", "text/html", article); !got.Kept || got.Rule != "" || got.Lang != "en" || got.Scores["gopher_quality.words"] < 60 {
		t.Errorf("a page that stays: %+v", got)
	}
	if got := ask("gopher_quality", "text/plain", "Four words and a stop."); got.Kept || got.Drop != "filtered" || got.Rule != "gopher_quality.words 5 < 50" {
		t.Errorf("a short text: %+v", got)
	}
	got := ask("c4,fineweb", "text/plain", strings.Repeat("The finch drinks water in the morning of a day.\n", 6)+"Read our cookie policy today, it is good.")
	if len(got.Lines) != 1 || got.Lines[0].Why == "" {
		t.Errorf("lines %+v", got)
	}
	for _, query := range []string{"", "gopher", "wordlist", "../x.json"} {
		if a, text := s.post(t, "/v1/filter?rules="+query, "text/plain", "x"); a.StatusCode != 422 || !strings.Contains(text, "query.rules") {
			t.Errorf("%q: status %d: %s", query, a.StatusCode, text)
		}
	}
}
