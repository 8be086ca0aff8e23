package wiki

import (
	"context"
	"html"
	"strings"
	"testing"

	"chaffinch/format/document"
	"chaffinch/format/internal/doctest"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// texts contains wikitext with the HTML that is read from it.
var texts = []doctest.Text{
	{"paragraphs", "one\ntwo\n\n'''b''' ''i'' '''''bi''''' ''open\n", "<p>one two</p>\n<p><b>b</b> <i>i</i> <b><i>bi</i></b> <i>open</i></p>\n"},
	{"headings", "== One ==\n=== ''Two'' ===\n", "<h2>One</h2>\n<h3><i>Two</i></h3>\n"},
	{"links", "[[Ferry]] [[Ferry|boat]]s [[:Category:X|c]] [http://example.org/ x] [http://example.org/] [[de:Fähre]][[Category:Ships]]a[b]",
		"<p><a>Ferry</a> <a>boat</a>s <a>c</a> <a href=\"http://example.org/\">x</a>  a[b]</p>\n"},
	{"brackets", "[[[Ferry|boat]]] [[http://example.org/ x]] [[Ferry|[boat]]] [[Ferry|a [boat]] [http://example.org/ a [[b|c]]] [http://example.org/ [d]] [e [http://example.org/ f]",
		"<p>[<a>boat</a>] [<a href=\"http://example.org/\">x</a>] <a>[boat]</a> <a>a [boat</a> <a href=\"http://example.org/\">a <a>c</a></a> <a href=\"http://example.org/\">[d]</a> [e <a href=\"http://example.org/\">f</a></p>\n"},
	{"schemes", "[mailto:a@example.org Ann] [ftp://example.org/ f] [//example.org/ g] [HTTPS://example.org/ h] [x:y z] [http://example.org/<nowiki>i</nowiki> j] [http://example.org/",
		"<p><a href=\"mailto:a@example.org\">Ann</a> <a>f</a> <a>g</a> <a href=\"HTTPS://example.org/\">h</a> [x:y z] <a href=\"http://example.org/\">i j</a> [http://example.org/</p>\n"},
	{"prefixes", "[[Media:a.ogg|Listen]] [[wp:NPOV|neutral]] [[doi:10.1000/1|paper]] [[nds-nl:Veer]]", "<p><a>Listen</a> <a>neutral</a> <a>paper</a> </p>\n"},
	{"captions", "[[File:a.jpg|thumb|See [http://example.org/ the ferry]]] Text.", "<p> Text.</p>\n<figure><figcaption>See <a href=\"http://example.org/\">the ferry</a></figcaption></figure>"},
	{"templates", "a{{x|y={{z|[[q|r]]}}}}b {{lang|de|Hafen}} {{convert|5|km}} {{{1|default}}} {{unclosed", "<p>ab Hafen 5 km default unclosed</p>\n"},
	{"image", "[[File:a.jpg|thumb|200px|A [[ferry]] here]]\nText.", "<p> Text.</p>\n<figure><figcaption>A <a>ferry</a> here</figcaption></figure>"},
	{"lists", "* one\n** two\n* three\n# four\n: five\n", "<ul><li>one<ul><li>two</li>\n</ul>\n</li>\n<li>three</li>\n</ul>\n<ol><li>four</li>\n</ol>\n<p>five</p>\n"},
	{"table", "{| class=\"x\"\n|+ Cap\n! A !! B\n|-\n| 1 || style=\"x\" | 2\n|-\n| colspan=\"2\" | long\n* item\n|}\nafter", "<table><caption>Cap</caption><tr><th>A</th>\n<th>B</th>\n</tr>\n<tr><td>1</td>\n<td>2</td>\n</tr>\n<tr><td colspan=\"2\"><p>long</p>\n<ul><li>item</li>\n</ul>\n</td>\n</tr>\n</table>\n<p>after</p>\n"},
	{"notes", "a<ref name=\"x\">See [[b]].</ref> c<ref name=\"x\" />", "<p>a<a href=\"#note-1\" role=\"doc-noteref\"><sup>1</sup></a> c</p>\n<aside role=\"doc-footnote\" id=\"note-1\"><p>See <a>b</a>.</p>\n</aside>\n"},
	{"verbatim", "<!-- x -->a <nowiki>[[b]] ''c''</nowiki> <math>x^2</math>\n<pre>d\n''e''</pre>\n", "<p>a [[b]] ''c'' $x^2$</p>\n<pre>d\n''e''</pre>\n"},
	{"conversion", "-{zh-hans:网络;zh-hant:網路}- -{H|zh:x}--{a}-", "<p>网络 a</p>\n"},
	{"tags", "a<br/>b<sub>2</sub> <span style=\"x\">c</span> &amp;lt; __NOTOC__", "<p>a<br>b<sub>2</sub> c &amp;lt;</p>\n"},
	{"blocks", "a\n<blockquote>b</blockquote>\nc\n<div>d\ne</div>\n<b>f</b>\ng\n", "<p>a</p>\n<p>b</p>\n<p>c</p>\n<p>d e</p>\n<p><b>f</b> g</p>\n"},
	{"indent", " one\n two\nthree", "<pre>one\ntwo\n</pre>\n<p>three</p>\n"},
}

func TestRead(t *testing.T) { doctest.Texts(t, Read, texts) }

const export = "<page>\n<title>A &amp; B</title>\n<ns>0</ns>\n<id>7</id>\n<revision><id>9</id><timestamp>2026-02-03T00:00:00Z</timestamp><text bytes=\"4\" xml:space=\"preserve\">x &lt;ref>y&lt;/ref></text></revision></page>"

func TestPage(t *testing.T) {
	d := must.Get(Read(context.Background(), []byte(export), document.Default))(t)
	for _, want := range []string{"<title>A &amp; B</title><meta name=\"date\" content=\"2026-02-03\">", "<h1>A &amp; B</h1>\n<p>x <a", "<p>y</p>"} {
		if !strings.Contains(d.HTML, want) {
			t.Errorf("%q lacks %q", d.HTML, want)
		}
	}
	base := Base([]byte("<mediawiki><siteinfo><base>https://en.wiki.example/wiki/Main_Page</base>"))
	if got := Address(base, "A & B?"); got != "https://en.wiki.example/wiki/A_&_B%3F" {
		t.Errorf("address %q", got)
	}
	for _, text := range []string{"#REDIRECT [[Ferry]]", "#перенаправление [[Паром]]", strings.Replace(export, "<revision>", "<redirect title=\"x\" /><revision>", 1)} {
		if d, err := Read(context.Background(), []byte(text), document.Default); err != nil || d.Drop != page.NoText {
			t.Errorf("%q: drop %q, %v", text, d.Drop, err)
		}
	}
}

// TestBombs reads nested and unclosed markup, within a time that is linear in its bytes.
func TestBombs(t *testing.T) {
	testkit.Slow(t)
	doctest.Bombs(t, Read, func(piece string) []string {
		return []string{doctest.Fill(piece, 200000), doctest.Fill(piece+"\n", 100000)}
	}, []string{"{{", "[[", "{|\n|", "'''", "<ref>", "<b>", "-{", "{{{", "* ", "[http://", "<nowiki>", "[[File:a.jpg|", "|}", "<!--", "\x00k1\x00", "*\n**\n", "'", "{{a|"})
}

// FuzzRead reads any wikitext.
func FuzzRead(f *testing.F) {
	for _, c := range texts {
		f.Add(c.Text)
	}
	f.Add(html.EscapeString(export))
	f.Add(export)
	f.Fuzz(func(t *testing.T, text string) {
		d := must.Get(Read(context.Background(), []byte(text), document.Limits{MaxHTML: 1 << 16}))(t)
		if d.Drop == page.None && (!strings.HasPrefix(d.HTML, "<!doctype html>") || !strings.HasSuffix(d.HTML, "</body></html>\n")) {
			t.Errorf("HTML %q", d.HTML)
		}
	})
}
