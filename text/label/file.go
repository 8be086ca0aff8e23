package label

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/zeebo/xxh3"

	"chaffinch/model"
)

// kind is the kind of the model files of this package. Their format is described in
// docs/explanation/labels.md.
const kind = "label"

// Behaviour versions of model files.
//
//	1  sections "settings", "ngrams", "weights", "cuts"
//	2  also the section "forests"; models without forests have behaviour 1
const (
	behaviour       = 1
	behaviourForest = 2
	oldestReadable  = 1
)

const (
	sectionSettings = "settings"
	sectionGrams    = "ngrams"
	sectionWeights  = "weights"
	sectionCuts     = "cuts"
	sectionForests  = "forests"
)

// settings is the content of the section of the same name, as JSON.
type settings struct {
	Config
	Classes []Class   `json:"classes"`
	Unit    []float32 `json:"unit"`
	Bias    []float32 `json:"bias"`
	Stats   []string  `json:"stats"`
}

// Save writes m to a model file at path. h holds the known training data: name, data, tool, card;
// Save sets its other fields. The same model and header always produce the same bytes.
func (m *Model) Save(path string, h model.Header) error {
	h.Kind, h.Behaviour = kind, behaviour
	s, err := json.Marshal(settings{m.w.Config, m.w.Classes, m.w.Unit, m.w.Bias, statNames[:]})
	if err != nil {
		return err
	}
	var grams []byte
	before := uint32(0)
	for i, id := range m.w.IDs {
		grams = append(binary.AppendUvarint(grams, uint64(id-before)), m.w.IDF[i])
		before = id
	}
	// Column by column: the weights of a class are similar, and many are 0.
	k := len(m.w.Classes)
	rows := len(m.w.Grams) / k
	weights := make([]byte, 0, len(m.w.Grams))
	for c := range k {
		for r := range rows {
			weights = append(weights, byte(m.w.Grams[r*k+c]))
		}
	}
	var cuts []byte
	for _, list := range m.w.Cuts {
		for _, v := range list {
			cuts = binary.LittleEndian.AppendUint32(cuts, math.Float32bits(v))
		}
	}
	if grams, err = model.Pack(grams); err != nil {
		return err
	}
	if weights, err = model.Pack(weights); err != nil {
		return err
	}
	sections := []model.Section{{Name: sectionSettings, Bytes: s}, {Name: sectionGrams, Bytes: grams}, {Name: sectionWeights, Bytes: weights}, {Name: sectionCuts, Bytes: cuts}}
	if len(m.w.Forests) > 0 {
		forests, err := m.w.appendForests(nil)
		if err != nil {
			return err
		}
		h.Behaviour = behaviourForest
		sections = append(sections, model.Section{Name: sectionForests, Bytes: forests})
	}
	return model.Save(path, h, sections...)
}

// Load reads the model file at path.
func Load(path string) (*Model, error) { return model.Load(path, Read) }

// Parse parses a model file in memory. name is used in errors.
func Parse(name string, b []byte) (*Model, error) { return model.Decode(name, b, Read) }

// Read parses an open model file.
func Read(f *model.File) (*Model, error) {
	if err := f.Want(kind, oldestReadable, behaviourForest); err != nil {
		return nil, err
	}
	sum := xxh3.New()
	for _, name := range []string{sectionSettings, sectionGrams, sectionWeights, sectionCuts, sectionForests} {
		b, _ := f.Section(name)
		sum.Write(b)
	}
	packed, err := f.Unpack(sectionGrams, sectionWeights)
	if err != nil {
		return nil, err
	}
	var w Weights
	err = f.ReadParts(
		model.Part{Name: sectionSettings, Read: w.readSettings},
		model.Part{Name: sectionGrams, Read: func([]byte) error { return w.readGrams(packed[0]) }},
		model.Part{Name: sectionWeights, Read: func([]byte) error { return w.readWeights(packed[1]) }},
		model.Part{Name: sectionCuts, Read: w.readCuts},
		model.Part{Name: sectionForests, Optional: true, Read: w.readForests},
	)
	if err != nil {
		return nil, err
	}
	m, err := New(w)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", f.Path(), err)
	}
	m.name = f.Header.Name
	m.sum = sum.Sum64()
	return m, nil
}

func (w *Weights) readSettings(b []byte) error {
	var s settings
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	if !slices.Equal(s.Stats, statNames[:]) {
		return errors.New("statistics that this version does not compute: train the model again")
	}
	if len(s.Classes) == 0 {
		return errors.New("no classes")
	}
	w.Config, w.Classes, w.Unit, w.Bias = s.Config, s.Classes, s.Unit, s.Bias
	return nil
}

func (w *Weights) readGrams(b []byte) error {
	id := uint64(0)
	for len(b) > 0 {
		d, n := binary.Uvarint(b)
		if n <= 0 || n == len(b) || d >= 1<<IDBits {
			return fmt.Errorf("n-gram %d is damaged", len(w.IDs))
		}
		if id += d; id >= 1<<IDBits {
			return fmt.Errorf("n-gram %d: %d, wanted a number below %d", len(w.IDs), id, 1<<IDBits)
		}
		w.IDs, w.IDF = append(w.IDs, uint32(id)), append(w.IDF, b[n])
		b = b[n+1:]
	}
	return nil
}

func (w *Weights) readWeights(b []byte) error {
	k, rows := len(w.Classes), len(w.IDs)+Stats*Steps
	if len(b) != k*rows {
		return fmt.Errorf("%d bytes, wanted %d", len(b), k*rows)
	}
	w.Grams = make([]int8, len(b))
	for c := range k {
		for r := range rows {
			w.Grams[r*k+c] = int8(b[c*rows+r])
		}
	}
	return nil
}

func (w *Weights) readCuts(b []byte) error {
	if want := Stats * (Steps - 1) * 4; len(b) != want {
		return fmt.Errorf("%d bytes, wanted %d", len(b), want)
	}
	for range Stats {
		list := make([]float32, Steps-1)
		for k := range list {
			list[k], b = math.Float32frombits(binary.LittleEndian.Uint32(b)), b[4:]
		}
		w.Cuts = append(w.Cuts, list)
	}
	return nil
}
