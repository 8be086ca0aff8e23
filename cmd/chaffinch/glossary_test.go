package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// retired reads the retired wordings of docs/glossary.md, each with its term.
func retired(t *testing.T) map[string]string {
	t.Helper()
	b, err := os.ReadFile("../../docs/glossary.md")
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]string{}
	for line := range strings.Lines(string(b)) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 5 || strings.Contains(cells[1], "term") || strings.Contains(cells[1], "---") {
			continue
		}
		for word := range strings.SplitSeq(cells[3], ",") {
			if word = strings.TrimSpace(word); word != "" {
				words[word] = strings.TrimSpace(cells[1])
			}
		}
	}
	if len(words) < 20 {
		t.Fatalf("%d retired wordings in docs/glossary.md", len(words))
	}
	return words
}

// TestGlossary: help and documentation use none of the retired wordings.
func TestGlossary(t *testing.T) {
	words := retired(t)
	blank := regexp.MustCompile(`\s+`)
	check := func(place, text string) {
		text = strings.ToLower(blank.ReplaceAllString(text, " "))
		for word, term := range words {
			if i := strings.Index(text, word); i >= 0 {
				t.Errorf("%s: %q is retired: write %s (...%s...)", place, word, term, text[max(0, i-30):min(len(text), i+50)])
			}
		}
	}
	eachCommand(t, func(path []string, node *kong.Node, flags []*kong.Flag) {
		name := "help of " + strings.Join(path, " ")
		check(name, node.Help+"\n"+node.Detail)
		for _, f := range flags {
			check(name+" --"+f.Name, f.Help)
		}
		for _, arg := range node.Positional {
			check(name, arg.Help)
		}
	})
	pages := []string{"../../README.md", "../../CONTRIBUTING.md", "../../SECURITY.md"}
	for _, pattern := range []string{"../../docs/*.md", "../../docs/*/*.md", "../../changelog/*.md", "../../changelog/*/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, found...)
	}
	for _, page := range pages {
		if strings.HasSuffix(page, "glossary.md") {
			continue
		}
		b, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		check(page, string(b))
	}
}
