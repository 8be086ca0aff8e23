// Package write writes small PDF files for tests.
package write

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"strings"
)

// Document is a document in progress.
type Document struct {
	// Title, Lang and Trailer are written if they are not empty. Trailer is a part of the
	// trailer dictionary.
	Title, Lang, Trailer string
	// Unicode, if not nil, gives the Unicode values of the characters of all fonts.
	Unicode func(code byte) rune

	pages []*Page
}

// Page is a page in progress. Positions are in points from the upper left corner.
type Page struct {
	width, height float64
	content       bytes.Buffer
	rotate        int
	links         strings.Builder
}

// fonts are standard fonts: programs know their glyphs.
var fonts = []string{"Times-Roman", "Times-Bold", "Times-Italic", "Helvetica", "Helvetica-Bold", "Courier", "Courier-Bold", "Courier-Oblique"}

// Page adds a page.
func (d *Document) Page(width, height float64) *Page {
	p := &Page{width: width, height: height}
	d.pages = append(d.pages, p)
	return p
}

// Rotate sets the angle by which the page is shown.
func (p *Page) Rotate(degrees int) { p.rotate = degrees }

// Text draws text with the left end of its baseline at x and y.
func (p *Page) Text(x, y, size float64, font, text string) { p.Turned(x, y, size, 0, font, text) }

// Turned draws text that is turned clockwise by quarters.
func (p *Page) Turned(x, y, size float64, quarters int, font, text string) {
	number := 0
	for i, f := range fonts {
		if f == font {
			number = i
		}
	}
	m := [...]string{"1 0 0 1", "0 -1 1 0", "-1 0 0 -1", "0 1 -1 0"}[quarters]
	fmt.Fprintf(&p.content, "BT /F%d %g Tf %s %g %g Tm (%s) Tj ET\n", number, size, m, x, p.height-y, literal(text))
}

// literal escapes text in WinAnsi encoding.
func literal(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '(' || r == ')' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x80:
			b.WriteRune(r)
		case r == '•':
			b.WriteString(`\225`)
		case r < 0x100:
			fmt.Fprintf(&b, `\%03o`, r)
		}
	}
	return b.String()
}

// Line draws a line.
func (p *Page) Line(x0, y0, x1, y1 float64) {
	fmt.Fprintf(&p.content, ".5 w %g %g m %g %g l S\n", x0, p.height-y0, x1, p.height-y1)
}

// Image draws an image of one pixel in a box.
func (p *Page) Image(x0, y0, x1, y1 float64) {
	fmt.Fprintf(&p.content, "q %g 0 0 %g %g %g cm /Im Do Q\n", x1-x0, y1-y0, x0, p.height-y1)
}

// Link makes a box a link.
func (p *Page) Link(x0, y0, x1, y1 float64, url string) {
	fmt.Fprintf(&p.links, "<</Type/Annot/Subtype/Link/Rect[%g %g %g %g]/A<</S/URI/URI(%s)>>>>", x0, p.height-y1, x1, p.height-y0, literal(url))
}

// Content adds operators.
func (p *Page) Content(operators string) { p.content.WriteString(operators) }

// Bytes returns the file.
func (d *Document) Bytes() []byte {
	var out bytes.Buffer
	var offsets []int
	object := func(format string, args ...any) int {
		offsets = append(offsets, out.Len())
		fmt.Fprintf(&out, "%d 0 obj\n", len(offsets))
		fmt.Fprintf(&out, format, args...)
		out.WriteString("\nendobj\n")
		return len(offsets)
	}
	stream := func(dict string, data []byte) int {
		var z bytes.Buffer
		w := zlib.NewWriter(&z)
		w.Write(data)
		w.Close()
		return object("<<%s/Filter/FlateDecode/Length %d>>\nstream\n%s\nendstream", dict, z.Len(), z.Bytes())
	}
	out.WriteString("%PDF-1.5\n%\xe2\xe3\xcf\xd3\n")
	const first = 3 // number of the first page, after the catalog and the list of pages
	catalog := object("<</Type/Catalog/Pages 2 0 R%s>>", lang(d.Lang))
	pages := len(offsets) + 1
	kids := make([]string, len(d.pages))
	shared := first + len(d.pages)
	for i := range d.pages {
		kids[i] = fmt.Sprintf("%d 0 R", first+i)
	}
	object("<</Type/Pages/Count %d/Kids[%s]>>", len(d.pages), strings.Join(kids, " "))
	for i, p := range d.pages {
		object("<</Type/Page/Parent %d 0 R/MediaBox[0 0 %g %g]/Rotate %d/Resources %d 0 R/Contents %d 0 R/Annots[%s]>>",
			pages, p.width, p.height, p.rotate, shared, shared+1+i, p.links.String())
	}
	image := shared + 1 + len(d.pages)
	var resources strings.Builder
	for i := range fonts {
		fmt.Fprintf(&resources, "/F%d %d 0 R", i, image+1+i)
	}
	object("<</Font<<%s>>/XObject<</Im %d 0 R>>>>", resources.String(), image)
	for _, p := range d.pages {
		stream("", p.content.Bytes())
	}
	stream("/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8", []byte{0x80})
	unicode := ""
	if d.Unicode != nil {
		unicode = fmt.Sprintf("/ToUnicode %d 0 R", image+1+len(fonts))
	}
	for _, f := range fonts {
		object("<</Type/Font/Subtype/Type1/BaseFont/%s/Encoding/WinAnsiEncoding%s>>", f, unicode)
	}
	if d.Unicode != nil {
		stream("", d.toUnicode())
	}
	info := object("<</Title(%s)/CreationDate(D:20260102030405Z)>>", literal(d.Title))
	xref := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, at := range offsets {
		fmt.Fprintf(&out, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(&out, "trailer\n<</Size %d/Root %d 0 R/Info %d 0 R%s>>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, catalog, info, d.Trailer, xref)
	return out.Bytes()
}

func lang(l string) string {
	if l == "" {
		return ""
	}
	return fmt.Sprintf("/Lang(%s)", l)
}

func (d *Document) toUnicode() []byte {
	var b bytes.Buffer
	b.WriteString("/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def\n1 begincodespacerange <00> <ff> endcodespacerange\n")
	for from := 0x20; from < 0x100; from += 0x20 {
		b.WriteString("32 beginbfchar\n")
		for c := from; c < from+0x20; c++ {
			fmt.Fprintf(&b, "<%02x> <%04x>\n", c, d.Unicode(byte(c)))
		}
		b.WriteString("endbfchar\n")
	}
	b.WriteString("endcmap end end\n")
	return b.Bytes()
}
