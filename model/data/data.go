// Package data holds the small models that are embedded in the program. Each file is built by
// one command from the training data; docs/reference/models has a model card for each.
//
// Unstable: this package may change in any release.
package data
