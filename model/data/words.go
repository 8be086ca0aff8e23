package data

import _ "embed"

// wordsEnglish is the English word model, made by model/data/make-en.sh
// (docs/models/en.md).
//
//go:embed words_en.chf
var wordsEnglish []byte

// Words returns the word n-gram model of a language, such as "en".
func Words(name string) (b []byte, ok bool) {
	if name == "en" {
		return wordsEnglish, true
	}
	return nil, false
}

// WordModels returns the names of the embedded word n-gram models.
func WordModels() []string { return []string{"en"} }
