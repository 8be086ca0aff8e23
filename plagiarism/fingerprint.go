package plagiarism

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/dedup/shingle"
)

// Method is a way to represent a document by a set of hashes. All methods except
// [BagOfWords] use substrings of the document (HaCohen-Kerner et al., Detection
// of simple plagiarism in computer science papers, COLING 2010).
type Method uint8

// Methods of representing a document.
const (
	// BagOfWords uses the tokens themselves, without their order.
	BagOfWords Method = iota
	// Full uses the k-grams of tokens at every position.
	Full
	// Selective uses consecutive k-grams of tokens without overlap, from the
	// beginning of the document.
	Selective
	// Rarest uses the k-grams that occur in the fewest documents.
	Rarest
	// Anchors uses the chunks of k characters that begin with one of a set of
	// strings. Manber, Finding similar files in a large file system, 1994.
	Anchors
	// Winnowing uses the smallest hash of each window of k-grams (Schleimer et al.,
	// Winnowing: local algorithms for document fingerprinting, 2003). It selects at
	// least one hash from every common run of window+k-1 tokens.
	Winnowing
	numMethods
)

var methodNames = [numMethods]string{"bag-of-words", "full", "selective", "rarest", "anchors", "winnowing"}

// String returns the name of m, such as "bag-of-words".
func (m Method) String() string { return name(methodNames[:], m) }

// UnmarshalText parses the name of a method.
func (m *Method) UnmarshalText(b []byte) error { return parse(m, methodNames[:], "method", b) }

// Similarity is a measure of similarity between the features A of a suspicious
// document and the features B of a source. All measures range from 0 to 1.
type Similarity uint8

// Similarity measures.
const (
	// Symmetric is |A∩B| / |A∪B| (Jaccard).
	Symmetric Similarity = iota
	// Containment is |A∩B| / |A|: the share of the suspicious document that is in
	// the source.
	Containment
	// Cosine is the cosine of the two tf-idf vectors: (1 + ln tf) · ln(1 + N/df).
	Cosine
	numSimilarities
)

var similarityNames = [numSimilarities]string{"symmetric", "containment", "cosine"}

// String returns the name of s, such as "symmetric".
func (s Similarity) String() string { return name(similarityNames[:], s) }

// UnmarshalText parses the name of a similarity.
func (s *Similarity) UnmarshalText(b []byte) error {
	return parse(s, similarityNames[:], "similarity", b)
}

// Column is a column of the vertical.
type Column uint8

// Columns of the vertical.
const (
	Word Column = iota
	Lemma
	Tag
	numColumns
)

var columnNames = [numColumns]string{"word", "lemma", "tag"}

// String returns the name of c, such as "word".
func (c Column) String() string { return name(columnNames[:], c) }

// UnmarshalText parses the name of a column.
func (c *Column) UnmarshalText(b []byte) error { return parse(c, columnNames[:], "column", b) }

// MethodNames returns the names of the methods, as parsed by
// [Method.UnmarshalText].
func MethodNames() []string { return slices.Clone(methodNames[:]) }

// SimilarityNames returns the names of the similarities.
func SimilarityNames() []string { return slices.Clone(similarityNames[:]) }

// ColumnNames returns the names of the columns.
func ColumnNames() []string { return slices.Clone(columnNames[:]) }

func name[T ~uint8](names []string, v T) string {
	if int(v) < len(names) {
		return names[v]
	}
	return "unknown"
}

func parse[T ~uint8](v *T, names []string, what string, b []byte) error {
	i := slices.Index(names, string(b))
	if i < 0 {
		return fmt.Errorf("no %s %q, have %s", what, b, strings.Join(names, ", "))
	}
	*v = T(i)
	return nil
}

// feature is a hash with its frequency in a document.
type feature struct {
	hash  uint64
	count uint32
}

// features computes the bag of features of one document after another.
type features struct {
	cfg      TaskConfig
	shingler *shingle.Shingler
	anchors  [][]uint64 // character hashes of each anchor
	df       map[uint64]uint32
	tokens   []uint64
	grams    []uint64
	chosen   []uint64
	folded   []byte
}

func newFeatures(cfg TaskConfig) *features {
	s := shingle.Config{N: 1}
	if cfg.Method == Anchors {
		s.Unit = shingle.Char
	}
	f := &features{cfg: cfg, shingler: shingle.New(s)}
	for _, a := range cfg.Anchors {
		f.anchors = append(f.anchors, f.shingler.Tokens(nil, f.fold(nil, []byte(a)), false))
	}
	return f
}

// sequence returns the k-grams of the document in order. They are valid until the next
// call. A document shorter than k has one k-gram with all its tokens.
func (f *features) sequence(e *Essay) []uint64 {
	text := e.Columns[f.cfg.Column]
	k := f.cfg.K
	f.folded = f.fold(f.folded[:0], text)
	if f.cfg.Method == Anchors {
		// Chunks cross the boundaries of tokens, which are spaces.
		for i, c := range f.folded {
			if c == '\n' {
				f.folded[i] = ' '
			}
		}
	}
	f.tokens = f.shingler.Tokens(f.tokens[:0], f.folded, f.cfg.Method != Anchors)
	f.grams = f.grams[:0]
	if n := len(f.tokens); n > 0 {
		f.grams = shingle.NGrams(f.grams, f.tokens, min(k, n))
	}
	return f.grams
}

