package ncleaner

import (
	"encoding/json"
	"fmt"
)

// ModelConfig configures the estimation of a pair of models. [DefaultModel] holds the
// defaults.
type ModelConfig struct {
	// N is the size of the n-grams, 1 to 8.
	N int `json:"n"`
	// Q is the weight of each shorter history relative to the next longer one. It is above 0
	// (no smoothing) and below 1 (equal weights).
	Q float64 `json:"q"`
	// Unicode gives frequent non-ASCII characters separate symbols. Default: false, all of
	// them become "~".
	Unicode bool `json:"unicode,omitempty"`
	// NonLexical maps all letters to "a" and all digits to "0", for text in languages
	// without training data.
	NonLexical bool `json:"non_lexical,omitempty"`
	// MinRune is the minimum number of occurrences of a character in the training text to
	// get a separate symbol. It is used only with Unicode.
	MinRune int `json:"min_rune,omitempty"`
}

// DefaultModel holds the paper's settings (section 3).
var DefaultModel = ModelConfig{N: 3, Q: 0.5, MinRune: 10}

// Check returns an error if a setting is invalid.
func (c ModelConfig) Check() error {
	switch {
	case c.N < 1 || c.N > maxN:
		return fmt.Errorf("ncleaner: n is %d: wanted 1 to %d", c.N, maxN)
	case !(c.Q > 0 && c.Q < 1):
		return fmt.Errorf("ncleaner: q is %v: wanted above 0 and below 1", c.Q)
	case c.MinRune < 0:
		return fmt.Errorf("ncleaner: min_rune is %d: wanted 0 or more", c.MinRune)
	}
	return nil
}

// Model is a pair of n-gram models over one alphabet, one of clean and one of dirty text. It
// is immutable and safe for concurrent use.
type Model struct {
	ModelConfig
	// Card is the model card of the file, or nil if the model was not read from a file.
	Card         json.RawMessage
	a            *Alphabet
	clean, dirty Counts
	table        *table // either table or hashed is nil
	hashed       *hashed
}

// NewModel returns a model pair estimated from the n-gram counts of clean and of dirty text.
func NewModel(cfg ModelConfig, a *Alphabet, clean, dirty Counts) (*Model, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	if a.bits*cfg.N > 64 {
		return nil, fmt.Errorf("ncleaner: %d-grams over %d symbols need %d bits, at most 64 are possible: a smaller n or a greater min_rune",
			cfg.N, a.size, a.bits*cfg.N)
	}
	m := &Model{ModelConfig: cfg, a: a, clean: clean, dirty: dirty}
	ec, ed := NewEstimator(a, cfg.N, clean, cfg.Q), NewEstimator(a, cfg.N, dirty, cfg.Q)
	if dense(a, cfg.N) {
		m.table = newTable(ec, ed)
	} else {
		m.hashed = newHashed(ec, ed)
	}
	return m, nil
}

// Symbols returns the size of the alphabet, including boundary and blank.
func (m *Model) Symbols() int { return m.a.size }

// Score returns log2 Pr_clean - log2 Pr_dirty of a segment in bits (positive: more likely
// clean), and its number of characters. Characters are counted after folding and include the
// end of the segment. Both results are 0 for a segment without characters. Score does not
// allocate.
func (m *Model) Score(text string) (bits float64, chars int) {
	var buf [512]symbol
	text = trim(text)
	var f folder
	state := m.start()
	for at := 0; at < len(text); {
		var n int
		n, at = m.a.fold(&f, text, at, buf[:])
		if n > 0 {
			state, bits = m.run(buf[:n], state, bits)
			chars += n
		}
	}
	if chars == 0 {
		return 0, 0
	}
	buf[0] = boundary
	_, bits = m.run(buf[:1], state, bits)
	return bits, chars + 1
}

func (m *Model) start() gram {
	if m.table != nil {
		return m.table.start()
	}
	return m.hashed.start()
}

func (m *Model) run(syms []symbol, state gram, sum float64) (gram, float64) {
	if m.table != nil {
		return m.table.run(syms, state, sum)
	}
	return m.hashed.run(syms, state, sum)
}

// PerChar returns the difference of [Model.Score] in bits per character, or 0 for a segment
// without characters.
func (m *Model) PerChar(text string) float64 {
	bits, chars := m.Score(text)
	if chars == 0 {
		return 0
	}
	return bits / float64(chars)
}
