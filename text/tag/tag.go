// Package tag assigns parts of speech, morphological features and lemmas to words, as in Universal
// Dependencies. [Parse] reads a model, and [Tagger.Tag] tags a sentence.
//
// A model is an averaged perceptron (Collins, Discriminative training methods for hidden Markov
// models, 2002) over candidates: the tags that the lexicon has for a word, or the most probable tags
// for its suffixes. A tag is the part of speech, the tag of the treebank and the features; its score
// is the sum of the scores of these parts, as in MarMoT (Müller, Schmid and Schütze, Efficient
// higher-order CRFs for morphological tagging, 2013). Features are words, affixes, shapes, classes of
// ambiguity and the tags before. All weights are in one hashed table of bytes. A lemma is the result
// of an edit script that the lexicon has for word and tag, or the suffix suggests.
//
// Package lab/train/tagger trains models.
//
// Unstable: this package may change in any release.
package tag

import (
	"fmt"
	"slices"

	"github.com/zeebo/xxh3"
)

// Token is a tagged word.
type Token struct {
	// Form is the word, Lemma its base form. Lemma is "" if the model has no lemmas.
	Form, Lemma string
	Tag
	// Index is the index of the token of the sentence to which the word belongs.
	Index int
	// Parts is the number of words of the token if the word is the first of several: "du" is "de" and
	// "le". It is 0 for other words.
	Parts int
}

// Tag is the annotation of a word. Empty values are "".
type Tag struct {
	// UPOS is the universal part of speech, such as "NOUN".
	UPOS string `json:"u"`
	// XPOS is the tag of the treebank, such as "NNS".
	XPOS string `json:"x,omitempty"`
	// Feats are the morphological features, such as "Case=Nom|Number=Plur".
	Feats string `json:"f,omitempty"`
}

// Config configures a model.
type Config struct {
	// Lang is the language of the model as a BCP 47 tag, "" if unknown.
	Lang string `json:"lang,omitempty"`
	// Bits is the number of bits of an index of the table of weights.
	Bits int `json:"bits"`
	// Turkic states that the lower case of I is ı, and the upper case of i is İ.
	Turkic bool `json:"turkic,omitempty"`
	// Guesses is the maximum number of candidates of an unknown word.
	Guesses int `json:"guesses"`
	// Rare is the maximum count of words whose suffixes suggest candidates.
	Rare int `json:"rare"`
	// Closed is the minimum count of a word whose only candidates are the tags of the lexicon.
	Closed int `json:"closed"`
	// NoLemmas states that the treebank has no lemmas.
	NoLemmas bool `json:"no_lemmas,omitempty"`
}

// Weights holds the parameters of a model, as package lab/train/tagger learns them. Unstable: they
// may change in any release.
type Weights struct {
	Config
	Tags    []Tag
	Scripts []Script
	// Words is the lexicon.
	Words []Word
	// Lexicon holds words of a dictionary. The tags of its readings are numbers of LexiconTags, whose
	// conventions may differ from the treebank: they are features, and Likely lists the tags
	// of the treebank that are candidates for each.
	Lexicon     []Word
	LexiconTags []Tag
	Likely      [][]uint16
	// Splits are the multiword tokens.
	Splits []Split
	// Table holds the weights of tags, 1<<Bits or none. Lemmas holds the weights of scripts of lemmas,
	// 1<<[LemmaBits] or none.
	Table, Lemmas []int8
}

// Word is a word of the lexicon.
type Word struct {
	// Form is the normalized form: [Config.Normalize].
	Form string
	// Count is the number of occurrences in the treebank, at most [MaxCount].
	Count int
	// Readings are its tags, most frequent first.
	Readings []Reading
}

// Reading is a tag of a word, with the script of the lemma.
type Reading struct{ Tag, Script uint16 }

// Limits of models.
const (
	// MaxCount is the maximum count of a word that is stored.
	MaxCount = 15
	// MaxTags and MaxScripts are the maximum numbers of tags and of scripts.
	MaxTags, MaxScripts = 1 << 14, 1 << 16
	maxBits             = 24
	// maxGuesses bounds the candidates of a word, whose parts are numbered by bytes.
	maxGuesses = 24
)

// Model tags words. It is read-only.
type Model struct {
	w      Weights // without words
	words  lexicon
	more   lexicon           // dictionary
	marks  map[string]string // by which known marks unknown ones are looked up
	hints  [][2]uint64       // features of the tags of the dictionary: of the tag, and of its part of speech
	guess  *suffixes         // tags of rare words
	lemmas *suffixes         // scripts of words and tags
	upos   []uint16          // number of the part of speech of each tag
	parts  [][]uint64
	bases  bases
	// lemmaTable holds the weights of scripts.
	lemmaTable []int16
	splits     splitter
	name       string
	sum        uint64
}

// New returns a model with the given parameters. Models without a table are for training: they have
// candidates and features, but no scores.
func New(w Weights) (*Model, error) {
	for _, list := range [][]Word{w.Words, w.Lexicon} {
		if err := checkWords(list); err != nil {
			return nil, err
		}
	}
	words, more := newLexicon(w.Words), newLexicon(w.Lexicon)
	w.Words, w.Lexicon = nil, nil
	return newModel(w, words, more)
}

