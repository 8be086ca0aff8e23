// Package nontext detects text that people did not write for people to read: stuffed
// keywords, spun and stitched phrases, chains of words, word-by-word translation,
// templates, lists, code and tables run together. It uses a linear model, as Suchomel did
// (Better Web Corpora For Corpus Linguistics And NLP, Brno 2020): hashed n-grams of words
// and of characters, or of the shapes of words for languages that the model has not seen,
// and a few statistics of repetition, order, punctuation and compressibility, each cut into
// steps. [Embedded] returns the models, [Scorer.Score] scores a text.
//
// A document is looked at in windows of [WindowWords] words. The score of a window is
// linear in its features, that of a document is the mean over its words, and a
// logistic curve makes a probability of it, at equal shares of good and bad text.
package nontext

// WindowWords is the number of words that are looked at together, MinWords that of a
// document below which there is no telling.
const (
	WindowWords = 512
	MinWords    = 20
)

// Config configures what a model reads of a text, and says how it was trained.
type Config struct {
	// Words takes n-grams of words and of characters as features. Without it only the
	// shapes of words count, which serves languages that the model has not seen.
	Words bool `json:"words"`
	// Lang is the language that the model is for, "" for all.
	Lang string `json:"lang,omitempty"`
	// Recall is the share of good text that stays at the model's limit.
	Recall float64 `json:"recall"`
	// Bits is the size of the table of n-grams: it has 1<<Bits weights.
	Bits int `json:"bits"`
	// Epochs is the number of passes over the text.
	Epochs int `json:"epochs"`
	// Rate is the step of learning, L1 and L2 the pulls of weights towards zero.
	Rate float64 `json:"rate"`
	L1   float64 `json:"l1"`
	L2   float64 `json:"l2"`
	// HeldOut is such that one site or document in that many is held out: to
	// calibrate and to choose the limit.
	HeldOut int `json:"held_out"`
}

// MaxBits bounds the table.
const MaxBits = 22
