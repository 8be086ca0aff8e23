package filter

import "fmt"

// Group is a table of scores that were published together, with their limits.
type Group struct {
	// Name identifies the group to users. Help is one line for help and documentation.
	Name, Help string
	Scores     []Score
	// NeedsFiles reports whether the group requires files of the user, named in its settings.
	// Clients of a server cannot request it.
	NeedsFiles bool
	// score computes the scores of a document. Each score is NaN before.
	score func(s *Scorer, d *doc, out []float64)
	// edits reports whether score changes the text that the groups after it see.
	edits bool
	// joins reports whether one line break separates the lines that score keeps.
	joins bool
	// explain returns the reasons for a score of the last scored document. The name of the score is
	// given without the group. It is nil if the rule and the value need no explanation.
	explain func(s *Scorer, score string) string
	// open reads the files and models of a Set that uses the group, and returns their
	// checksums. A run cannot be resumed with other checksums. It is nil if there are no files.
	open func(s *Set) (sums []uint64, err error)
	// absolute names scores whose limits are the same in all languages, so that no limit is
	// learned for them. Either a single document that exceeds the limit is too many, or the
	// score counts a list that is learned with the limits.
	absolute []string
}

// Score is one measurement of a document.
type Score struct {
	Name, Help string
	// Limit is the published limit.
	Limit Limit
}

func atLeast(v float64) Limit     { return Limit{Min: &v} }
func atMost(v float64) Limit      { return Limit{Max: &v} }
func within(lo, hi float64) Limit { return Limit{Min: &lo, Max: &hi} }

// Groups is the table of all groups.
var Groups = []Group{
	{Name: "gopher_quality", Help: "length, words, symbols, bullets, stop words: quality rules of Gopher", score: gopherQuality, absolute: []string{"stop_words"}, Scores: []Score{
		{"words", "words that are not all punctuation", within(50, 100_000)},
		{"mean_word_length", "their mean length in characters", within(3, 10)},
		{"hashes", "characters # per token", atMost(0.1)},
		{"ellipses", "ellipses (... and …) per token", atMost(0.1)},
		{"bullet_lines", "share of lines that begin with • or -", atMost(0.9)},
		{"ellipsis_lines", "share of lines that end in an ellipsis", atMost(0.3)},
		{"alphabetic_words", "share of tokens with a letter", atLeast(0.8)},
		{"stop_words", "different stop words of the language", atLeast(2)},
	}},
	{Name: "gopher_repetition", Help: "duplicate lines, paragraphs and n-grams: repetition rules of Gopher", score: gopherRepetition, absolute: []string{"chars"}, Scores: repetitionScores()},
	{Name: "c4", Help: "lines without a sentence end, of few words, of menus and policies go; then placeholders, braces, sentences: rules of C4", score: c4, edits: true, joins: true, absolute: []string{"lorem_ipsum", "curly_brackets"}, Scores: []Score{
		{"lorem_ipsum", "lines with \"lorem ipsum\"", atMost(0)},
		{"curly_brackets", "lines with {", atMost(0)},
		{"sentences", "sentences of the lines that stay", atLeast(5)},
	}},
	{Name: "fineweb", Help: "line ends, short and duplicate lines, line breaks: quality rules of FineWeb", score: fineweb, absolute: []string{"lines"}, Scores: []Score{
		{"lines", "lines with text", atLeast(1)},
		{"punctuated_lines", "share of lines that end in terminal punctuation", atLeast(0.12)},
		{"short_lines", "share of lines of at most 30 characters", atMost(0.67)},
		{"duplicate_line_chars", "share of characters in duplicate lines", atMost(0.01)},
		{"line_breaks", "line breaks per token", atMost(0.3)},
	}},
	{Name: "nontext", Help: "stuffed keywords, spun and stitched phrases, machine-made pages: a model that was learned", score: nonText, explain: nonTextFeatures, open: (*Set).readModels, Scores: []Score{
		{"probability", "probability of non-text; the limit comes from the model", Limit{}},
	}},
	{Name: "dclm", Help: "lines in capitals, of digits, counters and buttons go; length, words, symbols, stop words, repetition: rules of DCLM, after RefinedWeb", score: dclm, edits: true, Scores: dclmScores()},
	{Name: "ccnet", Help: "perplexity by a word model of your own for each language, in head, middle and tail: CCNet", score: ccnet, NeedsFiles: true, open: (*Set).readPerplexity, absolute: []string{"bucket"}, Scores: []Score{
		{"perplexity", "perplexity of its sentences", Limit{}},
		{"bucket", "0 for the head, 1 for the middle, 2 for the tail", atMost(1)},
	}},
	{Name: "licence", Help: "licences of Creative Commons, as pages state them", score: licence, Scores: []Score{
		{"cc", "1 for a licence or mark of Creative Commons, 0 for another or none", atLeast(1)},
		{"commercial", "1 for one that allows commercial use", Limit{}},
		{"derivatives", "1 for one that allows to share changed versions", Limit{}},
	}},
	{Name: "wordlist", Help: "words and phrases of lists of your own", score: listed, explain: listedWords, NeedsFiles: true, open: (*Set).readWordLists, Scores: []Score{
		{"found", "words and phrases of the lists, each time that they occur", Limit{}},
		{"different", "different ones", Limit{}},
		{"share", "share of words that belong to them", atMost(0.045)},
	}},
	{Name: "addresses", Help: "hosts, addresses and expressions of lists of your own", score: address, explain: listing, NeedsFiles: true, open: (*Set).readAddresses, Scores: []Score{
		{"listed", "1 for an address that is listed", atMost(0)},
	}},
	{Name: "fragments", Help: "short remains, lists without sentences, overlong documents", score: fragments, Scores: []Score{
		{"words", "words that are not all punctuation", within(20, 200_000)},
		{"sentences", "sentences of four words or more with a mark at their end", atLeast(1)},
		{"within", "share of words in them", atLeast(0.25)},
	}},
	{Name: "languages", Help: "documents of several languages, by the language of each line", score: languageScores, explain: foundLanguages, open: (*Set).readLanguages, Scores: []Score{
		{"other", "share of characters in lines of other languages than the document's", atMost(0.3)},
		{"number", "languages of at least a tenth of the characters", Limit{}},
	}},
	{Name: "optout", Help: "what pages and their servers say against their use: robots directives, noai, TDM reservation", score: optOut, explain: saidNo, Scores: refusalScores()},
	{Name: "translated", Help: "marks of machine translation in pages: what programs leave in them, plug-ins", score: machineTranslated, explain: marked, Scores: []Score{
		{"machine", "1 for a page that is marked as a machine translation", atMost(0)},
		{"pasted", "1 for one with passages that were copied out of a translation", Limit{}},
		{"plugin", "1 for one with a plug-in that offers translations", Limit{}},
	}},
	{Name: "page_type", Help: "types of pages, as clean estimates them: without limits by default", score: pageType, Scores: typeScores()},
	{Name: "register", Help: "probabilities of the registers of CORE: without limits by default", score: registerProbabilities, open: (*Set).readRegisters, Scores: registerScores()},
	{Name: "pii", Help: "personal data, counted: without limits by default", score: personalData, Scores: personalScores()},
}

