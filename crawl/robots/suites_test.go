package robots_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path"
	"strconv"
	"strings"
	"testing"

	"chaffinch/crawl/robots"
	"chaffinch/internal/archive"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// pathOf returns the path and the query of an address, as Google's parser cuts it.
func pathOf(address string) string {
	if _, rest, ok := strings.Cut(address, "://"); ok {
		address = rest
	}
	address, _, _ = strings.Cut(address, "#")
	if i := strings.IndexAny(address, "/?;"); i >= 0 {
		address = address[i:]
	} else {
		return "/"
	}
	if address[0] != '/' {
		return "/" + address
	}
	return address
}

// googleIntended are calls of Google's tests that are meant to differ.
var googleIntended = map[string]string{
	"should GoogleOnly_IndexHTMLisDirectory http://foo.com/allowed-slash/ #1":           "that a folder is its index.html is in no standard",
	"should handle a percent encoded unreserved US-ASCII http://foo.bar/foo/bar/baz #1": "RFC 9309, section 2.2.2, has both sides decoded before they are compared",
}

// TestGoogle makes the calls of the tests of Google's parser, in their translation to Go.
func TestGoogle(t *testing.T) {
	var source []byte
	if err := archive.Walk(testkit.Data(t, "warc/crawl.tar.zst"), func(name string, r io.Reader) (err error) {
		if path.Base(name) == "robots_test.go" && strings.Contains(name, "grobotstxt") {
			source, err = io.ReadAll(r)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	file := must.Get(parser.ParseFile(token.NewFileSet(), "robots_test.go", source, 0))(t)
	g := googleCalls{t: t, found: map[string]string{}, env: map[string]string{}, seen: map[string]int{}}
	ast.Inspect(file, func(n ast.Node) bool { return g.visit(n) })
	if g.ran < 145 {
		t.Errorf("%d calls, wanted 145", g.ran)
	}
	testkit.Differences(t, g.ran, g.found, googleIntended)
}

// googleCalls evaluates what the tests pass to the parser: strings and their sums.
type googleCalls struct {
	t     *testing.T
	env   map[string]string
	found map[string]string
	seen  map[string]int
	test  string
	ran   int
}

func (g *googleCalls) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ValueSpec:
		for i, name := range n.Names {
			if i < len(n.Values) {
				g.env[name.Name], _ = g.value(n.Values[i])
			}
		}
	case *ast.AssignStmt:
		if name, ok := n.Lhs[0].(*ast.Ident); ok {
			s, _ := g.value(n.Rhs[0])
			if n.Tok == token.ADD_ASSIGN {
				s = g.env[name.Name] + s
			}
			g.env[name.Name] = s
		}
	case *ast.ForStmt: // it makes lines of the longest length that is read
		for _, stmt := range n.Body.List {
			if add, ok := stmt.(*ast.AssignStmt); ok && add.Tok == token.ADD_ASSIGN {
				name := add.Lhs[0].(*ast.Ident).Name
				field := map[string]string{"longline": "disallow: ", "longlineA": "allow: ", "longlineB": "allow: "}[name]
				more, _ := g.value(add.Rhs[0])
				g.env[name] += strings.Repeat(more, 2083*8-2*len(g.env[name])-len(field)+len("\n"))
			}
		}
		return false
	case *ast.CallExpr:
		g.call(n)
	}
	return true
}

func (g *googleCalls) call(n *ast.CallExpr) {
	name, _ := n.Fun.(*ast.Ident)
	if name == nil || len(n.Args) == 0 {
		return
	}
	if s, ok := n.Args[0].(*ast.BasicLit); ok && name.Name == "It" {
		g.test = s.Value
	}
	inner, _ := n.Args[0].(*ast.CallExpr)
	if inner == nil || name.Name != "EXPECT_TRUE" && name.Name != "EXPECT_FALSE" {
		return
	}
	if called, _ := inner.Fun.(*ast.Ident); called == nil || called.Name != "IsUserAgentAllowed" {
		return
	}
	var args [3]string
	for i, a := range inner.Args {
		s, ok := g.value(a)
		if !ok {
			g.t.Fatalf("%s: an argument that is not evaluated", g.test)
		}
		args[i] = s
	}
	g.ran++
	want := name.Name == "EXPECT_TRUE"
	if got, _ := robots.Parse([]byte(args[0])).Allowed(args[1], pathOf(args[2])); got != want {
		key := strings.Trim(g.test, `"`) + " " + args[2]
		g.seen[key]++
		g.found[fmt.Sprintf("%s #%d", key, g.seen[key])] = fmt.Sprintf("%t, want %t: %.200q", got, want, args[0])
	}
}

// value returns the string that an expression is.
func (g *googleCalls) value(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		return s, err == nil
	case *ast.Ident:
		s, ok := g.env[e.Name]
		return s, ok
	case *ast.ParenExpr:
		return g.value(e.X)
	case *ast.BinaryExpr:
		x, ok := g.value(e.X)
		y, ok2 := g.value(e.Y)
		return x + y, ok && ok2
	}
	return "", false
}

