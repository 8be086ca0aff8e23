// Package shingle turns text into hashes of its n-grams of words or characters: the one
// engine under duplicates, fingerprints and decontamination. The hashes are the same on
// every machine and in every version of a format that stores them. [New] makes a
// [Shingler]; its Tokens hashes a text, [NGrams] joins the hashes.
//
// A token is hashed with XXH3 (64 bits) over its folded bytes, see [Config]. An
// n-gram is a polynomial over the hashes of its tokens, modulo 2^64, rolled from
// one place to the next (Karp and Rabin, Efficient randomized
// pattern-matching algorithms, 1987), and mixed at last, so that all its bits
// are alike: see [NGrams].
package shingle

// Unit is what an n-gram is made of.
type Unit uint8

// The units.
const (
	Word Unit = iota // tokens, see Split
	Char             // characters (code points)
)

// Split tells tokens apart.
type Split uint8

// The ways to split text into tokens.
const (
	// Words takes runs of letters, digits and marks. As in UAX 29 an apostrophe
	// between letters and a full stop or comma between (ASCII) digits is within
	// a word, Katakana runs are words; here Hiragana runs too. A Han character is
	// a token. Runs of Thai, Lao, Khmer and Myanmar, which write no blanks, are
	// cut where two neighbouring characters hash to a multiple of 4, which makes
	// tokens of about the length of a word, the same ones wherever a passage
	// stands. Invisible format characters are skipped.
	Words Split = iota
	// Blanks takes what stands between white space.
	Blanks
	// NonWord splits at every character that is no letter, number or underscore,
	// as regular expressions have it in \W; between two of these stands an empty
	// token, which counts.
	NonWord
)

// Config says what is a token and when two are the same.
type Config struct {
	Unit Unit `json:"unit,omitempty"`
	// N is the length of an n-gram in tokens or characters.
	N int `json:"ngram,omitempty"`
	// Split is how words are told apart.
	Split Split `json:"split,omitempty"`
	// Lower folds case, by Unicode's simple case folding, for every language
	// alike.
	Lower bool `json:"lower,omitempty"`
	// Canonical compares by canonical decomposition (NFD), so that é is the same
	// as e with an accent; with Char also each run of white space as one space.
	Canonical bool `json:"canonical,omitempty"`
	// FoldDigits reads every number as 0.
	FoldDigits bool `json:"fold_digits,omitempty"`
	// DropPunct reads punctuation, symbols of ASCII and controls as blanks.
	DropPunct bool `json:"drop_punct,omitempty"`
	// DropMarks leaves out accents and other non-spacing marks, after canonical
	// decomposition.
	DropMarks bool `json:"drop_marks,omitempty"`
	// FoldTokens applies the above to the tokens of a vertical too, which
	// otherwise are compared as they stand; with Words those without a letter or
	// digit are left out.
	FoldTokens bool `json:"fold_tokens,omitempty"`
}

// Default is word 7-grams, as onion is used on web corpora.
var Default = Config{N: 7, Lower: true, Canonical: true}

// The published settings, by the tool that uses them. What the tools do in
// their order, these do character by character; the results differ only in
// rare characters.
var (
	// FineWeb is datatrove's simplification before MinHash: lower case, numbers
	// as 0, punctuation as blanks, no diacritics; words between blanks.
	FineWeb = Config{N: 5, Split: Blanks, Lower: true, FoldDigits: true, DropPunct: true, DropMarks: true}
	// TextDedup splits at every character that is not of a word, and lower-cases.
	TextDedup = Config{N: 5, Split: NonWord, Lower: true}
	// DataJuicer takes lower-cased words between blanks.
	DataJuicer = Config{N: 5, Split: Blanks, Lower: true}
	// NeMo takes 24 characters of the text as it stands.
	NeMo = Config{Unit: Char, N: 24}
)

// Shingler hashes text. It is not safe for concurrent use; make one for each
// worker. It allocates nothing but room in what it appends to.
type Shingler struct {
	cfg   Config
	table *table
	buf   [pieceBytes + maxFold]byte
}

const (
	// pieceBytes is the length from which a token is hashed in pieces.
	pieceBytes = 1 << 10
	// maxFold bounds the bytes that one character folds to.
	maxFold = 64
)

// New returns a Shingler. N below 1 counts as 1.
func New(cfg Config) *Shingler {
	cfg.N = max(cfg.N, 1)
	return &Shingler{cfg: cfg, table: tableFor(cfg)}
}

// Config returns the configuration.
func (s *Shingler) Config() Config { return s.cfg }

// Span is the place of a token: the bytes [Start, End) of the text.
type Span struct{ Start, End int }

// Tokens appends one hash for each token of text, or with the unit Char for
// each character. With tokenized text is one token per line. Invalid UTF-8 counts
// as a letter of its own.
func (s *Shingler) Tokens(dst []uint64, text []byte, tokenized bool) []uint64 {
	dst, _ = s.tokens(dst, nil, text, tokenized)
	return dst
}

// Spans is Tokens with the place of each token. A character that folds to
// several makes several tokens with the same place.
func (s *Shingler) Spans(dst []uint64, spans []Span, text []byte, tokenized bool) ([]uint64, []Span) {
	if spans == nil {
		spans = make([]Span, 0, 16)
	}
	return s.tokens(dst, spans, text, tokenized)
}

func (s *Shingler) tokens(dst []uint64, spans []Span, text []byte, tokenized bool) ([]uint64, []Span) {
	switch {
	case s.cfg.Unit == Char:
		return s.chars(dst, spans, text)
	case tokenized:
		return s.lines(dst, spans, text)
	case s.cfg.Split == NonWord:
		return s.nonWord(dst, spans, text)
	}
	for i := 0; ; {
		h, start, end, next := s.next(text, i)
		if next == start {
			return dst, spans
		}
		i = next
		dst = append(dst, h)
		if spans != nil {
			spans = append(spans, Span{start, end})
		}
	}
}

// NGrams appends the hashes of the n-grams of tokens in order:
// max(0, len(tokens)-n+1) of them. The hash of tokens t1..tn is
// Mix(t1*B^(n-1) + ... + tn) modulo 2^64, which depends on their order.
func NGrams(dst, tokens []uint64, n int) []uint64 {
	if n < 1 || len(tokens) < n {
		return dst
	}
	h, top := uint64(0), uint64(1) // top is B^(n-1)
	for _, t := range tokens[:n-1] {
		h = h*base + t
		top *= base
	}
	for i, t := range tokens[n-1:] {
		h = h*base + t
		dst = append(dst, Mix(h))
		h -= tokens[i] * top
	}
	return dst
}

// base is 3 modulo 4, so that n-grams whose neighbours are swapped differ in
// all bits but one.
const base = 0x9e3779b97f4a7c17

// Mix is a bijection that makes every bit depend on every other (the finaliser
// of MurmurHash3 with the constants of Stafford's variant 13).
func Mix(h uint64) uint64 {
	h ^= h >> 30
	h *= 0xbf58476d1ce4e5b9
	h ^= h >> 27
	h *= 0x94d049bb133111eb
	return h ^ h>>31
}
