// Package documents converts pages that are documents, such as PDF, DOCX, EPUB or mail, to HTML.
// [Stage] is a stage of the pipeline that precedes segmentation. It sets the HTML of a page and
// the name of its format; other pages pass unchanged.
//
// Unstable: this package may change in any release.
package documents

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

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
	"chaffinch/page"
)

// Config configures a [Stage].
type Config struct {
	// Formats are the formats that are read: [HTML] for web pages and plain text, and some of
	// [document.Formats]. Pages of other formats are dropped ([page.OtherFormat]), except that HTML
	// includes the source text of formats such as Markdown. Default: all.
	Formats []string `json:"formats,omitempty"`
	// OCR is the command line of a program that recognises the text of PDF pages without usable
	// text, see [pdf.ParseOCR]. Default: none.
	OCR string `json:"ocr,omitempty"`
	document.Limits
}

// HTML is the name of the format of web pages and plain text.
const HTML = "html"

// Default holds the configuration for web crawls.
var Default = Config{Limits: document.Default}

// reader converts a document. It returns an error only if ctx is done or the program fails.
type reader func(ctx context.Context, raw []byte, limits document.Limits) (document.Document, error)

// readers contains the reader of each format.
var readers = map[string]reader{
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

// pdfReader reads PDF. All stages of a program share its processes.
var pdfReader pdf.Reader

// Picture draws a page of a PDF document, from 1, as PNG with a width in pixels.
func Picture(ctx context.Context, raw []byte, number, width int) ([]byte, error) {
	return pdfReader.Render(ctx, raw, number, width)
}

// Stage converts documents to HTML. It is safe for concurrent use.
type Stage struct {
	cfg Config
	ocr *pdf.OCR
}

// New returns a stage. It returns an error if a format is unknown or the command of OCR is not valid.
func New(cfg Config) (*Stage, error) {
	for _, name := range cfg.Formats {
		if name != HTML && readers[name] == nil {
			return nil, fmt.Errorf("format %q: wanted some of %s, %s", name, HTML, strings.Join(document.Formats(), ", "))
		}
	}
	s := &Stage{cfg: cfg}
	if cfg.OCR != "" {
		var err error
		if s.ocr, err = pdf.ParseOCR(cfg.OCR); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Name returns the name of the stage with the version of its behaviour.
func (s *Stage) Name() string { return "documents/1" }

// Do sets p.HTML and p.Format of a document, and p.Drop of a document that cannot be read. An
// error is from ctx, or the program cannot read the format.
func (s *Stage) Do(ctx context.Context, p *page.Page) error {
	if err := ctx.Err(); err != nil || p.HTML != "" || p.Drop != page.None {
		return err
	}
	format := cmp.Or(document.Of(p.Raw, p.MIME, p.Source.File), document.Of(p.Raw, p.MIME, pathOf(p.URL)))
	if len(s.cfg.Formats) > 0 && !slices.Contains(s.cfg.Formats, cmp.Or(format, HTML)) {
		if document.Source(format) && slices.Contains(s.cfg.Formats, HTML) {
			p.MIME = "text/plain"
			return nil
		}
		p.Format, p.Drop = format, page.OtherFormat
		return nil
	}
	read := readers[format]
	if read == nil {
		return nil
	}
	p.Format = format
	if format == "pdf" && s.ocr != nil {
		read = s.withOCR
	}
	d, err := read(ctx, p.Raw, s.cfg.Limits)
	if err != nil {
		return err
	}
	p.MIME, p.Charset, p.HTML = document.MediaType(format), "utf-8", d.HTML
	p.Drop = d.Drop
	if p.Cut == page.None {
		p.Cut = d.Cut
	}
	p.Notes = append(p.Notes, d.Notes...)
	return nil
}

// pathOf returns the path of an address.
func pathOf(address string) string {
	_, address, _ = strings.Cut(address, "://")
	_, path, _ := strings.Cut(address, "/")
	return path[:min(len(path), strings.IndexByte(path+"?", '?'), strings.IndexByte(path+"#", '#'))]
}

// withOCR reads a PDF document with the help of the program of OCR.
func (s *Stage) withOCR(ctx context.Context, raw []byte, limits document.Limits) (document.Document, error) {
	return pdfReader.ReadOCR(ctx, raw, limits, s.ocr)
}
