package extract

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"chaffinch/internal/archive"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// The fast segmenter against the simple one, on a tree.

// treeBlock is a block according to the tree.
type treeBlock struct {
	text   string
	hidden bool
	links  int
}

// treeWalk is the simple version of the segmenter, on the tree that a browser
// builds: the oracle of the fast one.
type treeWalk struct {
	out, late []treeBlock
	cur       treeText
	veiled    treeText
	aside     bool
	heading   bool
	brs       int
}

type treeText struct {
	b      strings.Builder
	blank  bool
	blankL bool
	links  int
	hidden bool
}

// treeBlocks returns the blocks of a page, nil if it nests too deep for a tree.
func treeBlocks(src string) []treeBlock {
	doc, err := html.Parse(strings.NewReader(src))
	if err != nil {
		return nil
	}
	w := new(treeWalk)
	w.node(doc, false, false, false)
	w.end()
	return w.out
}

func (w *treeWalk) text() *treeText {
	if w.aside {
		return &w.veiled
	}
	return &w.cur
}

func (w *treeWalk) end() {
	t := w.text()
	if s := strings.TrimSpace(t.b.String()); s != "" {
		b := treeBlock{s, t.hidden, t.links}
		if w.aside {
			w.late = append(w.late, b)
		} else {
			w.out = append(w.out, b)
		}
	}
	*t = treeText{}
	if !w.aside {
		w.brs = 0
	}
	if !w.aside || w.cur.b.Len() == 0 {
		w.out = append(w.out, w.late...)
		w.late = nil
	}
}

func (w *treeWalk) node(n *html.Node, hidden, link, pre bool) {
	switch n.Type {
	case html.TextNode:
		w.chars(n.Data, hidden, link, pre)
		return
	case html.CommentNode, html.DoctypeNode:
		return
	}
	t := lookup(n.Data)
	block := false
	if n.Type == html.ElementNode {
		if n.Namespace != "" {
			return // svg and math
		}
		switch tags[t].act {
		case actRaw, actSkip, actScript, actTitle:
			return
		case actOpen:
			if t.has(mutes) && !(t == tagButton && w.heading) {
				return
			}
		case actBr:
			if pre {
				w.text().b.WriteByte('\n')
				return
			}
			if w.brs > 0 {
				w.end()
				return
			}
			w.chars(" ", hidden, link, pre)
			w.brs = 1
			return
		case actBreak:
			w.end()
			return
		}
		block = t.has(isBlock) || n.DataAtom == atom.Xmp || n.DataAtom == atom.Plaintext
		pre = pre || t.has(keepsSpace) || n.DataAtom == atom.Xmp || n.DataAtom == atom.Plaintext
	}
	hides, open, unfolds := false, false, false
	for _, a := range n.Attr {
		if t == tagHTML || t == tagBody || t == tagUnknown && n.Data == "text" {
			break
		}
		hides = hides || a.Key == "hidden" || a.Key == "popover" || a.Key == "style" && first(readStyle(a.Val))
		open = open || a.Key == "open"
		unfolds = unfolds || a.Key == "id" && strings.HasPrefix(a.Val, "S:") || a.Key == "role" && a.Val == "tabpanel" ||
			a.Key == "class" && strings.Contains(a.Val, "collaps")
		if a.Key == "href" && t == tagA {
			link = true
		}
	}
	hides = (hides || t == tagDialog && !open) && !unfolds
	if block {
		w.end()
	}
	veil := hides && !hidden && !block && w.cur.b.Len() > 0
	if veil {
		w.aside = true
	}
	heading := w.heading
	switch {
	case t.has(isHeading):
		w.heading = true
	case t.has(resetsKind | keepsSpace), t == tagP, t == tagLi, t == tagDt, t == tagDd, t == tagTd, t == tagTh:
		w.heading = false
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.node(c, hidden || hides, link, pre)
	}
	w.heading = heading
	if block {
		w.end()
	}
	if veil {
		w.end()
		w.aside = false
	} else if hides && !hidden {
		w.end()
	}
}

