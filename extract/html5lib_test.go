package extract

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// html5libDir returns the folder of html5lib's tests: CHAFFINCH_HTML5LIB_TESTS, else the
// copy that the module golang.org/x/net brings along.
func html5libDir(t *testing.T) string {
	if dir := os.Getenv("CHAFFINCH_HTML5LIB_TESTS"); dir != "" {
		return dir
	}
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/net").Output()
	dir := filepath.Join(strings.TrimSpace(string(out)), "html", "testdata", "html5lib-tests")
	if _, statErr := os.Stat(dir); err != nil || statErr != nil {
		t.Skipf("no html5lib tests: set CHAFFINCH_HTML5LIB_TESTS to a checkout (%v, %v)", err, statErr)
	}
	return dir
}

// treeCase is a test of tree construction.
type treeCase struct {
	file, data string
	off        bool // the tree is that of a browser without scripts
	tree       []string
}

// id names the case whatever version of the suite it is in.
func (c *treeCase) id() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%t", c.data, c.off))
	return hex.EncodeToString(sum[:5])
}

// treeCases reads the tests of whole documents in a file.
func treeCases(t *testing.T, file string) (list []treeCase) {
	raw := must.Read(t, file)
	for part := range bytes.SplitSeq(append([]byte("\n"), raw...), []byte("\n#data\n")) {
		data, rest, ok := strings.Cut(string(part), "\n#errors\n")
		if !ok && strings.HasPrefix(string(part), "#errors\n") {
			data, rest, ok = "", string(part), true
		}
		head, tree, found := strings.Cut(rest, "#document\n")
		if !ok || !found || strings.Contains(head, "#document-fragment") {
			continue
		}
		list = append(list, treeCase{filepath.Base(file), data, strings.Contains(head, "#script-off"), treeLines(tree)})
	}
	return list
}

// treeLines returns the nodes of a dump, whose texts can have several lines.
func treeLines(dump string) (lines []string) {
	for l := range strings.Lines(dump) {
		if l, ok := strings.CutPrefix(l, "| "); ok {
			lines = append(lines, l)
		} else if len(lines) > 0 {
			lines[len(lines)-1] += l
		}
	}
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], "\n")
	}
	return lines
}

// parse builds the tree of a dump.
func (c *treeCase) parse() *html.Node {
	doc := &html.Node{Type: html.DocumentNode}
	open := []*html.Node{doc}
	for _, l := range c.tree {
		name := strings.TrimLeft(l, " ")
		depth := (len(l)-len(name))/2 + 1
		open = open[:min(depth, len(open))]
		top := open[len(open)-1]
		n := &html.Node{Type: html.ElementNode}
		switch {
		case strings.HasPrefix(name, `"`):
			n.Type, n.Data = html.TextNode, strings.TrimSuffix(name[1:], `"`)
		case strings.HasPrefix(name, "<!--"):
			n.Type = html.CommentNode
		case strings.HasPrefix(name, "<!"), strings.HasPrefix(name, "<?"):
			n.Type = html.DoctypeNode
		case strings.HasPrefix(name, "<"):
			n.Data = strings.TrimSuffix(name[1:], ">")
			if ns, local, ok := strings.Cut(n.Data, " "); ok && (ns == "svg" || ns == "math") {
				n.Namespace, n.Data = ns, local
			}
			n.DataAtom = atom.Lookup([]byte(n.Data))
		case name == "content":
			n.Data = name // of a template, which is left out
		default:
			key, val, _ := strings.Cut(name, "=")
			top.Attr = append(top.Attr, html.Attribute{Key: key, Val: strings.Trim(val, `"`)})
			continue
		}
		top.AppendChild(n)
		open = append(open, n)
	}
	return doc
}

// TestHTML5lib compares the text of html5lib's tests of tree construction, block by block,
// with the expected trees. testdata/html5lib.tsv lists the differences with reasons.
func TestHTML5lib(t *testing.T) {
	dir := html5libDir(t)
	files, err := filepath.Glob(filepath.Join(dir, "tree-construction", "*.dat"))
	if more, _ := filepath.Glob(filepath.Join(dir, "tree-construction", "scripted", "*.dat")); err == nil {
		files = append(files, more...)
	}
	if err != nil || len(files) == 0 {
		t.Fatalf("no tests of tree construction in %s", dir)
	}
	listed := differences(t)
	cases, differ := 0, 0
	for _, file := range files {
		for _, c := range treeCases(t, file) {
			cases++
			got, want := textOf(t, c.data), expectedText(&c)
			reason := listed[c.id()]
			if got != want {
				differ++
			}
			switch {
			case got != want && reason == "":
				t.Errorf("%s\t%s\n%s\n got %q\nwant %q", c.id(), c.file, c.data, got, want)
			case got == want && reason != "":
				t.Errorf("%s %s is listed as different and is not:\n%s", c.id(), c.file, c.data)
			}
		}
	}
	t.Logf("%d of %d trees differ", differ, cases)
}

// textOf returns the text of the blocks of a page, a line each.
func textOf(t *testing.T, data string) string {
	t.Helper()
	e := must.Get(New(Default))(t)
	p := &page.Page{HTML: data, MIME: "text/html"}
	must.Succeed(t, e.Do(t.Context(), p))
	var b strings.Builder
	for i := range p.Blocks {
		b.WriteString(strings.Join(strings.Fields(p.Blocks[i].Text), " ") + "\n")
	}
	return b.String()
}

// expectedText returns the text of the tree that a test expects, a block a line.
func expectedText(c *treeCase) string {
	w := new(treeWalk)
	w.node(c.parse(), false, false, false)
	w.end()
	var b strings.Builder
	for _, k := range w.out {
		b.WriteString(strings.Join(strings.Fields(k.text), " ") + "\n")
	}
	return b.String()
}

// differences reads testdata/html5lib.tsv: the id of a case, and the reason why it differs.
func differences(t *testing.T) map[string]string {
	f := must.Get(os.Open(filepath.Join("testdata", "html5lib.tsv")))(t)
	defer f.Close()
	list := map[string]string{}
	for s := bufio.NewScanner(f); s.Scan(); {
		if col := strings.Split(s.Text(), "\t"); len(col) == 3 {
			list[col[0]] = col[2]
		}
	}
	return list
}
