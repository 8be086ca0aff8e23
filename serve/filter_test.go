package serve

import (
	"net/http"
	"testing"
)

// TestRuleNames: all rules that the server lists can be asked for, and by their names only.
func TestRuleNames(t *testing.T) {
	s := start(t, Config{})
	if names := ruleNames(); len(names) < 5 {
		t.Fatalf("rules %v", names)
	}
	for _, name := range ruleNames() {
		if a, body := s.post(t, "/v1/filter?rules="+name, "text/html", article); a.StatusCode != http.StatusOK {
			t.Errorf("%s: status %d: %s", name, a.StatusCode, body)
		}
	}
	for _, name := range append(needFiles, "nothing") {
		if a, body := s.post(t, "/v1/filter?rules="+name, "text/html", article); a.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("%s: status %d: %s", name, a.StatusCode, body)
		}
	}
}
