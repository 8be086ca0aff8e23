package main

import (
	"bytes"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// fixedInputs maps commands, or groups of commands, whose inputs have a single format to that
// format. All others have the flag --input-format.
var fixedInputs = map[string]string{
	"annotate agreement": "labels", "annotate gold": "a table of roles", "annotate roles": "a set of pages",
	"build forget": "the folder of a build", "build merge": "shards", "build status": "shards", "corpus": "an index", "crawl": "the folder of a crawl", "crawl simulate": "nothing",
	"dedup index": "an index", "eval": "gold sets, by the names of their files", "eval report": "saved results", "filter decide": "a table of sites",
	"mcp": "an index", "worker": "an index", "model": "a model", "perplexity": "the text as it is",
	"train": "sets and running text, by the names of their files", "vertical conllu": "CoNLL-U", "vertical parallel": "TMX, or lines", "warc": "web archives",
	"completion": "nothing", "complete-word": "nothing", "doctor": "nothing", "help": "nothing", "k8s": "nothing", "man": "nothing", "slurm": "nothing", "users": "nothing", "version": "nothing",
}

// TestCommandsHaveInputFormat fails on a command without the flag that fixedInputs does not
// list.
func TestCommandsHaveInputFormat(t *testing.T) {
	without := map[string]bool{}
	eachCommand(t, func(words []string, _ *kong.Node, flags []*kong.Flag) {
		if slices.ContainsFunc(flags, func(f *kong.Flag) bool { return f.Name == "input-format" }) {
			if name := strings.Join(words, " "); fixedInputs[name] != "" {
				t.Errorf("%s has the flag and is in fixedInputs", name)
			}
			return
		}
		n := len(words)
		for ; n > 0 && fixedInputs[strings.Join(words[:n], " ")] == ""; n-- {
		}
		if without[strings.Join(words[:n], " ")] = true; n == 0 {
			t.Errorf("%s: no flag --input-format, and not in fixedInputs", strings.Join(words, " "))
		}
	})
	for name := range fixedInputs {
		if !without[name] {
			t.Errorf("fixedInputs names %s, which is no such command", name)
		}
	}
}

// TestGoldIsNotDetected holds that evaluations, which have no flag --input-format, do not
// detect formats.
func TestGoldIsNotDetected(t *testing.T) {
	for _, root := range []string{"../../lab/eval", "../../lab/gold"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
			if err != nil {
				return err
			}
			for _, i := range f.Imports {
				if p := strings.Trim(i.Path.Value, `"`); p == "chaffinch/format/sniff" || p == "chaffinch/input" {
					t.Errorf("%s imports %s", path, p)
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// TestInputFormat reads a text whose first line looks like JSON, alone and in an
// archive, with each command that detects formats.
func TestInputFormat(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	const text = "{\"key\": 1} was the first line of his letter.\n\nThe ferry came back to the harbour of Skarv in winter, and it was full of people from the islands.\n"
	const tokens = "{\"a\":\nword\nferry\n"
	for name, b := range map[string][]byte{
		"letter.txt": []byte(text), "letters.zip": testkit.Zip(testkit.File{Name: "a.txt", Data: []byte(text)}, testkit.File{Name: "b.txt", Data: []byte(text)}),
		"odd.vert": []byte(tokens), "page.html": []byte("{\"x\": 2}<p>The ferry came back to the harbour.</p>"), "sheet": []byte(text),
	} {
		must.Write(t, at(name), b)
	}
	for _, c := range []struct {
		format, file, want string
		args               []string
	}{
		{"text", "letter.txt", "was the first line", []string{"clean", "-m", "keep"}}, {"text", "letters.zip", "was the first line", []string{"clean", "-m", "keep"}},
		{"html", "page.html", "came back", []string{"clean", "-m", "keep"}},
		{"text", "letter.txt", "was the first line", []string{"convert"}}, {"text", "letters.zip", "was the first line", []string{"convert"}},
		{"text", "letter.txt", "was the first line", []string{"tag-remover"}}, {"text", "letters.zip", "was the first line", []string{"bulk-perplexity", "--perpl-limit", "1e9"}},
		{"text", "letter.txt", "was the first line", []string{"explain"}}, {"text", "letter.txt", "en\t", []string{"detect", "lang"}},
		{"text", "letter.txt", "was the first line", []string{"detect", "lang", "--lines"}}, {"text", "letter.txt", "letter\n", []string{"tokenize"}}, {"text", "letters.zip", "letter\n", []string{"tokenize"}},
		{"text", "letter.txt", "was the first line", []string{"dedup"}}, {"text", "letters.zip", "was the first line", []string{"dedup", "-m", "exact", "-u", "page"}}, {"text", "letter.txt", "was the first line", []string{"filter", "--rules", "c4", "--annotate"}},
		{"vertical", "odd.vert", "word ferry", []string{"vertical", "text"}}, {"vertical", "odd.vert", "word\nferry", []string{"vertical", "repair"}}, {"vertical", "odd.vert", "3 tokens", []string{"vertical", "check"}},
		{"vertical", "odd.vert", "3", []string{"corpus", "index", "-o", at("odd.idx")}}, {"prevertical", "letter.txt", "letter\n", []string{"vertical", "tokenize"}},
	} {
		var out, msg bytes.Buffer
		args := append(append([]string{}, c.args...), at(c.file), "--input-format", c.format)
		code := run(args, &console{strings.NewReader(""), &out, &msg})
		if code > 1 || !strings.Contains(out.String(), c.want) || strings.Contains(msg.String(), "JSON") {
			t.Errorf("chaffinch %s: code %d\n%s%s, want %q", strings.Join(args, " "), code, &out, &msg, c.want)
		}
	}
}

// TestHTMLFields takes pages from the fields in which others keep HTML, and says so once.
func TestHTMLFields(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	const page = `"<html><body><p>The ferry came back.</p></body></html>"`
	for name, text := range map[string]string{
		"html.jsonl": `{"id":"1","html":` + page + `,"score":NaN}` + "\n" + `{"id":"2","html":` + page + "}\n", "raw.jsonl": `{"id":"1","raw_html":` + page + `,"content":"no markup"}` + "\n",
		"content.jsonl": `{"id":"1","content":` + page + `}` + "\n" + `{"id":"2","content":"plain words"}` + "\n", "text.jsonl": `{"id":"1","html":` + page + `,"text":"Own text."}` + "\n",
		"null.jsonl": `{"id":"1","text":null,"html":` + page + `}` + "\n",
	} {
		must.Write(t, at(name), text)
	}
	for _, c := range []struct {
		file, out, field string
		code             int
	}{
		{"html.jsonl", "The ferry came back.\n\nThe ferry came back.\n\n", "html", 0}, {"raw.jsonl", "The ferry came back.\n\n", "raw_html", 0},
		{"content.jsonl", "The ferry came back.\n\n", "content", 1}, {"text.jsonl", "Own text.\n\n", "", 0}, {"null.jsonl", "The ferry came back.\n\n", "html", 0},
	} {
		var out, msg bytes.Buffer
		code := run([]string{"clean", "-m", "keep", at(c.file)}, &console{strings.NewReader(""), &out, &msg})
		told := strings.Count(msg.String(), "reading HTML from the field "+c.field+" ")
		if code != c.code || out.String() != c.out || c.field != "" && told != 1 || c.field == "" && told != 0 {
			t.Errorf("%s: code %d, %q, told %d times of %q\n%s", c.file, code, &out, told, c.field, &msg)
		}
	}
	var out, msg bytes.Buffer
	run([]string{"clean", "-q", "-m", "keep", at("raw.jsonl"), "-f", "jsonl", "--fields=-id,-mime,-source,-counts,-charset,-lang,-lang_confidence,-langs"}, &console{strings.NewReader(""), &out, &msg})
	if want := `{"content":"no markup","text":"The ferry came back."}` + "\n"; out.String() != want {
		t.Errorf("%s%s, want %s", &out, &msg, want)
	}
}

// TestNoNumbers reads what Python writes for numbers that are none.
func TestNoNumbers(t *testing.T) {
	const lines = `{"id":"a","text":"The ferry came back.","score":NaN,"list":[1,-Infinity,"NaN"],"o":{"x":Infinity}}` + "\n"
	for _, args := range [][]string{{"clean", "-q", "-m", "keep", "-f", "jsonl"}, {"convert", "-q", "-f", "jsonl"}, {"dedup", "-q"}, {"filter", "-q", "--rules", "c4", "--annotate"}} {
		var out, msg bytes.Buffer
		code := run(append(args, "-"), &console{strings.NewReader(lines), &out, &msg})
		if code != 0 || !strings.Contains(out.String(), "The ferry came back.") {
			t.Errorf("chaffinch %s: code %d, %s%s", strings.Join(args, " "), code, &out, &msg)
		}
		if args[0] == "clean" || args[0] == "convert" {
			if want := `"list":[1,null,"NaN"],"o":{"x":null}`; !strings.Contains(out.String(), want) || strings.Contains(out.String(), "score") {
				t.Errorf("chaffinch %s: %s, want %s and no score", args[0], &out, want)
			}
		}
	}
}

// TestFormatOfBuild reads a text that looks like JSON by the flag of build, and reports the
// field of pages in HTML once.
func TestFormatOfBuild(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for name, text := range map[string]string{
		"letter.txt": "{\"key\": 1} was the first line of his letter.\n\nThe ferry came back.\n", "recipe.yaml": "version: 1\nclean: {method: keep}\nexports: [{file: all.txt}]\n",
		"html.jsonl": `{"id":"1","html":"<p>The ferry came back."}` + "\n" + `{"id":"2","html":"<p>It was full."}` + "\n",
	} {
		must.Write(t, at(name), text)
	}
	for _, c := range []struct {
		args []string
		told int
		want string
	}{
		{[]string{at("letter.txt"), "--input-format", "text", "-o", at("letter")}, 0, "was the first line"},
		{[]string{at("html.jsonl"), "-o", at("html")}, 1, "It was full."},
		{[]string{at("html.jsonl"), "-o", at("ranks"), "--rank", "0/1"}, 1, ""},
	} {
		var msg bytes.Buffer
		args := append([]string{"build", at("recipe.yaml")}, c.args...)
		code := run(args, &console{strings.NewReader(""), new(bytes.Buffer), &msg})
		told := strings.Count(msg.String(), "reading HTML from the field html ")
		out, _ := os.ReadFile(filepath.Join(c.args[len(c.args)-1], "all.txt"))
		if code != 0 || told != c.told || !strings.Contains(string(out), c.want) {
			t.Errorf("chaffinch %s: code %d, told %d times\n%s%s", strings.Join(args, " "), code, told, &msg, out)
		}
	}
}
