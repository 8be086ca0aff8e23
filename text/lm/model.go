// Package lm implements word n-gram language models of any order up to [MaxOrder]. [Open] opens
// a model, and [Model.Sentence] scores a sentence. A model assigns a probability to a word
// given the preceding words. It thus measures how well a sentence fits the training text.
//
// The measure is the perplexity of equation 1 in Fernández-Pichel, Prada-Corral,
// Losada, Pichel and Gamallo, "An unsupervised perplexity-based method for
// boilerplate removal", Natural Language Engineering 2023. Models come in two
// kinds: the paper's maximum likelihood (equation 2) and interpolated modified
// Kneser-Ney (Chen and Goodman 1998), the default. Package lab/train/words trains models from
// text. Package lm also reads and writes ARPA files.
//
// A model is a reverse trie in a model file, mapped into memory and read in
// place (docs/reference/formats/lm.md). It is safe for concurrent use.
package lm

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"sync"

	"chaffinch/model"
	"chaffinch/model/data"
)

// MaxOrder is the largest order of a model.
const MaxOrder = 8

// Kind is the kind of the model files of this package.
// Kind is the kind of the model files of this package.
// Behaviours:
//
//	1  tokenizers words/1 and blanks/1; scrambled keys; sections meta,
//	   vocab.*, gram.N, value.N, backoff.N
//	2  the output of [Pack]: sections meta, value.N, backoff.N, text,
//	   lengths, probs, backoffs, counts, steps, rest, values
const (
	Kind      = "lm.word"
	Behaviour = 1
)

// Estimator is the method that estimated the probabilities of a model.
type Estimator string

// The estimators.
const (
	// KneserNey is interpolated modified Kneser-Ney in back-off form.
	KneserNey Estimator = "kneser-ney"
	// MLE is equation 2 of the paper: relative frequencies without smoothing. An unseen n-gram
	// has the probability [Floor].
	MLE Estimator = "mle"
)

// Floor is the minimum probability in a model of kind MLE. The paper does not define the
// probability of unseen n-grams; its program adds 1e-6 to every probability. A sentence of
// unknown words thus has the perplexity 1,000,000 in both.
const Floor = 1e-6

// meta is the JSON section "meta".
type meta struct {
	Order       int       `json:"order"`
	Estimator   Estimator `json:"estimator"`
	Tokeniser   Tokeniser `json:"tokeniser"`
	Ngrams      []uint64  `json:"ngrams"`          // number of n-grams by order; the first is the size of the vocabulary
	ValueBits   []uint    `json:"value_bits"`      // by order; 32 for kneser-ney: float32
	BackoffBits []uint    `json:"backoff_bits"`    // by order, except the last
	Unit        float64   `json:"unit,omitempty"`  // mle: the weight of a count of 1
	Total       uint64    `json:"total,omitempty"` // mle: the count of all words except <s>
}

// Model is a word n-gram model.
type Model struct {
	Vocab Vocab
	// File is the model file that contains the model, with its header and card.
	File   *model.File
	meta   meta
	levels []level
}

// Load opens the model at path. A model file is mapped into memory. An ARPA file, plain or
// compressed by gzip or zstd, is read into memory. Close the model after use.
func Load(path string) (*Model, error) {
	arpa, err := looksLikeARPA(path)
	if err != nil {
		return nil, err
	}
	if arpa {
		return loadARPA(path)
	}
	f, err := model.Open(path)
	if err != nil {
		return nil, err
	}
	m, err := New(f)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	return m, nil
}

// Parse parses a model file in memory. The model shares b. name is used in errors.
func Parse(name string, b []byte) (*Model, error) {
	f, err := model.Parse(name, b)
	if err != nil {
		return nil, err
	}
	return New(f)
}

// embedded holds, by name, the functions that decompress the embedded models once.
var embedded sync.Map

// Embedded returns an embedded model by name, such as "en" if package
// chaffinch/model/data/words is imported. The model is decompressed once and shared by all
// callers. Closing it has no effect.
func Embedded(name string) (*Model, error) {
	b, ok := data.Words(name)
	if !ok {
		return nil, fmt.Errorf("model %s: no embedded model has this name: %s", name, data.WordModels())
	}
	made, _ := embedded.LoadOrStore(name, sync.OnceValues(func() (*Model, error) { return Parse(name, b) }))
	return made.(func() (*Model, error))()
}

// Open returns the embedded model with the given name, or loads the file with that path.
func Open(name string) (*Model, error) {
	if _, ok := data.Words(name); ok {
		return Embedded(name)
	}
	m, err := Load(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%w; %s", err, data.WordModels())
	}
	return m, err
}

