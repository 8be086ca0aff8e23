package data

// Taggers holds the models of package text/tag for some languages. It is nil unless the program
// imports model/data/taggers.
var Taggers []byte
