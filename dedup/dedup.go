// Package dedup finds duplicates in collections of text and removes them. [Run] does
// the whole work; its [Config] holds inputs, method and outputs.
//
// The work has three parts, so that the middle part can run on one disk or on a
// cluster. Sketch reads one document at a time and emits records of fixed length.
// Group sorts the records and decides. Mark applies the decisions to the documents.
//
// [Rank] determines which of several copies stays, not the order of the input:
// shuffled input and any number of workers give the same corpus.
package dedup

// Mark holds the findings about one unit: a paragraph or a whole document.
type Mark struct {
	// Doc is the number of the document. Documents of an index that the run is
	// compared with come first; documents of the input are numbered after them.
	Doc int64
	// Para is the paragraph, from 0, or [Whole].
	Para int32
	// Drop reports whether the unit leaves the corpus; Why is the reason.
	Drop   bool
	Reason Reason
	// Share is the part of the unit that was seen in better ranked text, 0 to 1.
	Share float32
	// First is the number of the document in which most of the unit, or its first
	// part, was seen, -1 if none.
	First int64
	// Cluster is the number of the document that stays of the near-duplicates of this
	// one, -1 if it has none. Size is the number of documents in the cluster.
	Cluster int64
	Size    int32
	// Similarity is the true or estimated Jaccard similarity with the document that
	// stays.
	Similarity float32
}

// Whole is the paragraph number of a mark of the whole document.
const Whole = -1

// Reason is the reason of a mark.
type Reason uint8

// The reasons. Files hold their names, not their numbers.
const (
	Unique       Reason = iota
	Copied              // seen before in text that stays
	Template            // on many pages of one host
	Stub                // a short rest between copies
	Near                // near-duplicate of the document that stays
	Same                // exactly the same text as the unit that stays
	SameURL             // another fetch of the same address
	Contaminated        // shares n-grams with a test set
	Indexed             // like Copied, Near or Same, of a document already in the corpus
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
