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
	docxSpaces = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" ` +
		`xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"`
	docxRels = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="http://x/officeDocument" Target="/text/main.xml"/>` +
		`<Relationship Id="b" Type="http://x/core-properties" Target="core.xml"/></Relationships>`
	docxMainRels = `<Relationships><Relationship Id="link" Type="http://x/hyperlink" Target="http://example.org/" TargetMode="External"/>` +
		`<Relationship Id="bad" Type="http://x/hyperlink" Target="file:///c:/x" TargetMode="External"/>` +
		`<Relationship Id="s" Type="http://x/styles" Target="styles.xml"/><Relationship Id="n" Type="http://x/numbering" Target="numbers.xml"/>` +
		`<Relationship Id="f" Type="http://x/footnotes" Target="notes.xml"/><Relationship Id="h" Type="http://x/header" Target="head.xml"/></Relationships>`
	docxCore = `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" ` +
		`xmlns:dcterms="http://purl.org/dc/terms/"><dc:title>A &amp; B</dc:title><dc:creator>Ann</dc:creator><dc:language>de</dc:language><dcterms:created>2026-01-02</dcterms:created></cp:coreProperties>`
	docxStyles = `<w:styles ` + docxSpaces + `><w:style w:type="paragraph" w:styleId="Titre1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>` +
		`<w:style w:type="paragraph" w:styleId="Sub"><w:name w:val="Own"/><w:basedOn w:val="Titre1"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>` +
		`<w:style w:type="paragraph" w:styleId="SubSub"><w:name w:val="Own 2"/><w:basedOn w:val="Sub"/></w:style>` +
		`<w:style w:type="paragraph" w:styleId="Loop"><w:name w:val="Loop"/><w:basedOn w:val="Loop"/></w:style>` +
		`<w:style w:type="paragraph" w:styleId="Cap"><w:name w:val="caption"/></w:style><w:style w:type="paragraph" w:styleId="Fig"><w:name w:val="Own caption"/><w:basedOn w:val="Cap"/></w:style>` +
		`<w:style w:type="paragraph" w:styleId="TOC1"><w:name w:val="toc 1"/></w:style><w:style w:type="paragraph" w:styleId="Bib"><w:name w:val="Bibliography"/></w:style>` +
		`<w:style w:type="paragraph" w:styleId="Item"><w:name w:val="List"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>` +
		`<w:style w:type="character" w:styleId="Secret"><w:name w:val="Secret"/><w:rPr><w:vanish/></w:rPr></w:style></w:styles>`
	docxNumbers = `<w:numbering ` + docxSpaces + `><w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl><w:lvl w:ilvl="1"><w:numFmt w:val="decimal"/></w:lvl></w:abstractNum>` +
		`<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num></w:numbering>`
	docxNotes = `<w:footnotes ` + docxSpaces + `><w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:t>no</w:t></w:r></w:p></w:footnote>` +
		`<w:footnote w:id="2"><w:p><w:r><w:t>the note</w:t></w:r></w:p></w:footnote></w:footnotes>`
	docxHead = `<w:hdr ` + docxSpaces + `><w:p><w:r><w:t>running head</w:t></w:r></w:p></w:hdr>`
)

// docxOf returns a DOCX document with the body.
func docxOf(body string) []byte {
	return testkit.ZipOf("_rels/.rels", docxRels, "core.xml", docxCore, "text/_rels/main.xml.rels", docxMainRels, "text/styles.xml", docxStyles, "text/numbers.xml", docxNumbers,
		"text/notes.xml", docxNotes, "text/head.xml", docxHead, "text/main.xml", `<?xml version="1.0"?><w:document `+docxSpaces+`><w:body>`+body+`</w:body></w:document>`)
}

