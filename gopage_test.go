package chaffinch_test

import (
	"bytes"
	"flag"
	"go/ast"
	"go/doc"
	"go/token"
	"path"
	"regexp"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// goPage is the reference of the library. The first two columns of its tables follow from the
// package comments.
const goPage = "docs/reference/go.md"

var updateGoPage = flag.Bool("gopage", false, "rewrite the descriptions of packages in "+goPage)

// goRow matches a row of goPage: folder, description, calls.
var goRow = regexp.MustCompile("(?m)^(\\| \\[`([^`]+)`\\]\\([^)]*\\) \\| )(.*)( \\| ([^|]*) \\|)$")

// TestGoPage compares goPage with the package comments and wants every call that it names.
func TestGoPage(t *testing.T) {
	comments, names := map[string]string{}, map[string]map[string]bool{}
	library(t, func(set *token.FileSet, f *ast.File) {
		dir := path.Dir(set.Position(f.Package).Filename)
		if names[dir] == nil {
			names[dir] = map[string]bool{}
		}
		if f.Doc != nil {
			comments[dir] = f.Doc.Text()
		}
		exported(f, names[dir])
	})
	text, missing := must.Read(t, goPage), map[string]bool{}
	for dir := range comments {
		if !strings.Contains(dir, "/") && dir != "lab" && dir != "release" && dir != "docs" {
			missing[dir] = true
		}
	}
	var summary doc.Package
	updated := goRow.ReplaceAllFunc(text, func(row []byte) []byte {
		m := goRow.FindSubmatch(row)
		dir := string(m[2])
		if dir == "chaffinch" {
			dir = "."
		}
		delete(missing, dir)
		for _, call := range strings.Split(string(m[5]), ", ") {
			_, name, _ := strings.Cut(strings.Trim(call, "`"), ".")
			if !names[dir][name] {
				t.Errorf("%s: %s has no exported %s", goPage, dir, name)
			}
		}
		return append(append(bytes.Clone(m[1]), purpose(summary.Synopsis(comments[dir]))...), m[4]...)
	})
	for dir := range missing {
		t.Errorf("%s: no row of the package %s", goPage, dir)
	}
	switch {
	case bytes.Equal(text, updated):
	case *updateGoPage:
		must.Write(t, goPage, updated)
	default:
		t.Errorf("%s differs from the package comments: run go test -run TestGoPage -gopage .", goPage)
	}
}

// details matches what follows the verb and the noun of a package comment.
var details = regexp.MustCompile(`(?:: | \(|; |, by ).*|\.$`)

// purpose returns the verb and the noun of the synopsis of a package.
func purpose(synopsis string) string {
	_, what, _ := strings.Cut(strings.TrimPrefix(synopsis, "Package "), " ")
	return details.ReplaceAllString(strings.NewReplacer("[", "", "]", "").Replace(what), "")
}

// exported adds the names of a file that its users see: Func, Type and Type.Method.
func exported(f *ast.File, names map[string]bool) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil {
				name = receiver(d.Recv.List[0].Type) + "." + name
			}
			names[name] = d.Name.IsExported()
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if s, ok := s.(*ast.TypeSpec); ok {
					names[s.Name.Name] = s.Name.IsExported()
				}
			}
		}
	}
}

// receiver returns the name of the type of a receiver.
func receiver(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}
