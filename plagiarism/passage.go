package plagiarism

// Passage is a piece of a suspicious document and the piece of a source document from
// which it is derived. Offsets are in Unicode code points from the beginning of the
// text, ends exclusive, as in the PAN corpora.
type Passage struct {
	// Suspicious and Source are the ids of the two documents.
	Suspicious, Source string
	// SuspiciousStart and SuspiciousEnd delimit the passage in the suspicious
	// document.
	SuspiciousStart, SuspiciousEnd int
	// SourceStart and SourceEnd delimit the passage in the source document.
	SourceStart, SourceEnd int
	// SourceNumber is the number of the source in the index that was searched, for
	// [Index.Text]. It is 0 in passages that were read from a file.
	SourceNumber int
	// Score is the similarity of the two pieces, from 0 to 1.
	Score float64
}
