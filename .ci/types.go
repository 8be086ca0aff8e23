//go:build ignore

// Command types checks the types of every package and test of the module for an operating system,
// from source. go vet first compiles all imported packages, including the standard library: 175 s
// of processor time instead of 10 s.
//
//	go run -modfile=.ci/tools.mod .ci/types.go darwin windows
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	root, err := os.Getwd()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	faults := 0
	for _, system := range os.Args[1:] {
		n, wrong, err := check(root, system)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		fmt.Printf("%s: %d packages, %d errors\n", system, n, wrong)
		faults += wrong
	}
	if faults > 0 {
		os.Exit(1)
	}
}

// check loads all packages of the module in root, prints their errors and returns the
// numbers of packages and errors.
func check(root, system string) (checked, faults int, err error) {
	ours := func(file string) bool { return file == "" || strings.HasPrefix(file, root+string(os.PathSeparator)) }
	cfg := &packages.Config{
		Mode:  packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps | packages.NeedTypes | packages.NeedSyntax,
		Tests: true, Dir: root, Env: append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0"),
		ParseFile: func(set *token.FileSet, name string, src []byte) (*ast.File, error) {
			f, err := parser.ParseFile(set, name, src, parser.SkipObjectResolution)
			if f != nil && !ours(name) {
				dropBodies(f)
			}
			return f, err
		},
	}
	all, err := packages.Load(cfg, "./...")
	seen := map[string]bool{}
	packages.Visit(all, nil, func(p *packages.Package) {
		for _, e := range p.Errors {
			// Without bodies other modules do not use all their imports.
			if text := e.Error(); ours(e.Pos) && !seen[text] {
				seen[text] = true
				fmt.Println(text)
			}
		}
	})
	return len(all), len(seen), err
}

// dropBodies removes the bodies of functions, which matter only for our own packages.
func dropBodies(f *ast.File) {
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name != "init" && fn.Type.TypeParams == nil && (fn.Recv == nil || !generic(fn.Recv.List[0].Type)) {
			fn.Body = nil
		}
	}
}

// generic reports whether a receiver has type parameters, whose methods need a body.
func generic(recv ast.Expr) bool {
	switch x := recv.(type) {
	case *ast.StarExpr:
		return generic(x.X)
	case *ast.ParenExpr:
		return generic(x.X)
	case *ast.IndexExpr, *ast.IndexListExpr:
		return true
	}
	return false
}
