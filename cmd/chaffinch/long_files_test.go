package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestLongFiles: a file of settings or names that is longer than any is rejected by its size,
// and the error names the file, the limit and what to do.
func TestLongFiles(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	for name, text := range map[string]string{
		"page.html": "<p>The ferry leaves the island at nine.", "text.txt": "The ferry leaves.\n", "lines.jsonl": `{"id":"a","text":"The ferry leaves."}` + "\n",
		"a.vert": "<doc id=\"a\">\nThe\nferry\n</doc>\n",
	} {
		must.Write(t, in(name), text)
	}
	for _, name := range []string{"long.json", "long.yaml", "long.txt"} {
		f := must.Get(os.Create(in(name)))(t)
		if err := f.Truncate(300 << 20); err != nil { // a hole, which takes no disk
			t.Fatal(err)
		}
		must.Succeed(t, f.Close())
	}
	for _, args := range [][]string{
		{"filter", in("lines.jsonl"), "--rules", in("long.json")},
		{"filter", in("lines.jsonl"), "--rules", "nontext", "--sites", in("long.txt")},
		{"filter", "decide", in("long.txt")},
		{"train", "segmenter", in("text.txt"), "--lang", "th", "-o", in("th.chf"), "--dictionary", in("long.txt")},
		{"train", "segmenter", in("text.txt"), "--lang", "th", "-o", in("th.chf"), "--fold", in("long.txt")},
		{"tokenize", in("text.txt"), "--rules", in("long.txt")},
		{"vertical", "tokenize", in("a.vert"), "--rules", in("long.txt")},
		{"clean", in("page.html"), "--recipe", in("long.json")},
		{"clean", in("page.html"), "-f", "vertical", "--token-rules", in("long.txt")},
		{"convert", in("page.html"), "-f", "vertical", "--token-rules", in("long.txt")},
		{"corpus", "compare", in("none"), in("none"), "--phrases", in("long.txt")},
		{"build", in("long.yaml"), "-o", in("corpus")},
		{"clean", in("page.html"), "--config-file", in("long.yaml")},
	} {
		name := strings.Join(args, " ")
		name = name[strings.LastIndex(name, dir+string(filepath.Separator)+"long"):]
		name, _, _ = strings.Cut(name, " ")
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, errs := runs(t, 2, args...)
		runtime.ReadMemStats(&after)
		if want := name + ": more than 268435456 bytes in one file, which is the limit: cut it"; !strings.Contains(errs, want) {
			t.Errorf("%q: %q, want %q", args, errs, want)
		}
		if n := (after.TotalAlloc - before.TotalAlloc) >> 20; n > 200 {
			t.Errorf("%q: %d MiB allocated", args, n)
		}
	}
}
