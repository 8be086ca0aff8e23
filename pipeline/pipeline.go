// Package pipeline carries pages from a source through stages to an output. [Run] processes the
// pages of a [Chain]; [Do] runs stages on a single page.
//
// A worker runs all stages on a page and encodes its record, so that a page never waits between
// two stages. Channels pass batches of pages. Records are written in the order of the input.
// Pages in flight are limited by bytes as well as by count. The output depends only on the
// source, the stages and the encoder, never on the number of workers.
package pipeline

import (
	"context"

	"chaffinch/page"
)

// Stage processes one page in place. Do must be safe for concurrent use. It must not keep a
// page or a string of a page, and must not read a clock, the network or globals: the result
// depends only on the page.
//
// Do sets p.Drop for a page that leaves the corpus; this is not an error. An error means that
// the stage failed on this page. The page is dropped as [page.Failed], the error is reported,
// and the run continues.
type Stage interface {
	// Name returns the name and behaviour version of the stage, such as "extract/1".
	Name() string
	Do(ctx context.Context, p *page.Page) error
}

// Preparer is a Stage that prepares for a page before the time limit of the page begins, such as by
// starting another program. Prepare must be safe for concurrent use and must not change the page. An
// error means that the stage failed on this page. Without a time limit, Prepare is not called.
type Preparer interface {
	Prepare(ctx context.Context, p *page.Page) error
}

// Source yields pages in a fixed order. [*input.Reader] implements it.
type Source interface {
	// Next returns the next page, or [io.EOF] at the end. Any other error concerns one bad
	// piece of the input, and Next may be called again. An error that is [Fatal] ends the run.
	Next() (*page.Page, error)
}

// Marker is a Source that can return its position. A run over a Marker can be checkpointed.
type Marker interface {
	// Mark returns, as JSON, the position where the next page begins.
	Mark() ([]byte, error)
}

// Measurer is a Source that measures its progress. The [Status] of a run over another Source counts
// pages.
type Measurer interface {
	// Progress returns the number of bytes read from the input and their total, -1 if it is
	// unknown. It may be called at any time.
	Progress() (done, total int64)
}

// Skipper is a Source that skips parts of the input that contain no page.
type Skipper interface {
	// Skipped returns the number of parts skipped so far, by kind. The caller reads the map
	// before the next call of Next and does not change it.
	Skipped() map[string]int
}

// Releaser is a Source that recycles the memory of pages. Release is called with a page once
// its record is encoded and nothing refers to the page or its strings. It is never called with
// a page that was abandoned in a stage. It must be safe for concurrent use. A Stage may also be
// a Releaser; it is called before the Source and before the stages that precede it.
type Releaser interface {
	Release(p *page.Page)
}

// Encoder encodes a finished page as a record.
type Encoder interface {
	// Append appends the record of p to dst. It appends nothing if the format has no record for
	// p. Append must not keep any part of p and must be safe for concurrent use.
	Append(dst []byte, p *page.Page) []byte
}

// LangIgnorer is a Stage or an Encoder that can report whether it ignores page.Page.Lang.
// Others are assumed to use it.
type LangIgnorer interface {
	IgnoresLang() bool
}

// FieldHolder is an Encoder of a format that cannot represent some fields of pages. Other
// encoders are assumed to represent all of them.
type FieldHolder interface {
	HoldsField(f *page.Field) bool
}

// Framer is an Encoder of a format that frames the pages of one stream. Files of one page each
// are not framed.
type Framer interface {
	// Frame returns the text before the first page, between two pages, and after the last page.
	Frame() (head, between, tail string)
}

// Record is an encoded page in flight to the output.
type Record struct {
	ID, URL string
	Source  page.Source
	Drop    page.Reason
	// Bytes is the encoded record, empty if the format has no record for the page.
	Bytes []byte
	// Shortened is set by a Sink to the name of the file if the file system would not allow the
	// regular name.
	Shortened string
}

// Sink writes records in the order of the input.
type Sink interface {
	Put(r *Record) error
	Durable
}

// Output is an encoder of pages and the sink for its records.
type Output struct {
	Encoder Encoder
	Sink    Sink
}

// Fatal wraps an error of a Source that further calls cannot get past, or an error of the
// output. [Run] stops at it.
type Fatal struct{ Err error }

// Error returns the message of the wrapped error.
func (f *Fatal) Error() string { return f.Err.Error() }

// Unwrap returns the wrapped error.
func (f *Fatal) Unwrap() error { return f.Err }
