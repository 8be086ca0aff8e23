package desk

import (
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/input"
	"chaffinch/internal/testkit/must"
)

// TestAddLabelled refuses files of lines with labels, which would become lines to label.
func TestAddLabelled(t *testing.T) {
	for name, text := range map[string]string{
		"anna.tsv":   "document\tlang\tlabel\tline\na\ten\ttext\tThe mill grinds corn.\n",
		"anna.jsonl": `{"id":"a","lang":"en","text":["The mill grinds corn."],"labels":[1]}` + "\n",
	} {
		path := filepath.Join(t.TempDir(), name)
		must.Write(t, path, text)
		dir := filepath.Join(t.TempDir(), "set")
		if _, err := Add(t.Context(), dir, []string{path}, AddConfig{Input: input.Default}); err == nil || !strings.Contains(err.Error(), name+": lines with labels") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
