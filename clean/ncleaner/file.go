package ncleaner

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"chaffinch/model"
)

// Kind is the kind of the model files of this package. docs/reference/formats/ncleaner.md describes
// their format.
const Kind = "ncleaner"

// Behaviour versions of model files.
//
//	1  sections "runes" and "counts"; ModelConfig is the header's config
const (
	behaviour         = 1
	oldestReadable    = 1
	sectionRunes      = "runes"
	sectionCounts     = "counts"
	maxCount          = 1 << 48
	bytesOfShortEntry = 3
)

// Save writes m to a model file at path. h holds the training information: name, data, tool,
// card. Save sets its other fields. The output depends only on m and h.
func (m *Model) Save(path string, h model.Header) error {
	h.Kind, h.Behaviour = Kind, behaviour
	cfg, err := json.Marshal(m.ModelConfig)
	if err != nil {
		return err
	}
	h.Config = cfg
	return model.Save(path, h,
		model.Section{Name: sectionRunes, Bytes: m.appendRunes(nil)},
		model.Section{Name: sectionCounts, Bytes: m.appendCounts(nil)})
}

// appendRunes writes the learned characters as differences.
func (m *Model) appendRunes(b []byte) []byte {
	last := rune(0)
	for _, r := range m.a.runes {
		b = binary.AppendUvarint(b, uint64(r-last))
		last = r
	}
	return b
}

// appendCounts writes the n-grams of both models in ascending order: the difference to the
// previous n-gram, the count in clean text, the count in dirty text.
func (m *Model) appendCounts(b []byte) []byte {
	both := maps.Clone(m.clean)
	maps.Copy(both, m.dirty)
	last := gram(0)
	for _, g := range slices.Sorted(maps.Keys(both)) {
		b = binary.AppendUvarint(b, g-last)
		b = binary.AppendUvarint(b, uint64(m.clean[g]))
		b = binary.AppendUvarint(b, uint64(m.dirty[g]))
		last = g
	}
	return b
}

// Load reads the model file at path.
func Load(path string) (*Model, error) { return model.Load(path, read) }

// Parse reads a model file from memory. name is used in errors.
func Parse(name string, b []byte) (*Model, error) { return model.Decode(name, b, read) }

func read(f *model.File) (*Model, error) {
	fail := func(err error) (*Model, error) { return nil, fmt.Errorf("model %s: %w", f.Path(), err) }
	if err := f.Want(Kind, oldestReadable, behaviour); err != nil {
		return nil, err
	}
	var cfg ModelConfig
	if err := json.Unmarshal(f.Config, &cfg); err != nil {
		return fail(fmt.Errorf("training configuration: %w", err))
	}
	if err := cfg.Check(); err != nil {
		return fail(err)
	}
	b, _ := f.Section(sectionRunes)
	runes, err := parseRunes(b)
	if err != nil {
		return fail(err)
	}
	a, err := NewAlphabet(cfg.Unicode, cfg.NonLexical, runes)
	if err != nil {
		return fail(err)
	}
	b, ok := f.Section(sectionCounts)
	if !ok {
		return fail(fmt.Errorf("no section %q: train again", sectionCounts))
	}
	clean, dirty, err := parseCounts(b, a, cfg.N)
	if err != nil {
		return fail(err)
	}
	m, err := NewModel(cfg, a, clean, dirty)
	if err != nil {
		return fail(err)
	}
	m.Card = f.Card
	return m, nil
}

func parseRunes(b []byte) (runes []rune, err error) {
	last := uint64(0)
	for at := 0; at < len(b); {
		d, w := binary.Uvarint(b[at:])
		if w <= 0 || d > 0x10ffff {
			return nil, fmt.Errorf("section %q, byte %d: not a difference of characters", sectionRunes, at)
		}
		last += d
		if last > 0x10ffff {
			return nil, fmt.Errorf("section %q, byte %d: character %#x, the last is 0x10ffff", sectionRunes, at, last)
		}
		runes = append(runes, rune(last))
		at += w
	}
	return runes, nil
}

func parseCounts(b []byte, a *Alphabet, n int) (clean, dirty Counts, err error) {
	clean, dirty = make(Counts, len(b)/bytesOfShortEntry), make(Counts, len(b)/bytesOfShortEntry)
	var last gram
	mask := maskOf(n, a.bits)
	for at := 0; at < len(b); {
		var v [3]uint64
		start := at
		for i := range v {
			x, w := binary.Uvarint(b[at:])
			if w <= 0 {
				return nil, nil, fmt.Errorf("section %q, byte %d: the number ends early or is too long", sectionCounts, at)
			}
			v[i] = x
			at += w
		}
		g := last + v[0]
		if g < last || g&^mask != 0 || v[0] == 0 && start > 0 || !a.valid(g, n) {
			return nil, nil, fmt.Errorf("section %q, byte %d: %#x after %#x is no %d-gram of %d symbols", sectionCounts, start, g, last, n, a.size)
		}
		if v[1] > maxCount || v[2] > maxCount || v[1]+v[2] == 0 {
			return nil, nil, fmt.Errorf("section %q, byte %d: counts %d and %d", sectionCounts, start, v[1], v[2])
		}
		if v[1] > 0 {
			clean[g] = int64(v[1])
		}
		if v[2] > 0 {
			dirty[g] = int64(v[2])
		}
		last = g
	}
	return clean, dirty, nil
}

// valid reports whether all symbols of the n-gram g are in the alphabet.
func (a *Alphabet) valid(g gram, n int) bool {
	for range n {
		if int(g&maskOf(1, a.bits)) >= a.size {
			return false
		}
		g >>= a.bits
	}
	return true
}
