package lines

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"sync"

	"chaffinch/internal/boost"
	"chaffinch/internal/recurrent"
	"chaffinch/model"
	"chaffinch/model/data"
)

// Kind is the kind of the model files of this package. docs/reference/formats/lines.md describes their
// format.
const Kind = "lines"

// Behaviour versions of model files.
//
//	1  sections "settings", "words", "chars", "nets", "cuts", "forest"
const (
	behaviour      = 1
	oldestReadable = 1
)

// Names of the sections. All sections except the settings are optional.
const (
	sectionSettings = "settings"
	sectionWords    = "words"
	sectionChars    = "chars"
	sectionNets     = "nets"
	sectionCuts     = "cuts"
	sectionForest   = "forest"
)

// maxNets is the maximum number of networks of a model.
const maxNets = 16

// settings is the JSON content of the settings section.
type settings struct {
	Columns   []string        `json:"columns"`
	Scripts   []string        `json:"scripts"`
	Usual     Usual           `json:"usual"`
	Mean      []float32       `json:"mean"`
	Scale     []float32       `json:"scale"`
	Shape     recurrent.Shape `json:"shape"`
	Nets      int             `json:"nets"`
	Mix       float32         `json:"mix"`
	Threshold float64         `json:"threshold"`
}

// Save writes m to a model file at path. h holds the training information: name, config,
// data, tool, card. Save sets its other fields. The output depends only on m and h.
func (m *Model) Save(path string, h model.Header) error {
	h.Kind, h.Behaviour = Kind, behaviour
	s := settings{Scripts: m.rows.Scripts, Usual: m.rows.Usual, Mean: m.rows.Mean, Scale: m.rows.Scale, Nets: len(m.nets), Mix: m.mix, Threshold: m.threshold}
	for _, c := range m.rows.columns {
		s.Columns = append(s.Columns, columnNames[c])
	}
	var nets, forest []byte
	var err error
	for _, n := range m.nets {
		s.Shape = n.Shape
		if nets, err = n.AppendBinary(nets); err != nil {
			return err
		}
	}
	if m.forest != nil {
		if forest, err = m.forest.AppendBinary(nil); err != nil {
			return err
		}
	}
	b, err := json.Marshal(s)
	if err != nil {
		return err
	}
	sections := []model.Section{{Name: sectionSettings, Bytes: b}}
	if m.words != nil {
		sections = append(sections, model.Section{Name: sectionWords, Bytes: m.words.append(nil)}, model.Section{Name: sectionChars, Bytes: m.chars.append(nil)})
	}
	if len(m.nets) > 0 {
		sections = append(sections, model.Section{Name: sectionNets, Bytes: nets})
	}
	if m.forest != nil {
		sections = append(sections, model.Section{Name: sectionCuts, Bytes: appendCuts(nil, m.cuts)}, model.Section{Name: sectionForest, Bytes: forest})
	}
	return model.Save(path, h, sections...)
}

// append writes the bias, the step size, and the weights in steps.
func (g *NGrams) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(g.Bias))
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(g.Scale))
	for _, w := range g.Weights {
		b = append(b, byte(w))
	}
	return b
}

// readNGrams reads the output of append.
func readNGrams(b []byte) (*NGrams, error) {
	if want := 8 + 1<<defaultTableBits; len(b) != want {
		return nil, fmt.Errorf("%d bytes, wanted %d", len(b), want)
	}
	g := &NGrams{
		Bias:  math.Float32frombits(binary.LittleEndian.Uint32(b)),
		Scale: math.Float32frombits(binary.LittleEndian.Uint32(b[4:])),
	}
	if !(math.Abs(float64(g.Bias)) < 1e3) || !(g.Scale >= 0 && g.Scale < 1e3) {
		return nil, fmt.Errorf("bias %v and scale %v, wanted numbers below 1000", g.Bias, g.Scale)
	}
	for i, v := range b[8:] {
		g.Weights[i] = int8(v)
	}
	return g, nil
}

// appendCuts writes the number of cuts and the cuts of each column.
func appendCuts(b []byte, all [][]float32) []byte {
	for _, cuts := range all {
		b = boost.AppendCuts(b, cuts)
	}
	return b
}

// readCuts reads the cuts of width columns.
func readCuts(b []byte, width int) ([][]float32, error) {
	all := make([][]float32, width)
	for c := range all {
		var err error
		if all[c], b, err = boost.ReadCuts(b); err != nil {
			return nil, fmt.Errorf("column %d of %d: %w", c, width, err)
		}
	}
	if len(b) > 0 {
		return nil, fmt.Errorf("%d bytes too many", len(b))
	}
	return all, nil
}

// Names of embedded models.
const (
	// Best is the embedded model. "" and "embedded" are synonyms.
	Best = "best"
	// FastName is the embedded model without its networks (see [Model.Fast]).
	FastName = "fast"
)

// Load reads the model file at path, or returns the embedded model of that name.
func Load(path string) (*Model, error) {
	if load := embeddedModel(path); load != nil {
		return load()
	}
	m, err := model.Load(path, parse)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w: name a file, or %s or %s, which are in the program", err, Best, FastName)
	}
	return m, err
}

// embeddedModel returns a function that returns the embedded model of that name, decoded at its first
// call. It returns nil for the path of a file.
func embeddedModel(name string) func() (*Model, error) {
	switch name {
	case "", "embedded", Best:
		return embedded
	case FastName:
		return embeddedFast
	}
	return nil
}

var embeddedFast = sync.OnceValues(func() (*Model, error) {
	m, err := Embedded()
	if err != nil {
		return nil, err
	}
	return m.Fast(), nil
})

