// Package evidence implements the linear model of package langid. [Open] opens a model, and
// [Model.Read] adds up the evidence of a text: of its words and their n-grams for each
// language. The sums are then converted to probabilities. Package langid uses the model, and
// lab/train/langid trains it.
//
// Unstable: this package may change in any release.
package evidence

import (
	"encoding/json"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sync"

	"chaffinch/internal/huge"
	"chaffinch/model"
)

// Kind and versions of the model files.
//
//	1  words and character n-grams of one to five, rows of 8-bit weights
//	2  the same; rows with the same number of pairs are stored together
//	3  more than 256 classes, weights of six bits, no groups of similar languages
const (
	Kind            = "langid"
	Behaviour       = 3
	oldestBehaviour = 1
)

// Model is a trained model.
type Model struct {
	Name     string
	Classes  []class
	ByScript [MaxScripts][]uint16 // classes, ascending
	Told     [MaxScripts]bool     // whether the script has more than one language
	priors   []int32              // by class: scores before any text is read, in units
	words    table                // words, and n-grams of four and five characters, by script
	grams    table                // shorter n-grams by script: few, and looked up most often
	pairs    []uint64             // rows: quads of pairs of a class and a level of its weight, or dense rows
	dense    bool                 // whether long rows are dense
	base     int                  // first class of dense rows
	Settings Settings
	Soft     Softness
	batches  sync.Pool // of *batch, because clearing one takes as long as reading a few words
}

// table is a hash table of features with linear probing.
type table struct {
	slots []uint64 // hash << 32 | longer | row; 0 = free
	shift uint     // the slot of a hash is hash >> shift, or a slot after it
}

// makeTable returns a table for n features.
func makeTable(n int) table {
	size := max(8, bits.Len(uint(n+n/2)))
	return table{huge.Make[uint64](1<<size+tableRoom, 0), uint(32 - size)}
}

// tableRoom is the number of slots after the last first slot.
const tableRoom = 256

// class is a language in a script.
type class struct {
	Lang   string
	Script Script
}

// Settings is the section "settings".
type Settings struct {
	Classes []ClassSettings `json:"classes"`
	// Unit is the weight of one step of a quantized weight.
	Unit float64 `json:"unit"`
	// SoftnessA and SoftnessB are a and b in: probabilities are the softmax of
	// score·exp(a)·n^b, where n is the number of rows added.
	SoftnessA float64 `json:"softness_a"`
	SoftnessB float64 `json:"softness_b"`
	// Noise holds the weights of the signs of non-language.
	Noise []float64 `json:"noise"`
	// Strange holds the weights of the signs of a language that the model does not know.
	Strange []float64 `json:"strange,omitempty"`
}

// ClassSettings is a class in the section "settings".
type ClassSettings struct {
	Lang   string `json:"lang"`
	Script string `json:"script"`
	// Bytes is the size of the training text.
	Bytes int64 `json:"bytes"`
	// Evidence is the mean evidence per row, and Unknown the mean share of letters in unknown
	// words, of texts in the language.
	Evidence float64 `json:"evidence,omitempty"`
	Unknown  float64 `json:"unknown,omitempty"`
	// Prior is the logarithm of the odds before any text is read, at most 0.
	Prior float64 `json:"prior,omitempty"`
}

// Open reads the model file at path.
func Open(path string) (*Model, error) {
	f, err := model.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return decode(path, f)
}

// Parse parses a model file in memory.
func Parse(name string, b []byte) (*Model, error) {
	f, err := model.Parse(name, b)
	if err != nil {
		return nil, err
	}
	return decode(name, f)
}

func decode(name string, f *model.File) (*Model, error) {
	if err := f.Want(Kind, oldestBehaviour, Behaviour); err != nil {
		return nil, err
	}
	fail := func(format string, a ...any) (*Model, error) {
		return nil, fmt.Errorf("model %s: %s", name, fmt.Sprintf(format, a...))
	}
	m := &Model{Name: name}
	raw, ok := f.Section("settings")
	if !ok {
		return fail("no section settings: train again")
	}
	if err := json.Unmarshal(raw, &m.Settings); err != nil {
		return fail("section settings: %v", err)
	}
	if n := len(m.Settings.Classes); n == 0 || n > MaxClasses {
		return fail("%d classes, wanted 1 to %d", n, MaxClasses)
	}
	for i, c := range m.Settings.Classes {
		s, ok := scriptOf(c.Script)
		if !ok {
			return fail("class %s: unknown script %q", c.Lang, c.Script)
		}
		m.Classes = append(m.Classes, class{c.Lang, s})
		m.priors = append(m.priors, int32(math.Round(c.Prior/m.Settings.Unit)))
		m.ByScript[s] = append(m.ByScript[s], uint16(i))
		m.Told[s] = len(m.ByScript[s]) > 1
	}
	m.Soften()
	rows, err := readRows(f, len(m.Classes))
	if err != nil {
		return nil, err
	}
	return m, m.index(rows)
}

// Soften computes the tables of the softmax from the settings.
func (m *Model) Soften() {
	s := &m.Settings
	m.Soft.set(s.Unit, s.SoftnessA, s.SoftnessB)
}

// A size combines the number of pairs of a row with two flags: shortGram for an n-gram of at
// most three characters, and longer for the end of a longer n-gram that also has a row.
const (
	MaxPairs  = 63
	shortGram = 64
	longer    = 128
	maxQuads  = 31 // mask of the number of quads in a row
	rowShift  = 8
)

// The low 32 bits of a slot are a row, in quads of four pairs: the index of the first quad << 8 |
// longer | their number, at most 16. 0 is no row.

// find returns the slot of the feature with the key, or 0.
func (t *table) find(key uint64) uint64 {
	h := Mix(key) >> 32
	slot := t.slots[h>>t.shift]
	if slot>>32 == h || slot == 0 {
		return slot
	}
	return t.probe(h)
}

// probe searches for the hash after its first slot.
func (t *table) probe(h uint64) uint64 {
	for i := h>>t.shift + 1; ; i++ {
		if slot := t.slots[i]; slot>>32 == h || slot == 0 {
			return slot
		}
	}
}

// Langs returns the tags of the languages of m, sorted.
func (m *Model) Langs() []string {
	var l []string
	for _, c := range m.Classes {
		l = append(l, c.Lang)
	}
	slices.Sort(l)
	return l
}

func scriptOf(name string) (Script, bool) {
	for i, s := range Scripts {
		if i > 0 && s.Name == name {
			return Script(i), true
		}
	}
	return 0, false
}
