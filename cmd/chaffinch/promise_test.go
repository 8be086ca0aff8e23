package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"chaffinch/internal/packed"
	"chaffinch/internal/testkit/must"
)

// TestOutputsHaveFormats fails on an output without an entry for the formats of its name.
func TestOutputsHaveFormats(t *testing.T) {
	known := map[string]bool{}
	eachCommand(t, func(words []string, n *kong.Node, flags []*kong.Flag) {
		name := strings.Join(words, " ")
		for _, f := range flags {
			if !isOne(outputFlags, name, f.Name) {
				continue
			}
			known[f.Name], known[name+" --"+f.Name] = true, true
			if formatsOf(name, f.Name) == "" {
				t.Errorf("outputFormats in output_flags.go does not say what %s --%s writes", name, f.Name)
			}
		}
	})
	for flag := range outputFormats {
		if !known[flag] {
			t.Errorf("outputFormats names %s, which no command has", flag)
		}
	}
}

// TestPromises gives every output of every command a name that promises another format:
// the command refuses before it writes anything.
func TestPromises(t *testing.T) {
	dir := t.TempDir()
	tried := 0
	eachCommand(t, func(words []string, n *kong.Node, flags []*kong.Flag) {
		name := strings.Join(words, " ")
		for _, out := range flags {
			formats := formatsOf(name, out.Name)
			if out.Hidden || !isOne(outputFlags, name, out.Name) || formats == anyFormat || formats == ownFormat {
				continue
			}
			line, has := slices.Clone(words), map[string]bool{}
			for _, group := range out.Xor {
				has[group] = true
			}
			for _, f := range flags {
				if f.Required && f.Name != out.Name && !slices.ContainsFunc(f.Xor, func(group string) bool { return has[group] }) {
					value := filepath.Join(dir, "of-"+f.Name)
					if f.Name == "lang" {
						value = "en"
					}
					line = append(line, "--"+f.Name+"="+value)
					for _, group := range f.Xor {
						has[group] = true
					}
				}
			}
			line = append(line, "--"+out.Name+"="+filepath.Join(dir, "out.parquet"))
			for i := range n.Positional {
				line = append(line, filepath.Join(dir, "in"+string(rune('0'+i))))
			}
			tried++
			refuses(t, dir, strings.NewReader(""), line...)
		}
	})
	if tried < 60 {
		t.Errorf("%d tried, wanted more", tried)
	}
}

// refuses wants a command to refuse the name of an output, and to leave no file.
func refuses(t *testing.T, dir string, in io.Reader, args ...string) {
	t.Helper()
	before := namesIn(t, dir)
	var msg bytes.Buffer
	code := run(args, &console{in, io.Discard, &msg})
	if code != 2 || !strings.Contains(msg.String(), "its suffix promises") && !strings.Contains(msg.String(), "is the suffix of a file") && !strings.Contains(msg.String(), "a name without a format suffix") {
		t.Errorf("chaffinch %s: code %d, %s", strings.Join(args, " "), code, &msg)
	}
	if after := namesIn(t, dir); !slices.Equal(before, after) {
		t.Errorf("chaffinch %s: left %q, there were %q", strings.Join(args, " "), after, before)
	}
}

func namesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries := must.Get(os.ReadDir(dir))(t)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestPromisesByInput gives the commands that write the format of their input, or the one
// that is named, outputs that promise others.
func TestPromisesByInput(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	const doc = `{"id":"a","text":"The ferry came back to the harbour of Skarv in winter."}` + "\n"
	for name, text := range map[string]string{"a.jsonl": doc, "a.vert": "<doc>\n<p>\nThe\nferry\n</p>\n</doc>\n", "a.txt": "The ferry came back.\n", "empty.jsonl": ""} {
		must.Write(t, at(name), text)
	}
	ok := func(args ...string) {
		t.Helper()
		var msg bytes.Buffer
		if code := run(args, &console{strings.NewReader(""), io.Discard, &msg}); code != 0 {
			t.Errorf("chaffinch %s: code %d, %s", strings.Join(args, " "), code, &msg)
		}
	}
	ok("convert", "-q", at("a.jsonl"), "-o", at("a.parquet"))
	for _, c := range [][]string{
		{"dedup", at("a.parquet"), "-o", at("b.parquet")}, {"filter", "--rules", "c4", at("a.parquet"), "-o", at("b.parquet")},
		{"dedup", at("a.jsonl"), "-o", at("b.json")}, {"dedup", at("a.jsonl"), "-o", at("b.jsonl"), "--dropped", at("c.vert")},
		{"filter", "--rules", "c4", at("a.vert"), "-o", at("b.jsonl.zst")}, {"filter", "apply", at("a.jsonl"), "--rules", "c4", "-o", at("b.md")},
		{"dedup", at("a.txt"), "-o", at("b.vert")}, {"dedup", at("empty.jsonl"), "-o", at("b.parquet")}, {"dedup", "-", "-o", at("b.parquet")},
		{"clean", "-f", "jsonl", at("a.txt"), "-o", at("b.parquet")}, {"clean", "-f", "text", at("a.txt"), "-o", at("b.md.gz")}, {"clean", "-f", "text", at("a.txt"), "-o", at("b.json")},
		{"clean", "-f", "jsonl", "--dedup", "exact", at("a.txt"), "-o", at("b.vert")}, {"convert", "-f", "text", at("a.jsonl"), "-o", at("b.html")},
		{"tokenize", at("a.txt"), "-o", at("b.jsonl")}, {"tokenize", "-s", at("a.txt"), "-o", at("b.vert")},
		{"clean", "--rank", "0/1", "-f", "text", at("a.txt"), "-o", at("b.jsonl")}, {"filter", "--rank", "0/1", "--rules", "c4", at("a.vert"), "-o", at("b.warc")},
	} {
		refuses(t, dir, strings.NewReader(doc), c...)
	}
	for _, c := range [][]string{
		{"dedup", "-q", at("a.jsonl"), "-o", at("b.ndjson.gz")}, {"dedup", "-q", at("a.vert"), "-o", at("b.vertical")}, {"filter", "-q", "--rules", "c4", at("a.jsonl"), "-o", at("b.anything")},
		{"tokenize", at("a.txt"), "-o", at("b.vert.zst")}, {"clean", "-q", "-f", "jsonl", at("a.txt"), "-o", at("b.json")}, {"clean", "-q", "-f", "json", at("a.txt"), "-o", at("b.jsonl")},
	} {
		ok(c...)
	}
}

// TestMergeKeepsPromises merges shards into a file of another packing, and of another
// format.
func TestMergeKeepsPromises(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	var pages []string
	for _, name := range []string{"a.txt", "b.txt"} {
		pages = append(pages, at(name))
		must.Write(t, at(name), "The ferry came back to the harbour of Skarv, page "+name+".\n")
	}
	do := func(args ...string) {
		t.Helper()
		var msg bytes.Buffer
		if code := run(args, &console{strings.NewReader(""), io.Discard, &msg}); code != 0 {
			t.Fatalf("chaffinch %s: code %d, %s", strings.Join(args, " "), code, &msg)
		}
	}
	do(append([]string{"clean", "-q", "--rank", "0/1", "--shard-size", "1", "-o", at("c.jsonl.zst")}, pages...)...)
	do(append([]string{"clean", "-q", "-o", at("whole.jsonl")}, pages...)...)
	whole := must.Read(t, at("whole.jsonl"))
	for _, name := range []string{"d.jsonl", "d.ndjson.gz", "c.jsonl.zst"} {
		do("build", "merge", "-q", at("c.jsonl.zst.shards"), "-o", at(name))
		b := must.Read(t, at(name))
		if name == "d.jsonl" && !bytes.Equal(b, whole) {
			t.Errorf("%s holds\n%q, want\n%q", name, b, whole)
		}
		r := must.Get(packed.NewReader(bytes.NewReader(b), packed.Trusted))(t)
		if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, whole) {
			t.Errorf("%s unpacks to\n%q (%v), want\n%q", name, got, err, whole)
		}
	}
	for _, name := range []string{"e.parquet", "e.json", "e.txt.zst"} {
		refuses(t, dir, strings.NewReader(""), "build", "merge", at("c.jsonl.zst.shards"), "-o", at(name))
	}
	do(append([]string{"clean", "-q", "--rank", "0/1", "-f", "jsonl", "-o", at("plain")}, pages...)...)
	refuses(t, dir, strings.NewReader(""), "build", "merge", at("plain.shards"), "-o", at("plain.vert"))
	do("build", "merge", "-q", at("plain.shards"), "-o", at("other"))
}
