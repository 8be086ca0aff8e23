package main

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// TestEmptyFile: an empty file holds no document. Every command names it, continues with the
// other files, and succeeds.
func TestEmptyFile(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string]string{"e.jsonl": "", "e.txt": "", "e.html": "", "e.vert": "", "e.jsonl.gz": string(testkit.Gzip(nil)),
		"good.vert":  "<doc>\n<p>\nword\n</p>\n</doc>\n",
		"good.jsonl": `{"id":"a","text":"The old ferry left the harbour of the island at seven in the morning with the mail."}` + "\n"} {
		must.Write(t, filepath.Join(dir, name), data)
	}
	t.Chdir(dir)
	for _, line := range []string{
		"clean -q e.html", "clean -q e.jsonl.gz good.jsonl", "clean -q good.jsonl e.txt -o x.jsonl", "clean -q e.jsonl good.jsonl -o y.jsonl --dedup exact", "clean -q -",
		"convert e.vert", "convert e.jsonl good.jsonl", "convert -", "dedup run -q e.txt", "dedup run -q e.jsonl good.jsonl", "dedup run -q good.jsonl e.jsonl.gz -o z.jsonl", "dedup run -q -",
		"bulk-perplexity e.txt good.jsonl", "tag-remover e.html good.jsonl", "detect lang e.jsonl good.jsonl", "detect lang -", "detect lang --lines e.txt", "detect labels --registers e.jsonl good.jsonl", "detect charset e.txt",
		"plagiarism index -q good.jsonl e.txt -o index", "plagiarism index -q e.jsonl.gz good.jsonl -o index2", "plagiarism search e.txt good.jsonl --sources good.jsonl",
		"plagiarism search good.jsonl --sources good.jsonl --sources e.jsonl", "tokenize --lang en e.txt", "tokenize --lang en -",
		"corpus index -q e.vert good.vert -o corpus", "corpus index -q good.vert e.jsonl.gz -o corpus",
		"vertical check e.vert", "vertical text e.txt", "vertical repair e.vert", "vertical tokenize e.txt", "vertical check -",
	} {
		named := ""
		for _, word := range strings.Fields(line) {
			if word == "-" || strings.HasPrefix(word, "e.") {
				named = word
			}
		}
		var out, msg bytes.Buffer
		code := run(strings.Fields(line), &console{strings.NewReader(""), &out, &msg})
		if n := strings.Count(msg.String(), "chaffinch: "+named+": empty file\n"); code != 0 || n != 1 {
			t.Errorf("chaffinch %s: code %d, named %d times:\n%s", line, code, n, msg.Bytes())
		}
		if strings.Contains(msg.String(), "could not be read") {
			t.Errorf("chaffinch %s: an error:\n%s", line, msg.Bytes())
		}
	}
}

// TestUnreadable wants the tables of filter and dedup to count lines that are not documents, and a
// hint if no line is one.
func TestUnreadable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "in.jsonl")
	must.Write(t, file, "{\"text\":\"one\"}\nnot JSON\n{\"title\":\"two\"}\n")
	for _, args := range [][]string{{"filter", file, "--rules", "c4"}, {"dedup", file}} {
		out, errs := runs(t, 1, args...)
		if !regexp.MustCompile(`(?m)^read +1 .*\n(.*\n)+unreadable +2$`).MatchString(errs) || !strings.Contains(out, "not JSON\n{\"title\":\"two\"}\n") {
			t.Errorf("%s: %s%s", args[0], out, errs)
		}
		if _, errs := runs(t, 1, append(args, "--text-field", "txt")...); !strings.Contains(errs, "chaffinch: no document in 3 pieces of input, which were passed through unchanged: name the text field with --text-field") {
			t.Errorf("%s: %s", args[0], errs)
		}
	}
}
