package roles

import (
	"fmt"
	"sync"

	"chaffinch/internal/boost"
	"chaffinch/model"
	"chaffinch/model/data"
)

// kind is the kind of the model files of this package.
const kind = "pdfroles"

// behaviour is the version of the columns and roles.
const behaviour = 1

// Names of the sections.
const (
	sectionCuts   = "cuts"   // of each column, as boost.AppendCuts writes them
	sectionForest = "forest" // a boost.Classes
)

// Open reads a model file.
func Open(path string) (*Model, error) { return model.Load(path, parse) }

// Embedded returns the embedded model.
var Embedded = sync.OnceValues(func() (*Model, error) { return model.Decode("embedded pdfroles", data.PDFRoles, parse) })

func parse(f *model.File) (*Model, error) {
	if err := f.Want(kind, behaviour, behaviour); err != nil {
		return nil, err
	}
	m := &Model{}
	err := f.ReadParts(
		model.Part{Name: sectionCuts, Read: m.readCuts},
		model.Part{Name: sectionForest, Read: m.forest.UnmarshalBinary},
	)
	if err != nil {
		return nil, err
	}
	return m, m.check()
}

func (m *Model) readCuts(b []byte) error {
	for len(b) > 0 {
		cuts, rest, err := boost.ReadCuts(b)
		if err != nil {
			return fmt.Errorf("column %d: %w", len(m.cuts), err)
		}
		m.cuts, b = append(m.cuts, cuts), rest
	}
	return nil
}

// Save writes m to a model file. h holds the training information: name, config, data, tool, card.
func (m *Model) Save(path string, h model.Header) error {
	h.Kind, h.Behaviour = kind, behaviour
	var cuts []byte
	for _, c := range m.cuts {
		cuts = boost.AppendCuts(cuts, c)
	}
	forest, err := m.forest.AppendBinary(nil)
	if err != nil {
		return err
	}
	return model.Save(path, h, model.Section{Name: sectionCuts, Bytes: cuts}, model.Section{Name: sectionForest, Bytes: forest})
}
