// Package shingle computes hashes of the n-grams of words or characters of a text, for
// duplicates, fingerprints and decontamination. [New] returns a [Shingler], whose
// Tokens method hashes a text; [NGrams] combines the hashes. The hashes are the same
// on every machine and in every version of a format that stores them.
//
// A token is hashed with XXH3 (64 bits) over its folded bytes, see [Config]. An n-gram
// is a polynomial over the hashes of its tokens, modulo 2^64, rolled from one position
// to the next (Karp and Rabin, Efficient randomized pattern-matching algorithms,
// 1987). The result is mixed so that all bits are equally random, see [NGrams].
package shingle

// Unit is the element of an n-gram.
type Unit uint8

// The units.
const (
	// Word takes runs of letters, digits and marks. As in UAX 29, an apostrophe
	// between letters and a full stop or comma between ASCII digits are part of a
	// word, and Katakana runs are words. In addition, Hiragana runs are words. A Han
	// character is a token. Thai, Lao, Khmer and Myanmar write no spaces. Their runs
	// are cut where two neighbouring characters hash to a multiple of 4. Such tokens
	// have about the length of a word and do not depend on the context of a passage.
	// Invisible format characters are skipped.
	Word Unit = iota
	// Char takes characters (code points).
	Char
)

// Config defines tokens and when two tokens are equal.
type Config struct {
	Unit Unit `json:"unit,omitempty"`
	// N is the length of an n-gram in tokens or characters.
	N int `json:"ngram,omitempty"`
	// Lower folds case, by the simple case folding of Unicode, regardless of language.
	Lower bool `json:"lower,omitempty"`
	// Canonical compares by canonical decomposition (NFD), so that é equals e with a
	// combining accent. With Char, each run of white space also becomes one space.
	Canonical bool `json:"canonical,omitempty"`
	// DropPunct has no effect, because punctuation is in no word. Indexes of onion hold it.
	DropPunct bool `json:"drop_punct,omitempty"`
	// FoldTokens applies these settings to the tokens of a vertical, which otherwise
	// are compared verbatim. Tokens without a letter or digit are skipped.
	FoldTokens bool `json:"fold_tokens,omitempty"`
}

// Default uses 7-grams of words, the usual setting of onion for web corpora.
var Default = Config{N: 7, Lower: true, Canonical: true}

// Shingler hashes text. It is not safe for concurrent use; use one for each worker. It
// allocates memory only to extend the slices that it appends to.
type Shingler struct {
	cfg   Config
	table *table
	buf   [pieceBytes + maxFold]byte
}

const (
	// pieceBytes is the length from which a token is hashed in pieces.
	pieceBytes = 1 << 10
	// maxFold limits the folded form of one character, in bytes.
	maxFold = 64
)

// New returns a Shingler. N below 1 means 1.
func New(cfg Config) *Shingler {
	cfg.N = max(cfg.N, 1)
	return &Shingler{cfg: cfg, table: tableFor(cfg)}
}

// Span is the position of a token: the bytes [Start, End) of the text.
type Span struct{ Start, End int }

// Tokens appends one hash for each token of text, or with the unit Char for each
// character. If tokenized is set, text has one token per line. Each invalid byte of
// UTF-8 counts as a distinct letter.
func (s *Shingler) Tokens(dst []uint64, text []byte, tokenized bool) []uint64 {
	dst, _ = s.tokens(dst, nil, text, tokenized)
	return dst
}

// Spans is like Tokens and also appends the position of each token. A character that
// folds to several makes several tokens with the same position.
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
	}
	for i := 0; ; {
		if i < len(text) && text[i] >= 0xe3 {
			dst, spans, i = s.singles(dst, spans, text, i)
		}
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

// NGrams appends the hashes of the n-grams of tokens in order, max(0, len(tokens)-n+1)
// hashes. The hash of tokens t1..tn is Mix(t1*B^(n-1) + ... + tn) modulo 2^64, which
// depends on their order.
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