// New reads the model in f, which must remain open while the model is used. A file written by
// [Pack] is decompressed into memory and closed.
func New(f *model.File) (*Model, error) {
	if err := f.Want(Kind, 1, packedBehaviour); err != nil {
		return nil, err
	}
	if f.Behaviour == packedBehaviour {
		whole, err := unpack(f)
		if err != nil {
			return nil, fmt.Errorf("model %s: %w", f.Name, err)
		}
		if err := f.Close(); err != nil {
			return nil, err
		}
		f = whole
	}
	m := &Model{File: f}
	fail := func(format string, a ...any) (*Model, error) {
		return nil, fmt.Errorf("model %s: %w: train it again", f.Name, fmt.Errorf(format, a...))
	}
	b, ok := f.Section("meta")
	if !ok {
		return fail("section meta is missing")
	}
	if err := json.Unmarshal(b, &m.meta); err != nil {
		return fail("section meta: %w", err)
	}
	if err := m.meta.check(); err != nil {
		return fail("section meta: %w", err)
	}
	text, ok1 := f.Section("vocab.text")
	ends, ok2 := f.Section("vocab.ends")
	slots, ok3 := f.Section("vocab.slots")
	if !ok1 || !ok2 || !ok3 {
		return fail("a section of the vocabulary is missing")
	}
	v, err := newVocab(text, ends, slots, uint32(m.meta.Ngrams[0]))
	if err != nil {
		return fail("%w", err)
	}
	m.Vocab = *v
	m.levels = make([]level, m.meta.Order)
	for k := range m.levels {
		if err := m.openLevel(k + 1); err != nil {
			return fail("%w", err)
		}
	}
	return m, nil
}

func (t *meta) check() error {
	switch {
	case t.Order < 1 || t.Order > MaxOrder:
		return fmt.Errorf("order %d, wanted 1 to %d", t.Order, MaxOrder)
	case t.Estimator != KneserNey && t.Estimator != MLE:
		return fmt.Errorf("estimator %q, wanted %s or %s", t.Estimator, KneserNey, MLE)
	case t.Tokeniser != Words && t.Tokeniser != Blanks:
		return fmt.Errorf("tokeniser %q, wanted %s or %s", t.Tokeniser, Words, Blanks)
	case len(t.Ngrams) != t.Order || len(t.ValueBits) != t.Order || len(t.BackoffBits) != t.Order-1:
		return fmt.Errorf("order %d with %d counts, %d and %d lengths", t.Order, len(t.Ngrams), len(t.ValueBits), len(t.BackoffBits))
	case t.Ngrams[0] < Special || t.Ngrams[0] >= free:
		return fmt.Errorf("%d words, wanted %d to %d", t.Ngrams[0], Special, uint32(free-1))
	}
	return nil
}

func (m *Model) openLevel(k int) error {
	l := &m.levels[k-1]
	if err := l.layout(&m.meta, k); err != nil {
		return err
	}
	var ok bool
	if l.data, ok = m.File.Section(fmt.Sprintf("gram.%d", k)); !ok || len(l.data) != l.size() {
		return fmt.Errorf("section gram.%d has %d bytes, wanted %d", k, len(l.data), l.size())
	}
	if m.meta.Estimator == MLE {
		return nil
	}
	var err error
	if l.value, err = m.codebook(fmt.Sprintf("value.%d", k), l.valLen); err == nil && k < m.meta.Order {
		l.bow, err = m.codebook(fmt.Sprintf("backoff.%d", k), l.bowLen)
	}
	return err
}

// codebook reads the float32 values of codes of n bits. It returns nil if the bits are the
// float32 itself.
func (m *Model) codebook(name string, n uint) ([]float32, error) {
	if n == 32 {
		return nil, nil
	}
	b, ok := m.File.Section(name)
	if !ok || n > 16 || len(b) != 4<<n {
		return nil, fmt.Errorf("section %s has %d bytes, wanted 4 for each of the values of %d bits", name, len(b), n)
	}
	out := make([]float32, 1<<n)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return out, nil
}

// Close unmaps the model file. The model must not be used afterwards.
func (m *Model) Close() error { return m.File.Close() }

// Order returns the length of the longest n-grams.
func (m *Model) Order() int { return m.meta.Order }

// Estimator returns the estimator of the model.
func (m *Model) Estimator() Estimator { return m.meta.Estimator }

// Tokeniser returns the tokeniser of the model.
func (m *Model) Tokeniser() Tokeniser { return m.meta.Tokeniser }

// Ngrams returns the number of n-grams of order k, 1 to Order. For order 1 it is the size of
// the vocabulary including <unk>, <s> and </s>.
func (m *Model) Ngrams(k int) uint64 { return m.meta.Ngrams[k-1] }
