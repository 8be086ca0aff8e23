package chaffinch_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	link       = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading    = regexp.MustCompile(`(?m)^#{1,6} +(.*)$`)
	notInSlug  = regexp.MustCompile(`[^\p{L}\p{N}\- _]`)
	code       = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")
	linkMarkup = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
)

// anchors returns what links to the headings of a page of Markdown look like.
func anchors(text string) map[string]bool {
	found := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(text, -1) {
		title := linkMarkup.ReplaceAllString(m[1], "$1")
		found[strings.ReplaceAll(notInSlug.ReplaceAllString(strings.ToLower(title), ""), " ", "-")] = true
	}
	return found
}

// TestLinks wants the files and headings that the documentation links to.
func TestLinks(t *testing.T) {
	checked := 0
	sources(t, func(path string, b []byte) {
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(string(b), ""), -1) {
			to, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(to, ":") {
				continue // an address
			}
			checked++
			file := path
			if to != "" {
				file = filepath.Join(filepath.Dir(path), to)
			}
			target, err := os.ReadFile(file)
			if st, e := os.Stat(file); e == nil && st.IsDir() {
				continue
			}
			if err != nil {
				t.Errorf("%s: link to %s: %v", path, m[1], err)
				continue
			}
			if anchor != "" && !anchors(string(target))[anchor] {
				t.Errorf("%s: link to %s: no such heading", path, m[1])
			}
		}
	}, ".md")
	if checked < 100 {
		t.Errorf("%d links, wanted more", checked)
	}
}

// script matches the path of a script of the project in the documentation.
var script = regexp.MustCompile(`\b((?:lab|release|build|text|clean|python)/[\w/.-]+\.(?:sh|py))\b`)

// TestScriptsExist wants the scripts that the documentation names.
func TestScriptsExist(t *testing.T) {
	checked := 0
	sources(t, func(path string, b []byte) {
		for _, m := range script.FindAllStringSubmatch(string(b), -1) {
			checked++
			if _, err := os.Stat(filepath.FromSlash(m[1])); err != nil {
				t.Errorf("%s: no script %s", path, m[1])
			}
		}
	}, ".md")
	if checked < 30 {
		t.Errorf("%d scripts, wanted more", checked)
	}
}
