package transformer

import (
	"encoding/json"
	"fmt"

	"chaffinch/internal/recurrent"
	"chaffinch/model"
)

// The kind of the model files and the version of their contents.
//
//	1  sections "scale" (means, then factors) and "net" (recurrent.Net)
const (
	kind      = "transformer.lines"
	behaviour = 1
)

// Save writes the network over the lines to a file in the format of package model. The file
// contains the hash of the transformer's files but not the transformer.
func (m *Model) Save(path, tool string) error {
	config, err := json.Marshal(m.info)
	if err != nil {
		return err
	}
	net, err := m.net.AppendBinary(nil)
	if err != nil {
		return err
	}
	return model.Save(path, model.Header{Kind: kind, Behaviour: behaviour, Name: "lines", Config: config, Tool: tool},
		model.Section{Name: "scale", Bytes: appendFloats(appendFloats(nil, m.scale.mean), m.scale.factor)},
		model.Section{Name: "net", Bytes: net})
}

// Open reads a file written by [Model.Save] and opens the encoder of cfg. The settings that affect
// vectors are read from the file instead of cfg.
func Open(path string, cfg Config) (*Model, error) {
	f, err := model.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := f.Want(kind, behaviour, behaviour); err != nil {
		return nil, err
	}
	m := &Model{}
	if err := m.parse(f); err != nil {
		return nil, fmt.Errorf("model %s: %w", path, err)
	}
	cfg.Output, cfg.Pooling, cfg.MaxLength = m.info.Output, m.info.Encoder.Pooling, m.info.Encoder.MaxLength
	e, err := New(cfg)
	if err != nil {
		return nil, err
	}
	if e.sum != m.info.EncoderSHA256 || e.width != m.info.Shape.Dense {
		e.Close()
		return nil, fmt.Errorf("model %s: made with a transformer and tokenizer of SHA-256 %.12s, these have %.12s: name the same two files, or train again",
			path, m.info.EncoderSHA256, e.sum)
	}
	m.encoder = e
	return m, nil
}

func (m *Model) parse(f *model.File) error {
	if err := json.Unmarshal(f.Header.Config, &m.info); err != nil {
		return fmt.Errorf("header: %w", err)
	}
	scale, _ := f.Section("scale")
	width := m.info.Shape.Dense
	if width < 1 || len(scale) != 8*width {
		return fmt.Errorf("scale of %d bytes for vectors of width %d", len(scale), width)
	}
	all := floats(scale)
	m.scale.mean, m.scale.factor = all[:width], all[width:]
	net, _ := f.Section("net")
	var err error
	m.net, err = recurrent.Parse(m.info.Shape, net)
	return err
}
