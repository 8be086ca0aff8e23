package main

import (
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestMemoryHelp wants the memory of commands in their help and in the docs to be the same.
func TestMemoryHelp(t *testing.T) {
	b := must.Read(t, "../../docs/guides/clean-limits.md")
	_, table, _ := strings.Cut(string(b), "| command | limit of one item | memory at most |")
	rows := map[string]string{}
	for line := range strings.Lines(table) {
		if cells := strings.Split(line, " | "); len(cells) >= 3 && strings.HasPrefix(cells[0], "| `") {
			rows[strings.Trim(cells[0], "| `")] = strings.TrimSuffix(strings.TrimSpace(cells[2]), " |")
		} else if len(rows) > 0 {
			break
		}
	}
	if len(rows) != len(promises) {
		t.Errorf("%d rows in the docs, %d promises", len(rows), len(promises))
	}
	for _, p := range promises {
		if rows[p.command] != p.most {
			t.Errorf("%s: %q in the docs, %q promised", p.command, rows[p.command], p.most)
		}
	}
	app := newParser(t.Context(), &console{}, nil, func(int) {}).Model
	said := map[string]bool{}
	for _, node := range app.Leaves(false) {
		if strings.Contains(node.Detail, "Memory: at most ") {
			said[commandPath(node)] = true
		}
	}
	for _, c := range []string{"clean", "dedup run", "crawl run", "detect lang", "vertical text", "warc ls"} {
		if !said[c] {
			t.Errorf("%s: no memory in its help", c)
		}
	}
}
