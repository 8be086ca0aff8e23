// Package nontext detects text that people did not write for people to read: stuffed keywords,
// spun and stitched phrases, chains of words, word-by-word translation, templates, lists, code
// and tables run together. [Embedded] returns the models, and [Scorer.Score] scores a text.
//
// It uses a linear model, as in Suchomel, Better Web Corpora For Corpus Linguistics And NLP,
// Brno 2020. The features are hashed n-grams of words and of characters. For languages that the
// model has not seen, they are n-grams of the shapes of words. In addition there are statistics
// of repetition, order, punctuation and compressibility, each divided into steps.
//
// A document is processed in windows of [WindowWords] words. The score of a window is linear in
// its features. The score of a document is the mean over its words. A logistic function
// converts it to a probability, calibrated for equal shares of good and bad text.
package nontext

// WindowWords is the number of words in a window. MinWords is the minimum number of words of a
// document for a reliable score.
const (
	WindowWords = 512
	MinWords    = 20
)

// Config configures the features of a model and its training.
type Config struct {
	// Words uses n-grams of words and of characters as features. Without it only the shapes of
	// words are used, for languages that the model has not seen.
	Words bool `json:"words"`
	// Lang is the language of the model, "" for all languages.
	Lang string `json:"lang,omitempty"`
	// Recall is the share of good text that is kept at the model's limit.
	Recall float64 `json:"recall"`
	// Bits is the size of the table of n-grams, which has 1<<Bits weights.
	Bits int `json:"bits"`
	// Epochs is the number of passes over the text.
	Epochs int `json:"epochs"`
	// Rate is the learning rate. L1 and L2 are the regularization strengths.
	Rate float64 `json:"rate"`
	L1   float64 `json:"l1"`
	L2   float64 `json:"l2"`
	// HeldOut holds out one of this many sites or documents, for calibration and to choose the
	// limit.
	HeldOut int `json:"held_out"`
}

// MaxBits is the maximum of Config.Bits.
const MaxBits = 22
