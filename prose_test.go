package chaffinch_test

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// odd matches wordings that no other project of the field uses: private idiom that hides the
// usual term from readers and from search.
var odd = regexp.MustCompile(`(?i)\b(?:tells?|stands?|behind|those (?:of|that|who|which)|that of the|what (?:is|was|it|has|they|comes|came|stands)|says? (?:of|that|which|what|why|how)|(?:is|was|were|are|be) had|` +
	`anew|at hand|however (?:many|large|long|few)|none is|that is none|goes? on|` +
	`knows? (?:of|how)|asks? for|looks? (?:at|into)|gives? back|given back|hands? (?:over|on|back)|takes? in|lets? go|brings? about|comes? of|makes? of|has no more|` +
	`of its own|of their own|by itself|once more|as it is|as they are|room for|broken off|left behind|whoever|whichever|by and by|in the end|as far as|to be had|such a one|nobody|nothing but)\b`)

// budgets is the file with the number of violations that each folder may have. It may only
// decrease.
const budgets = "docs/contributing/prose.txt"

var lowerBudgets = flag.Bool("lower", false, "lower the budgets of docs/contributing/prose.txt to the counted violations")

// violations counts by "KIND FOLDER".
type violations map[string]int

func (v violations) add(kind, path string, n int) {
	if n > 0 {
		v[kind+" "+folderOf(filepath.ToSlash(filepath.Dir(path)))] += n
	}
}

// TestProse counts wordings and shapes of sentences that readers stumble over: odd words in
// comments, docs and strings; comments of functions with a bool that do not say "reports
// whether"; sentences of docs with more than 25 words; lines of docs with more than 300
// characters outside tables.
func TestProse(t *testing.T) {
	found := violations{}
	sources(t, func(path string, b []byte) {
		switch {
		case strings.HasSuffix(path, ".md"):
			found.docs(path, b)
		case !strings.HasSuffix(path, "_test.go"):
			found.code(t, path, b)
		}
	}, ".go", ".md")
	limits := readBudgets(t)
	for _, key := range slices.Sorted(maps.Keys(found)) {
		if n, limit := found[key], limits[key]; n > limit {
			t.Errorf("%s: %d violations, at most %d: see docs/contributing/prose.md", key, n, limit)
		}
	}
	if !*lowerBudgets || t.Failed() {
		return
	}
	var text bytes.Buffer
	text.WriteString("# Violations of docs/contributing/prose.md: kind, folder, most. go test -run TestProse . -lower\n")
	for _, key := range slices.Sorted(maps.Keys(found)) {
		fmt.Fprintf(&text, "%s %d\n", key, found[key])
	}
	must.Write(t, budgets, text.Bytes())
}

func readBudgets(t *testing.T) violations {
	t.Helper()
	limits := violations{}
	for line := range strings.Lines(string(must.Read(t, budgets))) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Fields(line)
		if len(fields) != 3 {
			t.Fatalf("%s: %q, wanted a kind, a folder and a number", budgets, line)
		}
		n := must.Get(strconv.Atoi(fields[2]))(t)
		limits[fields[0]+" "+fields[1]] = n
	}
	return limits
}

// code counts violations in a Go file.
func (v violations) code(t *testing.T, path string, b []byte) {
	t.Helper()
	f := syntax(t, path, b)
	for _, g := range f.Comments {
		v.add("comments", path, len(odd.FindAllString(g.Text(), -1)))
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if returnsBool(n) && n.Doc != nil && !strings.Contains(n.Doc.Text(), "reports whether") {
				v.add("bools", path, 1)
			}
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); n.Kind == token.STRING && err == nil && strings.Count(text, " ") > 1 {
				v.add("strings", path, len(odd.FindAllString(text, -1)))
			}
		}
		return true
	})
}

// returnsBool reports whether a bool is all that a function returns.
func returnsBool(f *ast.FuncDecl) bool {
	list := f.Type.Results
	if list == nil || len(list.List) != 1 || len(list.List[0].Names) > 1 {
		return false
	}
	name, ok := list.List[0].Type.(*ast.Ident)
	return ok && name.Name == "bool"
}

// sentenceEnd matches the end of a sentence.
var sentenceEnd = regexp.MustCompile(`[.!?:;](?:\s|$)`)

// docs counts violations in a Markdown file. Code, tables and quotations do not count.
func (v violations) docs(path string, b []byte) {
	if strings.HasPrefix(path, "release/changelog/") {
		return
	}
	fenced := false
	lines := bufio.NewScanner(bytes.NewReader(b))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
			continue
		}
		if fenced || strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "|") || strings.HasPrefix(line, ">") {
			continue
		}
		v.add("docs", path, len(odd.FindAllString(line, -1)))
		if len([]rune(line)) > 300 {
			v.add("lines", path, 1)
		}
		for _, s := range sentenceEnd.Split(line, -1) {
			if len(strings.Fields(s)) > 25 {
				v.add("sentences", path, 1)
			}
		}
	}
}
