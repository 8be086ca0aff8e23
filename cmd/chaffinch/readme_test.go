package main

import (
	"bytes"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// notRun are commands whose output docs show, and which a test cannot run.
var notRun = map[string]string{
	"serve": "it serves until it is stopped",
	"serve --annotate mine --pages crawl.warc.gz --sample 50": "it serves until it is stopped",
}

// docsPages returns the names of README.md and of all pages of the docs.
func docsPages(t *testing.T) []string {
	t.Helper()
	pages := []string{"../../README.md"}
	err := filepath.WalkDir("../../docs", func(name string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(name) == ".md" {
			pages = append(pages, name)
		}
		return err
	})
	if err != nil || len(pages) < 60 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	return pages
}

// TestSessions runs the commands of README.md and the docs that show output, and wants
// the lines shown, in order. A shown line that ends in " ..." is the beginning of one; two
// blanks stand for a tab.
func TestSessions(t *testing.T) {
	texts := map[string]string{}
	for _, name := range docsPages(t) {
		texts[name] = string(must.Read(t, name))
	}
	t.Chdir("../..")
	shown := 0
	for name, text := range texts {
		folder := filepath.Base(filepath.Dir(name))
		for block := range strings.SplitSeq(text, "\n\n") {
			if strings.HasPrefix(block, "```") && (folder == "tutorials" || folder == "guides") {
				continue // TestTutorials and TestGuides run these
			}
			block = strings.TrimSuffix(strings.TrimPrefix(block, "```console\n"), "\n```")
			lines := strings.Split(strings.TrimRight(block, "\n"), "\n")
			line, ok := strings.CutPrefix(strings.TrimPrefix(lines[0], "    "), "$ chaffinch ")
			line, _, _ = strings.Cut(line, "  #")
			line = strings.TrimSpace(line)
			if !ok || len(lines) < 2 || strings.HasPrefix(strings.TrimSpace(lines[1]), "$ ") {
				continue
			}
			shown++
			if notRun[line] == "" {
				session(t, name, line, lines[1:])
			}
		}
	}
	if shown < 1 {
		t.Errorf("the output of %d commands is shown, want at least 1", shown)
	}
}

// session runs a command, and wants the lines that a page shows.
func session(t *testing.T, page, line string, lines []string) {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(strings.Fields(line), &console{strings.NewReader(""), &out, &errs}); code != 0 {
		t.Errorf("%s: %s: exit code %d: %s", page, line, code, errs.String())
		return
	}
	got := strings.ReplaceAll(out.String(), "\t", "  ")
	for _, want := range lines {
		want = strings.TrimPrefix(want, "    ")
		if want == "..." {
			return
		}
		want = strings.TrimSuffix(want, " ...")
		_, after, ok := strings.Cut(got, want)
		if !ok {
			t.Errorf("%s: %s: no line %q, or not in this place", page, line, want)
			return
		}
		got = after
	}
}

// TestReadmeChain: a command of README.md reads what an earlier one of its list has written.
func TestReadmeChain(t *testing.T) {
	readme := must.Read(t, "../../README.md")
	_, section, ok := strings.Cut(string(readme), "## For data engineers")
	if !ok {
		t.Fatal("README.md has no section for data engineers")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	written := map[string]bool{}
	for line := range strings.Lines(section) {
		command, ok := strings.CutPrefix(line, "    $ chaffinch ")
		if !ok {
			continue
		}
		command, _, _ = strings.Cut(command, " #")
		args := strings.Fields(command)
		for i, arg := range args {
			switch {
			case i > 0 && args[i-1] == "-o":
				written[arg] = true
			case strings.HasSuffix(arg, ".jsonl") && !written[arg]:
				t.Errorf("%s: no command before it writes %s", strings.TrimSpace(command), arg)
			}
		}
	}
	if len(written) < 4 {
		t.Errorf("%d outputs in the chain", len(written))
	}
}
