package chaffinch_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// layers lists the rooms of the house in the order in which data flows. A
// package may import the rows above its own, and folders below its own row's.
var layers = []string{
	"page",
	"optout",
	"translated",
	"model",
	"token",
	"internal/layout",
	"format",
	"input",
	"store",
	"cluster",
	"crawl/robots",
	"crawl/weburl",
	"crawl/fetch",
	"crawl/sitemap",
	"langid", // before charset, which asks it which reading of the bytes is a language
	"charset",
	"extract",
	"site",
	"lm",
	"gold",
	"clean",
	"collection",
	"dedup",
	"plagiarism",
	"filter",
	"pipeline",
	"stage",
	".", // the facade: one page; what makes files stands below
	"recipe",
	"corpus",
	"crawl",
	"build",
	"explain",
	"internal/annotate",
	"eval",
	"serve",
	"lab",
	"cmd",
	"release",
	"examples",
}

// exceptions are imports against the order, each with its reason.
var exceptions = map[string]string{}

// internalRow is where internal/ packages without a row of their own stand:
// above all others, since they are mechanisms without domain words.
const internalRow = -1

func rowOf(dir string) (row int, ok bool) {
	for i, l := range layers {
		if dir == l || strings.HasPrefix(dir, l+"/") {
			return i, true
		}
	}
	if strings.HasPrefix(dir, "internal/") {
		return internalRow, true
	}
	return 0, false
}

// TestLayers fails when a package imports a later row or has no row.
func TestLayers(t *testing.T) {
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
		dir := filepath.ToSlash(filepath.Dir(path))
		row, ok := rowOf(dir)
		if !ok {
			t.Errorf("%s: folder %q has no row in layers", path, dir)
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, im := range f.Imports {
			p, _ := strconv.Unquote(im.Path.Value)
			if p != module && !strings.HasPrefix(p, module+"/") {
				continue
			}
			to := strings.TrimPrefix(strings.TrimPrefix(p, module), "/")
			if to == "" {
				to = "."
			}
			r, ok := rowOf(to)
			if !ok || r > row {
				if exceptions[dir+" -> "+to] == "" {
					t.Errorf("%s imports %s, which stands later in the order of the house", path, p)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// heavy is what cleaning one page must not link: a program that calls the facade
// alone stays small.
var heavy = []string{
	"chaffinch/format/parquet", "chaffinch/input", "chaffinch/collection", "chaffinch/dedup", "chaffinch/recipe", "chaffinch/eval", "chaffinch/store", "chaffinch/cluster",
	"github.com/parquet-go/", "google.golang.org/protobuf", "github.com/alecthomas/kong", "github.com/minio/", "golang.org/x/net/publicsuffix",
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
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
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
