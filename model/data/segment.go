package data

import _ "embed"

// Models of word segmentation for languages written without spaces, trained by make-segment.sh
// with "chaffinch train segmenter" (docs/reference/models/segment.md).
var (
	//go:embed segment_ja.chf
	segmentJapanese []byte
	//go:embed segment_th.chf
	segmentThai []byte
	//go:embed segment_zh.chf
	segmentChinese []byte
)

// Segmenter returns the model of word segmentation for a language, such as "ja", and reports
// whether it exists.
func Segmenter(lang string) (b []byte, ok bool) {
	switch lang {
	case "ja":
		return segmentJapanese, true
	case "th":
		return segmentThai, true
	case "zh":
		return segmentChinese, true
	}
	return nil, false
}

// Segmented returns the languages of the embedded models of [Segmenter].
func Segmented() []string { return []string{"ja", "th", "zh"} }
