//go:build !amd64

package minhash

func signEights(sig, a, b, shingles []uint64) int { return 0 }
