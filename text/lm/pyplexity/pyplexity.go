// Package pyplexity scores sentences like the program PyPlexity 0.2.12, with its models: bigram
// and trigram tables in files of Perl's Storable module. [Load] opens a model, and
// [Model.Perplexity] scores a sentence. The package serves comparison and migration and
// reproduces PyPlexity's deviations. For other uses, see package lm.
//
// Paper: "An unsupervised perplexity-based method for boilerplate removal" (Natural Language
// Engineering, 2023), section 3. docs/explanation/perplexity.md lists differences between the program and
// its paper.
package pyplexity

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"sync"
	"unicode/utf8"

	"chaffinch/internal/storable"
)

// Limit is PyPlexity's default limit: a sentence is kept if its perplexity is below it. It
// applies to the model that its authors call bigrams-bnc.
const Limit = 8000

// floor is the minimum probability of every event. The perplexity is therefore at most 1/floor.
const floor = 1.0 / 1000000

// Config configures the reading of a model file.
type Config struct {
	// RepairKeys decodes entries whose characters are all below U+0100, such as "café". Perl
	// writes them in Latin-1. PyPlexity looks them up in UTF-8 and never finds them; false
	// reproduces this.
	RepairKeys bool
}

// Model is a model of PyPlexity. It is safe for concurrent use.
type Model struct {
	order  int
	tables [3]table // of one, two and three words
}

// Load reads the model file at path.
func Load(path string, c Config) (*Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("pyplexity: %w", err)
	}
	defer f.Close()
	m, err := Read(f, c)
	if err != nil {
		return nil, fmt.Errorf("pyplexity: model %s: %w", path, err)
	}
	return m, nil
}

// Is reports whether b starts like a model file of PyPlexity.
func Is(b []byte) bool { return bytes.HasPrefix(b, []byte("pst0")) }

// Read reads a model: an array of hashes from n-grams, words joined by blanks, to
// probabilities, the longest n-grams first. Two hashes are a bigram model, three a trigram
// model.
//
// Read takes about 20 bytes of memory per n-gram. A table holds a 64-bit hash for each n-gram.
// An unknown n-gram is therefore mistaken for a known one with a probability of 10^-12 for a
// model of 10^7 n-grams.
func Read(r io.Reader, c Config) (*Model, error) {
	s, err := storable.NewReader(r)
	if err != nil {
		return nil, err
	}
	m := &Model{order: s.Hashes()}
	if m.order != 2 && m.order != 3 {
		return nil, fmt.Errorf("an array of %d tables, wanted 2 (bigrams, unigrams) or 3 (trigrams, bigrams, unigrams)", m.order)
	}
	var text []byte
	for n := m.order - 1; n >= 0; n-- {
		size, err := s.Next()
		if err != nil {
			return nil, err
		}
		t := &m.tables[n]
		t.grow(min(size, 1<<16)) // the file may state a wrong size
		for {
			k, p, err := s.Entry()
			if err == io.EOF {
				break
			} else if err != nil {
				return nil, err
			}
			key := k.Bytes
			if c.RepairKeys && k.Latin1 {
				text = text[:0]
				for _, b := range key {
					text = utf8.AppendRune(text, rune(b))
				}
				key = text
			}
			t.put(key, p)
		}
	}
	return m, nil
}

// Len returns the number of n-grams of n words in the model.
func (m *Model) Len(n int) int {
	if n < 1 || n > len(m.tables) {
		return 0
	}
	return m.tables[n-1].n
}

var buffers = sync.Pool{New: func() any { return new([]byte) }}

// Perplexity returns the perplexity of a sentence, 1 to 1,000,000. A sentence of one token has
// perplexity 1 in a trigram model. See [Tokens] for the tokens.
func (m *Model) Perplexity(sentence string) float64 {
	bits, n := m.Bits(sentence)
	return math.Exp2(bits / float64(n))
}

// Bits returns the information of a sentence in bits, the negative sum of the logarithms of
// PyPlexity's probabilities. It also returns the number of tokens, at least 1.
func (m *Model) Bits(sentence string) (bits float64, tokens int) {
	b := buffers.Get().(*[]byte)
	defer buffers.Put(b)
	text := appendTokens(append((*b)[:0], "# "...), sentence)
	*b = text
	if m.order == 3 {
		return m.trigrams(b)
	}
	// The n-grams are substrings of text, which begins with the start mark "#". prev and cur
	// are the starts of the words.
	sum, n := 0.0, 0
	for prev, cur := 0, 2; cur <= len(text); n++ {
		end := wordEnd(text, cur)
		pair := m.tables[1].get(text[prev:end])
		word := m.tables[0].get(text[prev : cur-1])
		sum += math.Log2(float64(pair*.8) + float64(word*.2) + floor)
		prev, cur = cur, end+1
	}
	return -sum, n
}

// trigrams returns the score of the sentence whose tokens are in *b after the mark "#".
// PyPlexity uses the same word as the second and the third of a trigram, and omits the last
// word.
func (m *Model) trigrams(b *[]byte) (bits float64, tokens int) {
	text := *b
	size := len(text)
	sum, n := 0.0, 1
	for prev, cur := 0, 2; ; n++ {
		end := wordEnd(text, cur)
		if end == size {
			break
		}
		pair := m.tables[1].get(text[prev:end])
		word := m.tables[0].get(text[prev : cur-1])
		// The trigram "a b b", built after the text.
		text = append(append(append(text[:size], text[prev:end]...), ' '), text[cur:end]...)
		three := m.tables[2].get(text[size:])
		sum += math.Log2(float64(three*.6) + float64(pair*.3) + float64(word*.1) + floor)
		prev, cur = cur, end+1
		*b = text
		text = text[:size]
	}
	return -sum, n
}

// wordEnd returns the end of the word that begins at i.
func wordEnd(text []byte, i int) int {
	if j := bytes.IndexByte(text[i:], ' '); j >= 0 {
		return i + j
	}
	return len(text)
}

// Frequencies calls f for each token of a text with the unigram probability of the token, floor
// if it is unknown.
func (m *Model) Frequencies(text string, f func(token []byte, p float64)) {
	tokens := appendTokens(nil, text)
	for i := 0; i < len(tokens); {
		end := wordEnd(tokens, i)
		f(tokens[i:end], max(m.tables[0].get(tokens[i:end]), floor))
		i = end + 1
	}
}
