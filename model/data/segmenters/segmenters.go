// Package segmenters embeds the models of word segmentation for Burmese, Chinese, Japanese, Khmer,
// Lao, Thai and Tibetan in a program. Their 1.9 MB are needed only to split text in these languages
// into words, and by the rules of package filter, which count words:
//
//	import _ "chaffinch/model/data/segmenters"
//
// Package format/vertical imports it, and so do build/recipe, corpus, dedup, filter/job and serve.
//
// Unstable: this package may change in any release.
package segmenters

import (
	_ "embed"

	"chaffinch/model/data"
)

// Models for languages written without spaces, trained by model/data/make-segment.sh with
// "chaffinch train segmenter" (docs/reference/models/segment.md).
var (
	//go:embed segment_bo.chf
	tibetan []byte
	//go:embed segment_ja.chf
	japanese []byte
	//go:embed segment_km.chf
	khmer []byte
	//go:embed segment_lo.chf
	lao []byte
	//go:embed segment_my.chf
	burmese []byte
	//go:embed segment_th.chf
	thai []byte
	//go:embed segment_zh.chf
	chinese []byte
)

func init() {
	data.AddSegmenter("bo", tibetan)
	data.AddSegmenter("ja", japanese)
	data.AddSegmenter("km", khmer)
	data.AddSegmenter("lo", lao)
	data.AddSegmenter("my", burmese)
	data.AddSegmenter("th", thai)
	data.AddSegmenter("zh", chinese)
}
