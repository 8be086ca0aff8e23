package plagiarism

// Passage is a piece of a suspicious document and the piece of a source
// document that it was made from. Places are Unicode code points from the
// beginning of the text, the end excluded, as in the corpora of PAN.
type Passage struct {
	// Suspicious and Source are the ids of the two documents.
	Suspicious, Source string
	// SuspiciousStart and SuspiciousEnd are where it stands in the suspicious
	// document.
	SuspiciousStart, SuspiciousEnd int
	// SourceStart and SourceEnd are where it stands in the source document.
	SourceStart, SourceEnd int
	// Score tells how much of the two pieces is alike, from 0 to 1.
	Score float64
}
