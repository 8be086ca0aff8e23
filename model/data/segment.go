package data

import _ "embed"

// Models that find words in languages written without spaces, made by
// make-segment.sh with "chaffinch train segmenter" (docs/models/segment.md).
var (
	//go:embed segment_ja.chf
	segmentJapanese []byte
	//go:embed segment_th.chf
	segmentThai []byte
	//go:embed segment_zh.chf
	segmentChinese []byte
)

// Segmenter returns the model that finds words in a language, such as "ja".
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
