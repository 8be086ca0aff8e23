package asciidoc

import (
	"strings"
	"testing"

	"chaffinch/format/document"
	"chaffinch/format/internal/doctest"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// texts contains AsciiDoc with the HTML that is read from it.
var texts = []doctest.Text{
	{"headings", "= Title\nAnn Lee <a@example.org>; Ben\nv1, 2026-01-02\n:x: salt\n\nSome {x} {y}.\n\n== One\n\nTwo\n~~~\n", "<h1>Title</h1>\n<p>Some salt {y}.</p>\n<h2>One</h2>\n<h3>Two</h3>\n"},
	{"inline", "*a* _b_ `c` **d**e x*y z* #f# 2^3^ H~2~O https://example.org[g] link:h.html[i] \"`j`\" k -- l footnote:[Note _m_.] <<n,o>> <<p>> stem:[x^2] image:a.png[] pass:[<b>q</b>] \\*r* ((s))(((t))) +\nu\n\n[[p]]\n.Caption\n----\nv <1>\n----\n",
		"<p><b>a</b> <i>b</i> <code>c</code> <b>d</b>e x*y z* f 2<sup>3</sup> H<sub>2</sub>O <a href=\"https://example.org\">g</a> <a>i</a> “j” k\u2009—\u2009l <a href=\"#note-1\" role=\"doc-noteref\"><sup>1</sup></a> <a>o</a> <a>Caption</a> $x^2$  <b>q</b> *r* s<br>u</p>\n" +
			"<p>Caption</p>\n<pre>v</pre>\n<aside role=\"doc-footnote\" id=\"note-1\"><p>Note <i>m</i>.</p>\n</aside>\n"},
	{"lists", "* a\nb\n** c\n. d\n\n* e\n+\nf\n\n// end\n\nsalt:: White.\nbread::\nBrown.\n", "<ul><li>a b<ul><li>c<ol><li>d</li>\n</ol>\n</li>\n</ul>\n</li>\n<li>e<p>f</p>\n</li>\n</ul>\n<dl><dt>salt</dt><dd>White.</dd><dt>bread</dt><dd>Brown.</dd></dl>"},
	{"item ends block", "* a\n** b\n+\nc\n* d\n", "<ul><li>a<ul><li>b<p>c</p>\n</li>\n</ul>\n</li>\n<li>d</li>\n</ul>\n"},
	{"verse", "[verse]\n____\na\nb\n____\n\n'''''\n\n[verse]\nc\nd\n", "<blockquote><p>a<br>b</p>\n</blockquote>\n<blockquote><p>c<br>d</p>\n</blockquote>\n"},
	{"note after a word", "afootnote:[b]\n", "<p>a<a href=\"#note-1\" role=\"doc-noteref\"><sup>1</sup></a></p>\n<aside role=\"doc-footnote\" id=\"note-1\"><p>b</p>\n</aside>\n"},
	{"blocks", "NOTE: Bread.\n\n====\na\n====\n\n____\nb\n____\n\n....\nc < d\n// e\n....\n\n++++\n<p>e</p>\n++++\n\n////\nf\n////\n\n[source,go]\ng\n\n h\n", "<div class=\"note\"><p>Bread.</p>\n</div>\n<div class=\"note\"><p>a</p>\n</div>\n<blockquote><p>b</p>\n</blockquote>\n<pre>c &lt; d\n// e</pre>\n<p>e</p>\n<pre>g</pre>\n<pre>h</pre>\n"},
	{"table", ".T\n[cols=\"1,1\"]\n|===\n|a |b\n\n|1\n|2\n2+|3\n|===\n", "<table><caption>T</caption><tr><th>a</th>\n<th>b</th>\n</tr>\n<tr><td>1</td>\n<td>2</td>\n</tr>\n<tr><td colspan=\"2\">3</td>\n</tr>\n</table>\n"},
	{"accents", "*voilà* _Å_ `à`\n", "<p><b>voilà</b> <i>Å</i> <code>à</code></p>\n"},
	{"separated", ",===\na,\"b, c\"\n\n1,2\n,===\n", "<table><tr><th>a</th>\n<th>b, c</th>\n</tr>\n<tr><td>1</td>\n<td>2</td>\n</tr>\n</table>\n"},
	{"conditions", ":a:\n\nifdef::a[]\nb\nendif::[]\nifndef::a[c]\nifdef::d[]\ne\nendif::[]\ninclude::f.adoc[]\n", "<p>b</p>\n"},
}

func TestRead(t *testing.T) {
	doctest.Texts(t, Read, texts)
	d := must.Get(Read(t.Context(), []byte(texts[0].Text), document.Limits{}))(t)
	if !strings.Contains(d.HTML, "<title>Title</title><meta name=\"author\" content=\"Ann Lee\"><meta name=\"author\" content=\"Ben\"><meta name=\"date\" content=\"2026-01-02\">") {
		t.Errorf("metadata: %s", d.HTML)
	}
}

// TestBombs reads nested and unclosed markup, within a time that is linear in its bytes.
func TestBombs(t *testing.T) {
	testkit.Slow(t)
	doctest.Bombs(t, Read, func(piece string) []string {
		return []string{doctest.Fill(piece, 20000), doctest.Fill(piece+"\n", 20000), "|===\n" + doctest.Fill(piece, 10000)}
	}, []string{"*", "*a ", "**a ", "_a ", "`", "^a ", "~a", "+", "<<a,", "[[a", "((", "(((", "footnote:[", "https://a[", "image:a[", "* ", "** a\n* ", ". ", "a:: ", "----\n", "====\n", "====\n=====\n", "|===\n", "|===\n|", "+\n", "[a]\n", ".a\n", "ifdef::a[]\n", ":a: {a}{a}\n{a}", "stem:[", "\"`", "\\", "a\n--\n", "9999*|a\n"})
}

// TestBlankLines fails if the time to read blank lines is quadratic: the test would not end.
func TestBlankLines(t *testing.T) {
	for _, around := range [][2]string{{"* a", "* b"}, {"a::", "b:: c"}} {
		text := around[0] + strings.Repeat("\n", 1<<20) + around[1]
		d := must.Get(Read(t.Context(), []byte(text), document.Limits{MaxHTML: 1 << 20}))(t)
		if !strings.Contains(d.HTML, "b") || len(d.HTML) > 300 {
			t.Errorf("%q: %.500s", around, d.HTML)
		}
	}
}

// FuzzRead reads any AsciiDoc.
func FuzzRead(f *testing.F) { doctest.Fuzz(f, Read, texts) }
