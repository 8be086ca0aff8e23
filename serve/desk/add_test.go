package desk

import (
	"path/filepath"
	"regexp"
	"slices"
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
		path := must.File(t, name, text)
		dir := filepath.Join(t.TempDir(), "set")
		if _, err := Add(t.Context(), dir, []string{path}, AddConfig{Input: input.Default}); err == nil || !strings.Contains(err.Error(), name+": labelled lines") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAddNames names records without an address by the ids that they state.
func TestAddNames(t *testing.T) {
	path := must.File(t, "mill.jsonl", `{"id":"mill/7","html":"<p>The mill grinds corn.</p>"}
{"html":"<p>The miller sells flour.</p>"}
{"id":"x","url":"https://mill.example/","html":"<p>The wind turns the sails.</p>"}
`)
	dir := filepath.Join(t.TempDir(), "set")
	cfg := AddConfig{Input: input.Default}
	cfg.Input.Field = "html"
	if _, err := Add(t.Context(), dir, []string{path}, cfg); err != nil {
		t.Fatal(err)
	}
	pages, err := readInfo(dir)
	if err != nil || len(pages) != 3 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	var ids []string
	for _, p := range pages {
		ids = append(ids, regexp.MustCompile("-[0-9a-f]{6}$").ReplaceAllString(p.ID, "-HASH"))
	}
	slices.Sort(ids)
	if want := []string{"mill.example-HASH", "mill_7", "page-HASH"}; !slices.Equal(ids, want) {
		t.Errorf("ids %q, want %q", ids, want)
	}
}
