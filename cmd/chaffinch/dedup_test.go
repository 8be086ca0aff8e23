package main

import (
	"strings"
	"testing"
)

// TestDedupConfig: settings that are no JSON object are an error, also beside flags.
func TestDedupConfig(t *testing.T) {
	for _, config := range []string{"null", "[]", "1", "{"} {
		c := dedupCmd{Method: "onion", Config: config, Ngram: 5}
		if _, err := c.config(); err == nil || !strings.Contains(err.Error(), "not a JSON object") {
			t.Errorf("--config %s: error %v, wanted one", config, err)
		}
	}
}
