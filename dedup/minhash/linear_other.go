//go:build !amd64

package minhash

func (*linear) signEights(sig, shingles []uint64) int { return 0 }
