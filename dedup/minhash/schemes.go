package minhash

import (
	"crypto/sha1"
	"encoding/binary"

	"chaffinch/dedup/shingle"
)

// ours hashes folded words, see package shingle.
func ours(cfg *Config) scheme {
	unit := shingle.Word
	if cfg.NgramUnit == "char" {
		unit = shingle.Char
	}
	return scheme{
		words: &shingle.Config{Unit: unit, N: cfg.Ngram, Lower: true, Canonical: true, FoldTokens: true},
		short: oneShingle,
	}
}

// low32 keeps 32 bits, high all that the modulus leaves.
const (
	low32 = 1<<32 - 1
	high  = 1<<64 - 1
)

// fineweb64 is datatrove's MinhashConfig with HashConfig(precision=64,
// hash_fc="sha1"): seed 1, all a before all b (datatrove 0.10.1,
// pipeline/dedup/minhash.py).
func fineweb64(cfg *Config) scheme {
	return scheme{text: fineWebText, hash: sha64, short: noShingle, family: blocked(1, cfg.Bands*cfg.Rows, high)}
}

func fineweb32(cfg *Config) scheme {
	return scheme{text: fineWebText, hash: sha32, short: noShingle, family: blocked(1, cfg.Bands*cfg.Rows, low32)}
}

// textDedup is text-dedup 0.4.0 (text_dedup/minhash.py) with its 64 bits, which are
// the lower 32 of SHA-1. The seed is 42, and all a come before all b, one for each
// requested permutation. Texts of less than 5 tokens have no near-duplicates; that
// program leaves them out of its output.
func textDedup(cfg *Config) scheme {
	return scheme{text: nonWords, hash: sha32, least: 5, short: oneShingle, family: blocked(42, max(240, cfg.Bands*cfg.Rows), low32)}
}

// dataJuicer is data-juicer 1.6.1 (document_minhash_deduplicator): seed 42, a
// and b in turn.
func dataJuicer(cfg *Config) scheme {
	return scheme{text: spaces, hash: sha32, short: allAlike, family: paired(42, cfg.Bands*cfg.Rows, low32)}
}

// nemo is NeMo Curator's MinHashStage with its default of 32 bits: windows of
// characters under MurmurHash3, seeded with the first a.
func nemo(cfg *Config) scheme {
	f := paired32(42, cfg.Bands*cfg.Rows)
	seed := uint32(f.a[0])
	return scheme{text: unchanged, hash: func(b []byte) uint64 { return uint64(murmur3(b, seed)) }, short: oneShingle, family: f}
}

// sha32 and sha64 are the first bytes of SHA-1, little-endian (datasketch's
// hash function).
func sha32(b []byte) uint64 { return sha64(b) & low32 }

func sha64(b []byte) uint64 {
	if n := len(b); 0 < n && n <= shortMessage {
		return sha1Short(&b[0], n)
	}
	sum := sha1.Sum(b)
	return binary.LittleEndian.Uint64(sum[:])
}
