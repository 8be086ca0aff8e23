package nontext

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/zeebo/xxh3"

	"chaffinch/model"
	"chaffinch/model/data"
)

// Kind is the kind of the model files of this package. Their format is described in
// docs/explanation/nontext.md.
const Kind = "nontext"

// Behaviour versions of model files.
//
//	1  sections "settings", "weights", "stats"
const (
	behaviour      = 1
	oldestReadable = 1
)

const (
	sectionSettings = "settings"
	sectionWeights  = "weights"
	sectionStats    = "stats"
)

// settings is the content of the section of the same name, as JSON.
type settings struct {
	Config
	Stats  []string `json:"stats"`
	Bias   float32  `json:"bias"`
	Unit   float32  `json:"unit"`
	Slope  float64  `json:"slope"`
	Offset float64  `json:"offset"`
	Limit  float64  `json:"limit"`
}

// Save writes m to a model file at path. h holds the known training data: name, data, tool,
// card; Save sets its other fields. The same model and header always produce the same bytes.
func (m *Model) Save(path string, h model.Header) error {
	h.Kind, h.Behaviour = Kind, behaviour
	b, err := json.Marshal(settings{m.cfg, statNames[:], m.bias, m.unit, m.slope, m.offset, m.limit})
	if err != nil {
		return err
	}
	weights := make([]byte, len(m.weights))
	for i, w := range m.weights {
		weights[i] = byte(w)
	}
	var stats []byte
	for i := range m.stats {
		for _, list := range [][]float32{m.cuts[i][:], m.stats[i][:]} {
			for _, v := range list {
				stats = binary.LittleEndian.AppendUint32(stats, math.Float32bits(v))
			}
		}
	}
	return model.Save(path, h, model.Section{Name: sectionSettings, Bytes: b}, model.Section{Name: sectionWeights, Bytes: weights}, model.Section{Name: sectionStats, Bytes: stats})
}

// Load reads the model file at path.
func Load(path string) (*Model, error) { return model.Load(path, parse) }

// Parse parses a model file in memory. name is used in errors.
func Parse(name string, b []byte) (*Model, error) { return model.Decode(name, b, parse) }

// Embedded returns the embedded models, the model for all languages last. The program must import
// [chaffinch/model/data/nontext].
func Embedded() ([]*Model, error) { return embedded() }

var embedded = sync.OnceValues(func() (list []*Model, err error) {
	if data.NonTextAny == nil {
		return nil, data.ErrNoNonText
	}
	en, err := Parse("embedded nontext_en", data.NonTextEnglish)
	if err != nil {
		return nil, err
	}
	shapes, err := Parse("embedded nontext_any", data.NonTextAny)
	if err != nil {
		return nil, err
	}
	return []*Model{en, shapes}, nil
})

// For returns the first of models for a language, a BCP 47 tag. If there is none, it returns
// the first model for all languages, or nil.
func For(models []*Model, lang string) *Model {
	base, _, _ := strings.Cut(strings.ReplaceAll(lang, "_", "-"), "-")
	var all *Model
	for _, m := range models {
		switch {
		case m.cfg.Lang != "" && (m.cfg.Lang == lang || m.cfg.Lang == base):
			return m
		case m.cfg.Lang == "" && all == nil:
			all = m
		}
	}
	return all
}

func parse(f *model.File) (*Model, error) {
	if err := f.Want(Kind, oldestReadable, behaviour); err != nil {
		return nil, err
	}
	m := &Model{card: slices.Clone(f.Header.Card)}
	sum := xxh3.New()
	for _, name := range []string{sectionSettings, sectionWeights, sectionStats} {
		b, _ := f.Section(name)
		sum.Write(b)
	}
	m.sum = sum.Sum64()
	return m, f.ReadParts(
		model.Part{Name: sectionSettings, Read: m.readSettings},
		model.Part{Name: sectionWeights, Read: m.readWeights},
		model.Part{Name: sectionStats, Read: m.readStats},
	)
}

func (m *Model) readSettings(b []byte) error {
	var s settings
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	if s.Bits < 1 || s.Bits > MaxBits {
		return fmt.Errorf("a table of %d bits, wanted 1 to %d", s.Bits, MaxBits)
	}
	if !slices.Equal(s.Stats, statNames[:]) {
		return errors.New("statistics that this version does not compute: train the model again")
	}
	for _, v := range []float64{float64(s.Bias), float64(s.Unit), s.Slope, s.Offset} {
		if !(math.Abs(v) < 1e6) {
			return fmt.Errorf("found %v, wanted numbers below 1000000", v)
		}
	}
	if !(s.Limit >= 0 && s.Limit <= 1) {
		return fmt.Errorf("limit %v, wanted 0 to 1", s.Limit)
	}
	m.cfg, m.bias, m.unit, m.slope, m.offset, m.limit = s.Config, s.Bias, s.Unit, s.Slope, s.Offset, s.Limit
	return nil
}

func (m *Model) readWeights(b []byte) error {
	if len(b) != 1<<m.cfg.Bits {
		return fmt.Errorf("%d bytes, wanted %d", len(b), 1<<m.cfg.Bits)
	}
	m.weights = make([]int8, len(b))
	for i, v := range b {
		m.weights[i] = int8(v)
	}
	return nil
}

func (m *Model) readStats(b []byte) error {
	if want := statCount * (2*Steps - 1) * 4; len(b) != want {
		return fmt.Errorf("%d bytes, wanted %d", len(b), want)
	}
	for i := range m.stats {
		for _, list := range [][]float32{m.cuts[i][:], m.stats[i][:]} {
			for k := range list {
				v := math.Float32frombits(binary.LittleEndian.Uint32(b))
				if math.IsNaN(float64(v)) {
					return fmt.Errorf("%s: no number", statNames[i])
				}
				list[k], b = v, b[4:]
			}
		}
	}
	return nil
}
