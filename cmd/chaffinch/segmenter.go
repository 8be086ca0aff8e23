package main

import (
	"fmt"

	"chaffinch/text/token/segment"
)

// segmenterFlag names models that find words.
type segmenterFlag struct {
	Segmenter []string `placeholder:"FILE" help:"Model that segments words in a language written without spaces, made by chaffinch train segmenter: for text in its language, in place of the embedded one (docs/explanation/segment.md). Repeatable."`
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
