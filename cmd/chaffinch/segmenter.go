package main

import (
	"fmt"

	"chaffinch/token/segment"
)

// segmenterFlag names models that find words.
type segmenterFlag struct {
	Segmenter []string `placeholder:"FILE" help:"Model that finds words in a language written without blanks, of chaffinch train segmenter: for text in its language, in place of the embedded one (docs/segment.md). May be given several times."`
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
