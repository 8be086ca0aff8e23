package data

import (
	"errors"
	"maps"
	"slices"
)

var segmenters = map[string][]byte{}

// AddSegmenter embeds a model of word segmentation in the program. Package
// model/data/segmenters calls it for all available models.
func AddSegmenter(lang string, b []byte) { segmenters[lang] = b }

// Segmenter returns the model of word segmentation for a language, such as "ja", and reports
// whether the program embeds it.
func Segmenter(lang string) (b []byte, ok bool) {
	b, ok = segmenters[lang]
	return b, ok
}

// Segmented returns the languages of the embedded models of [Segmenter].
func Segmented() []string { return slices.Sorted(maps.Keys(segmenters)) }

// ErrNoSegmenters is returned where word segmentation is needed in a program without its models.
var ErrNoSegmenters = errors.New(`this program has no word segmenters for Chinese, Japanese, Thai and others: import _ "chaffinch/model/data/segmenters" for them`)
