// Package dedup finds copies in collections of text and takes them out: in three parts, so
// that the middle can run on one disk or on a cluster. Sketch looks at one document alone
// and emits records of fixed length; group sorts the records and decides; mark carries the
// decisions back to the documents. [Run] does the three parts; its [Job] holds inputs,
// method and outputs.
//
// Which of several copies stays is a matter of [Rank], not of the order of the
// input: shuffled input and any number of workers give the same corpus.
package dedup

// Mark is what was found of one unit: a paragraph or a whole document.
type Mark struct {
	// Doc is the number of the document. Documents of an index that the run is
	// compared with come first; those of the input are numbered after them.
	Doc int64
	// Para is the paragraph, from 0, or [Whole].
	Para int32
	// Drop tells that the unit leaves the corpus; Why says what it is.
	Drop bool
	Why  Why
	// Share is the part of the unit that was seen in better ranked text, 0 to 1.
	Share float32
	// First is the number of the document where most of it, or the first of it,
	// was seen, -1 if none.
	First int64
	// Cluster is the number of the document that stays of its near-duplicates,
	// -1 if it has none, and Size the number of documents among them.
	Cluster int64
	Size    int32
	// Similarity is the true or estimated Jaccard similarity with that document.
	Similarity float32
}

// Whole is the paragraph number of a mark of the whole document.
const Whole = -1

// Why says what a unit was found to be.
type Why uint8

// The reasons. Files hold their names.
const (
	Unique       Why = iota
	Copied           // seen before in text that stays
	Template         // on many pages of one host
	Stub             // a short rest between copies
	Near             // near-duplicate of the document that stays
	Same             // exactly the text of the unit that stays
	SameURL          // another fetch of the same address
	Contaminated     // shares n-grams with a test set
	Indexed          // like Copied, Near or Same, of a document already in the corpus
)

// Record layouts shared by methods: numbers are big-endian, so that records sort
// by bytes.
const (
	// DocBytes is the length of a document number in a record.
	DocBytes = 5
	// ParaBytes is the length of the number of a paragraph, token or n-gram
	// within a document.
	ParaBytes = 4
)
