package chaffinch_test

import (
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// folders lists the top-level folders with packages in the order in which data flows: a
// package imports its own folder and those above it. "." is the facade.
var folders = []string{
	"page", "pipeline", "model", "text", "format", "input", "extract", "clean", "filter", "dedup", "plagiarism", "corpus",
	"build", ".", "crawl", "lab", "docs", "serve", "cmd", "release", "examples",
}

// maxFolders bounds the top-level folders of the project: those above and internal, python.
const maxFolders = 22

// folderOf returns the top-level folder of a package, given by its folder in the module.
func folderOf(dir string) string { return strings.SplitN(dir, "/", 2)[0] }

// eachImport calls fn for each import of one of our packages in a source file that is not a
// test, with the folders of both packages.
func eachImport(t *testing.T, fn func(file, from, to string)) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			name := d.Name()
			if path != "." && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata") {
				return filepath.SkipDir
			}
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil && path != "." {
				return filepath.SkipDir // a module of its own
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, im := range f.Imports {
			p, _ := strconv.Unquote(im.Path.Value)
			if to, ours := strings.CutPrefix(p+"/", module+"/"); ours {
				if to = strings.TrimSuffix(to, "/"); to == "" {
					to = "."
				}
				fn(path, filepath.ToSlash(filepath.Dir(path)), to)
			}
		}
		return nil
	})
	must.Succeed(t, err)
}

// TestLayers fails when a package imports a folder below its own, or internal imports more
// than the model of a page.
func TestLayers(t *testing.T) {
	eachImport(t, func(file, from, to string) {
		f, g := folderOf(from), folderOf(to)
		switch {
		case f == "internal":
			if g != "internal" && to != "page" {
				t.Errorf("%s imports %s: internal may import page alone", file, to)
			}
		case !slices.Contains(folders, f):
			t.Errorf("%s: folder %q is not in folders", file, f)
		case g != "internal" && slices.Index(folders, g) > slices.Index(folders, f):
			t.Errorf("%s imports %s, a folder below its own", file, to)
		}
	})
	entries := must.Get(os.ReadDir("."))(t)
	entries = slices.DeleteFunc(entries, func(e os.DirEntry) bool { return !e.IsDir() || strings.HasPrefix(e.Name(), ".") || e.Name() == "dist" })
	if len(entries) > maxFolders {
		t.Errorf("%d folders, wanted at most %d", len(entries), maxFolders)
	}
}

var updateDiagram = flag.Bool("diagram", false, "rewrite the diagram of docs/architecture.md")

// TestDiagram compares the diagram of the imports in docs/architecture.md with the imports.
func TestDiagram(t *testing.T) {
	const name, begin, end = "docs/architecture.md", "<!-- imports -->\n", "<!-- end -->\n"
	imports := map[[2]string]bool{}
	eachImport(t, func(_, from, to string) { imports[[2]string{folderOf(from), folderOf(to)}] = true })
	var b strings.Builder
	b.WriteString("```text\n")
	for i, f := range folders {
		fmt.Fprintf(&b, "%2d %-10s", i+1, f)
		for _, g := range folders[:i] {
			mark := " ·"
			if imports[[2]string{f, g}] {
				mark = " ●"
			}
			b.WriteString(mark)
		}
		b.WriteByte('\n')
	}
	b.WriteString("```\n")
	doc := must.Read(t, name)
	before, rest, ok := strings.Cut(string(doc), begin)
	got, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no diagram between %q and %q", name, begin, end)
	}
	if got == b.String() {
		return
	}
	if !*updateDiagram {
		t.Fatalf("%s does not show the imports: go test -run TestDiagram . -diagram", name)
	}
	must.Write(t, name, before+begin+b.String()+end+after)
}

// heavy is what cleaning one page must not link: a program that calls the facade
// alone stays small.
var heavy = []string{
	"chaffinch/format/parquet", "chaffinch/extract/documents/readers", "chaffinch/input", "chaffinch/input/records", "chaffinch/dedup", "chaffinch/build/recipe", "chaffinch/lab/eval", "chaffinch/build/store", "chaffinch/build/cluster",
	"github.com/parquet-go/", "google.golang.org/protobuf", "github.com/alecthomas/kong", "github.com/minio/", "golang.org/x/net/publicsuffix", "encoding/xml", "net/http", "os/exec", "text/template",
}

// TestFacadeIsSmall follows the imports of the facade.
func TestFacadeIsSmall(t *testing.T) {
	seen := map[string]bool{}
	var follow func(dir string, via []string)
	follow = func(dir string, via []string) {
		if seen[dir] {
			return
		}
		seen[dir] = true
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no sources, error %v", dir, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			f := must.Get(parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly))(t)
			for _, im := range f.Imports {
				p, _ := strconv.Unquote(im.Path.Value)
				for _, h := range heavy {
					if p == strings.TrimSuffix(h, "/") || strings.HasPrefix(p, strings.TrimSuffix(h, "/")+"/") {
						t.Errorf("the facade links %s: %s", p, strings.Join(append(via, dir), " -> "))
					}
				}
				if to, ours := strings.CutPrefix(p, module+"/"); ours {
					follow(to, append(via[:len(via):len(via)], dir))
				}
			}
		}
	}
	follow(".", nil)
}
