package main

import (
	"fmt"

	"chaffinch/text/token/segment"
)

// segmenterFlag names models that find words.
type segmenterFlag struct {
	Segmenter []string `placeholder:"FILE" help:"Word segmenter for a language written without spaces, written by chaffinch train segmenter; replaces the embedded one for its language (docs/explanation/segment.md). Repeatable."`
}

// models opens the models.
func (f *segmenterFlag) models() (models []*segment.Model, err error) {
	for _, name := range f.Segmenter {
		m, err := segment.Open(name)
		if err != nil {
			return nil, fmt.Errorf("--segmenter: %w", err)
		}
		models = append(models, m)
	}
	return models, nil
}
