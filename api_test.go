package chaffinch_test

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// library calls fn for every file that users of the library compile and may
// import: commands, internal packages and tests are left out.
func library(t *testing.T, fn func(set *token.FileSet, f *ast.File)) {
	t.Helper()
	sources(t, func(name string, b []byte) {
		dir := filepath.ToSlash(filepath.Dir(name)) + "/"
		if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(dir, "cmd/") || strings.HasPrefix(dir, "lab/transformer/") || strings.Contains("/"+dir, "/internal/") {
			return
		}
		if f := syntax(t, name, b); f.Name.Name != "main" {
			fn(fileSet, f)
		}
	}, ".go")
}

// internals returns the internal packages that a file imports, by their names.
func internals(f *ast.File) map[string]bool {
	names := map[string]bool{}
	for _, im := range f.Imports {
		p, _ := strconv.Unquote(im.Path.Value)
		if strings.HasPrefix(p, module+"/") && strings.Contains(p+"/", "/internal/") {
			name := path.Base(p)
			if im.Name != nil {
				name = im.Name.Name
			}
			names[name] = true
		}
	}
	return names
}

// signatures calls fn for each part of the declarations of a file that its
// users see: not for bodies and unexported fields.
func signatures(f *ast.File, fn func(name string, part ast.Node)) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && exportedReceiver(d) {
				fn(d.Name.Name, d.Type)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					if s.Name.IsExported() {
						seenOf(s.Name.Name, s.Type, fn)
					}
				case *ast.ValueSpec:
					for i, n := range s.Names {
						if n.IsExported() && s.Type != nil {
							fn(n.Name, s.Type)
						} else if n.IsExported() && d.Tok == token.VAR && i < len(s.Values) {
							if c, ok := s.Values[i].(*ast.CompositeLit); ok && c.Type != nil {
								fn(n.Name, c.Type)
							}
						}
					}
				}
			}
		}
	}
}

// seenOf calls fn for the parts of a type that its users see.
func seenOf(name string, typ ast.Expr, fn func(name string, part ast.Node)) {
	s, ok := typ.(*ast.StructType)
	if !ok {
		fn(name, typ)
		return
	}
	for _, field := range s.Fields.List {
		if len(field.Names) == 0 {
			fn(name, field.Type)
		}
		for _, n := range field.Names {
			if n.IsExported() {
				seenOf(name+"."+n.Name, field.Type, fn)
			}
		}
	}
}

// learners are the packages of the laboratory that train what internal packages score.
var learners = []string{"lab/train/trees", "lab/train/nets"}

// TestNoInternalTypes fails on exported names whose types users of the library
// cannot name.
func TestNoInternalTypes(t *testing.T) {
	library(t, func(set *token.FileSet, f *ast.File) {
		if slices.Contains(learners, filepath.ToSlash(filepath.Dir(set.Position(f.Pos()).Filename))) {
			return
		}
		own := internals(f)
		signatures(f, func(name string, part ast.Node) {
			ast.Inspect(part, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok {
					if x, ok := s.X.(*ast.Ident); ok && own[x.Name] {
						t.Errorf("%s: %s shows %s.%s, which is internal: give it a type of this package", set.Position(s.Pos()), name, x.Name, s.Sel.Name)
					}
				}
				return true
			})
		})
	})
}

// aFlag matches a flag of a command.
var aFlag = regexp.MustCompile(`(^|[\s(:,"'])--[a-z][a-z-]+`)

// TestFlagsAreOfCommands fails on texts and comments of the library that name flags: the
// library names fields, and the command maps them to flags.
func TestFlagsAreOfCommands(t *testing.T) {
	library(t, func(set *token.FileSet, f *ast.File) {
		if strings.HasPrefix(set.Position(f.Pos()).Filename, filepath.FromSlash("lab/compare/")) {
			return // modules with commands of their own
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.BasicLit); ok && s.Kind == token.STRING && aFlag.MatchString(s.Value) {
				t.Errorf("%s: %s names a flag: name the field", set.Position(s.Pos()), s.Value)
			}
			return true
		})
		for _, c := range f.Comments {
			if flag := aFlag.FindString(c.Text()); flag != "" {
				t.Errorf("%s: a comment names the flag %s: name the field", set.Position(c.Pos()), strings.TrimSpace(flag))
			}
		}
	})
}