func (w *treeWalk) chars(s string, hidden, link, pre bool) {
	t := w.text()
	for _, r := range s {
		switch classOf(r) {
		case space:
			if pre && t.b.Len() > 0 {
				t.b.WriteRune(r)
			} else if t.b.Len() > 0 && !t.blank {
				t.blank, t.blankL = true, link
			}
		case plain:
			if t.b.Len() == 0 {
				t.hidden = hidden
			}
			if t.blank {
				t.b.WriteByte(' ')
				if t.blankL && link {
					t.links++
				}
			}
			t.blank = false
			t.b.WriteRune(r)
			if link {
				t.links++
			}
			w.brs = 0
		}
	}
}

// asTree compares the blocks of a page with the blocks of the tree, except line breaks in
// code.
func asTree(t *testing.T, about string, raw []byte) (blocks int) {
	t.Helper()
	e := must.Get(New(Default))(t)
	p := &page.Page{Raw: raw, MIME: "text/html"}
	must.Succeed(t, e.Do(context.Background(), p))
	line := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	var got, want []treeBlock
	for i := range p.Blocks {
		b := &p.Blocks[i]
		got = append(got, treeBlock{line(b.Text), b.Hidden, b.LinkChars})
	}
	for _, b := range treeBlocks(p.HTML) {
		want = append(want, treeBlock{line(b.text), b.hidden, b.links})
	}
	for i := range max(len(got), len(want)) {
		var g, w treeBlock
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g.hidden != w.hidden || g.links != w.links || !parted(g.text, w.text) {
			t.Errorf("%s: block %d:\n got %+v\ntree %+v", about, i, g, w)
			break
		}
	}
	return len(got)
}

// parted reports whether got is want, but for spaces between inline elements
// that a tree knows nothing of (see seam).
func parted(got, want string) bool {
	for got != "" && want != "" {
		if got[0] == want[0] {
			got, want = got[1:], want[1:]
		} else if got[0] == ' ' {
			got = got[1:]
		} else {
			break
		}
	}
	return got == want
}

// TestTreePages compares on the development pages of CleanEval.
func TestTreePages(t *testing.T) {
	blocks := 0
	must.Succeed(t, archive.Walk(testkit.Data(t, "eval/cleaneval-en-dev.tar.zst"), func(p string, r io.Reader) error {
		if filepath.Ext(p) != ".html" {
			return nil
		}
		raw, err := io.ReadAll(r)
		blocks += asTree(t, p, raw)
		return err
	}))
	if blocks < 7000 {
		t.Errorf("compared %d blocks, want all of the set", blocks)
	}
}

// knownDifferent are cases in which the segmenter parts from the tree on
// purpose.
var knownDifferent = map[string]string{
	"<table><tbody><tr><td>a</td></div></tr></tbody><p>b</table>":    "text between cells stays where it stands; browsers move it before the table",
	"<table><a href=x><tr><td>b</table>":                             "the same, for links",
	"<video>a<p>b</video>c<object>d<p>e</object>f<canvas>g</canvas>": "an element that is never closed does not take the rest of the page",
	"<script><!-- <script> </script>a":                               "the same, for a script in a comment in a script",
	"<svg><g>a":                                                      "the same, for drawings",
	"<textarea>a<p>b":                                                "the same, for raw text",
	"<title>a<p>b":                                                   "the same, for titles",
	"<tr><td>a<tr><td>b":                                             "cells outside of tables are boundaries",
	"<p>a<math><mi>x</mi></math>b":                                   "a formula is text",
	`<p>a<a href="b>c</a> d`:                                         "a quote that is never closed ends with its tag",
}

// TestTreeCases compares on tangled markup, a case a line.
func TestTreeCases(t *testing.T) {
	data := must.Read(t, "testdata/tangled.html")
	for _, c := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		if knownDifferent[c] == "" {
			asTree(t, c, []byte(c))
		}
	}
}

func first(a, _ bool) bool { return a }
