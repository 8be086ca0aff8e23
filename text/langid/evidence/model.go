// Package evidence is the linear model behind package langid: it reads the words
// of a text, adds up what they and their n-grams say for each language, and makes
// probabilities of the sums. Package langid asks it, and lab/train/langid makes it.
//
// Unstable: this package may change in any release.
package evidence

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"slices"

	"chaffinch/internal/huge"
	"chaffinch/model"
)

// Kind of the model file and the versions of the code that gives it meaning.
//
//	1  words and character n-grams of one to five, rows of 8-bit weights
//	2  the same; rows of as many pairs stand together
const (
	Kind            = "langid"
	Behaviour       = 2
	oldestBehaviour = 1
)

// Model is a trained model.
type Model struct {
	Name      string
	Classes   []class
	ByScript  [MaxScripts][]uint8
	Told      [MaxScripts]bool // more than one language
	Groups    []Group
	GroupOf   [MaxClasses]uint8 // of a class; 0 = none, else its group + 1
	words     table             // and n-grams of four and five characters, of the scripts
	grams     table             // shorter n-grams of the scripts: few, and asked for most
	grouped   [2]table          // the same for the groups
	quads     []byte            // rows: four classes and their four weights in each eight bytes
	Settings  Settings
	Soft      Softness // of the languages
	GroupSoft Softness // of the second stage
}

// table is a hash table of features with linear probing.
type table struct {
	slots []uint64 // hash << 32 | Longer | row; 0 = free
	shift uint     // the slot of a hash is hash >> shift, or one behind it
}

// makeTable returns a table for n features.
func makeTable(n int) table {
	size := max(8, bits.Len(uint(n+n/2)))
	return table{huge.Make[uint64](1<<size+MaxClasses, 0), uint(32 - size)}
}

// class is a language in a script.
type class struct {
	Lang   string
	Script Script
}

// Settings is the section "settings".
type Settings struct {
	Classes []ClassSettings `json:"classes"`
	// Groups are the groups of similar languages.
	Groups []GroupSettings `json:"groups"`
	// Unit is the weight that one step of a quantised weight stands for.
	Unit float64 `json:"unit"`
	// Softness a and b: probabilities are the softmax of score·exp(a)·n^b,
	// where n is the number of rows added up.
	SoftnessA float64 `json:"softness_a"`
	SoftnessB float64 `json:"softness_b"`
	// GroupSoftnessA and GroupSoftnessB are those of the second stage.
	GroupSoftnessA float64 `json:"group_softness_a"`
	GroupSoftnessB float64 `json:"group_softness_b"`
	// Noise are the weights of the signs of no language.
	Noise []float64 `json:"noise"`
}

// ClassSettings is a class in the section "settings".
type ClassSettings struct {
	Lang   string `json:"lang"`
	Script string `json:"script"`
	// Bytes is the size of the training text.
	Bytes int64 `json:"bytes"`
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

// Parse reads a model file that is in memory.
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
		m.ByScript[s] = append(m.ByScript[s], uint8(i))
		m.Told[s] = len(m.ByScript[s]) > 1
	}
	if err := m.setGroups(); err != nil {
		return nil, err
	}
	m.Soften()
	rows, err := readRows(f)
	if err != nil {
		return nil, err
	}
	return m, m.index(rows)
}

// Soften computes the tables of the softmax from the settings.
func (m *Model) Soften() {
	s := &m.Settings
	m.Soft.set(s.Unit, s.SoftnessA, s.SoftnessB)
	m.GroupSoft.set(s.Unit, s.GroupSoftnessA, s.GroupSoftnessB)
}

// A size is the number of pairs of a row, whether the feature is an n-gram of
// at most three characters, and whether it is the end of a longer n-gram that
// has a row too.
const (
	MaxPairs  = 63
	ShortGram = 64
	Longer    = 128
	maxQuads  = 31 // mask of the number of quads in a row
)

// row tells which quads are those of a feature: the number of the first << 8 | how many, at
// most 16; 0 is none.
type row uint32

// of returns the quads of r, which may have the bit Longer.
func (r row) of(quads []byte) []byte { return quads[r>>8*8:][:r&maxQuads*8] }

func quadsOf(pairs int) int { return (pairs + 3) / 4 }

// find returns the slot of the feature with the key, or 0.
func (t *table) find(key uint64) uint64 {
	h := Mix(key) >> 32
	slot := t.slots[h>>t.shift]
	if slot>>32 == h || slot == 0 {
		return slot
	}
	return t.probe(h)
}

// probe looks for the hash behind its own slot.
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
