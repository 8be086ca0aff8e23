package office

import (
	"context"
	"strings"
	"testing"

	"chaffinch/format/document"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

const (
	odtSpaces = `xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" ` +
		`xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" ` +
		`xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0"`
	odtStyles = `<office:styles><style:default-style style:family="paragraph"><style:text-properties fo:language="de" fo:country="DE"/></style:default-style>` +
		`<style:style style:name="Code" style:display-name="Preformatted Text" style:family="paragraph"/><style:style style:name="Caption" style:family="paragraph"/><style:style style:name="Figure" style:family="paragraph" style:parent-style-name="Caption"/></office:styles>` +
		`<office:master-styles><style:master-page><style:header><text:p>running head</text:p></style:header><style:footer><text:p/></style:footer></style:master-page></office:master-styles>`
	odtAuto = `<office:automatic-styles><style:style style:name="B" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>` +
		`<style:style style:name="S" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style>` +
		`<style:style style:name="H" style:family="text"><style:text-properties text:display="none"/></style:style>` +
		`<style:style style:name="F" style:family="text"><style:text-properties fo:language="fr" fo:country="FR"/></style:style>` +
		`<style:style style:name="P" style:family="paragraph" style:parent-style-name="Figure"/>` +
		`<text:list-style style:name="N"><text:list-level-style-number text:level="1" style:num-format="1"/><text:list-level-style-bullet text:level="2"/></text:list-style></office:automatic-styles>`
	odtMeta = `<office:document-meta ` + odtSpaces + `><office:meta><dc:title>T</dc:title><meta:initial-creator>Ann</meta:initial-creator><dc:creator>Bob</dc:creator><dc:date>2026-01-02</dc:date></office:meta></office:document-meta>`
)

// odtOf returns an ODT document with the text.
func odtOf(text string) []byte {
	return testkit.ZipOf("mimetype", "application/vnd.oasis.opendocument.text", "meta.xml", odtMeta, "styles.xml", `<office:document-styles `+odtSpaces+`>`+odtStyles+`</office:document-styles>`,
		"content.xml", `<office:document-content `+odtSpaces+`>`+odtAuto+`<office:body><office:text>`+text+`</office:text></office:body></office:document-content>`)
}

// texts contains texts of ODT with the HTML that is read from them.
var texts = []struct{ name, xml, want string }{
	{"white space", "<text:p>\n a\n  b<text:s text:c=\"2\"/>c<text:tab/>d<text:line-break/>e </text:p>", "<p>a b  c\td<br>e </p>\n"},
	{"styles", `<text:h text:outline-level="2">One</text:h><text:p>a<text:span text:style-name="B">b</text:span><text:span text:style-name="S">c</text:span><text:span text:style-name="H">hidden</text:span>` +
		`<text:a xlink:href="http://example.org/">d</text:a></text:p><text:p text:style-name="P">Fig. 1</text:p>`,
		"<h2>One</h2>\n<p>a<b>b</b><sup>c</sup><a href=\"http://example.org/\">d</a></p>\n<figcaption>Fig. 1</figcaption>"},
	{"changes", `<text:tracked-changes><text:changed-region><text:deletion><text:p>deleted</text:p></text:deletion></text:changed-region></text:tracked-changes><text:p>a<office:annotation><text:p>comment</text:p></office:annotation></text:p>`, "<p>a</p>\n"},
	{"lists", `<text:list text:style-name="N"><text:list-item><text:p>a</text:p><text:p>more</text:p><text:list><text:list-item><text:p>b</text:p></text:list-item></text:list></text:list-item></text:list>`,
		"<ol><li>a<p>more</p>\n<ul><li>b</li>\n</ul>\n</li>\n</ol>\n"},
	{"note", `<text:p>a<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>the note</text:p></text:note-body></text:note>b</text:p>`,
		"<p>a<a href=\"#note-1\" role=\"doc-noteref\"><sup>1</sup></a>b</p>\n<aside role=\"doc-footnote\" id=\"note-1\"><p>the note</p>\n</aside>\n"},
	{"table", `<table:table><table:table-header-rows><table:table-row><table:table-cell table:number-columns-spanned="2"><text:p>h</text:p></table:table-cell><table:covered-table-cell/></table:table-row></table:table-header-rows>` +
		`<table:table-row><table:table-cell><text:p>1</text:p></table:table-cell><table:table-cell table:number-columns-repeated="1000000"><text:p>2</text:p></table:table-cell></table:table-row></table:table>`,
		"<table><tr><th colspan=\"2\">h</th>\n</tr>\n<tr><td>1</td>\n<td>2</td>\n</tr>\n</table>\n"},
	{"frame", `<text:p>a<draw:frame><draw:text-box><text:p>box</text:p></draw:text-box><draw:image><office:binary-data>eA==</office:binary-data></draw:image></draw:frame>b</text:p>`, "<p>ab</p>\n<p>box</p>\n"},
	{"object", `<text:p>a<draw:frame><draw:object xlink:href="./One"/></draw:frame>b</text:p>`, "<p>ab</p>\n"},
	{"contents", `<text:table-of-content><text:table-of-content-source><text:index-title-template>no</text:index-title-template></text:table-of-content-source><text:index-body><text:p>One 1</text:p></text:index-body></text:table-of-content>`,
		"<nav role=\"doc-toc\"><p>One 1</p>\n</nav>"},
	{"code", `<text:p text:style-name="Code">if x:</text:p><text:p text:style-name="Code"><text:s text:c="4"/>y</text:p><text:p text:style-name="Code"/><text:p text:style-name="Code">z</text:p><text:p>a</text:p>`,
		"<pre>if x:\n    y\n\nz</pre>\n<p>a</p>\n"},
	{"language", `<text:p><text:span text:style-name="F">un deux</text:span></text:p><text:p>eins</text:p>`, "<p lang=\"fr-FR\">un deux</p>\n<p>eins</p>\n"},
}

func TestODT(t *testing.T) {
	const head = "<header role=\"doc-pageheader\"><p>running head</p>\n</header>\n"
	for _, c := range texts {
		check(t, c.name, ODT, odtOf(c.xml), c.want+head)
		flat := `<?xml version="1.0" encoding="UTF-8"?><office:document ` + odtSpaces + `>` + odtStyles + odtAuto + `<office:body><office:text>` + c.xml + `</office:text></office:body></office:document>`
		check(t, c.name+", flat", ODT, []byte(flat), c.want+head)
	}
	d := must.Get(ODT(context.Background(), odtOf(""), document.Default))(t)
	if !strings.Contains(d.HTML, `lang="de-DE"><head><meta charset="utf-8"><title>T</title><meta name="author" content="Ann"><meta name="date" content="2026-01-02">`) {
		t.Errorf("got %s", d.HTML)
	}
}

func TestODTFormulas(t *testing.T) {
	const formula = `<?xml version="1.0"?><math xmlns="http://www.w3.org/1998/Math/MathML" display="block"><mi>x</mi></math>`
	frame := func(name string) string {
		return `<draw:frame><draw:object xlink:href="./` + name + `"/><draw:image xlink:href="./x.png"/></draw:frame>`
	}
	text := `<text:p>a ` + frame("One") + ` b ` + frame("Two") + frame("Chart") + frame("Missing") + `</text:p><text:p>` + frame("One") + `</text:p>`
	raw := testkit.ZipOf("mimetype", "application/vnd.oasis.opendocument.text", "content.xml", `<office:document-content `+odtSpaces+`><office:body><office:text>`+text+`</office:text></office:body></office:document-content>`,
		"One/content.xml", formula, "Two/content.xml", `<math:math><math:mi>y</math:mi></math:math>`, "Chart/content.xml", `<office:document-content/>`)
	check(t, "formulas", ODT, raw, "<p>a <math><mi>x</mi></math> b <math><math:mi>y</math:mi></math></p>\n<p><math><mi>x</mi></math></p>\n")
}

func TestODTEncrypted(t *testing.T) {
	raw := testkit.ZipOf("content.xml", "\x01\x02", "META-INF/manifest.xml", `<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><m:file-entry m:full-path="content.xml"><m:encryption-data/></m:file-entry></m:manifest>`)
	d := must.Get(ODT(context.Background(), raw, document.Default))(t)
	if d.Drop != page.Encrypted {
		t.Errorf("drop %q", d.Drop)
	}
}
