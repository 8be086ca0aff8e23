package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit"
)

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
		if err := os.WriteFile(at(name), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		format, file, want string
		args               []string
	}{
		{"text", "letter.txt", "was the first line", []string{"clean", "-m", "keep"}}, {"text", "letters.zip", "was the first line", []string{"clean", "-m", "keep"}},
		{"html", "page.html", "came back", []string{"clean", "-m", "keep"}},
		{"text", "letter.txt", "was the first line", []string{"convert"}}, {"text", "letters.zip", "was the first line", []string{"convert"}},
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
		if err := os.WriteFile(at(name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
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
		told := strings.Count(msg.String(), "their pages are taken from the field "+c.field+",")
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
