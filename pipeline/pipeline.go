// Package pipeline carries pages from a source through stages to an output. [Run] carries
// the pages of a [Job]; [Do] takes a single page through stages.
//
// A worker takes a page through all stages and encodes its record, so that a
// page never waits between two stages; batches of pages pass over channels;
// records are written in the order of the input. What is in flight is limited
// by bytes as well as by count. The bytes written depend on the source, the
// stages and the encoder alone, never on the number of workers.
package pipeline

import (
	"context"

	"chaffinch/page"
)

// Stage does one thing to one page, in place. Do is safe for concurrent use,
// keeps no page and no string of one, reads no clock, network or global: same
// page, same result. A page that leaves the corpus is not an error: Do sets
// p.Drop. An error means that the stage failed on this page; the page is
// dropped as [page.Failed], the error is reported and the run goes on.
type Stage interface {
	// Name is the name and behaviour version of the stage, such as "extract/1".
	Name() string
	Do(ctx context.Context, p *page.Page) error
}

// Source yields pages in a fixed order. [*input.Reader] is one.
type Source interface {
	// Next returns the next page, [io.EOF] at the end, or an error that tells
	// of one bad piece of the input, after which Next may be called again. An
	// error that is [Fatal] ends the run.
	Next() (*page.Page, error)
}

// Marker is a Source that knows where it stands. A run over a Marker can be
// checkpointed.
type Marker interface {
	// Mark returns, as JSON, the place where the next page begins.
	Mark() ([]byte, error)
}

// Skipper is a Source that passes parts of the input which hold no page.
type Skipper interface {
	// Skipped returns how many were passed so far, by kind. The map is read before the
	// next call of Next, and not changed.
	Skipped() map[string]int
}

// Releaser is a Source that takes pages back, so that their memory serves
// pages to come. Release is called with a page when its record is made and
// nobody refers to it any more, strings in it included; never with one that a
// stage was left behind with. It is safe for concurrent use. A Stage may be one too: it is
// called before a Source that is.
type Releaser interface {
	Release(p *page.Page)
}

// Encoder turns a finished page into the bytes of its record.
type Encoder interface {
	// Append appends the record of p to dst. Nothing appended means that the
	// format has no record for p. Append keeps nothing of p and is safe for
	// concurrent use.
	Append(dst []byte, p *page.Page) []byte
}

// LangIgnorer is a Stage or an Encoder that can tell that it does not look at
// page.Page.Lang. Others are taken to look at it.
type LangIgnorer interface {
	IgnoresLang() bool
}

// FieldHolder is an Encoder of a format that has no place for some of the fields
// that pages bring. Others are taken to have one for all.
type FieldHolder interface {
	HoldsField(f *page.Field) bool
}

// Framer is an Encoder of a format that has something around the pages of one
// stream. Files of one page each have none of it.
type Framer interface {
	// Frame returns what stands before the first page, between two, and after
	// the last.
	Frame() (head, between, tail string)
}

// Record is an encoded page on its way to the output.
type Record struct {
	ID, URL string
	Source  page.Source
	Drop    page.Reason
	// Bytes is the encoded record, empty if the format has none for the page.
	Bytes []byte
	// Shortened is set by a Sink to the name that it gave to a file, if the file
	// system would not have taken the one that belongs to the page.
	Shortened string
}

// Sink takes records in the order of the input.
type Sink interface {
	Put(r *Record) error
	Durable
}

// Output is what is written of the pages, and where.
type Output struct {
	Encoder Encoder
	Sink    Sink
}

// Fatal wraps an error of a Source that no further call can get past, or one
// of the output. [Run] stops at it.
type Fatal struct{ Err error }

// Error is that of the wrapped error.
func (f *Fatal) Error() string { return f.Err.Error() }

// Unwrap returns the wrapped error.
func (f *Fatal) Unwrap() error { return f.Err }
