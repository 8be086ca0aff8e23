// Package shingle turns text into hashes of its n-grams of words or characters:
// the one engine under duplicates, fingerprints and decontamination. The hashes
// are the same on every machine and in every version of a format that stores
// them.
package shingle