// The lengths of the n-grams of Gopher, with the published limits.
var (
	topGrams       = []float64{2: 0.20, 3: 0.18, 4: 0.16}
	duplicateGrams = []float64{5: 0.15, 6: 0.14, 7: 0.13, 8: 0.12, 9: 0.11, 10: 0.10}
)

const firstTop, lastTop, firstDuplicate, lastDuplicate = 2, 4, 5, 10

func repetitionScores() []Score {
	list := []Score{
		{"chars", "characters", atLeast(1)},
		{"duplicate_paragraphs", "share of paragraphs, parted by empty lines, that stood before", atMost(0.3)},
		{"duplicate_paragraph_chars", "share of characters in them", atMost(0.2)},
		{"duplicate_lines", "share of lines that stood before", atMost(0.3)},
		{"duplicate_line_chars", "share of characters in them", atMost(0.2)},
	}
	return append(list, gramScores("most frequent %d-gram of tokens", "%d-grams of tokens that stood before")...)
}

// gramScores returns the scores of n-grams. top and duplicate describe the n-grams counted by
// the most frequent one and the others.
func gramScores(top, duplicate string) (list []Score) {
	for n := firstTop; n <= lastTop; n++ {
		list = append(list, Score{fmt.Sprintf("top_%d_gram_chars", n), "share of characters in the " + fmt.Sprintf(top, n), atMost(topGrams[n])})
	}
	for n := firstDuplicate; n <= lastDuplicate; n++ {
		list = append(list, Score{fmt.Sprintf("duplicate_%d_gram_chars", n), "share of characters in " + fmt.Sprintf(duplicate, n), atMost(duplicateGrams[n])})
	}
	return list
}
