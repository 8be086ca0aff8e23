//go:build !amd64

package token

const vectors = false

func flagsVector(*byte) (words, inner, top uint64) { return 0, 0, 0 }
