package warc

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"hash"
	"strings"
)

// Digest returns the SHA-1 of b in the form of WARC fields: "sha1:" and 32 letters of base
// 32.
func Digest(b []byte) string {
	sum := sha1.Sum(b)
	return sha1Label(sum[:])
}

func sha1Label(sum []byte) string { return "sha1:" + base32.StdEncoding.EncodeToString(sum) }

// newHash returns the hash function of a stated digest, or nil if it is not supported.
func newHash(stated string) hash.Hash {
	name, _, _ := strings.Cut(stated, ":")
	switch strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), "-", "") {
	case "sha1":
		return sha1.New()
	case "sha256":
		return sha256.New()
	case "sha512":
		return sha512.New()
	case "md5":
		return md5.New()
	}
	return nil
}

// sameDigest reports whether a stated digest equals a sum. Digests are in base 32, base 16
// or base 64, distinguished by their length.
func sameDigest(stated string, sum []byte) bool {
	_, v, _ := strings.Cut(stated, ":")
	v = strings.TrimSpace(v)
	if strings.EqualFold(v, hex.EncodeToString(sum)) {
		return true
	}
	if strings.EqualFold(strings.TrimRight(v, "="), strings.TrimRight(base32.StdEncoding.EncodeToString(sum), "=")) {
		return true
	}
	v = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(v, "="))
	return v == base64.RawStdEncoding.EncodeToString(sum)
}
