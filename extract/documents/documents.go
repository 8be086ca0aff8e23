// Package documents converts pages that are documents, such as PDF, DOCX, EPUB or mail, to HTML.
// [Stage] is a stage of the pipeline that precedes segmentation. It sets the HTML of a page and
// the name of its format; other pages pass unchanged.
//
// The readers of the formats are part of programs that import them:
//
//	import _ "chaffinch/extract/documents/readers"
//
// Unstable: this package may change in any release.
package documents

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chaffinch/format/document"
	"chaffinch/page"
)

// Config configures a [Stage].
type Config struct {
	// Formats are the formats that are read: [HTML] for web pages and plain text, and some of
	// [document.Formats]. Pages of other formats are dropped ([page.OtherFormat]), except that HTML
	// includes the source text of formats such as Markdown. Default: all.
	Formats []string `json:"formats,omitempty"`
	// OCR is the command line of a program that recognises the text of PDF pages without usable
	// text, see [chaffinch/format/pdf.ParseOCR]. Default: none.
	OCR string `json:"ocr,omitempty"`
	document.Limits
}

// HTML is the name of the format of web pages and plain text.
const HTML = "html"

// Default holds the configuration for web crawls.
var Default = Config{Limits: document.Default}

// Reader converts a document. It returns an error only if ctx is done or the program fails.
type Reader func(ctx context.Context, raw []byte, limits document.Limits) (document.Document, error)

// Readers holds the reader of each of [document.Formats]. OCR returns a reader of PDF for a command
// line, see [Config], and PreparePDF prepares the reader of PDF for a document. They are nil unless the
// program imports extract/documents/readers.
var (
	Readers    map[string]Reader
	OCR        func(command string) (Reader, error)
	PreparePDF func(ctx context.Context) error
)

// ErrNoReaders is returned for documents other than web pages and plain text in a program without
// their readers.
var ErrNoReaders = errors.New(`this program has no readers of documents: import _ "chaffinch/extract/documents/readers" for them`)

// Stage converts documents to HTML. It is safe for concurrent use.
type Stage struct {
	cfg Config
	ocr Reader // of PDF; nil without OCR
}

// New returns a stage. It returns an error if a format is unknown, the command of OCR is not valid,
// or the program lacks a reader that the configuration names ([ErrNoReaders]).
func New(cfg Config) (*Stage, error) {
	for _, name := range cfg.Formats {
		if name == HTML {
			continue
		}
		if !slices.Contains(document.Formats(), name) {
			return nil, fmt.Errorf("format %q: wanted some of %s, %s", name, HTML, strings.Join(document.Formats(), ", "))
		}
		if Readers[name] == nil {
			return nil, fmt.Errorf("format %q: %w", name, ErrNoReaders)
		}
	}
	s := &Stage{cfg: cfg}
	if cfg.OCR != "" {
		if OCR == nil {
			return nil, fmt.Errorf("OCR: %w", ErrNoReaders)
		}
		var err error
		if s.ocr, err = OCR(cfg.OCR); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Name returns the name of the stage with the version of its behaviour.
func (s *Stage) Name() string { return "documents/1" }

// Prepare prepares the reader of PDF for a page that looks like a PDF document. It implements
// [chaffinch/pipeline.Preparer].
func (s *Stage) Prepare(ctx context.Context, p *page.Page) error {
	head := p.Raw[:min(len(p.Raw), 1024)]
	if PreparePDF == nil || p.HTML != "" || !s.reads("pdf") || !bytes.Contains(head, []byte("%PDF-")) {
		return nil
	}
	return PreparePDF(ctx)
}

// reads reports whether documents of a format are read.
func (s *Stage) reads(format string) bool {
	return len(s.cfg.Formats) == 0 || slices.Contains(s.cfg.Formats, format)
}

// Do sets p.HTML and p.Format of a document, and p.Drop of a document that cannot be read. An
// error is from ctx, from a reader, or [ErrNoReaders].
func (s *Stage) Do(ctx context.Context, p *page.Page) error {
	if err := ctx.Err(); err != nil || p.HTML != "" || p.Drop != page.None {
		return err
	}
	format := document.Of(p.Raw, p.MIME, p.Source.File, pathOf(p.URL))
	if !s.reads(cmp.Or(format, HTML)) {
		if document.Source(format) && slices.Contains(s.cfg.Formats, HTML) {
			p.MIME = "text/plain"
			return nil
		}
		p.Format, p.Drop = format, page.OtherFormat
		return nil
	}
	if format == "" {
		return nil
	}
	p.Format = format
	read := Readers[format]
	if read == nil {
		return fmt.Errorf("format %q: %w", format, ErrNoReaders)
	}
	if format == "pdf" && s.ocr != nil {
		read = s.ocr
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
