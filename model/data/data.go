// Package data holds the small models that are part of the program. Each file
// is made by one command from the training data; docs/models has a card for
// each.
//
// Unstable: this package may change in any release.
package data
