package rst

import (
	"strings"
	"testing"

	"chaffinch/format/document"
	"chaffinch/format/internal/doctest"
	"chaffinch/internal/testkit/must"
)

// texts contains reStructuredText with the HTML that is read from it.
var texts = []doctest.Text{
	{"headings", "=====\nTitle\n=====\n\nOne\n---\n\nText.\n\nTwo\n~~~\n", "<h1>Title</h1>\n<h2>One</h2>\n<p>Text.</p>\n<h3>Two</h3>\n"},
	{"inline", "*a* **b** ``c *d*`` `e` \\*f\\* x*y*z `g <https://example.org/>`_ h_ :sub:`2` :math:`x^2` |s|\n\n.. |s| replace:: text\n.. _h: https://example.org/h\n",
		"<p><i>a</i> <b>b</b> <code>c *d*</code> <cite>e</cite> *f* x*y*z <a href=\"https://example.org/\">g</a> h <sub>2</sub> $x^2$ text</p>\n"},
	{"roles", ":ref:`a` :ref:`b <a>` :py:func:`~x.y.f` :cite:`k` :pep:`8` [1]_\n\n.. _a:\n\nTitle\n=====\n\n.. [1] Note.\n",
		"<p>Title b <code>f</code>  PEP 8 <a href=\"#note-1\" role=\"doc-noteref\"><sup>1</sup></a></p>\n<h1>Title</h1>\n<aside role=\"doc-footnote\" id=\"note-1\"><p>Note.</p>\n</aside>\n"},
	{"lists", "- a\n  b\n\n- c\n\n  1. d\n  2. e\n\nend\n", "<ul><li>a b</li>\n<li><p>c</p>\n<ol><li>d</li>\n<li>e</li>\n</ol>\n</li>\n</ul>\n<p>end</p>\n"},
	{"definitions", "salt\n  White.\n\nbread\n  Brown.\n\n:field: text\n\n-v, --verbose  Say more.\n", "<dl><dt>salt</dt><dd><p>White.</p>\n</dd><dt>bread</dt><dd><p>Brown.</p>\n</dd></dl><dl><dt>field</dt><dd>text</dd></dl><dl><dt>-v, --verbose</dt><dd>Say more.</dd></dl>"},
	{"literal", "Code::\n\n    a < b\n\n.. code-block:: go\n   :linenos:\n\n   c\n\n>>> d\n", "<p>Code:</p>\n<pre>a &lt; b</pre>\n<pre>c</pre>\n<pre>&gt;&gt;&gt; d</pre>\n"},
	{"directives", ".. note:: Bread\n   and salt.\n\n.. image:: a.png\n\n.. rst:role:: f(x)\n   :no-index:\n\n   :param x: It.\n\n.. a comment\n   of two lines\n\nA. Einstein\nsaid.\n",
		"<div class=\"note\"><p>Bread and salt.</p>\n</div>\n<dl><dt><code>f(x)</code></dt><dd><dl><dt>param x</dt><dd>It.</dd></dl></dd></dl><p>A. Einstein said.</p>\n"},
	{"tabs", ".. tab-set::\n\n   .. tab-item:: One\n\n      Bread.\n", "<div class=\"note\"><p>One</p>\n<p>Bread.</p>\n</div>\n"},
	{"tables", "== ====\na  b\n== ====\n1  2 3\n   4\n== ====\n\n+---+---+\n| a | b |\n+===+===+\n| 1 | 2 |\n+---+---+\n\n.. csv-table:: C\n   :header: x,y\n\n   \"1, 2\",3\n",
		"<table><tr><th>a</th>\n<th>b</th>\n</tr>\n<tr><td>1</td>\n<td>2 3 4</td>\n</tr>\n</table>\n<table><tr><th>a</th>\n<th>b</th>\n</tr>\n<tr><td>1</td>\n<td>2</td>\n</tr>\n</table>\n" +
			"<table><caption>C</caption><tr><th>x</th>\n<th>y</th>\n</tr>\n<tr><td>1, 2</td>\n<td>3</td>\n</tr>\n</table>\n"},
	{"quote", "a\n\n  b\n\n| c\n| d\n", "<p>a</p>\n<blockquote><p>b</p>\n</blockquote>\n<p>c<br>d</p>\n"},
}

func TestRead(t *testing.T) {
	doctest.Texts(t, Read, texts)
	d := must.Get(Read(t.Context(), []byte("Salt\n====\n\n:Author: Ann; Ben\n:Date: 2026-01-02\n\nText.\n"), document.Limits{}))(t)
	if !strings.Contains(d.HTML, "<title>Salt</title><meta name=\"author\" content=\"Ann\"><meta name=\"author\" content=\"Ben\"><meta name=\"date\" content=\"2026-01-02\"></head>\n<body>\n<h1>Salt</h1>\n<p>Text.</p>") {
		t.Errorf("metadata: %s", d.HTML)
	}
}

// TestDirectives fails if a directive is in two lists: then the order of a map would choose one of them.
func TestDirectives(t *testing.T) {
	seen := map[string]string{}
	for kind, names := range directives {
		for name := range strings.FieldsSeq(names) {
			if other, ok := seen[name]; ok && other != kind {
				t.Errorf("%s: in %s and %s", name, kind, other)
			}
			seen[name] = kind
		}
	}
}

// TestBombs reads nested and unclosed markup, within a time that is linear in its bytes.
func TestBombs(t *testing.T) {
	doctest.Bombs(t, Read, func(piece string) []string {
		return []string{doctest.Fill(piece, 20000), doctest.Fill(piece+"\n", 20000), indented(piece, 400)}
	}, []string{"*", "**a ", "`", "``a ", "|a ", ":a:`", "[1]_ ", "- ", " - a\n  ", "1. ", "a\n b\n", ".. a::\n ", ".. [1] ", ".. |a| replace:: |a|\n|a| ", "== ==\n", "+-+\n", "+-+\n| |\n", ":a: ", "::\n\n ", "=\n", "a\n=\n", "| ", ">>> ", "-a  ", ".. _a:\n", "\\", "_", ".. csv-table::\n\n \""})
}

// indented returns lines, each with a greater indent than the last.
func indented(piece string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + piece + "\n\n")
	}
	return b.String()
}

// FuzzRead reads any reStructuredText.
func FuzzRead(f *testing.F) { doctest.Fuzz(f, Read, texts) }