// TestReadersRange fails on readers that a for loop cannot range over.
func TestReadersRange(t *testing.T) {
	next, all := map[string]token.Position{}, map[string]bool{}
	library(t, func(set *token.FileSet, f *ast.File) {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil || !exportedReceiver(fn) {
				continue
			}
			own := typeName(fn.Recv.List[0].Type)
			if !strings.HasSuffix(own, "Reader") && own != "Pages" {
				continue
			}
			at := set.Position(fn.Pos())
			name := filepath.Dir(at.Filename) + "." + own
			switch fn.Name.Name {
			case "Next":
				next[name] = at
			case "All":
				all[name] = true
			}
		}
	})
	if len(next) < 5 {
		t.Errorf("%d readers found", len(next))
	}
	for name, at := range next {
		if !all[name] {
			t.Errorf("%s: %s has Next, but no All", at, name)
		}
	}
}

// TestOneError fails on settings that report an error of another type than the one error with
// a place.
func TestOneError(t *testing.T) {
	told := 0
	library(t, func(set *token.FileSet, f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			field, ok := n.(*ast.Field)
			if !ok || len(field.Names) != 1 || !slices.Contains([]string{"OnError", "OnRepair", "OnProblem"}, field.Names[0].Name) {
				return true
			}
			told++
			if fn, ok := field.Type.(*ast.FuncType); ok && fn.Params.NumFields() > 0 {
				if last := fn.Params.List[len(fn.Params.List)-1]; types.ExprString(last.Type) == "*page.Error" {
					return true
				}
			}
			t.Errorf("%s: %s is not told of a *page.Error", set.Position(field.Pos()), field.Names[0].Name)
			return true
		})
	})
	if told < 5 {
		t.Errorf("%d such settings found", told)
	}
}

// TestDefaults fails on defaults that are not called Default or DefaultSomething.
func TestDefaults(t *testing.T) {
	library(t, func(set *token.FileSet, f *ast.File) {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, s := range g.Specs {
				for _, n := range s.(*ast.ValueSpec).Names {
					if x, ok := strings.CutSuffix(n.Name, "Default"); ok && x != "" && n.IsExported() {
						t.Errorf("%s: %s: call it Default%s", set.Position(n.Pos()), n.Name, x)
					}
				}
			}
		}
	})
}

// TestTrain fails on functions that train and do not begin with a context and the
// settings, or whose settings have no Check.
func TestTrain(t *testing.T) {
	wanted, checked := map[string]token.Position{}, map[string]bool{}
	library(t, func(set *token.FileSet, f *ast.File) {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			at := set.Position(fn.Pos())
			dir := filepath.Dir(at.Filename)
			switch name := fn.Name.Name; {
			case name == "check" && fn.Recv != nil && strings.HasSuffix(typeName(fn.Recv.List[0].Type), "Config"):
				t.Errorf("%s: settings have Check, so that others can call it", at)
			case name == "Check" && fn.Recv != nil:
				checked[dir+"."+typeName(fn.Recv.List[0].Type)] = true
			case fn.Recv != nil:
			case name == "Train" || name == "Adapt":
				var names []string
				for _, p := range fn.Type.Params.List {
					for _, n := range p.Names {
						names = append(names, n.Name)
					}
				}
				if len(names) < 3 || names[0] != "ctx" || names[1] != "cfg" {
					t.Errorf("%s: %s(%s): begin with ctx, cfg", at, name, strings.Join(names, ", "))
					continue
				}
				wanted[declaredAs(f, dir, fn.Type.Params.List[1].Type)] = at
			case name == "NewTrainer":
				wanted[declaredAs(f, dir, fn.Type.Params.List[0].Type)] = at
			}
		}
	})
	if len(wanted) < 5 {
		t.Errorf("%d settings of training found", len(wanted))
	}
	for name, at := range wanted {
		if !checked[name] {
			t.Errorf("%s: %s has no Check", at, name)
		}
	}
}

// training matches functions that learn from examples, and learns lists the folders that may
// declare them.
var (
	training = regexp.MustCompile(`^(Train\w*|Adapt|Tune|NewTrainer|Learn|[Ff]it[A-Z]\w*)$`)
	learns   = []string{"lab/", "serve/", "cmd/"}
)

// TestNoTraining fails on functions that learn from examples in packages that score: the
// laboratory trains.
func TestNoTraining(t *testing.T) {
	library(t, func(set *token.FileSet, f *ast.File) {
		dir := filepath.ToSlash(filepath.Dir(set.Position(f.Pos()).Filename)) + "/"
		if slices.ContainsFunc(learns, func(l string) bool { return strings.HasPrefix(dir, l) }) {
			return
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && training.MatchString(fn.Name.Name) {
				t.Errorf("%s: %s trains: move it to lab/train", set.Position(fn.Pos()), fn.Name.Name)
			}
		}
	})
}

