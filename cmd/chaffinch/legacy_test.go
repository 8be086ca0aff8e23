package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestLegacy refuses text in windows-1251, whose letters would all become U+FFFD. Different documents
// would be duplicates.
func TestLegacy(t *testing.T) {
	t.Chdir(t.TempDir())
	must.Succeed(t, os.Mkdir("txt", 0o777))
	text := "\xcf\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0.\n\n\xc2\xf1\xe5\xec \xef\xee\xea\xe0.\n"
	for name, b := range map[string]string{"a.txt": text, "txt/ru.txt": text, "a.tsv": "ru\t" + text[:12] + "\n", "a.jsonl": "{\"text\":\"" + text[:12] + "\"}\n", "a.vert": "<doc>\n" + text[:6] + "\n</doc>\n"} {
		must.Write(t, filepath.FromSlash(name), []byte(b))
	}
	for _, args := range []string{
		"tokenize a.txt", "convert a.txt", "convert a.jsonl", "dedup a.txt", "dedup a.jsonl", "dedup a.vert", "filter --rules c4 a.jsonl", "perplexity --calibrate 1 a.txt", "corpus index -o c a.vert",
		"train words -o m a.txt", "train langid -o m txt", "train langid -o m a.tsv", "train langid -o m a.txt=ru", "train sentences a.txt", "train stopwords -o m txt",
	} {
		var out, errs bytes.Buffer
		if code := run(strings.Fields(args), &console{strings.NewReader(""), &out, &errs}); code == 0 || !strings.Contains(errs.String(), "not in UTF-8") {
			t.Errorf("chaffinch %s: code %d, %s", args, code, &errs)
		}
	}
	out, _ := runs(t, 0, "tokenize", "-s", "--input-format", "text", "a.txt")
	must.Equal(t, out, strings.ReplaceAll(text, "\n\n", "\n"))
	runs(t, 0, "tokenize", "--input-format", "text", "-o", "t.vert", "a.txt")
	out, _ = runs(t, 0, "tokenize", "-d", "t.vert")
	must.Equal(t, out, text)
}
