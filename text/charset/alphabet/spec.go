// Package alphabet defines the models of package charset: [LetterOf] returns the letters and
// classes of characters, and [Key] the keys of n-grams of letters. It also defines costs and
// the sections of a model file. Package charset reads the models, and lab/train/charset trains
// them.
//
// Unstable: this package may change in any release.
package alphabet

// Kind and Behaviour are the kind and version of the model files of this package.
//
//	1  bits of unigrams, bigrams and trigrams of letters, of symbols and of cases
//	2  the same; the parts of the entries are stored separately, compressed
const (
	Kind      = "charset"
	Behaviour = 2
)

// Unit is the number of steps per bit. Even is the cost zero if costs may be negative.
const (
	Unit = 8
	Even = 128
)

// Sections of a model file, in addition to the sections of [Entries].
const (
	SectionLetters = "letters" // uint16 letter, uint8 cost, uint8 best cost in a language
	SectionSymbols = "symbols" // one SymbolRow per symbol
	SectionCases   = "cases"   // costs of a small letter and of a capital after each pair of classes
	SectionFloors  = "floors"  // uint8 per language: bits of any unseen letter
)

// The kinds of keys.
const (
	Unigram  = 1 + iota // bits of a letter in a language minus the bits in no language
	Bigram              // bits of a letter after another minus the bits of the letter
	Trigram             // the same after two letters
	Backoff1            // bits of any letter that was not seen after a letter
	Backoff2            // the same after two letters
)

// Key returns the position of an n-gram of letters: the bucket in the upper 32 bits, and 16
// bits for the check.
func Key(kind int, a, b, c uint16) uint64 {
	k := uint64(kind)<<48 | uint64(a)<<32 | uint64(b)<<16 | uint64(c)
	k *= 0x9E3779B97F4A7C15
	k ^= k >> 32
	k *= 0xD6E8FEB86659FD93
	return k ^ k>>29
}

// SymbolRow holds the costs of a symbol by the class of its neighbour.
type SymbolRow struct {
	Symbol uint16
	// Behind is the cost of the symbol after each class, and after itself.
	Behind [Classes + 1]uint8
	// Before is the cost, relative to Even, of a class after the symbol minus its cost after a
	// space.
	Before [Classes]uint8
}

// SymbolRowSize is the length of a row in the file in bytes.
const SymbolRowSize = 2 + int(Classes) + 1 + int(Classes)

// Costs of unseen characters, in bits.
const (
	CostUnknown  = 24 // a letter of no language of the model
	CostSymbol   = 16 // a symbol
	CostControl  = 24 // a control character
	CostReserved = 28 // an unassigned code point
	CostNothing  = 31 // bytes that are not a character
)

// Card is the model card in the header.
type Card struct {
	Langs []LangCard `json:"langs"`
}

// LangCard describes the training data of a language of a model.
type LangCard struct {
	Lang    string `json:"lang"`
	Letters int    `json:"letters"` // number of letters of text
	Entries int    `json:"entries"` // number of weights
}
