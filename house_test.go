package chaffinch_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// module is the path of the module.
var module = strings.TrimSuffix(reflect.TypeFor[page.Page]().PkgPath(), "/page")

// maxLines is the length from which a file should become two.
const maxLines = 800

// foreign is what no file of the project may hold: paths of one machine, and
// the words by which work is put off.
var foreign = regexp.MustCompile(`/(work|root|home/[a-z]+)/|\b(TODO|FIXME|XXX)\b`)

// sources calls fn for every file of the project with one of the endings.
func sources(t *testing.T, fn func(path string, b []byte), endings ...string) {
	t.Helper()
	must.Succeed(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); name == ".git" || name == ".venv" || name == "testdata" {
				return filepath.SkipDir
			}
			return nil
		}
		for _, e := range endings {
			if strings.HasSuffix(path, e) {
				b, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				fn(path, b)
				break
			}
		}
		return nil
	}))
}

// fileSet holds the positions of every file that [syntax] has parsed.
var (
	fileSet = token.NewFileSet()
	parsed  = map[string]*ast.File{}
)

// syntax returns the syntax of a file, which is parsed once for all tests.
func syntax(t *testing.T, path string, b []byte) *ast.File {
	t.Helper()
	if f := parsed[path]; f != nil {
		return f
	}
	f := must.Get(parser.ParseFile(fileSet, path, b, parser.ParseComments|parser.SkipObjectResolution))(t)
	parsed[path] = f
	return f
}

// TestHouseRules fails on files that are too long and on what is of one
// machine or put off for later.
func TestHouseRules(t *testing.T) {
	sources(t, func(path string, b []byte) {
		if n := bytes.Count(b, []byte("\n")); n > maxLines && strings.HasSuffix(path, ".go") {
			t.Errorf("%s: %d lines, at most %d: make it two", path, n, maxLines)
		}
		if path == "house_test.go" {
			return
		}
		if bytes.Contains(b, []byte("testing.Short()")) {
			t.Errorf("%s: calls testing.Short: call testkit.Slow, Part or Whole", path)
		}
		for i, line := range bytes.Split(b, []byte("\n")) {
			if m := foreign.Find(line); m != nil {
				t.Errorf("%s:%d: holds %q", path, i+1, m)
			}
		}
	}, ".go", ".md", ".sh", ".py", ".mod", ".txt", ".json")
}

// TestDocumented fails on packages and exported names without a comment.
func TestDocumented(t *testing.T) {
	commented := map[string]bool{}
	sources(t, func(path string, b []byte) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		f := syntax(t, path, b)
		dir := filepath.Dir(path)
		commented[dir] = commented[dir] || f.Doc != nil
		if f.Name.Name == "main" {
			return
		}
		for _, d := range f.Decls {
			for _, name := range undocumented(d) {
				t.Errorf("%s: %s has no comment", fileSet.Position(d.Pos()), name)
			}
		}
	}, ".go")
	for dir, ok := range commented {
		if !ok {
			t.Errorf("package in %s has no comment", dir)
		}
	}
}

// undocumented lists the exported names that d declares without a comment.
func undocumented(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && d.Doc == nil && exportedReceiver(d) {
			names = append(names, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() && d.Doc == nil && s.Doc == nil {
					names = append(names, s.Name.Name)
				}
			case *ast.ValueSpec:
				for _, n := range s.Names {
					if n.IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil {
						names = append(names, n.Name)
					}
				}
			}
		}
	}
	return names
}

func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return true
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.Ident:
			return x.IsExported()
		default:
			return true
		}
	}
}

// changing names the functions of package os that change a file system.
var changing = map[string]bool{
	"Chmod": true, "Create": true, "CreateTemp": true, "Link": true, "Mkdir": true, "MkdirAll": true, "MkdirTemp": true, "OpenFile": true, "Remove": true,
	"RemoveAll": true, "Rename": true, "Symlink": true, "Truncate": true, "WriteFile": true,
}

// TestOneWayToDisk fails on files that change the file system without package
// internal/disk, where tests let each such change fail.
func TestOneWayToDisk(t *testing.T) {
	sources(t, func(path string, b []byte) {
		slashed := filepath.ToSlash(path)
		for _, apart := range []string{"internal/disk/", "internal/testkit/", "lab/compare/", "lab/transformer/", "examples/"} {
			if strings.HasPrefix(slashed, apart) {
				return
			}
		}
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		ast.Inspect(syntax(t, path, b), func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && x.Name == "os" && changing[s.Sel.Name] {
					t.Errorf("%s: os.%s: use internal/disk, or internal/files for a file that is written whole", fileSet.Position(s.Pos()), s.Sel.Name)
				}
			}
			return true
		})
	}, ".go")
}

// wanting finds in the text of a message what a reader should be told in the one
// form "wanted", as in `split "old": wanted given or new`.
var wanting = regexp.MustCompile(`\b(wants?|expect(s|ed)?)\b`)

// TestWanted: messages say what was wanted in one form. What a format or method
// cannot do without, it needs.
func TestWanted(t *testing.T) {
	for text, bad := range map[string]bool{"2 cells, want 3": true, "the task wants an id": true, "expected a number": true, "2 cells, wanted 3": false, "unwanted text": false} {
		if wanting.MatchString(text) != bad {
			t.Errorf("%q: found %t, wanted %t", text, !bad, bad)
		}
	}
	checked := 0
	sources(t, func(path string, b []byte) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		ast.Inspect(syntax(t, path, b), func(n ast.Node) bool {
			l, ok := n.(*ast.BasicLit)
			if !ok || l.Kind != token.STRING {
				return true
			}
			checked++
			if m := wanting.FindString(l.Value); m != "" && strings.Contains(l.Value, " ") {
				t.Errorf("%s: %q in %s: write wanted, or needs", fileSet.Position(l.Pos()), m, l.Value)
			}
			return true
		})
	}, ".go")
	if checked < 10000 {
		t.Errorf("%d texts, wanted more", checked)
	}
}
