package main

import (
	"fmt"
	"strings"
	"testing"

	"chaffinch/filter"
	"chaffinch/internal/testkit/must"
)

// TestFilterDocs: docs/reference/filter-rules.md names every group and profile.
func TestFilterDocs(t *testing.T) {
	b := must.Read(t, "../../docs/reference/filter-rules.md")
	text := string(b)
	for _, name := range filter.Names() {
		if !strings.Contains(text, "\n| `"+name+"` |") {
			t.Errorf("docs/reference/filter-rules.md: the first table lacks a line | `%s` | what the rules are about |", name)
		}
	}
}

// scoreRow is the line of a score in the docs.
func scoreRow(g *filter.Group, s *filter.Score) string {
	limit := "any"
	switch {
	case s.Limit.Min != nil && s.Limit.Max != nil:
		limit = fmt.Sprintf("%v to %v", *s.Limit.Min, *s.Limit.Max)
	case s.Limit.Min != nil:
		limit = fmt.Sprintf("at least %v", *s.Limit.Min)
	case s.Limit.Max != nil:
		limit = fmt.Sprintf("at most %v", *s.Limit.Max)
	}
	return fmt.Sprintf("| `%s.%s` | %s | %s |", g.Name, s.Name, s.Help, limit)
}
