//go:build !amd64

package minhash

const shortMessage = 0

func sha1Short(*byte, int) uint64 { return 0 }
