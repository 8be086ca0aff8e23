package langid

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"chaffinch/model"
)

// Kind of the model file and the versions of the code that gives it meaning.
//
//	1  words and character n-grams of one to five, rows of 8-bit weights
const (
	Kind            = "langid"
	Behaviour       = 1
	OldestBehaviour = 1
)

// Model is a trained model.
type Model struct {
	name     string
	classes  []class
	byScript [maxScripts][]uint8
	told     [maxScripts]bool // more than one language
	slots    []uint64         // hash << 32 | first pair << 8 | pairs
	shift    uint
	pairs    []uint16 // weight << 8 | class
	settings settings
}

// class is a language in a script.
type class struct {
	lang   string
	script script
}

// settings is the section "settings".
type settings struct {
	Classes []classSettings `json:"classes"`
	// Unit is the weight that one step of a quantised weight stands for.
	Unit float64 `json:"unit"`
	// Softness a and b: probabilities are the softmax of score·exp(a)·n^b,
	// where n is the number of rows added up.
	SoftnessA float64 `json:"softness_a"`
	SoftnessB float64 `json:"softness_b"`
}

type classSettings struct {
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
	if err := f.Want(Kind, OldestBehaviour, Behaviour); err != nil {
		return nil, err
	}
	fail := func(format string, a ...any) (*Model, error) {
		return nil, fmt.Errorf("model %s: %s", name, fmt.Sprintf(format, a...))
	}
	m := &Model{name: name}
	raw, ok := f.Section("settings")
	if !ok {
		return fail("no section settings: train again")
	}
	if err := json.Unmarshal(raw, &m.settings); err != nil {
		return fail("section settings: %v", err)
	}
	if n := len(m.settings.Classes); n == 0 || n > maxClasses {
		return fail("%d classes, wanted 1 to %d", n, maxClasses)
	}
	for i, c := range m.settings.Classes {
		s, ok := scriptOf(c.Script)
		if !ok {
			return fail("class %s: unknown script %q", c.Lang, c.Script)
		}
		m.classes = append(m.classes, class{c.Lang, s})
		m.byScript[s] = append(m.byScript[s], uint8(i))
		m.told[s] = len(m.byScript[s]) > 1
	}
	keys, _ := f.Section("keys")
	rows, _ := f.Section("rows")
	return m, m.index(keys, rows)
}

// index fills the hash table from the sorted hashes of the features, as
// differences in variable length, and their rows: a byte with the number of
// pairs, the classes, the weights.
func (m *Model) index(keys, rows []byte) error {
	n := 0
	for _, b := range keys {
		if b < 0x80 {
			n++
		}
	}
	size := max(16, bits.Len(uint(2*n)))
	m.shift = uint(32 - size)
	if size > 30 || len(rows) > 1<<24 {
		return fmt.Errorf("model %s: %d features, %d bytes of rows: too many", m.name, n, len(rows))
	}
	m.slots = make([]uint64, 1<<size+maxClasses)
	m.pairs = make([]uint16, 0, len(rows)/2)
	hash := uint64(0)
	for range n {
		d, k := binary.Uvarint(keys)
		if k <= 0 || d > math.MaxUint32 {
			return fmt.Errorf("model %s: section keys is damaged", m.name)
		}
		keys = keys[k:]
		hash += d
		if len(rows) == 0 || len(rows) < 1+2*int(rows[0]) || hash > math.MaxUint32 {
			return fmt.Errorf("model %s: section rows ends before section keys", m.name)
		}
		c := int(rows[0])
		if c == 0 {
			return fmt.Errorf("model %s: section rows holds an empty row", m.name)
		}
		i := hash >> m.shift
		for m.slots[i] != 0 {
			i++
			if int(i) == len(m.slots)-1 {
				return fmt.Errorf("model %s: hashes are not spread evenly", m.name)
			}
		}
		m.slots[i] = hash<<32 | uint64(len(m.pairs))<<8 | uint64(c)
		for j := range c {
			m.pairs = append(m.pairs, uint16(rows[1+c+j])<<8|uint16(rows[1+j]))
		}
		rows = rows[1+2*c:]
	}
	return nil
}

// find returns the slot of the feature with the key.
func (m *Model) find(key uint64) (slot uint64, ok bool) {
	h := mix(key) >> 32
	for i := h >> m.shift; ; i++ {
		slot = m.slots[i]
		if slot>>32 == h && slot != 0 {
			return slot, true
		}
		if slot == 0 {
			return 0, false
		}
	}
}

// scale is the factor of scores before the softmax, where n rows were added.
func (m *Model) scale(n int32) float64 {
	return m.settings.Unit * math.Exp(m.settings.SoftnessA) * math.Pow(float64(max(n, 1)), m.settings.SoftnessB)
}

// Langs returns the tags of the languages of m, sorted.
func (m *Model) Langs() []string {
	var l []string
	for _, c := range m.classes {
		l = append(l, c.lang)
	}
	slices.Sort(l)
	return l
}

func scriptOf(name string) (script, bool) {
	for i, s := range scripts {
		if i > 0 && s.name == name {
			return script(i), true
		}
	}
	return 0, false
}
