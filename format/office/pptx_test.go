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

const pptxSpaces = `xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ` +
	`xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`

// box returns a shape with a placeholder and a position; "" and negative numbers leave them out.
func box(placeholder string, x, y string, paragraphs string) string {
	s := `<p:sp><p:nvSpPr><p:cNvPr id="1" name="n"/><p:nvPr>`
	if placeholder != "" {
		s += `<p:ph ` + placeholder + `/>`
	}
	s += `</p:nvPr></p:nvSpPr><p:spPr>`
	if x != "" {
		s += `<a:xfrm><a:off x="` + x + `" y="` + y + `"/></a:xfrm>`
	}
	return s + `</p:spPr><p:txBody>` + paragraphs + `</p:txBody></p:sp>`
}

func slideOf(shapes string) string {
	return `<p:sld ` + pptxSpaces + `><p:cSld><p:spTree>` + shapes + `</p:spTree></p:cSld></p:sld>`
}

const line = `<a:p><a:r><a:t>%</a:t></a:r></a:p>`

func lineOf(text string) string { return strings.Replace(line, "%", text, 1) }

// pptxOf returns a presentation of two slides. The second one in the order is the first part.
func pptxOf(slide string) []byte {
	rel := func(id, kind, target string) string {
		return `<Relationship Id="` + id + `" Type="http://x/` + kind + `" Target="` + target + `"/>`
	}
	return testkit.ZipOf("_rels/.rels", `<Relationships>`+rel("m", "officeDocument", "ppt/presentation.xml")+`</Relationships>`,
		"ppt/presentation.xml", `<p:presentation `+pptxSpaces+`><p:sldIdLst><p:sldId id="2" r:id="b"/><p:sldId id="1" r:id="a"/></p:sldIdLst><p:sldSz cx="9000000" cy="6000000"/></p:presentation>`,
		"ppt/_rels/presentation.xml.rels", `<Relationships>`+rel("a", "slide", "slides/slide1.xml")+rel("b", "slide", "slides/slide2.xml")+`</Relationships>`,
		"ppt/slides/slide1.xml", slideOf(box(`type="title"`, "0", "0", lineOf("Last"))),
		"ppt/slides/slide2.xml", slide,
		"ppt/slides/_rels/slide2.xml.rels", `<Relationships>`+rel("l", "slideLayout", "../slideLayouts/l.xml")+rel("n", "notesSlide", "../notesSlides/n.xml")+rel("d", "diagramData", "../diagrams/d.xml")+
			`<Relationship Id="h" Type="http://x/hyperlink" Target="http://example.org/" TargetMode="External"/></Relationships>`,
		"ppt/slideLayouts/l.xml", slideOf(box(`type="title"`, "0", "0", "")+box(`idx="1"`, "0", "1000000", "")+box(`idx="2"`, "5000000", "1000100", "")),
		"ppt/notesSlides/n.xml", slideOf(box(`type="sldImg"`, "", "", "")+box(`type="body" idx="1"`, "", "", lineOf("A note."))),
		"ppt/diagrams/d.xml", `<dgm:dataModel xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><dgm:pt>`+
			`<dgm:t>`+lineOf("Step")+`</dgm:t></dgm:pt></dgm:dataModel>`)
}

func TestPPTX(t *testing.T) {
	const rest = "<aside><p>A note.</p>\n</aside>\n<h2>Last</h2>\n"
	note := func(before string) string {
		return strings.Replace(before+rest, "<p>A note.</p>\n", "<ul><li>A note.</li>\n</ul>\n", 1)
	}
	for _, c := range []struct{ name, shapes, want string }{
		{"order", box(`idx="2"`, "", "", lineOf("right")) + box(`idx="1"`, "", "", lineOf("left")) + box("", "0", "4000000", lineOf("below")) + box(`type="title"`, "", "", lineOf("Two")+lineOf("lines")),
			"<h2>Two<br>lines</h2>\n<ul><li>left</li>\n<li>right</li>\n</ul>\n<p>below</p>\n"},
		{"feet", box(`type="sldNum"`, "", "", lineOf("7")) + box("", "0", "0", lineOf("text")), "<p>text</p>\n<footer role=\"doc-pagefooter\"><p>7</p>\n</footer>\n"},
		{"text", box("", "0", "0", `<a:p><a:pPr lvl="1"><a:buAutoNum type="x"/></a:pPr><a:r><a:rPr b="1" lang="fr-FR"><a:hlinkClick r:id="h"/></a:rPr><a:t>a</a:t></a:r><a:br/><a:r><a:rPr baseline="30000"/><a:t>b</a:t></a:r>`+
			`<a:fld type="slidenum"><a:t>9</a:t></a:fld></a:p>`),
			"<ol><li><ol><li lang=\"fr-FR\"><a href=\"http://example.org/\"><b>a</b></a><br><sup>b</sup></li>\n</ol>\n</li>\n</ol>\n"},
		{"table", `<p:graphicFrame><p:xfrm><a:off x="0" y="0"/></p:xfrm><a:graphic><a:graphicData><a:tbl><a:tblPr firstRow="1"/><a:tr><a:tc gridSpan="2"><a:txBody>` + lineOf("h") + `</a:txBody></a:tc><a:tc hMerge="1"><a:txBody/></a:tc></a:tr>` +
			`<a:tr><a:tc><a:txBody>` + lineOf("1") + `</a:txBody></a:tc><a:tc><a:txBody>` + lineOf("2") + `</a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`,
			"<table><tr><th colspan=\"2\">h</th>\n</tr>\n<tr><td>1</td>\n<td>2</td>\n</tr>\n</table>\n"},
		{"diagram", `<p:graphicFrame><dgm:relIds xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" r:dm="d"/></p:graphicFrame>`, "<ul><li>Step</li>\n</ul>\n"},
		{"group", box("", "0", "3000000", lineOf("below")) + `<p:grpSp><p:grpSpPr><a:xfrm><a:off x="0" y="0"/></a:xfrm></p:grpSpPr>` + box("", "0", "9000000", lineOf("above")) + `</p:grpSp>`, "<p>above</p>\n<p>below</p>\n"},
		{"hidden shape", strings.Replace(box("", "0", "0", lineOf("x")), `name="n"`, `hidden="1"`, 1), ""},
	} {
		check(t, c.name, PPTX, pptxOf(slideOf(c.shapes)), note(c.want))
	}
	check(t, "hidden slide", PPTX, pptxOf(strings.Replace(slideOf(box("", "0", "0", lineOf("x"))), "<p:sld ", `<p:sld show="0" `, 1)), "<h2>Last</h2>\n")
	d := must.Get(PPTX(context.Background(), pptxOf(slideOf("")), document.Limits{MaxPages: 1}))(t)
	if d.Cut != page.TooLarge || strings.Contains(d.HTML, "Last") {
		t.Errorf("cut %q: %s", d.Cut, d.HTML)
	}
}
