// Package data holds the models that are part of the program, each made by one
// documented command and described by a model card (docs/models).
package data

// wordModels are the embedded word n-gram models.
var wordModels = map[string][]byte{}

// Words returns the word n-gram model of a language, such as "en".
func Words(name string) (b []byte, ok bool) {
	b, ok = wordModels[name]
	return b, ok
}

// WordModels returns the names of the embedded word n-gram models.
func WordModels() []string { return []string{} }
