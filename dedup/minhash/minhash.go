// Package minhash finds near-duplicate documents. [New] returns the method for a
// [Config]; [dedup.Run] applies it. A document has a signature of least hash values
// over its shingles. Documents that share a band of their signatures are compared, and
// connected documents form a cluster.
//
// MinHash: Broder, On the resemblance and containment of documents, SEQUENCES 1997.
// Banding: Indyk and Motwani, Approximate nearest neighbors, STOC 1998; Leskovec,
// Rajaraman, Ullman, Mining of Massive Datasets, chapter 3. The default signature is
// Fast Similarity Sketching (Dahlgaard, Knudsen, Thorup, FOCS 2017). [Presets] names
// published settings, which give the same decisions as the programs that published
// them.
package minhash

import (
	"fmt"
	"strings"

	"chaffinch/dedup/shingle"
	"chaffinch/internal/settings"
)

// name is the name of the method and the version of its behaviour.
const name = "minhash/1"

// Config configures the method. Zero values mean the values of the preset.
type Config struct {
	// Preset is the name of one of [Presets]. Default: the first.
	Preset string `json:"preset"`
	// NgramUnit is the element of a shingle, "word" or "char".
	NgramUnit string `json:"ngram_unit"`
	// Ngram is the length of a shingle in units.
	Ngram int `json:"ngram"`
	// Bands and Rows: two documents are candidates when all Rows values of one
	// of Bands bands are the same.
	Bands int `json:"bands"`
	Rows  int `json:"rows"`
	// Bits is the length of a band key, 64 or 128. With n documents, about
	// n*n*bands/2^(bits+1) pairs collide by accident.
	Bits int `json:"bits"`
	// Threshold is the minimum similarity of a pair of candidates, estimated from the
	// signatures, 0 to 1. 0 accepts all candidates, as the published schemes do.
	Threshold float64 `json:"threshold"`
	// Verify is the minimum true Jaccard similarity of the shingles of a pair, 0 to 1.
	// It replaces Threshold; 0 means no verification.
	Verify float64 `json:"verify"`
}

// Default are the settings of the first preset.
var Default = Presets[0].Config

// Preset is a published setting.
type Preset struct {
	Config
	// Help describes the origin of the preset in one line.
	Help string
	// scheme returns the scheme of the preset.
	scheme func(cfg *Config) scheme
}

// scheme defines how a preset reads text and hashes shingles. All workers share it.
type scheme struct {
	// words configures the hashed words of our own scheme; nil if text is used.
	words *shingle.Config
	// text appends the text used for shingles. Tokens are separated by single spaces,
	// or are all characters.
	text func(dst, src []byte) []byte
	// hash hashes one shingle.
	hash func([]byte) uint64
	// least is the number of units below which a text has no near-duplicates.
	least int
	// short is the treatment of other texts with fewer units than a shingle.
	short short
	// family permutes the hashes, nil for Fast Similarity Sketching.
	family *linear
}

// short is the treatment of a text that is shorter than a shingle.
type short uint8

const (
	oneShingle short = iota // all of it is one shingle
	noShingle               // it has no near-duplicates
	allAlike                // its set is empty and equals all other empty sets
)

// Presets lists the settings by name, our own first.
var Presets = []Preset{
	{Config{"chaffinch", "word", 5, 20, 5, 64, 0.65, 0}, "our own: many candidates, of which those stay whose signatures agree", ours},
	{Config{"fineweb", "word", 5, 14, 8, 64, 0, 0}, "FineWeb, by datatrove: simplified text, SHA-1 of 64 bits, threshold about 0.72", fineweb64},
	{Config{"fineweb32", "word", 5, 14, 8, 64, 0, 0}, "the same with SHA-1 of 32 bits", fineweb32},
	{Config{"text-dedup", "word", 5, 24, 10, 64, 0, 0}, "text-dedup: 240 permutations, threshold 0.7", textDedup},
	{Config{"data-juicer", "word", 5, 25, 10, 64, 0, 0}, "data-juicer: 256 permutations, threshold 0.7; all texts of fewer than 5 tokens between blanks become one cluster, such as all in Chinese", dataJuicer},
	{Config{"nemo", "char", 24, 20, 13, 64, 0, 0}, "NeMo Curator: 24 characters, 260 permutations, threshold about 0.8", nemo},
}

