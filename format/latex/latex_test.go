package latex

import (
	"iter"
	"maps"
	"strings"
	"testing"

	"chaffinch/format/document"
	"chaffinch/format/internal/doctest"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// texts contains LaTeX with the HTML that is read from it.
var texts = []doctest.Text{
	{"document", "\\documentclass{article}\n\\title{Salt \\& Bread}\n\\author{Ann \\and Ben}\n\\newcommand{\\x}[1]{<#1>}\n\\begin{document}\n\\maketitle\n\\section{One \\label{s}}\nText \\x{y}, see~\\ref{s}.\n\n\\subsection*{Two}\nMore.\n\\end{document}\nend\n",
		"<h1>Salt &amp; Bread</h1>\n<h2>One</h2>\n<p>Text &lt;y&gt;, see.</p>\n<h3>Two</h3>\n<p>More.</p>\n"},
	{"inline", "\\textbf{a \\emph{b}} {\\it c} d % e\n f\\footnote{Note.} \\'e \\\"{o} \\c{c} \\ss{} ``g'' h---i $x^2$ \\(y\\) \\href{https://example.org}{j} \\verb|k{| \\cite{l} \\unknown{m} \\unknown{n}{o}\n",
		"<p><b>a <i>b</i></b> <i>c</i> d f<a href=\"#note-1\" role=\"doc-noteref\"><sup>1</sup></a> é ö ç ß “g” h—i $x^2$ $y$ <a href=\"https://example.org\">j</a> <code>k{</code> m</p>\n<aside role=\"doc-footnote\" id=\"note-1\"><p>Note.</p>\n</aside>\n"},
	{"lists", "\\begin{itemize}\n\\item a\n\n b\n\\begin{enumerate}\\item c\\end{enumerate}\n\\item d\n\\end{itemize}\n\\begin{description}\\item[salt] White.\\end{description}\n", "<ul><li>a<p>b</p>\n<ol><li>c</li>\n</ol>\n</li>\n<li>d</li>\n</ul>\n<dl><dt>salt</dt><dd>White.</dd></dl>"},
	{"columns", "\\begin{tabular}{lll}\na &\n\\multicolumn{2}{c}{b} \\\\\n& \\multicolumn{1}{c}{c} & d \\\\\n\\end{tabular}\n", "<table><tr><td>a</td>\n<td colspan=\"2\">b</td>\n</tr>\n<tr><td></td>\n<td>c</td>\n<td>d</td>\n</tr>\n</table>\n"},
	{"table", "\\begin{table}[h]\n\\begin{tabular}{ll}\n\\hline\na & b \\\\\n\\multicolumn{2}{c}{c \\textbf{d}} \\\\ \\hline\n\\end{tabular}\n\\caption{Salt}\n\\end{table}\nafter\n", "<figure><table><tr><td>a</td>\n<td>b</td>\n</tr>\n<tr><td colspan=\"2\">c <b>d</b></td>\n</tr>\n</table>\n<figcaption>Salt</figcaption></figure><p>after</p>\n"},
	{"long table", "\\begin{longtable}{ll}\na & b \\\\\n\\endfirsthead\nmore & b \\\\\n\\endhead\ngoes on \\\\\n\\endfoot\n\\endlastfoot\nc & d \\\\\n\\end{longtable}\n\\begin{longtable}{ll}\na & b \\\\\n\\endhead\nc & d \\\\\n\\end{longtable}\n",
		strings.Repeat("<table><tr><td>a</td>\n<td>b</td>\n</tr>\n<tr><td>c</td>\n<td>d</td>\n</tr>\n</table>\n", 2)},
	{"pandoc", "\\begin{figure}\n\\pandocbounded{\\includegraphics[alt={a}]{b.png}}\n\\caption{c}\n\\end{figure}\n" + `\begin{Highlighting}[]\KeywordTok{def}\NormalTok{ f(x): }\StringTok{'\textbackslash{}n\{'}\end{Highlighting}`,
		"<figure><figcaption>c</figcaption></figure><pre>def f(x): '\\n{'</pre>\n"},
	{"environments", "a\n\\begin{equation}\\label{e} x \\end{equation}\nb\n\\begin{verbatim}\nc % d\n\\end{verbatim}\n\\begin{quote}e\\end{quote}\n\\begin{tikzpicture}f\\end{tikzpicture}\n\\begin{theorem}[g] h \\end{theorem}\\input{i}\n", "<p>a $x$ b</p>\n<pre>c % d</pre>\n<blockquote><p>e</p>\n</blockquote>\n<p>g</p>\n<p>h</p>\n"},
	{"settings", "a \\lstset{language=Go, basicstyle={\\small\\ttfamily}} b\n", "<p>a b</p>\n"},
	{"marks", "\\verb§k§ \\verb|§| \\lstinline{c}\n", "<p><code>k</code> <code>§</code> <code>c</code></p>\n"},
	{"chapters", "\\chapter{A}\n\\section{B}\n\\newcommand\\y{z}\\y{} \\iffalse c \\fi d\n", "<h2>A</h2>\n<h3>B</h3>\n<p>z d</p>\n"},
}

func TestRead(t *testing.T) {
	doctest.Texts(t, Read, texts)
	d := must.Get(Read(t.Context(), []byte(texts[0].Text), document.Limits{}))(t)
	if !strings.Contains(d.HTML, "<title>Salt &amp; Bread</title><meta name=\"author\" content=\"Ann\"><meta name=\"author\" content=\"Ben\">") {
		t.Errorf("metadata: %s", d.HTML)
	}
}

// TestNames fails if a macro has two meanings.
func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for _, table := range []iter.Seq[string]{maps.Keys(symbols), maps.Keys(styles), maps.Keys(switches), maps.Keys(dropped), maps.Keys(headings)} {
		for name := range table {
			if seen[name] {
				t.Errorf("%s: in two tables", name)
			}
			seen[name] = true
		}
	}
}