// fold appends the normalized text for comparison. Words and lemmas are in lower case.
// Letters of other scripts that look like Latin letters are replaced by them.
func (f *features) fold(dst, text []byte) []byte {
	if f.cfg.Column == Tag {
		return append(dst, text...)
	}
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		dst = utf8.AppendRune(dst, lookalike(unicode.ToLower(r)))
		text = text[n:]
	}
	return dst
}

// learn processes all documents. It must be called before the first call of bag.
func (f *features) learn(essays []*Essay) {
	switch f.cfg.Method {
	case Rarest:
		f.df = map[uint64]uint32{}
		for _, e := range essays {
			grams := f.sequence(e)
			slices.Sort(grams)
			for _, g := range slices.Compact(grams) {
				f.df[g]++
			}
		}
	case Anchors:
		if f.anchors == nil {
			f.anchors = f.pairs(essays)
		}
	}
}

// pairs chooses anchors if none are configured. They are the most frequent pairs of
// characters without spaces that together begin at one of [anchorEvery] places. So
// there are anchors for every language and for tags.
func (f *features) pairs(essays []*Essay) (out [][]uint64) {
	blank := f.shingler.Tokens(nil, []byte(" "), false)[0]
	counts := map[[2]uint64]int{}
	total := 0
	for _, e := range essays {
		f.sequence(e)
		total += len(f.tokens)
		for i := 1; i < len(f.tokens); i++ {
			if a, b := f.tokens[i-1], f.tokens[i]; a != blank && b != blank {
				counts[[2]uint64{a, b}]++
			}
		}
	}
	all := make([][2]uint64, 0, len(counts))
	for p := range counts {
		all = append(all, p)
	}
	slices.SortFunc(all, func(p, q [2]uint64) int {
		return cmp.Or(cmp.Compare(counts[q], counts[p]), cmp.Compare(p[0], q[0]), cmp.Compare(p[1], q[1]))
	})
	chosen := 0
	for _, p := range all {
		if chosen*anchorEvery >= total {
			break
		}
		chosen += counts[p]
		out = append(out, []uint64{p[0], p[1]})
	}
	return out
}

// anchorEvery is the number of characters per start of a chunk.
const anchorEvery = 8

// bag returns the features of a document, sorted by hash. They are valid until the next
// call.
func (f *features) bag(dst []feature, e *Essay) []feature {
	grams := f.sequence(e)
	c := f.chosen[:0]
	switch f.cfg.Method {
	case BagOfWords, Full:
		c = append(c, grams...)
	case Selective:
		for i := 0; i < len(grams); i += f.cfg.K {
			c = append(c, grams[i])
		}
	case Rarest:
		c = f.rarest(append(c, grams...))
	case Anchors:
		for i, g := range grams {
			if f.anchored(f.tokens[i:]) {
				c = append(c, g)
			}
		}
	case Winnowing:
		c = winnow(c, grams, f.cfg.Window)
	}
	slices.Sort(c)
	f.chosen = c
	for i, h := range c {
		if i > 0 && h == c[i-1] {
			dst[len(dst)-1].count++
		} else {
			dst = append(dst, feature{h, 1})
		}
	}
	return dst
}

// rarest keeps the k-grams that occur in the fewest documents. k-grams of a single
// document come last, because they cannot match and would displace all others. Ties
// are broken by hash, so that two documents with the same rare k-grams keep the same
// ones.
func (f *features) rarest(grams []uint64) []uint64 {
	slices.Sort(grams)
	grams = slices.Compact(grams)
	slices.SortFunc(grams, func(a, b uint64) int {
		// df-2 wraps 1 around to the largest number.
		return cmp.Or(cmp.Compare(f.df[a]-2, f.df[b]-2), cmp.Compare(a, b))
	})
	return grams[:min(len(grams), f.cfg.Grams)]
}

func (f *features) anchored(chars []uint64) bool {
	for _, a := range f.anchors {
		if len(a) > 0 && len(chars) >= len(a) && slices.Equal(chars[:len(a)], a) {
			return true
		}
	}
	return false
}

// winnow appends the smallest hash of each window, and of equal hashes the last. Each
// place is added once.
func winnow(dst, grams []uint64, window int) []uint64 {
	last := -1 // the last selected place
	for end := min(window, len(grams)); end <= len(grams) && end > 0; end++ {
		start := max(end-window, 0)
		if last >= start && grams[end-1] > grams[last] {
			continue
		}
		if last >= start { // the new hash is smaller or equal
			last = end - 1
		} else {
			last = start
			for i := start + 1; i < end; i++ {
				if grams[i] <= grams[last] {
					last = i
				}
			}
		}
		dst = append(dst, grams[last])
	}
	return dst
}
