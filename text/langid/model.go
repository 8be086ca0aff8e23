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

// Langs returns the tags of the languages of m, sorted.
func (m *Model) Langs() []string { return m.m.Langs() }

// Detector returns a detector that uses m. cfg.Model is ignored.
func (m *Model) Detector(cfg Config) (*Detector, error) { return detector(m.m, cfg) }
