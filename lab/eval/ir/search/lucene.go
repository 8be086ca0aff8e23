package search

import "math/bits"

// luceneLength holds the length for each byte of Lucene's norms (SmallFloat.byte4ToInt): exact up
// to 39, then with three bits after the first one.
var luceneLength = func() (t [256]int) {
	for b := range t {
		if b < luceneFree {
			t[b] = b
			continue
		}
		i := b - luceneFree
		if shift := i>>3 - 1; shift < 0 {
			t[b] = luceneFree + i&7
		} else {
			t[b] = luceneFree + (i&7|8)<<shift
		}
	}
	return t
}()

// luceneFree is the number of lengths from 0 with a separate byte.
const luceneFree = 24

// luceneByte returns the byte for a length (SmallFloat.intToByte4).
func luceneByte(n int) byte {
	if n < luceneFree {
		return byte(n)
	}
	n -= luceneFree
	width := bits.Len(uint(n))
	if width < 4 {
		return byte(luceneFree + n)
	}
	shift := width - 4
	return byte(luceneFree + (n>>shift&7 | (shift+1)<<3))
}
