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

// Method is a way to let a document stand by a set of hashes. All but
// [BagOfWords] take substrings of the document (HaCohen-Kerner et al., Detection
// of simple plagiarism in computer science papers, COLING 2010).
type Method uint8

// The methods.
const (
	// BagOfWords takes the tokens themselves, without their order.
	BagOfWords Method = iota
	// Full takes the k-grams of tokens from every place.
	Full
	// Selective takes the k-grams of tokens that follow each other without
	// overlap, from the beginning of the document.
	Selective
	// Rarest takes the k-grams that the fewest documents have.
	Rarest
	// Anchors takes the chunks of k characters that begin with one of some chosen
	// strings (Manber, Finding similar files in a large file system, 1994).
	Anchors
	// Winnowing takes the smallest hash of each window of k-grams (Schleimer et
	// al., Winnowing: local algorithms for document fingerprinting, 2003): of
	// every common run of window+k-1 tokens at least one.
	Winnowing
	numMethods
)

var methodNames = [numMethods]string{"bag-of-words", "full", "selective", "rarest", "anchors", "winnowing"}

// String returns the name of m, such as "bag-of-words".
func (m Method) String() string { return name(methodNames[:], m) }

// UnmarshalText reads the name of a method.
func (m *Method) UnmarshalText(b []byte) error { return parse(m, methodNames[:], "method", b) }

// Similarity is a measure of how much the features A of a suspicious document
// are like those B of a source. All are from 0 to 1.
type Similarity uint8

// The similarities.
const (
	// Symmetric is |A∩B| / |A∪B| (Jaccard).
	Symmetric Similarity = iota
	// Containment is |A∩B| / |A|: how much of the suspicious document is in the
	// source.
	Containment
	// Cosine is that of the two vectors of tf-idf: (1 + ln tf) · ln(1 + N/df).
	Cosine
	numSimilarities
)

var similarityNames = [numSimilarities]string{"symmetric", "containment", "cosine"}

// String returns the name of s, such as "symmetric".
func (s Similarity) String() string { return name(similarityNames[:], s) }

// UnmarshalText reads the name of a similarity.
func (s *Similarity) UnmarshalText(b []byte) error {
	return parse(s, similarityNames[:], "similarity", b)
}

// Column is a column of the vertical.
type Column uint8

// The columns.
const (
	Word Column = iota
	Lemma
	Tag
	numColumns
)

var columnNames = [numColumns]string{"word", "lemma", "tag"}

// String returns the name of c, such as "word".
func (c Column) String() string { return name(columnNames[:], c) }

// UnmarshalText reads the name of a column.
func (c *Column) UnmarshalText(b []byte) error { return parse(c, columnNames[:], "column", b) }

// MethodNames, SimilarityNames and ColumnNames list the names that
// UnmarshalText reads.
func MethodNames() []string { return slices.Clone(methodNames[:]) }

// SimilarityNames lists the similarities.
func SimilarityNames() []string { return slices.Clone(similarityNames[:]) }

// ColumnNames lists the columns.
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

// feature is a hash of a document and how often it has it.
type feature struct {
	hash  uint64
	count uint32
}

// features makes the bag of features of documents, one after the other.
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

// sequence returns the k-grams of the document in order; valid until the next
// call. A document that is shorter than k has one, of all that it holds.
func (f *features) sequence(e *Essay) []uint64 {
	text := e.Columns[f.cfg.Column]
	k := f.cfg.K
	f.folded = f.fold(f.folded[:0], text)
	if f.cfg.Method == Anchors {
		// Chunks run over the boundaries of tokens: blanks stand there.
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

// fold appends text as it is compared: words and lemmas in lower case, letters of
// other scripts that are drawn like Latin ones as these.
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

// learn is told all documents before the first of bag.
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

// pairs chooses anchors where none are given: the most frequent pairs of
// characters, without spaces, that together begin at one of [anchorEvery]
// places. So there are anchors for every language and for tags.
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

// anchorEvery is how many characters there are to one that begins a chunk.
const anchorEvery = 8

// bag returns the features of a document, sorted by hash; valid until the next
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

// rarest keeps the k-grams that the fewest documents have. Those of one
// document alone come last: they can be found nowhere else, and would take the
// place of all others. Ties go by the hash, so that two documents with the same
// rare k-grams take the same ones.
func (f *features) rarest(grams []uint64) []uint64 {
	slices.Sort(grams)
	grams = slices.Compact(grams)
	slices.SortFunc(grams, func(a, b uint64) int {
		// df-2 makes 1 the largest number.
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

// winnow appends the smallest hash of each window, the last one of equal ones,
// each place once.
func winnow(dst, grams []uint64, window int) []uint64 {
	last := -1 // the place that was taken last
	for end := min(window, len(grams)); end <= len(grams) && end > 0; end++ {
		start := max(end-window, 0)
		if last >= start && grams[end-1] > grams[last] {
			continue
		}
		if last >= start { // the new one is as small or smaller
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
