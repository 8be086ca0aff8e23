package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"chaffinch/internal/testkit/must"
)

// retired reads the retired wordings of docs/glossary.md, each with its term.
func retired(t *testing.T) map[string]string {
	t.Helper()
	b := must.Read(t, "../../docs/glossary.md")
	words := map[string]string{}
	for line := range strings.Lines(string(b)) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 5 || strings.Contains(cells[1], "term") || strings.Contains(cells[1], "---") {
			continue
		}
		for word := range strings.SplitSeq(cells[3], ",") {
			if word = strings.TrimSpace(word); word != "" {
				words[word] = strings.TrimSpace(cells[1])
			}
		}
	}
	if len(words) < 20 {
		t.Fatalf("%d retired wordings in docs/glossary.md", len(words))
	}
	return words
}

// errorTexts calls fn for the texts of errors in a Go file, and for the comments of exported
// names.
func errorTexts(fset *token.FileSet, f *ast.File, fn func(place, text string)) {
	say := func(n ast.Node, text string) { fn(fset.Position(n.Pos()).String(), text) }
	doc := func(g *ast.CommentGroup, exported bool) {
		if exported && g != nil {
			say(g, g.Text())
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			name, _ := n.Fun.(*ast.SelectorExpr)
			if name == nil || name.Sel.Name != "Errorf" && name.Sel.Name != "New" || len(n.Args) == 0 {
				break
			}
			ast.Inspect(n.Args[0], func(n ast.Node) bool {
				if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
					text, _ := strconv.Unquote(l.Value)
					say(l, text)
				}
				return true
			})
		case *ast.FuncDecl:
			doc(n.Doc, n.Name.IsExported())
		case *ast.GenDecl:
			for _, spec := range n.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					doc(n.Doc, spec.Name.IsExported())
					doc(spec.Doc, spec.Name.IsExported())
				case *ast.ValueSpec:
					doc(n.Doc, spec.Names[0].IsExported())
					doc(spec.Doc, spec.Names[0].IsExported())
				}
			}
		case *ast.Field:
			doc(n.Doc, len(n.Names) > 0 && n.Names[0].IsExported())
		}
		return true
	})
}

// sources calls fn for the Go files of the house, tests aside.
func sources(t *testing.T, fn func(fset *token.FileSet, f *ast.File)) {
	t.Helper()
	fset, n := token.NewFileSet(), 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || len(d.Name()) > 2 && d.Name()[0] == '.'):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(fset, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		n++
		fn(fset, f)
		return nil
	})
	if err != nil || n < 500 {
		t.Fatalf("%d Go files, %v", n, err)
	}
}

// TestGlossary: help, errors, documentation and comments of exported names use none of the
// retired wordings.
func TestGlossary(t *testing.T) {
	words := retired(t)
	blank := regexp.MustCompile(`\s+`)
	rate := regexp.MustCompile(`\b(one|an?) (page|file|token|sentence|word|paragraph|object|document|label|row|block|json object) an? (line|page|row|file|document|block|record|language)\b`)
	check := func(place, text string) {
		text = strings.ToLower(blank.ReplaceAllString(text, " "))
		if m := rate.FindString(text); m != "" {
			t.Errorf("%s: %q: write one ... per ...", place, m)
		}
		for word, term := range words {
			if i := strings.Index(text, word); i >= 0 {
				t.Errorf("%s: %q is retired: write %s (...%s...)", place, word, term, text[max(0, i-30):min(len(text), i+50)])
			}
		}
	}
	eachCommand(t, func(path []string, node *kong.Node, flags []*kong.Flag) {
		name := "help of " + strings.Join(path, " ")
		check(name, node.Help+"\n"+node.Detail)
		for _, f := range flags {
			check(name+" --"+f.Name, f.Help)
		}
		for _, arg := range node.Positional {
			check(name, arg.Help)
		}
	})
	sources(t, func(fset *token.FileSet, f *ast.File) { errorTexts(fset, f, check) })
	pages := []string{"../../README.md", "../../CHANGELOG.md", "../../CONTRIBUTING.md", "../../SECURITY.md"}
	for _, pattern := range []string{"../../docs/*.md", "../../docs/*/*.md", "../../release/changelog/*.md", "../../release/changelog/*/*.md"} {
		found := must.Get(filepath.Glob(pattern))(t)
		pages = append(pages, found...)
	}
	for _, page := range pages {
		if strings.HasSuffix(page, "glossary.md") {
			continue
		}
		b := must.Read(t, page)
		check(page, string(b))
	}
}