// typeName is the name of a type, or of that which it points to.
func typeName(t ast.Expr) string {
	if p, ok := t.(*ast.StarExpr); ok {
		t = p.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// declaredAs returns the folder and the name of a type that is named in a file of folder dir.
func declaredAs(f *ast.File, dir string, t ast.Expr) string {
	s, ok := t.(*ast.SelectorExpr)
	if !ok {
		return dir + "." + typeName(t)
	}
	for _, im := range f.Imports {
		p, _ := strconv.Unquote(im.Path.Value)
		if name := types.ExprString(s.X); im.Name != nil && im.Name.Name == name || im.Name == nil && path.Base(p) == name {
			dir = strings.TrimPrefix(p, module+"/")
		}
	}
	return filepath.FromSlash(dir) + "." + s.Sel.Name
}

// stable lists the packages with a compatibility promise; the comments of all others mark them
// as unstable.
var stable = []string{
	".", "page", "page/optout", "page/weburl", "page/weburl/registered", "clean", "clean/method",
	"extract", "extract/metadata", "extract/site", "extract/translated",
	"format/jsonl", "format/markdown", "format/parquet", "format/plain", "format/sniff", "format/suffix", "format/tei", "format/tree", "format/vertical", "format/warc",
	"text/charset", "text/langid", "text/lm", "text/lm/pyplexity", "text/token", "text/token/segment",
	"filter", "filter/nontext", "filter/pii",
	"dedup", "dedup/decontaminate", "dedup/exact", "dedup/minhash", "dedup/onion", "dedup/shingle",
	"pipeline", "build", "build/recipe", "build/stage",
}

// docLink matches a link to a declaration of the same package.
var docLink = regexp.MustCompile(`\[([A-Z]\w*(?:\.[A-Z]\w*)?)\]`)

// maxPublic is the limit of exported functions and types of the stable packages, few enough
// to read in one sitting.
const maxPublic = 588

// TestPublicAPI counts the exported names of the stable packages. Their first paragraph must
// link the calls to start with, and the comments of all other packages must mark them as
// unstable.
func TestPublicAPI(t *testing.T) {
	count, unstable := 0, map[string]bool{}
	links, declared := map[string][]string{}, map[string]map[string]bool{} // by package
	library(t, func(set *token.FileSet, f *ast.File) {
		dir := filepath.ToSlash(filepath.Dir(set.Position(f.Pos()).Filename))
		if strings.HasPrefix(dir, "lab/") || strings.HasPrefix(dir, "release") || strings.HasPrefix(dir, "build/beam") || dir == "crawl/urlfrontier" {
			return
		}
		if declared[dir] == nil {
			declared[dir] = map[string]bool{}
		}
		if f.Doc != nil {
			first, _, _ := strings.Cut(f.Doc.Text(), "\n\n")
			for _, m := range docLink.FindAllStringSubmatch(first, -1) {
				links[dir] = append(links[dir], m[1])
			}
			unstable[dir] = unstable[dir] || strings.Contains(f.Doc.Text(), "\nUnstable: this package may change in any release.\n")
		}
		public := 0
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv != nil {
					declared[dir][typeName(d.Recv.List[0].Type)+"."+d.Name.Name] = true
					continue
				}
				declared[dir][d.Name.Name] = true
				if d.Name.IsExported() {
					public++
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						declared[dir][s.Name.Name] = true
						if s.Name.IsExported() {
							public++
						}
					case *ast.ValueSpec:
						for _, n := range s.Names {
							declared[dir][n.Name] = true
						}
					}
				}
			}
		}
		if slices.Contains(stable, dir) {
			count += public
		}
	})
	if count > maxPublic {
		t.Errorf("%d exported functions and types in stable packages, wanted at most %d", count, maxPublic)
	}
	for dir, names := range declared {
		for _, link := range links[dir] {
			if !names[link] {
				t.Errorf("%s: its comment links [%s], which the package does not declare", dir, link)
			}
		}
		switch {
		case slices.Contains(stable, dir) && len(links[dir]) == 0:
			t.Errorf("%s: the first paragraph of its comment names no call: link the first two to use", dir)
		case slices.Contains(stable, dir) && unstable[dir]:
			t.Errorf("%s: its comment says that it is unstable: remove it from stable in api_test.go, or the line from its comment", dir)
		case !slices.Contains(stable, dir) && !unstable[dir]:
			t.Errorf("%s: add it to stable in api_test.go, or a paragraph to its comment: Unstable: this package may change in any release.", dir)
		}
	}
	t.Logf("%d exported functions and types in %d stable packages", count, len(stable))
}
