package office

import (
	"context"
	"strings"
	"testing"

	"chaffinch/format/document"
	"chaffinch/internal/testkit/must"
)

// limits of fuzzing bound what one input costs.
var limits = document.Limits{MaxHTML: 1 << 16, MaxUnpacked: 1 << 20, MaxPages: 20}

// sound reads a document that may be damaged and checks that the HTML is complete.
func sound(t *testing.T, read readFunc, raw []byte) {
	d := must.Get(read(context.Background(), raw, limits))(t)
	if d.Drop == 0 && (!strings.HasPrefix(d.HTML, "<!doctype html>") || !strings.HasSuffix(d.HTML, "</body></html>\n")) {
		t.Errorf("HTML %q", d.HTML)
	}
}

// FuzzDOCX reads any body of a DOCX document.
func FuzzDOCX(f *testing.F) {
	for _, c := range paragraphs {
		f.Add(c.xml)
	}
	f.Fuzz(func(t *testing.T, body string) { sound(t, DOCX, docxOf(body)) })
}

// FuzzPPTX reads any slide.
func FuzzPPTX(f *testing.F) {
	f.Add(slideOf(box(`type="title"`, "1", "2", lineOf("a"))))
	f.Add(`<p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>x`)
	f.Fuzz(func(t *testing.T, slide string) { sound(t, PPTX, pptxOf(slide)) })
}

// FuzzODT reads any content of an ODT document.
func FuzzODT(f *testing.F) {
	for _, c := range texts {
		f.Add(c.xml)
	}
	f.Fuzz(func(t *testing.T, text string) {
		sound(t, ODT, []byte(`<office:document `+odtSpaces+`>`+odtStyles+odtAuto+`<office:body><office:text>`+text))
	})
}

// FuzzPackage reads any bytes as a package.
func FuzzPackage(f *testing.F) {
	raw := docxOf("<w:p><w:r><w:t>a</w:t></w:r></w:p>")
	f.Add(raw)
	f.Add(raw[:len(raw)/2])
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, read := range []readFunc{DOCX, PPTX, ODT} {
			sound(t, read, raw)
		}
	})
}

func benchmark(b *testing.B, read readFunc, raw []byte, xml int) {
	b.SetBytes(int64(xml))
	b.ReportAllocs()
	for b.Loop() {
		must.Succeed(b, must.Err(read(context.Background(), raw, document.Default)))
	}
}

// The benchmarks report the speed in bytes of XML.

func BenchmarkDOCX(b *testing.B) {
	body := strings.Repeat(paragraphs[0].xml+paragraphs[7].xml+`<w:p><w:r><w:t>The quick brown fox jumps over the lazy dog and runs on.</w:t></w:r></w:p>`, 2000)
	benchmark(b, DOCX, docxOf(body), len(body))
}

func BenchmarkPPTX(b *testing.B) {
	slide := slideOf(strings.Repeat(box("", "0", "0", lineOf("The quick brown fox jumps over the lazy dog and runs on.")), 4000))
	benchmark(b, PPTX, pptxOf(slide), len(slide))
}

func BenchmarkODT(b *testing.B) {
	text := strings.Repeat(texts[1].xml+texts[5].xml+`<text:p>The quick brown fox jumps over the lazy dog and runs on.</text:p>`, 2000)
	benchmark(b, ODT, odtOf(text), len(text))
}
