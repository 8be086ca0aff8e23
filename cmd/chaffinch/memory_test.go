package main

import (
	"strings"
	"testing"
)

// TestMemoryHelp wants the memory of commands in their help.
func TestMemoryHelp(t *testing.T) {
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