// newModel returns a model of parameters without words, and its lexicons.
func newModel(w Weights, words, more lexicon) (*Model, error) {
	if err := w.check(&words, &more); err != nil {
		return nil, err
	}
	m := &Model{w: w, words: words, more: more}
	m.marks = aliases(&m.words)
	for _, t := range w.LexiconTags {
		m.hints = append(m.hints, [2]uint64{xxh3.HashString("L" + t.UPOS + "|" + t.Feats), xxh3.HashString("L" + t.UPOS)})
	}
	numbers := map[string]uint16{}
	for _, t := range w.Tags {
		n, ok := numbers[t.UPOS]
		if !ok {
			n = uint16(len(numbers))
			numbers[t.UPOS] = n
		}
		m.upos = append(m.upos, n)
		m.parts = append(m.parts, partsOf(t))
	}
	m.learnSuffixes()
	m.splits = newSplitter(w.Splits)
	m.lemmaTable = decode(w.Lemmas)
	if !w.NoLemmas {
		m.bases = newBases(m)
	}
	return m, nil
}

// decode returns the weights of bytes: their squares with the sign.
func decode(table []int8) []int16 {
	out := make([]int16, len(table))
	for i, b := range table {
		v := int16(b)
		out[i] = v * max(v, -v)
	}
	return out
}

// learnSuffixes fills the distributions of tags and scripts by suffix.
func (m *Model) learnSuffixes() {
	var tags, scripts []uint64
	for w := range m.words.all() {
		if w.Form == "" || w.Form[0] == '\x01' {
			continue
		}
		for _, r := range w.Readings {
			if w.Count <= m.w.Rare {
				tags = observe(tags, w.Form, seedTags, r.Tag)
			}
			if !m.w.NoLemmas {
				scripts = observe(scripts, w.Form, seedLemmas+uint64(r.Tag), r.Script)
				scripts = observe(scripts, w.Form, seedUPOS+uint64(m.upos[r.Tag]), r.Script)
			}
		}
	}
	m.guess, m.lemmas = newSuffixes(tags), newSuffixes(scripts)
}

// Seeds of the distributions.
const (
	seedTags   = 1
	seedUPOS   = 1 << 16
	seedLemmas = 1 << 17
)

// check returns an error if the parameters do not fit together.
func (w *Weights) check(words, more *lexicon) error {
	switch {
	case len(w.Tags) == 0 || len(w.Tags) > MaxTags:
		return fmt.Errorf("%d tags, wanted 1 to %d", len(w.Tags), MaxTags)
	case len(w.Scripts) > MaxScripts:
		return fmt.Errorf("%d scripts of lemmas, wanted at most %d", len(w.Scripts), MaxScripts)
	case w.Bits < 10 || w.Bits > maxBits:
		return fmt.Errorf("table of 2^%d weights, wanted 2^10 to 2^%d", w.Bits, maxBits)
	case len(w.Table) != 0 && len(w.Table) != 1<<w.Bits:
		return fmt.Errorf("%d weights, wanted %d", len(w.Table), 1<<w.Bits)
	case len(w.Lemmas) != 0 && len(w.Lemmas) != 1<<LemmaBits:
		return fmt.Errorf("%d weights of scripts, wanted %d", len(w.Lemmas), 1<<LemmaBits)
	case w.Guesses < 1 || w.Guesses > maxGuesses:
		return fmt.Errorf("%d candidates of an unknown word, wanted 1 to %d", w.Guesses, maxGuesses)
	}
	if len(w.Likely) != len(w.LexiconTags) {
		return fmt.Errorf("candidates of %d tags of the lexicon, wanted %d", len(w.Likely), len(w.LexiconTags))
	}
	for _, list := range w.Likely {
		for _, t := range list {
			if int(t) >= len(w.Tags) {
				return fmt.Errorf("candidate %d of a tag of the lexicon, wanted a number below %d", t, len(w.Tags))
			}
		}
	}
	scripts := len(w.Scripts)
	if w.NoLemmas {
		scripts = -1
	}
	if err := words.check(len(w.Tags), scripts); err != nil {
		return err
	}
	return more.check(len(w.LexiconTags), scripts)
}

// checkWords returns an error if there are too many words, or a count is impossible.
func checkWords(list []Word) error {
	if len(list) > maxWords {
		return fmt.Errorf("%d words, wanted at most %d", len(list), maxWords)
	}
	for i := range list {
		if list[i].Count < 0 || list[i].Count > MaxCount {
			return fmt.Errorf("word %q: count %d, wanted at most %d", list[i].Form, list[i].Count, MaxCount)
		}
	}
	return nil
}

// Weights returns the parameters of m. The caller must not change what its slices of numbers hold.
func (m *Model) Weights() Weights {
	w := m.w
	w.Words, w.Lexicon = slices.Collect(m.words.all()), slices.Collect(m.more.all())
	return w
}

// Config returns the configuration.
func (m *Model) Config() Config { return m.w.Config }

// Tags returns the tags of the model.
func (m *Model) Tags() []Tag { return m.w.Tags }

// HasLemmas reports whether the model has lemmas.
func (m *Model) HasLemmas() bool { return !m.w.NoLemmas }

// HasFeats reports whether the model has morphological features.
func (m *Model) HasFeats() bool {
	return slices.ContainsFunc(m.w.Tags, func(t Tag) bool { return t.Feats != "" })
}

// Words returns the number of words of the lexicon.
func (m *Model) Words() int { return m.words.len() }

// Name returns the name of the model, "" if it was not read from a file.
func (m *Model) Name() string { return m.name }

// Sum returns a hash of the content of the model file.
func (m *Model) Sum() uint64 { return m.sum }
