// Package readers adds the readers of documents, such as PDF, DOCX, EPUB, mail and Markdown, to a
// program. They take 2.4 MB. Without them, cleaning accepts web pages and plain text:
//
//	import _ "chaffinch/extract/documents/readers"
//
// Packages build/recipe, crawl and serve/explain import it.
//
// Unstable: this package may change in any release.
package readers

import (
	"context"

	"chaffinch/extract/documents"
	"chaffinch/format/asciidoc"
	"chaffinch/format/document"
	"chaffinch/format/epub"
	"chaffinch/format/latex"
	"chaffinch/format/mail"
	"chaffinch/format/markdown"
	"chaffinch/format/office"
	"chaffinch/format/pdf"
	"chaffinch/format/rst"
	"chaffinch/format/rtf"
	"chaffinch/format/subtitles"
	"chaffinch/format/wiki"
)

// pdfReader reads PDF. All stages of a program share its processes.
var pdfReader pdf.Reader

func init() {
	documents.Readers = map[string]documents.Reader{
		"asciidoc":  asciidoc.Read,
		"docx":      office.DOCX,
		"eml":       mail.Read,
		"epub":      epub.Read,
		"fb2":       epub.FB2,
		"latex":     latex.Read,
		"markdown":  markdown.Read,
		"mediawiki": wiki.Read,
		"odt":       office.ODT,
		"pdf":       pdfReader.Read,
		"pptx":      office.PPTX,
		"rst":       rst.Read,
		"rtf":       rtf.Read,
		"srt":       subtitles.Read,
		"vtt":       subtitles.Read,
	}
	documents.OCR = withOCR
	documents.PreparePDF = pdfReader.Prepare
}

// withOCR returns a reader of PDF with the help of a program of OCR.
func withOCR(command string) (documents.Reader, error) {
	ocr, err := pdf.ParseOCR(command)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, raw []byte, limits document.Limits) (document.Document, error) {
		return pdfReader.ReadOCR(ctx, raw, limits, ocr)
	}, nil
}

// Picture draws a page of a PDF document, from 1, as PNG with a width in pixels.
func Picture(ctx context.Context, raw []byte, number, width int) ([]byte, error) {
	return pdfReader.Render(ctx, raw, number, width)
}