// Parse reads a model file from memory. name is used in errors.
func Parse(name string, b []byte) (*Model, error) { return model.Decode(name, b, parse) }

// Embedded returns the embedded model.
func Embedded() (*Model, error) { return embedded() }

var embedded = sync.OnceValues(func() (*Model, error) { return Parse("embedded lines", data.Lines) })

func parse(f *model.File) (*Model, error) {
	if err := f.Want(Kind, oldestReadable, behaviour); err != nil {
		return nil, err
	}
	m := &Model{card: slices.Clone(f.Header.Card)}
	var s settings
	if err := f.ReadParts(model.Part{Name: sectionSettings, Read: func(b []byte) (err error) { s, err = m.readSettings(b); return err }}); err != nil {
		return nil, err
	}
	_, hasWords := f.Section(sectionWords)
	_, hasChars := f.Section(sectionChars)
	_, hasForest := f.Section(sectionForest)
	m.rows.grams = hasWords
	if hasWords != hasChars {
		return nil, fmt.Errorf("model %s: wanted both sections %q and %q, or none", f.Path(), sectionWords, sectionChars)
	}
	if s.Nets == 0 && !hasForest {
		return nil, fmt.Errorf("model %s: neither networks nor a forest", f.Path())
	}
	parts := []model.Part{
		{Name: sectionWords, Optional: true, Read: func(b []byte) (err error) { m.words, err = readNGrams(b); return err }},
		{Name: sectionChars, Optional: true, Read: func(b []byte) (err error) { m.chars, err = readNGrams(b); return err }},
	}
	if s.Nets > 0 {
		parts = append(parts, model.Part{Name: sectionNets, Read: func(b []byte) error { return m.readNets(s, b) }})
	}
	if hasForest {
		parts = append(parts,
			model.Part{Name: sectionCuts, Read: func(b []byte) (err error) { m.cuts, err = readCuts(b, m.width()); return err }},
			model.Part{Name: sectionForest, Read: m.readForest})
	}
	if err := f.ReadParts(parts...); err != nil {
		return nil, err
	}
	if w := m.width(); len(m.rows.Mean) != w {
		return nil, fmt.Errorf("model %s: means of %d columns, wanted %d", f.Path(), len(m.rows.Mean), w)
	}
	m.prepare()
	return m, nil
}

// readSettings reads the settings section.
func (m *Model) readSettings(b []byte) (s settings, err error) {
	if err := json.Unmarshal(b, &s); err != nil {
		return s, err
	}
	for _, name := range s.Columns {
		c := slices.Index(columnNames[:], name)
		if c < 0 {
			return s, fmt.Errorf("column %q, which this version does not compute: retrain the model", name)
		}
		if k := len(m.rows.columns); k > 0 && column(c) <= m.rows.columns[k-1] {
			return s, fmt.Errorf("column %q is in the wrong place: train the model again", name)
		}
		m.rows.columns = append(m.rows.columns, column(c))
	}
	if len(s.Mean) != len(s.Scale) {
		return s, fmt.Errorf("%d means and %d scales", len(s.Mean), len(s.Scale))
	}
	for i, v := range s.Mean {
		if !(math.Abs(float64(v)) < 1e6) || !(s.Scale[i] >= 0 && s.Scale[i] < 1e7) {
			return s, fmt.Errorf("column %d: mean %v and scale %v", i, v, s.Scale[i])
		}
	}
	if s.Nets < 0 || s.Nets > maxNets {
		return s, fmt.Errorf("%d networks, wanted at most %d", s.Nets, maxNets)
	}
	if !(s.Mix >= 0 && s.Mix <= 1) || !(s.Threshold >= 0 && s.Threshold <= 1) {
		return s, fmt.Errorf("share of the forest %v, threshold %v: wanted 0 to 1", s.Mix, s.Threshold)
	}
	for k := range lengths {
		if w, c := s.Usual.Words[k], s.Usual.Chars[k]; !(math.Abs(float64(w)) < 1e6) || !(math.Abs(float64(c)) < 1e6) {
			return s, fmt.Errorf("scores of lines of length %d: %v and %v", k, w, c)
		}
	}
	m.rows.Scripts, m.rows.Usual, m.rows.Mean, m.rows.Scale = s.Scripts, s.Usual, s.Mean, s.Scale
	m.mix, m.threshold = s.Mix, s.Threshold
	return s, nil
}

// readNets reads the weights of the networks.
func (m *Model) readNets(s settings, b []byte) error {
	if s.Shape.Dense != m.width() {
		return fmt.Errorf("networks for %d values, the rows have %d", s.Shape.Dense, m.width())
	}
	if len(b)%s.Nets != 0 {
		return fmt.Errorf("%d bytes for %d networks", len(b), s.Nets)
	}
	for part := range slices.Chunk(b, max(1, len(b)/s.Nets)) {
		n, err := recurrent.Parse(s.Shape, part)
		if err != nil {
			return err
		}
		m.nets = append(m.nets, n)
	}
	if len(m.nets) != s.Nets {
		return fmt.Errorf("%d networks, wanted %d", len(m.nets), s.Nets)
	}
	return nil
}

func (m *Model) readForest(b []byte) error {
	m.forest = new(boost.Forest)
	if err := m.forest.UnmarshalBinary(b); err != nil {
		return err
	}
	if m.forest.Columns() > m.width() {
		return fmt.Errorf("a tree reads column %d of %d", m.forest.Columns()-1, m.width())
	}
	return nil
}