// paragraphs contains parts of bodies with the HTML that is read from them.
var paragraphs = []struct{ name, xml, want string }{
	{"runs", `<w:p><w:r><w:t>a </w:t></w:r><w:r><w:rPr><w:b/><w:i w:val="0"/></w:rPr><w:t>b</w:t><w:tab/><w:br/></w:r><w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>c</w:t></w:r>` +
		`<w:r><w:noBreakHyphen/><w:softHyphen/><w:sym w:font="Symbol" w:char="F061"/><w:sym w:font="Wingdings" w:char="F061"/></w:r></w:p>`,
		"<p>a <b>b\t<br></b><sup>c</sup>\u2011\u00adα</p>\n"},
	{"headings", `<w:p><w:pPr><w:pStyle w:val="Titre1"/></w:pPr><w:r><w:t>one</w:t></w:r></w:p><w:p><w:pPr><w:pStyle w:val="SubSub"/></w:pPr><w:r><w:t>two</w:t></w:r></w:p>` +
		`<w:p><w:pPr><w:pStyle w:val="Loop"/><w:outlineLvl w:val="9"/></w:pPr><w:r><w:t>three</w:t></w:r></w:p>`,
		"<h1>one</h1>\n<h2>two</h2>\n<p>three</p>\n"},
	{"captions and parts", `<w:p><w:pPr><w:pStyle w:val="Fig"/></w:pPr><w:r><w:t>Fig. 1</w:t></w:r></w:p><w:p><w:pPr><w:pStyle w:val="TOC1"/></w:pPr><w:r><w:t>One</w:t></w:r></w:p>` +
		`<w:p><w:pPr><w:pStyle w:val="TOC1"/></w:pPr><w:r><w:t>Two</w:t></w:r></w:p><w:p><w:pPr><w:pStyle w:val="Bib"/></w:pPr><w:r><w:t>Ref</w:t></w:r></w:p>`,
		"<figcaption>Fig. 1</figcaption><nav role=\"doc-toc\"><p>One</p>\n<p>Two</p>\n</nav><p role=\"doc-bibliography\">Ref</p>\n"},
	{"lists", `<w:p><w:pPr><w:pStyle w:val="Item"/></w:pPr><w:r><w:t>a</w:t></w:r></w:p><w:p><w:pPr><w:pStyle w:val="Item"/><w:numPr><w:ilvl w:val="1"/></w:numPr></w:pPr><w:r><w:t>b</w:t></w:r></w:p>` +
		`<w:p><w:pPr><w:pStyle w:val="Item"/><w:numPr><w:numId w:val="0"/></w:numPr></w:pPr><w:r><w:t>c</w:t></w:r></w:p>`,
		"<ul><li>a<ol><li>b</li>\n</ol>\n</li>\n</ul>\n<p>c</p>\n"},
	{"changes and hidden text", `<w:p><w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:del><w:r><w:delText>old</w:delText><w:t>old</w:t></w:r></w:del><w:moveFrom><w:r><w:t>from</w:t></w:r></w:moveFrom>` +
		`<w:moveTo><w:r><w:t> to</w:t></w:r></w:moveTo><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r><w:r><w:rPr><w:rStyle w:val="Secret"/></w:rPr><w:t>hidden</w:t></w:r>` +
		`<w:r><w:rPr><w:rStyle w:val="Secret"/><w:vanish w:val="0"/></w:rPr><w:t> shown</w:t></w:r></w:p>`,
		"<p>new to shown</p>\n"},
	{"links and fields", `<w:p><w:hyperlink r:id="link"><w:r><w:t>a</w:t></w:r></w:hyperlink><w:hyperlink r:id="bad"><w:r><w:t>b</w:t></w:r></w:hyperlink>` +
		`<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> HYPERLINK "https://x.org/" \o "t" </w:instrText></w:r><w:r><w:t>no</w:t></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>c</w:t></w:r>` +
		`<w:r><w:fldChar w:fldCharType="end"/></w:r><w:fldSimple w:instr="PAGE"><w:r><w:t>d</w:t></w:r></w:fldSimple></w:p>`,
		"<p><a href=\"http://example.org/\">a</a>b<a href=\"https://x.org/\">c</a>d</p>\n"},
	{"text box", `<w:p><w:r><w:t>a</w:t></w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:txbxContent><w:p><w:r><w:t>box</w:t></w:r></w:p></w:txbxContent></mc:Choice>` +
		`<mc:Fallback><w:txbxContent><w:p><w:r><w:t>box</w:t></w:r></w:p></w:txbxContent></mc:Fallback></mc:AlternateContent><w:r><w:t>b</w:t></w:r></w:p>`,
		"<p>ab</p>\n<p>box</p>\n"},
	{"table", `<w:tbl><w:tr><w:trPr><w:tblHeader/></w:trPr><w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc></w:tr>` +
		`<w:tr><w:tc><w:tcPr><w:vMerge w:val="restart"/></w:tcPr><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>c</w:t></w:r></w:p></w:tc></w:tr>` +
		`<w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p/></w:tc><w:tc><w:p><w:r><w:t>d</w:t></w:r></w:p></w:tc></w:tr><w:tr><w:trPr><w:del/></w:trPr><w:tc><w:p><w:r><w:t>deleted</w:t></w:r></w:p></w:tc></w:tr></w:tbl>`,
		"<table><tr><th colspan=\"2\">a</th>\n</tr>\n<tr><td rowspan=\"2\">b</td>\n<td>c</td>\n</tr>\n<tr><td>d</td>\n</tr>\n</table>\n"},
	{"frame", `<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc></w:tr></w:tbl>`, "<p>a</p>\n"},
	{"note and head", `<w:p><w:r><w:t>a</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p><w:sectPr><w:headerReference w:type="first" r:id="h"/><w:headerReference r:id="h"/></w:sectPr>`,
		"<p>a<a href=\"#note-1\" role=\"doc-noteref\"><sup>1</sup></a></p>\n<aside role=\"doc-footnote\" id=\"note-1\"><p>the note</p>\n</aside>\n<header role=\"doc-pageheader\"><p>running head</p>\n</header>\n"},
	{"language", `<w:p><w:r><w:rPr><w:lang w:val="fr-FR"/></w:rPr><w:t>un deux</w:t></w:r><w:r><w:t>x</w:t></w:r></w:p><w:p><w:r><w:rPr><w:lang w:val="DE"/></w:rPr><w:t>eins</w:t></w:r></w:p>`,
		"<p lang=\"fr-FR\">un deuxx</p>\n<p>eins</p>\n"},
	{"placeholder", `<w:p><w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent><w:r><w:t>Click</w:t></w:r></w:sdtContent></w:sdt><w:sdt><w:sdtContent><w:r><w:t>text</w:t></w:r></w:sdtContent></w:sdt></w:p>`, "<p>text</p>\n"},
	{"contents", `<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj></w:sdtPr><w:sdtContent><w:p><w:r><w:t>One</w:t></w:r></w:p></w:sdtContent></w:sdt><w:p><w:r><w:t>a</w:t></w:r></w:p>`,
		"<nav role=\"doc-toc\"><p>One</p>\n</nav><p>a</p>\n"},
	{"drop cap", `<w:p><w:pPr><w:framePr w:dropCap="drop"/></w:pPr><w:r><w:t>O</w:t></w:r></w:p><w:p><w:r><w:t>nce</w:t></w:r></w:p>`, "<p>Once</p>\n"},
	{"math and ruby", `<w:p><m:oMath><m:r><m:t>x+1</m:t></m:r></m:oMath><w:r><w:ruby><w:rt><w:r><w:t>no</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>base</w:t></w:r></w:rubyBase></w:ruby></w:r></w:p>`, "<p>x+1base</p>\n"},
}