// protegoIntended are calls in Protego's tests that are meant to differ.
var protegoIntended = map[string]string{
	"/content/2 agent #1": noRule, "/foo agent #1": noRule, "/foobar agent #1": noRule,
	"/foo/bar.html jävla-foobot #1": ascii, "/totalitarianism/foo.htm Mozilla/5.0 (compatible; Львів-bot/1.1) #1": ascii,
	"https://site.local/admin/ UnicödeBöt #1": ascii, "https://site.local/some/randome/page.html UnicödeBöt #1": ascii,
	"http://foo.bar/horcrux harry potter #1":                   "a line without a colon is read if it has two words",
	"http://foo.bar/http://ms-web00.walkerplus.com/ FooBot #1": "a pattern that is an address, without a slash or a star before it, is the path of no page",
	"http://foo.bar/x/abc$ FooBot #1":                          dollar, "http://foo.bar/x/abc%24 FooBot #1": dollar,
	"http://foo.com/allowed-slash/ footbot #1": "that a folder is its index.html is in no standard",
}

const (
	noRule = "lines that are no rule end no group (RFC 9309, section 2.2.1): the two agents share the rule that follows, as in Google's parser"
	ascii  = "a product token has ASCII letters, _ and - (RFC 9309, section 2.2.1)"
	dollar = "$ at the end of a pattern is the end of the path, which has a sign more here (RFC 9309, section 2.2.3)"
)

// TestProtego makes the calls of Protego's tests. Python reads them.
func TestProtego(t *testing.T) {
	tests := testkit.Suite(t, "protego/tests")
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 to read the tests")
	}
	b := must.Get(exec.Command(python, "testdata/protego.py", tests).Output())(t)
	found, seen, ran := map[string]string{}, map[string]int{}, 0
	for line := range strings.Lines(string(b)) {
		var c struct {
			Content, Call string
			Args          []string
			Want          any
		}
		must.Succeed(t, json.Unmarshal([]byte(line), &c))
		r := robots.Parse([]byte(c.Content))
		var got any
		switch c.Call {
		case "can_fetch":
			got, _ = r.Allowed(c.Args[1], pathOf(c.Args[0]))
		case "crawl_delay":
			if d := r.For(c.Args[0]).Delay; d > 0 {
				got = d.Seconds()
			}
		default:
			continue // fields that this package does not have
		}
		if ran++; got != c.Want {
			key := strings.Join(c.Args, " ")
			seen[key]++
			found[fmt.Sprintf("%s #%d", key, seen[key])] = fmt.Sprintf("%v, want %v: %.300q", got, c.Want, c.Content)
		}
	}
	testkit.Differences(t, ran, found, protegoIntended)
}