// PresetNames returns the names of all presets.
func PresetNames() []string {
	names := make([]string, len(Presets))
	for i, p := range Presets {
		names[i] = p.Preset
	}
	return names
}

// Limits of a configuration.
const (
	maxNgram = 1 << 10
	maxBands = 1 << 10
	maxRows  = 1 << 8
	maxPerms = 1 << 13
)

// PresetByName returns the preset with the given name.
func PresetByName(name string) (Preset, error) {
	for _, p := range Presets {
		if p.Preset == name {
			return p, nil
		}
	}
	names := PresetNames()
	return Preset{}, fmt.Errorf("preset %q is not known: take one of %s%s", name, strings.Join(names, ", "), settings.DidYouMean(name, names))
}

// Method finds near-duplicates. Several goroutines may use it.
type Method struct {
	cfg    Config
	scheme scheme
	// sorting finds clusters and compares pairs by sorting even where memory would do: for tests.
	sorting bool
	ordered int64 // maxOrdered
}

// New checks cfg and fills it up from its preset.
func New(cfg Config) (*Method, error) {
	if cfg.Preset == "" {
		cfg.Preset = Presets[0].Preset
	}
	p, err := PresetByName(cfg.Preset)
	if err != nil {
		return nil, fmt.Errorf("minhash: %w", err)
	}
	fill := func(v *int, preset int) {
		if *v == 0 {
			*v = preset
		}
	}
	if cfg.NgramUnit == "" {
		cfg.NgramUnit = p.NgramUnit
	}
	fill(&cfg.Ngram, p.Ngram)
	fill(&cfg.Bands, p.Bands)
	fill(&cfg.Rows, p.Rows)
	fill(&cfg.Bits, p.Bits)
	if cfg.Threshold == 0 {
		cfg.Threshold = p.Threshold
	}
	switch {
	case cfg.NgramUnit != "word" && cfg.NgramUnit != "char":
		return nil, fmt.Errorf("minhash: unit %q: word or char", cfg.NgramUnit)
	case cfg.Ngram < 1 || cfg.Ngram > maxNgram:
		return nil, fmt.Errorf("minhash: n-grams of %d: from 1 to %d", cfg.Ngram, maxNgram)
	case cfg.Bands < 1 || cfg.Bands > maxBands:
		return nil, fmt.Errorf("minhash: %d bands: from 1 to %d", cfg.Bands, maxBands)
	case cfg.Rows < 1 || cfg.Rows > maxRows:
		return nil, fmt.Errorf("minhash: bands of %d rows: from 1 to %d", cfg.Rows, maxRows)
	case cfg.Bands*cfg.Rows > maxPerms:
		return nil, fmt.Errorf("minhash: %d bands of %d rows are %d hash values, at most %d", cfg.Bands, cfg.Rows, cfg.Bands*cfg.Rows, maxPerms)
	case cfg.Bits != 64 && cfg.Bits != 128:
		return nil, fmt.Errorf("minhash: band keys of %d bits: 64 or 128", cfg.Bits)
	case !(cfg.Threshold >= 0 && cfg.Threshold <= 1):
		return nil, fmt.Errorf("minhash: threshold %g: from 0 to 1", cfg.Threshold)
	case !(cfg.Verify >= 0 && cfg.Verify <= 1):
		return nil, fmt.Errorf("minhash: verify at a similarity of %g: from 0 to 1", cfg.Verify)
	}
	return &Method{cfg: cfg, scheme: p.scheme(&cfg), ordered: maxOrdered}, nil
}

// Name returns the name of the method.
func (m *Method) Name() string { return name }

// Config returns the [Config], filled up.
func (m *Method) Config() any { return m.cfg }
