package epub

import (
	"context"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"chaffinch/format/document"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

const (
	container = `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>`
	opf       = `<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>A &amp; B</dc:title><dc:creator>Ann</dc:creator><dc:language>en</dc:language></metadata>` +
		`<manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/><item id="one" href="text/one%20a.xhtml" media-type="application/xhtml+xml"/>` +
		`<item id="two" href="text/two.xhtml" media-type="application/xhtml+xml"/><item id="notes" href="notes.xhtml" media-type="application/xhtml+xml"/><item id="pic" href="a.svg" media-type="image/svg+xml"/></manifest>` +
		`<spine><itemref idref="nav"/><itemref idref="notes" linear="no"/><itemref idref="two"/><itemref idref="one"/><itemref idref="pic"/><itemref idref="two"/></spine></package>`
	chapter = `<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>no</title><style>p > a {}</style></head><body>%</body></html>`
)

func chapterOf(body string) string { return strings.Replace(chapter, "%", body, 1) }

// epubOf returns a book whose second chapter has the body.
func epubOf(body string) []byte {
	return testkit.ZipOf("mimetype", "application/epub+zip", "META-INF/container.xml", container, "OPS/book.opf", opf, "OPS/nav.xhtml", chapterOf(`<nav epub:type="toc"><ol><li><a href="text/two.xhtml">Two</a></li></ol></nav>`),
		"OPS/text/two.xhtml", chapterOf("<h1>Two</h1>"), "OPS/text/one a.xhtml", chapterOf(body), "OPS/notes.xhtml", chapterOf(`<aside epub:type="footnote" id="n1"><p>the note</p></aside>`), "OPS/a.svg", "<svg><text>no</text></svg>")
}

// bodies contains bodies of chapters with the HTML that is read from them.
var bodies = []struct{ xml, want string }{
	{`<p class="x" onclick="y">a&nbsp;<b>b</b><br/>c</p>`, "<p>a\u00a0<b>b</b><br>c</p>\n"},
	{`<script>if (a<b) {}</script><p>a<script src="x"/>b<img src="c"/></p><svg><text>no</text></svg><p hidden="hidden">no</p><p style="display: none">no</p>`, "<p>ab</p>\n"},
	{`<p id="x">a<a href="../notes.xhtml#n1" epub:type="noteref">1</a><a href="http://example.org/">b</a><a href="javascript:x">c</a></p>`,
		"<p id=\"c3-x\">a<a role=\"doc-noteref\" href=\"#c4-n1\"><sup>1</sup></a><a href=\"http://example.org/\">b</a><a>c</a></p>\n"},
	{`<p>a<sup><a epub:type="noteref">1</a></sup>b<a epub:type="noteref"><sup>2</sup></a>c<sup>3</sup></p>`,
		"<p>a<sup><a role=\"doc-noteref\">1</a></sup>b<a role=\"doc-noteref\"><sup>2</sup></a>c<sup>3</sup></p>\n"},
	{`<p>a<span epub:type="pagebreak">12</span>b<ruby>c<rt>no</rt></ruby></p><p xml:lang="fr">un`, "<p>abc</p>\n<p lang=\"fr\">un</p>\n"},
	{`<table><tr><td colspan="2" width="3">a</td></tr></table><center>b</center>`, "<table><tr><td colspan=\"2\">a</td>\n</tr>\n</table>\nb"},
}

func TestRead(t *testing.T) {
	for _, c := range bodies {
		d := must.Get(Read(context.Background(), epubOf(c.xml), document.Default))(t)
		want := "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>A &amp; B</title><meta name=\"author\" content=\"Ann\"></head>\n<body>\n" +
			"<nav role=\"doc-toc\"><nav role=\"doc-toc\"><ol><li><a href=\"#c2-\">Two</a></li>\n</ol>\n</nav></nav><section id=\"c2-\"><h1>Two</h1>\n</section>\n<section id=\"c3-\">" + c.want +
			"</section>\n<section id=\"c4-\"><aside id=\"c4-n1\" role=\"doc-footnote\"><p>the note</p>\n</aside>\n</section>\n</body></html>\n"
		if d.HTML != want || d.Drop != page.None || d.Cut != page.None {
			t.Errorf("drop %q, cut %q\ngot  %q\nwant %q", d.Drop, d.Cut, d.HTML, want)
		}
	}
}

func TestEncrypted(t *testing.T) {
	for algorithm, drop := range map[string]page.Reason{"http://www.idpf.org/2008/embedding": page.None, "http://www.w3.org/2001/04/xmlenc#aes128-cbc": page.Encrypted} {
		rights := `<encryption xmlns:e="http://www.w3.org/2001/04/xmlenc#"><e:EncryptedData><e:EncryptionMethod Algorithm="` + algorithm + `"/><e:CipherData><e:CipherReference URI="OPS/text/two.xhtml"/></e:CipherData></e:EncryptedData></encryption>`
		raw := testkit.ZipOf("META-INF/container.xml", container, "META-INF/encryption.xml", rights, "OPS/book.opf", opf, "OPS/text/two.xhtml", chapterOf("<p>a</p>"))
		d := must.Get(Read(context.Background(), raw, document.Default))(t)
		if d.Drop != drop {
			t.Errorf("%s: drop %q", algorithm, d.Drop)
		}
	}
}

func TestBad(t *testing.T) {
	sound := epubOf(strings.Repeat("<p>some words</p>", 5000))
	for name, c := range map[string]struct {
		raw       []byte
		drop, cut page.Reason
	}{
		"text":        {[]byte("text"), page.Damaged, page.None},
		"no chapters": {testkit.ZipOf("META-INF/container.xml", container), page.Damaged, page.None},
		"no item":     {testkit.ZipOf("META-INF/container.xml", container, "OPS/book.opf", `<package><manifest><item id="a" href="a.xhtml"/><item id="b" href="b.xhtml"/></manifest><spine><itemref idref="a"/><itemref idref="b"/></spine></package>`, "OPS/a.xhtml", chapterOf("<p>a</p>")), page.None, page.Truncated},
		"no package":  {testkit.ZipOf("b.html", chapterOf("<p>b</p>"), "a.xhtml", chapterOf("<p>a</p>")), page.None, page.None},
		"cut":         {sound[:len(sound)-60], page.None, page.Truncated},
		"bomb":        {epubOf(strings.Repeat("a ", 20<<20)), page.None, page.TooCompressed},
		"deep":        {epubOf(strings.Repeat("<div>", 10000) + "a"), page.None, page.TooDeep},
	} {
		d := must.Get(Read(context.Background(), c.raw, document.Default))(t)
		if d.Drop != c.drop || d.Cut != c.cut {
			t.Errorf("%s: drop %q, cut %q", name, d.Drop, d.Cut)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Read(ctx, sound, document.Default); err != context.Canceled {
		t.Errorf("error %v", err)
	}
}

const fb2Head = `<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0" xmlns:xlink="http://www.w3.org/1999/xlink"><description><title-info><author><first-name>Анна</first-name><last-name>К.</last-name></author>` +
	`<book-title>Книга</book-title><lang>ru</lang></title-info><document-info><author><nickname>no</nickname></author></document-info></description>`

// books contains bodies of FB2 with the HTML that is read from them.
var books = []struct{ xml, want string }{
	{`<body><title><p>Книга</p><p>вторая</p></title><section id="s"><title><p>Один</p></title><p>a<strong>b</strong><emphasis>c</emphasis></p><empty-line/><section><title><p>Два</p></title><subtitle>x</subtitle></section></section></body>`,
		"<h1>Книга<br>вторая</h1>\n<section id=\"s\"><h2>Один</h2>\n<p>a<b>b</b><i>c</i></p>\n<section><h3>Два</h3>\n<h4>x</h4>\n</section>\n</section>\n"},
	{`<body><section><poem><stanza><v>a</v><v>b</v></stanza></poem><cite><p>c</p><text-author>d</text-author></cite></section></body>`, "<section><div><p>a<br>b</p>\n</div>\n<blockquote><p>c</p>\n<p>d</p>\n</blockquote>\n</section>\n"},
	{`<body><section><p>a<a xlink:href="#n1" type="note">[1]</a>b<a xlink:href="#n1" type="note"><sup>1</sup></a><sup>c</sup></p></section></body><body name="notes"><section id="n1"><title><p>1</p></title><p>note</p></section></body><binary id="p">QUJD</binary>`,
		"<section><p>a<a href=\"#n1\" role=\"doc-noteref\"><sup>[1]</sup></a>b<a href=\"#n1\" role=\"doc-noteref\"><sup>1</sup></a><sup>c</sup></p>\n</section>\n<aside role=\"doc-footnote\" id=\"n1\"><p>1</p>\n<p>note</p>\n</aside>\n"},
	{`<body><section><table><tr><th colspan="2">a</th></tr><tr><td>b</td></tr></table></section></body>`, "<section><table><tr><th colspan=\"2\">a</th>\n</tr>\n<tr><td>b</td>\n</tr>\n</table>\n</section>\n"},
}

func TestFB2(t *testing.T) {
	for _, c := range books {
		text := fb2Head + c.xml + `</FictionBook>`
		old := must.Get(charmap.Windows1251.NewEncoder().String(`<?xml version="1.0" encoding="windows-1251"?>` + text))(t)
		for _, raw := range []string{text, old} {
			d := must.Get(FB2(context.Background(), []byte(raw), document.Default))(t)
			want := "<!doctype html>\n<html lang=\"ru\"><head><meta charset=\"utf-8\"><title>Книга</title><meta name=\"author\" content=\"Анна К.\"></head>\n<body>\n" + c.want + "</body></html>\n"
			if d.HTML != want || d.Drop != page.None {
				t.Errorf("drop %q\ngot  %q\nwant %q", d.Drop, d.HTML, want)
			}
		}
	}
	for _, raw := range []string{"", "text", "<html><body>a</body></html>", "<FictionBook>"} {
		if d, err := FB2(context.Background(), []byte(raw), document.Default); err != nil || d.Drop != page.Damaged {
			t.Errorf("%q: drop %q, error %v", raw, d.Drop, err)
		}
	}
}

// limits of fuzzing bound what one input costs.
var limits = document.Limits{MaxHTML: 1 << 16, MaxUnpacked: 1 << 20}

// complete checks that HTML is complete.
func complete(t *testing.T, d document.Document, err error) {
	must.Succeed(t, err)
	if d.Drop == page.None && (!strings.HasPrefix(d.HTML, "<!doctype html>") || !strings.HasSuffix(d.HTML, "</body></html>\n")) {
		t.Errorf("HTML %q", d.HTML)
	}
	if strings.Contains(d.HTML, "<script") {
		t.Errorf("a script: %q", d.HTML)
	}
}

// FuzzRead reads any chapter.
func FuzzRead(f *testing.F) {
	for _, c := range bodies {
		f.Add(c.xml)
	}
	f.Fuzz(func(t *testing.T, body string) {
		d, err := Read(context.Background(), epubOf(body), limits)
		complete(t, d, err)
	})
}

// FuzzFB2 reads any FictionBook.
func FuzzFB2(f *testing.F) {
	for _, c := range books {
		f.Add(fb2Head + c.xml)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := FB2(context.Background(), []byte(text), limits)
		complete(t, d, err)
	})
}

func BenchmarkEPUB(b *testing.B) {
	body := strings.Repeat(bodies[0].xml+"<p>The quick brown fox jumps over the lazy dog and runs on.</p>\n", 20000)
	raw := epubOf(body)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		must.Succeed(b, must.Err(Read(context.Background(), raw, document.Default)))
	}
}

func BenchmarkFB2(b *testing.B) {
	raw := []byte(fb2Head + "<body>" + strings.Repeat("<section><p>The quick <strong>brown</strong> fox jumps over the lazy dog and runs on.</p></section>\n", 20000))
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		must.Succeed(b, must.Err(FB2(context.Background(), raw, document.Default)))
	}
}