func TestDOCX(t *testing.T) {
	strict := strings.NewReplacer("http://schemas.openxmlformats.org/wordprocessingml/2006/main", "http://purl.oclc.org/ooxml/wordprocessingml/main",
		"http://schemas.openxmlformats.org/officeDocument/2006/relationships", "http://purl.oclc.org/ooxml/officeDocument/relationships")
	for _, c := range paragraphs {
		check(t, c.name, DOCX, docxOf(c.xml), c.want)
		main := strict.Replace(`<w:document ` + docxSpaces + `><w:body>` + c.xml + `</w:body></w:document>`)
		main = strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(main, "<w:", "<ns0:"), "</w:", "</ns0:"), "xmlns:w=", "xmlns:ns0=")
		main = strings.ReplaceAll(main, " w:", " ns0:")
		check(t, c.name+", strict, other prefix", DOCX, testkit.ZipOf("_rels/.rels", docxRels, "core.xml", docxCore, "text/_rels/main.xml.rels", docxMainRels, "text/styles.xml", docxStyles, "text/numbers.xml", docxNumbers,
			"text/notes.xml", docxNotes, "text/head.xml", docxHead, "text/main.xml", main), c.want)
	}
}

func TestDOCXMetadata(t *testing.T) {
	d := must.Get(DOCX(context.Background(), docxOf(""), document.Default))(t)
	const want = "<html lang=\"de\"><head><meta charset=\"utf-8\"><title>A &amp; B</title><meta name=\"author\" content=\"Ann\"><meta name=\"date\" content=\"2026-01-02\"></head>"
	if !strings.Contains(d.HTML, want) {
		t.Errorf("got %s", d.HTML)
	}
}

