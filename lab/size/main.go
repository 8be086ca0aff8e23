// Command size counts the Go code of a checkout by folder: lines, tokens without comments, words of
// comments, functions, and the fraction of long functions.
//
//	go run ./lab/size            # the current checkout
//	go run ./lab/size -d 2 DIR   # another one, two folders deep
package main

import (
	"cmp"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"chaffinch/internal/sorts"
)

// longFunction is the minimum number of lines of a long function.
const longFunction = 80

// size holds the counts of a folder.
type size struct {
	packages        map[string]bool
	files           int
	lines           int // in all files
	tokens          int // in all files, comments excluded
	tests           int // tokens of test files
	words           int // of comments outside test files
	functions, long int
}

func main() {
	depth := flag.Int("d", 1, "`folders` in a path that are counted as one")
	flag.Parse()
	dir := cmp.Or(flag.Arg(0), ".")
	sizes, err := count(dir, *depth)
	if err == nil {
		err = write(os.Stdout, sizes)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "size:", err)
		os.Exit(1)
	}
}

// count counts the Go files in dir by the first depth folders of their paths.
func count(dir string, depth int) (map[string]*size, error) {
	sizes := map[string]*size{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != dir && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		folder := filepath.ToSlash(filepath.Dir(rel))
		group := strings.Join(firstN(strings.Split(folder, "/"), depth), "/")
		s := sizes[group]
		if s == nil {
			s = &size{packages: map[string]bool{}}
			sizes[group] = s
		}
		s.packages[folder] = true
		return s.add(path, b)
	})
	return sizes, err
}

func firstN(list []string, n int) []string { return list[:min(n, len(list))] }

// add counts a file.
func (s *size) add(path string, src []byte) error {
	s.files++
	s.lines += strings.Count(string(src), "\n")
	test := strings.HasSuffix(path, "_test.go")
	set := token.NewFileSet()
	var sc scanner.Scanner
	sc.Init(set.AddFile(path, -1, len(src)), src, nil, scanner.ScanComments)
	for {
		_, tok, text := sc.Scan()
		switch {
		case tok == token.EOF:
			return s.functionsOf(path, src, test)
		case tok == token.COMMENT:
			if !test {
				s.words += len(strings.Fields(text))
			}
		case tok == token.SEMICOLON && text == "\n": // inserted by the scanner
		default:
			s.tokens++
			if test {
				s.tests++
			}
		}
	}
}

// functionsOf counts the functions of a file.
func (s *size) functionsOf(path string, src []byte, test bool) error {
	if test {
		return nil
	}
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, path, src, 0)
	if err != nil {
		return err
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		s.functions++
		if set.Position(fn.End()).Line-set.Position(fn.Pos()).Line >= longFunction {
			s.long++
		}
	}
	return nil
}

// write prints a row for each folder, the largest first, and their sum.
func write(w io.Writer, sizes map[string]*size) error {
	total := &size{packages: map[string]bool{}}
	names := sorts.ByCount(sizes, func(s *size) int { return s.tokens })
	if _, err := fmt.Fprintf(w, "%-24s %8s %6s %8s %9s %9s %9s %6s %5s\n", "folder", "packages", "files", "lines", "tokens", "in tests", "comments", "funcs", "long"); err != nil {
		return err
	}
	row := func(name string, s *size) error {
		_, err := fmt.Fprintf(w, "%-24s %8d %6d %8d %9d %9d %9d %6d %5d\n", name, len(s.packages), s.files, s.lines, s.tokens, s.tests, s.words, s.functions, s.long)
		return err
	}
	for _, name := range names {
		s := sizes[name]
		if err := row(name, s); err != nil {
			return err
		}
		maps.Copy(total.packages, s.packages)
		total.files += s.files
		total.lines += s.lines
		total.tokens += s.tokens
		total.tests += s.tests
		total.words += s.words
		total.functions += s.functions
		total.long += s.long
	}
	return row("all", total)
}
