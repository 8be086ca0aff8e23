package dedup

import (
	"context"

	"chaffinch/input/records"
)

// Method finds duplicates. It keeps the data of the collection in tables of records on
// disk, so that it works on any number of documents. A [Holder] keeps the data of small
// collections in memory.
type Method interface {
	// Name returns the name of the method and the version of its behaviour, such as
	// "onion/1".
	Name() string
	// Config returns the settings that its records and decisions depend on, as a value
	// for encoding/json. A resumed run must have the same settings.
	Config() any
	// Tables returns the tables that Sketch fills.
	Tables() []Table
	// Sketcher returns a new sketcher; each worker has a separate one.
	Sketcher() Sketcher
	// Group reads the sorted tables, decides, and calls [Group.Mark].
	Group(ctx context.Context, g *Group) error
}

// Table describes records of one length. Records sort as bytes, by the whole record,
// so that a method reads the same order for any number of workers. Equal records are
// interchangeable.
type Table struct {
	// Name is unique among the tables of a method and consists of lower-case letters
	// and digits.
	Name string
	// Record is the length of a record in bytes. Key is the length of the prefix that
	// records of one group share; a group is never split.
	Record, Key int
	// Doc is the offset of the document number ([DocBytes]) in the record, in tables
	// that Sketch fills. An index uses it to renumber and forget documents.
	Doc int
}

// Sketcher turns documents into records, one document at a time.
type Sketcher interface {
	// Sketch emits the records of d, whose number is num. emit returns a buffer for
	// one record of the table at that position in [Method.Tables], to be filled before
	// the next call of emit. The buffer is not zeroed. Records depend only on d and
	// num, and on num only as their document number. Sketch must not retain d or its
	// memory.
	Sketch(d *records.Doc, num int64, emit func(table int) []byte)
}

// Holder is implemented by a [Sketcher] that can keep sketches in memory. [Run] uses it while the
// sketches of the whole input fit in memory. The method then takes them from [Group.Held], and the
// tables that Sketch fills are empty.
type Holder interface {
	Sketcher
	// Hold keeps the sketch of d, whose number is num. It returns the size of all kept sketches,
	// in bytes. Like Sketch, it must not retain d or its memory.
	Hold(d *records.Doc, num int64) int64
	// Emit emits the records of the kept sketches, as Sketch does, and forgets the sketches.
	Emit(emit func(table int) []byte)
}

// IndexKeeper is implemented by a method if not all records of a document that stays
// belong in an index, for example not the records of dropped paragraphs.
type IndexKeeper interface {
	// KeepRecord reports whether the record of that table is added to an index.
	// dropped reports whether a paragraph of the document was dropped.
	KeepRecord(table string, record []byte, dropped func(para int32) bool) bool
}

// Namer is implemented by a method that finds text in its own documents, such as test
// sets, instead of documents of the collection.
type Namer interface {
	// NameFirst returns the id of the document to which First in a mark of the method
	// refers.
	NameFirst(first int64) string
}

// MemoryUser is implemented by a method that itself holds much memory during the whole
// run. The rest of the run uses what remains of [Config.Memory].
type MemoryUser interface {
	// Bytes returns the memory that the method holds, in bytes.
	Bytes() int64
}

// Source is a collection that can be read repeatedly.
type Source interface {
	// Next returns the next document, or io.EOF after the last one. The document stays
	// valid until Release, which any goroutine may call.
	Next() (*records.Doc, error)
	Release(*records.Doc)
	// Mark returns the position after the last document, as JSON; Goto moves to it.
	Mark() ([]byte, error)
	Goto(mark []byte) error
	// Identity returns a string that changes when the collection changes.
	Identity() string
	// Progress returns the number of bytes read and the total, -1 if unknown. It may
	// be called at any time.
	Progress() (done, total int64)
	Close() error
}
