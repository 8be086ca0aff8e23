package dedup

import (
	"context"

	"chaffinch/input/records"
)

// Method is a way to find duplicates. What it keeps of the collection goes
// through tables of records on disk, never through its own memory, so that it
// works on any number of documents.
type Method interface {
	// Name is the name of the method and the version of its behaviour, such as
	// "onion/1".
	Name() string
	// Config returns the settings that its records and decisions depend on, as a
	// value for encoding/json. A resumed run must have the same.
	Config() any
	// Tables lists what Sketch fills.
	Tables() []Table
	// Sketcher makes a sketcher; each worker has one of its own.
	Sketcher() Sketcher
	// Group reads the sorted tables, decides, and calls [Group.Mark].
	Group(ctx context.Context, g *Group) error
}

// Table describes records of one length. They sort as bytes, by the whole
// record: what a method reads does not depend on the number of workers, and
// equal records are equal in all they say.
type Table struct {
	// Name is unique among the tables of a method, of lower-case letters and
	// digits.
	Name string
	// Record is the length of a record in bytes. Key is the length of what it
	// begins with that makes a group of it: groups are never torn apart.
	Record, Key int
	// Doc is the offset of the document number ([DocBytes]) in the record, in the
	// tables that Sketch fills: an index renumbers and forgets by it.
	Doc int
}

// Sketcher looks at one document after the other.
type Sketcher interface {
	// Sketch emits the records of d, whose number is num. emit returns room for
	// one record of the table with that place in [Method.Tables], to be filled
	// before the next call of emit; its bytes are not zero before. Records depend
	// on d and num alone, and on num only as the document number in them. Neither
	// d nor its memory may be kept.
	Sketch(d *records.Doc, num int64, emit func(table int) []byte)
}

// IndexKeeper is what a method may implement if not all records of a document
// that stays belong into an index: those of its paragraphs that went, say.
type IndexKeeper interface {
	// KeepRecord tells whether the record of that table goes into an index.
	// dropped tells whether a paragraph of the document was dropped.
	KeepRecord(table string, record []byte, dropped func(para int32) bool) bool
}

// Namer is what a method implements that finds text in documents of its own, not
// of the collection: those of test sets.
type Namer interface {
	// NameFirst returns the id of the document that First of a mark of the method
	// stands for.
	NameFirst(first int64) string
}

// MemoryUser is what a method implements that itself holds much memory during the
// whole run. The rest of the run makes do with less.
type MemoryUser interface {
	// Bytes is how much that is.
	Bytes() int64
}

// Source is a collection that can be read again and again.
type Source interface {
	// Next returns the next document, io.EOF after the last. It stays valid until
	// Release, which any goroutine may call.
	Next() (*records.Doc, error)
	Release(*records.Doc)
	// Mark returns the place behind the last document, as JSON; Goto goes there.
	Mark() ([]byte, error)
	Goto(mark []byte) error
	// Identity changes when the collection does.
	Identity() string
	// Progress returns how many bytes were read, and of how many, -1 if unknown.
	// It may be called at any time.
	Progress() (done, total int64)
	Close() error
}
