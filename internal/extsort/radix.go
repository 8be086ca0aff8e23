package extsort

import (
	"bytes"
	"encoding/binary"

	"chaffinch/internal/parallel"
)

// fewRecords is the number of records up to which an insertion sort is faster than another round of
// counting.
const fewRecords = 24

// fewBins is the number of records up to which rounds are faster than a bin.
const fewBins = 128

// Sort sorts records of size bytes by their first key bytes, in memory, on several goroutines. It
// is stable. aux is a buffer of the same length. sorted is buf or aux; the content of other is
// undefined.
func Sort(buf, aux []byte, size, key, workers int) (sorted, other []byte) {
	if sorted, other = sortDigits(buf, aux, size, key, workers); sorted == nil {
		sortWide(buf, aux, size, key, workers)
		return buf, aux
	}
	return sorted, other
}

// sortWide sorts the records of buf, of size bytes each, by their first key bytes. It is stable.
// aux is a buffer of the same length; its content is undefined afterwards.
//
// It is a radix sort from the first byte to the last (McIlroy, Bostic and McIlroy, Engineering
// radix sort, 1993), between two buffers. Parts that fit in a processor's cache are sorted as bins.
// Several goroutines sort the groups of records that a round has separated.
func sortWide(buf, aux []byte, size, key, workers int) {
	s := sorting{size: size, key: key, workers: workers}
	s.sort(buf, aux[:len(buf)], 0, false)
}

// wideBytes is the minimum size in bytes to use several goroutines.
const wideBytes = 1 << 20

type sorting struct {
	size, key int
	workers   int
	rec       [maxRecord]byte // buffer for a record that is moved
	bin       *bin            // created on first use
}

// sort sorts a, whose records share their first depth bytes. The result is in a, or with move in b.
func (s *sorting) sort(a, b []byte, depth int, move bool) {
	n := len(a) / s.size
	var next [256]int
	for {
		if n <= fewRecords || depth >= s.key {
			if depth < s.key && n > 1 {
				s.insertion(a, depth)
			}
			if move {
				copy(b, a)
			}
			return
		}
		if n > fewBins && n <= binRecords && len(a) <= binBytes {
			if s.bin == nil {
				s.bin = &bin{size: s.size, key: s.key}
			}
			if s.bin.sort([][]byte{a}, 8*depth, 0); move {
				copy(b, s.bin.out)
			} else {
				copy(a, s.bin.out)
			}
			return
		}
		next = [256]int{}
		for i := depth; i < len(a); i += s.size {
			next[a[i]] += s.size
		}
		if next[a[depth]] < len(a) {
			break
		}
		depth = s.common(a, depth+1)
	}
	at := 0
	for c, m := range &next {
		next[c] = at
		at += m
	}
	scatter(b, a, s.size, depth, &next)
	if s.workers > 1 && len(a) >= wideBytes {
		ends := next // next itself remains on the stack
		bins := make([]*bin, s.workers)
		parallel.EachOf(s.workers, len(ends), func(w, c int) {
			own, from := sorting{size: s.size, key: s.key, workers: s.workers, bin: bins[w]}, 0
			if c > 0 {
				from = ends[c-1]
			}
			if ends[c] > from {
				own.sort(b[from:ends[c]], a[from:ends[c]], depth+1, !move)
				bins[w] = own.bin
			}
		})
		return
	}
	at = 0
	for _, end := range &next {
		if end > at {
			s.sort(b[at:end], a[at:end], depth+1, !move)
			at = end
		}
	}
}

// common returns the number of key bytes that all records of a share, at least depth.
func (s *sorting) common(a []byte, depth int) int {
	end := s.key
	for i := s.size; i < len(a) && end > depth; i += s.size {
		for j := depth; j < end; j++ {
			if a[i+j] != a[j] {
				end = j
			}
		}
	}
	return end
}

// insertion sorts a few records that share their first depth bytes.
func (s *sorting) insertion(a []byte, depth int) {
	if s.key < 8 {
		for i := s.size; i < len(a); i += s.size {
			j := i
			for j > 0 && bytes.Compare(a[j-s.size:][:s.key], a[i:][:s.key]) > 0 {
				j -= s.size
			}
			s.insert(a, j, i)
		}
		return
	}
	at := min(depth, s.key-8)
	for i := s.size; i < len(a); i += s.size {
		x := binary.BigEndian.Uint64(a[i+at:])
		j := i
		for j > 0 {
			y := binary.BigEndian.Uint64(a[j-s.size+at:])
			if y < x || y == x && bytes.Compare(a[j-s.size+at+8:j-s.size+s.key], a[i+at+8:i+s.key]) <= 0 {
				break
			}
			j -= s.size
		}
		s.insert(a, j, i)
	}
}

// insert moves the record at i to j.
func (s *sorting) insert(a []byte, j, i int) {
	if i == j {
		return
	}
	copy(s.rec[:s.size], a[i:])
	copy(a[j+s.size:i+s.size], a[j:i])
	copy(a[j:], s.rec[:s.size])
}

// scatter copies each record to its position by byte j.
func scatter(to, from []byte, size, j int, next *[256]int) {
	for i := 0; i < len(from); i += size {
		at := next[from[i+j]]
		next[from[i+j]] = at + size
		if to, from := to[at:at+size], from[i:i+size]; size >= 8 {
			copyRecord(to, from)
		} else {
			copy(to, from)
		}
	}
}
