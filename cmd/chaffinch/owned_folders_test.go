package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestOwnedFolders names folders of other commands as outputs: every command but the one
// that owns the folder refuses, and the folder stays as it was.
func TestOwnedFolders(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for name, text := range map[string]string{
		"page.html": "<p>The ferry leaves the harbour at noon and comes back in the evening, when everybody is tired and wants to go home.",
		"c.jsonl":   `{"id":"1","text":"The ferry leaves the harbour at noon and comes back in the evening, when everybody is tired."}` + "\n",
		"c.vert":    "<doc>\nferry\nharbour\n</doc>\n",
		// A crawl needs a network.
		"crawl/crawl.json": "{}", "crawl/frontier/queue": "",
		"mine/index.json": "{}",
	} {
		must.Write(t, at(name), text)
	}
	command := func(args ...string) (code int, msg string) {
		var b strings.Builder
		code = run(args, &console{strings.NewReader(""), io.Discard, &b})
		return code, b.String()
	}
	makers := map[string][]string{
		"corpus.idx":     {"corpus", "index", at("c.vert"), "-o", at("corpus.idx")},
		"plagiarism.idx": {"plagiarism", "index", at("c.jsonl"), "-o", at("plagiarism.idx")},
		"dedup.idx":      {"dedup", at("c.jsonl"), "-o", at("unique.jsonl"), "--index", at("dedup.idx"), "--update"},
		"build":          {"build", "linguist", at("page.html"), "-o", at("build")},
	}
	for range 2 { // again: a command may replace its own folder
		for name, args := range makers {
			if code, msg := command(args...); code != 0 {
				t.Fatalf("%s: exit code %d: %s", name, code, msg)
			}
		}
	}
	for folder, what := range map[string]string{
		"corpus.idx": "is a corpus index", "plagiarism.idx": "is a plagiarism index", "dedup.idx": "is a dedup index",
		"build": "is a build folder", "crawl": "is a crawl folder",
	} {
		before := names(t, at(folder))
		for _, args := range [][]string{
			{"clean", at("page.html")}, {"convert", at("c.jsonl")}, {"dedup", at("c.jsonl")}, {"filter", at("c.jsonl")},
			{"corpus", "index", at("c.vert")}, {"plagiarism", "index", at("c.jsonl")}, {"build", "linguist", at("page.html")},
		} {
			if m := makers[folder]; m != nil && m[0] == args[0] && m[1] == args[1] && folder != "dedup.idx" {
				continue
			}
			if code, msg := command(append(args, "-o", at(folder))...); code != 2 || !strings.Contains(msg, what) {
				t.Errorf("%v -o %s: exit code %d, %q, want %q", args, folder, code, msg, what)
			}
		}
		if after := names(t, at(folder)); after != before {
			t.Errorf("%s holds %s, held %s", folder, after, before)
		}
	}
	if code, msg := command("clean", at("page.html"), "-o", at("mine")); code != 0 {
		t.Errorf("a folder with an index.json of its owner: exit code %d: %s", code, msg)
	}
}

// names returns the names and times of the files in a folder.
func names(t *testing.T, dir string) string {
	list := must.Get(os.ReadDir(dir))(t)
	var b strings.Builder
	for _, e := range list {
		st := must.Get(e.Info())(t)
		if b.WriteString(e.Name() + " "); !e.IsDir() {
			b.WriteString(st.ModTime().String() + "; ")
		}
	}
	return b.String()
}
