// Package xmldoc reads the XML of documents: one file, or the files of a zip archive, as in DOCX
// and EPUB. [Reader] records why a document was read only in part.
package xmldoc

import (
	"context"
	"errors"

	"chaffinch/format/document"
	"chaffinch/internal/archive"
	"chaffinch/internal/packed"
	"chaffinch/internal/xmltoken"
	"chaffinch/page"
	"chaffinch/text/charset"
)

// Reader reads a document. It is not safe for concurrent use.
type Reader struct {
	// Cut is the reason why only a part was read; [page.None] if all of it was read.
	Cut page.Reason

	ctx   context.Context
	parts *archive.Parts // nil for a document of one file
	steps int
	err   error // of ctx
}

// New returns a reader of a document that is one file.
func New(ctx context.Context) *Reader { return &Reader{ctx: ctx} }

// Open opens a document that is a zip archive.
func Open(ctx context.Context, raw []byte, limits document.Limits) (*Reader, error) {
	parts, err := archive.OpenParts(raw, limits.WithDefaults().MaxUnpacked)
	if err != nil {
		return nil, err
	}
	r := &Reader{ctx: ctx, parts: parts}
	if parts.Recovered {
		r.Cut = page.Truncated
	}
	return r, nil
}

// Names returns the names of the files of the archive, in no order.
func (r *Reader) Names() []string { return r.parts.Names() }

// Find returns the name of the file of the archive that a path of another file means.
func (r *Reader) Find(name string) (string, bool) { return r.parts.Find(name) }

// Text returns the readable text of a file of the archive. A missing file is empty, and so is every
// file if there is no archive.
func (r *Reader) Text(name string) string {
	if r.parts == nil {
		return ""
	}
	name, ok := r.parts.Find(name)
	if !ok {
		return ""
	}
	b, err := r.parts.Read(name)
	switch {
	case errors.Is(err, packed.ErrTooCompressed):
		r.Cut = page.TooCompressed
	case err != nil && r.Cut == page.None:
		r.Cut = page.Truncated
	}
	return charset.Decode(b, "").Text
}

// Next reads the next token of x and reports whether there is one. Tokens end when the context is
// done.
func (r *Reader) Next(x *xmltoken.Reader) bool {
	if r.steps++; r.steps%1024 == 0 && r.err == nil {
		r.err = r.ctx.Err()
	}
	if r.err != nil || !x.Next() {
		return false
	}
	if x.Deep && r.Cut == page.None {
		r.Cut = page.TooDeep
	}
	return true
}

// Done reports whether the context was done when tokens were read.
func (r *Reader) Done() bool { return r.err != nil }

// Document returns the document that b wrote. An error is from the context.
func (r *Reader) Document(b *document.Builder) (document.Document, error) {
	if r.err != nil {
		return document.Document{}, r.err
	}
	d := b.Document()
	if r.Cut != page.None {
		d.Cut = r.Cut
	}
	return d, nil
}