// TestBad reads documents that cannot be read, or only in part.
func TestBad(t *testing.T) {
	testkit.Slow(t)
	sound := docxOf(strings.Repeat("<w:p><w:r><w:t>some words </w:t></w:r></w:p>", 1000))
	deep := docxOf(strings.Repeat("<w:p><w:r><w:txbxContent>", 10000))
	bomb := docxOf("<w:p><w:r><w:t>" + strings.Repeat("a ", 20<<20) + "</w:t></w:r></w:p>")
	for name, c := range map[string]struct {
		raw       []byte
		drop, cut page.Reason
	}{
		"text":          {[]byte("text"), page.Damaged, page.None},
		"empty":         {nil, page.Damaged, page.None},
		"no main part":  {testkit.ZipOf("a.txt", "a"), page.Damaged, page.None},
		"password":      {append([]byte(ole), []byte("E\x00n\x00c\x00r\x00y\x00p\x00t\x00e\x00d\x00P\x00a\x00c\x00k\x00a\x00g\x00e\x00")...), page.Encrypted, page.None},
		"old format":    {ole, page.Damaged, page.None},
		"no table":      {sound[:len(sound)-100], page.None, page.Truncated},
		"deep":          {deep, page.None, page.TooDeep},
		"bomb":          {bomb, page.None, page.TooCompressed},
		"unclosed tags": {docxOf("<w:p><w:r><w:t>a</w:body>"), page.None, page.None},
	} {
		for _, read := range []readFunc{DOCX, PPTX, ODT} {
			if _, err := read(context.Background(), c.raw, document.Default); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		d := must.Get(DOCX(context.Background(), c.raw, document.Default))(t)
		if d.Drop != c.drop || d.Cut != c.cut {
			t.Errorf("%s: drop %q, cut %q", name, d.Drop, d.Cut)
		}
		if c.drop == page.None && !strings.HasSuffix(d.HTML, "</body></html>\n") {
			t.Errorf("%s: no end", name)
		}
	}
	d := must.Get(DOCX(context.Background(), sound, document.Limits{MaxHTML: 2000}))(t)
	if d.Cut != page.TooLarge || len(d.HTML) > 2500 {
		t.Errorf("cut %q, %d bytes", d.Cut, len(d.HTML))
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := DOCX(ctx, sound, document.Default); err != context.Canceled {
		t.Errorf("error %v", err)
	}
}
