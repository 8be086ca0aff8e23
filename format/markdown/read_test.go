package markdown

import (
	"context"
	"strings"
	"testing"

	"chaffinch/format/document"
	"chaffinch/format/internal/doctest"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

func TestRead(t *testing.T) {
	for name, c := range map[string]struct{ text, head, want string }{
		"blocks": {"# Ferries\n\nThey *sail* at\nnoon[^1].\n\n- [x] salt\n- bread\n\n```go\na < b\n```\n\n[^1]: Not on **Sunday**.\n", "",
			"<h1>Ferries</h1>\n<p>They <em>sail</em> at\nnoon<a href=\"#note-1\" role=\"doc-noteref\"><sup>1</sup></a>.</p>\n<ul>\n<li><input checked=\"\" disabled=\"\" type=\"checkbox\"> salt</li>\n<li>bread</li>\n</ul>\n" +
				"<pre><code class=\"language-go\">a &lt; b\n</code></pre>\n<aside role=\"doc-footnote\" id=\"note-1\">\n<p>Not on <strong>Sunday</strong>.</p>\n</aside>\n"},
		"table":      {"a | b\n--|:-:\n1 | ~~2~~\n", "", "<table>\n<thead>\n<tr>\n<th>a</th>\n<th style=\"text-align:center\">b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td style=\"text-align:center\"><del>2</del></td>\n</tr>\n</tbody>\n</table>\n"},
		"yaml":       {"---\ntitle: \"A & B\" \nauthors:\n  - name: Ann\n  - Ben\nlang: en\ndate: 2026-01-02\ntags: [x]\n---\n\nText.\n", "lang=\"en\"><head><meta charset=\"utf-8\"><title>A &amp; B</title><meta name=\"author\" content=\"Ann\"><meta name=\"author\" content=\"Ben\"><meta name=\"date\" content=\"2026-01-02\">", "<h1>A &amp; B</h1>\n<p>Text.</p>\n"},
		"toml":       {"+++\ntitle = 'T'\n+++\n# H\n", "<title>T</title>", "<h1>H</h1>\n"},
		"rule":       {"---\n\nText.\n\n---\n", "", "<hr>\n<p>Text.</p>\n<hr>\n"},
		"HTML":       {"<p align=\"center\">x</p>\n\nsee <b>y</b> {{ z }}\n{% include a %}\n", "", "<p align=\"center\">x</p>\n<p>see <b>y</b> {{ z }}</p>\n"},
		"callout":    {"> [!NOTE]\n> Bread.\n", "", "<blockquote>\n<p>Bread.</p>\n</blockquote>\n"},
		"definition": {"salt\n: white\n\n## Two {#two}\n", "", "<dl>\n<dt>salt</dt>\n<dd>white</dd>\n</dl>\n<h2 id=\"two\">Two</h2>\n"},
	} {
		d := must.Get(Read(t.Context(), []byte(c.text), document.Limits{}))(t)
		head, body, _ := strings.Cut(d.HTML, "<body>\n")
		if !strings.Contains(head, c.head) || body != c.want+"</body></html>\n" || d.Cut != page.None {
			t.Errorf("%s: cut %v, head %q\ngot  %q\nwant %q", name, d.Cut, head, body, c.want)
		}
	}
}

func TestReadLimits(t *testing.T) {
	d := must.Get(Read(t.Context(), []byte(strings.Repeat("a *b* c\n\n", 100000)), document.Limits{MaxHTML: 10000}))(t)
	if d.Cut != page.TooLarge || len(d.HTML) > 10100 || !strings.HasSuffix(d.HTML, "</body></html>\n") {
		t.Errorf("cut %v at %d bytes", d.Cut, len(d.HTML))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	must.Fail(t, must.Err(Read(ctx, []byte("x"), document.Limits{})), "canceled")
}

// TestReadBombs reads nested and unclosed markup, for which goldmark takes quadratic time.
func TestReadBombs(t *testing.T) {
	testkit.Slow(t)
	doctest.Bombs(t, Read, func(piece string) []string {
		return []string{doctest.Fill(piece, 20000), doctest.Fill(piece+"\n", 20000), doctest.Fill(piece, 10000) + "\n" + doctest.Fill(piece+"a\n", 10000)}
	}, []string{">", "> ", "- ", "1. ", "[", "![", "*a ", "*_", "`", "<", "<!--", "[a](", "[a](<", "[a](b", "[a][", "[^1]", "[^a]: ", "~", "[a]: b\n", "[a]\n", "[]", "a\n: ", "a\n-|-\n", "|-", "# [a](", "{#", "**a ~~b _c "})
	columns := strings.Repeat("a|", 50000) + "\n" + strings.Repeat("-|", 50000) + "\n" + strings.Repeat("x\n", 50000)
	d := must.Get(Read(context.Background(), []byte(columns), document.Limits{}))(t)
	if strings.Contains(d.HTML, "<table>") {
		t.Error("a table of 2,500,000,000 cells")
	}
}

// FuzzRead reads any Markdown.
func FuzzRead(f *testing.F) {
	doctest.Fuzz(f, Read, []doctest.Text{
		{Text: "# a\n\n> - b[^1]\n\n[^1]: c\n"},
		{Text: "---\ntitle: a\n---\na|b\n-|-\nc|d\n"},
	})
}