// TestBombs reads nested and unclosed markup and macros that grow, within a time that is linear in
// its bytes.
func TestBombs(t *testing.T) {
	testkit.Slow(t)
	grow := `\newcommand{\a}{xx}`
	for i := range 25 {
		grow += `\newcommand{\` + string(rune('b'+i)) + `x}{\` + map[bool]string{true: "a", false: string(rune('a'+i)) + "x"}[i == 0] + `\` + map[bool]string{true: "a", false: string(rune('a'+i)) + "x"}[i == 0] + `}`
	}
	if d, err := Read(t.Context(), []byte(grow+`\zx`), document.Limits{}); err != nil || len(d.HTML) > 4<<20 {
		t.Errorf("%d bytes from macros, %v", len(d.HTML), err)
	}
	doctest.Bombs(t, Read, func(piece string) []string {
		return []string{doctest.Fill(piece, 20000), doctest.Fill(piece+"\n\n", 20000), "\\begin{tabular}{l}" + doctest.Fill(piece+" a ", 10000)}
	}, []string{"{", "}", "\\textbf{", "\\section{", "\\footnote{", "\\footnote{\\footnote{", "$", "$$a", "\\(", "\\begin{itemize}", "\\begin{itemize}\\item ", "\\item[", "\\begin{tabular}{l}", "&", "\\\\", "\\begin{verbatim}", "\\begin{a}", "\\end{a}", "\\newcommand{\\a}{\\a\\a}\\a", "\\href{a}{", "%", "\\verb|", "\\iffalse", "\\'", "\\emph", "{\\bf ", "\\multicolumn{2}{l}{", "\\title{", "\\", "\\caption{", "[", "\\x["})
}

// FuzzRead reads any LaTeX.
func FuzzRead(f *testing.F) { doctest.Fuzz(f, Read, texts) }
