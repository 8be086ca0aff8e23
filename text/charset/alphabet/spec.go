// Package alphabet says what a model of package charset is made of: letters and
// classes of characters, n-grams of letters, their costs, and the sections of its
// file. Package charset reads such models, and lab/train/charset makes them.
//
// Unstable: this package may change in any release.
package alphabet

// Kind and Behaviour of the model files of this package.
//
//	1  bits of unigrams, bigrams and trigrams of letters, of symbols and of cases
//	2  the same; the parts of the entries stand apart, packed
const (
	Kind      = "charset"
	Behaviour = 2
)

// Unit is the number of steps in which a bit is counted; Even is the cost
// zero where costs may be negative.
const (
	Unit = 8
	Even = 128
)

// Sections of a model file, besides those of [Entries].
const (
	SectionLetters = "letters" // uint16 letter, uint8 cost, uint8 best cost in a language
	SectionSymbols = "symbols" // a SymbolRow each
	SectionCases   = "cases"   // costs of a small letter and of a capital behind each pair of classes
	SectionFloors  = "floors"  // uint8 a language: bits of any letter that was not seen in it
)

// What a key stands for.
const (
	Unigram  = 1 + iota // bits of a letter in a language beyond those in none
	Bigram              // bits of a letter behind another, beyond those of the letter
	Trigram             // the same behind two
	Backoff1            // bits of any letter behind one that was not seen there
	Backoff2            // the same behind two
)

// Key returns the place of an n-gram of letters: the bucket in the upper 32
// bits, and 16 bits to check.
func Key(kind int, a, b, c uint16) uint64 {
	k := uint64(kind)<<48 | uint64(a)<<32 | uint64(b)<<16 | uint64(c)
	k *= 0x9E3779B97F4A7C15
	k ^= k >> 32
	k *= 0xD6E8FEB86659FD93
	return k ^ k>>29
}

// SymbolRow are the costs of a symbol by the class of its neighbour.
type SymbolRow struct {
	Symbol uint16
	// Behind is the cost of the symbol behind a class, and behind itself.
	Behind [Classes + 1]uint8
	// Before is the cost, from Even, of a class behind the symbol beyond that
	// behind a space.
	Before [Classes]uint8
}

// SymbolRowSize is the length of a row in the file.
const SymbolRowSize = 2 + int(Classes) + 1 + int(Classes)

// Costs of what the model has not seen, in bits.
const (
	CostUnknown  = 24 // a letter of no language of the model
	CostSymbol   = 16 // a symbol
	CostControl  = 24 // a control character
	CostReserved = 28 // a code point of nobody
	CostNothing  = 31 // bytes that are no character
)

// Card is the model card in the header.
type Card struct {
	Langs []LangCard `json:"langs"`
}

// LangCard says what a language of a model was learned from.
type LangCard struct {
	Lang    string `json:"lang"`
	Letters int    `json:"letters"` // of text
	Entries int    `json:"entries"` // weights
}
