package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"chaffinch/build/recipe"
	"chaffinch/build/stage"
	"chaffinch/clean/method"
	"chaffinch/internal/testkit/must"
	evallines "chaffinch/lab/eval/lines"
	"chaffinch/page"
)

// TestDedupDocs: docs/guides/dedup.md names every method.
func TestDedupDocs(t *testing.T) {
	b := must.Read(t, "../../docs/guides/dedup.md")
	for _, m := range recipe.DedupMethods {
		if !strings.Contains(string(b), "| `"+m.Name+"`") {
			t.Errorf("docs/guides/dedup.md: no method %s", m.Name)
		}
	}
}

// TestCleanDocs: docs/guides/clean.md and the pages beside it name every reason and
// format of clean, docs/reference/formats/recipe.md every stage and format.
func TestCleanDocs(t *testing.T) {
	read := func(name string) string {
		return string(must.Read(t, "../../docs/"+name))
	}
	clean, recipes := read("guides/clean.md"), read("reference/formats/recipe.md")
	pages, err := filepath.Glob("../../docs/guides/clean-*.md")
	if err != nil || len(pages) < 5 {
		t.Fatalf("%d pages docs/guides/clean-*.md, %v", len(pages), err)
	}
	for _, path := range pages {
		name := filepath.Base(path)
		if !strings.Contains(read("guides/clean.md"), "("+name+")") {
			t.Errorf("docs/guides/clean.md: no link to %s", name)
		}
		clean += read("guides/" + name)
	}
	for r := page.None + 1; r.Sentence() != "unknown reason"; r++ {
		if !strings.Contains(clean, "`"+r.String()+"`") {
			t.Errorf("docs/guides: no reason %s", r)
		}
	}
	for _, f := range recipe.Formats {
		if !strings.Contains(clean, "| `"+f.Name+"` | `"+f.Ext+"`") {
			t.Errorf("docs/guides/clean-output.md: the first table lacks a line | `%s` | `%s` | what is written |", f.Name, f.Ext)
		}
		if !regexp.MustCompile(`format.*\b` + f.Name + `\b`).MatchString(recipes) {
			t.Errorf("docs/reference/formats/recipe.md: the list of names after format lacks %s", f.Name)
		}
	}
	for _, s := range stage.Table {
		if !strings.Contains(recipes, "\n| `"+s.Name+"` |") {
			t.Errorf("docs/reference/formats/recipe.md: no stage %s", s.Name)
		}
	}
}

// TestMethodDocs names places that lack a method of clean.
func TestMethodDocs(t *testing.T) {
	for _, place := range []struct{ file, form string }{
		{"../../docs/guides/clean-labelling.md", "| `%s`"},
		{"../../python/src/chaffinch/cleaning.py", "%q"},
	} {
		text := string(must.Read(t, place.file))
		if strings.HasSuffix(place.file, ".py") {
			text = regexp.MustCompile(`(?m)^Method = Literal\[[^\]]*\]`).FindString(text)
		}
		for _, m := range method.Table {
			if want := fmt.Sprintf(place.form, m.Name); !strings.Contains(text, want) {
				t.Errorf("%s: the list of methods lacks %s (%s)", place.file, want, m.Help)
			}
		}
	}
}

// TestEvalLinesDocs: lab/results/lines.md names every protocol and every built-in system.
func TestEvalLinesDocs(t *testing.T) {
	b := must.Read(t, "../../lab/results/lines.md")
	text := string(b)
	for _, p := range evallines.Protocols {
		if !strings.Contains(text, "| `"+p.Name+"` |") {
			t.Errorf("lab/results/lines.md: no protocol %s", p.Name)
		}
	}
	for _, name := range evallines.SystemNames() {
		if !strings.Contains(text, "| `"+name+"` |") {
			t.Errorf("lab/results/lines.md: no system %s", name)
		}
	}
}
