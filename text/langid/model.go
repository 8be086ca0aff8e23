package langid

import "chaffinch/text/langid/evidence"

// Model is a model file in memory.
type Model struct{ m *evidence.Model }

// Parse parses a model file in memory. [New] opens a model file by its path.
func Parse(name string, b []byte) (*Model, error) {
	m, err := evidence.Parse(name, b)
	if err != nil {
		return nil, err
	}
	return &Model{m}, nil
}

// chosen is the model of UseModel, and its path.
var chosen struct {
	path string
	m    *evidence.Model
}

// UseModel makes the model file at path the model of [Default], [DefaultPage] and [DefaultFilter]; ""
// is the embedded model. Call it before other goroutines use this package.
func UseModel(path string) error {
	var m *evidence.Model
	if path != "" {
		var err error
		if m, err = evidence.Open(path); err != nil {
			return err
		}
	}
	chosen.path, chosen.m = path, m
	Default.Model, DefaultPage.Model, DefaultFilter.Model = path, path, path
	return nil
}

// open returns the model at a path, "" for the embedded one.
func open(path string) (*evidence.Model, error) {
	switch path {
	case "":
		return embedded()
	case chosen.path:
		return chosen.m, nil
	}
	return evidence.Open(path)
}

// Langs returns the tags of the languages of m, sorted.
func (m *Model) Langs() []string { return m.m.Langs() }

// Detector returns a detector that uses m. cfg.Model is ignored.
func (m *Model) Detector(cfg Config) (*Detector, error) { return detector(m.m, cfg) }
