package extsort

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"

	"chaffinch/internal/parallel"
)

const (
	// binRecords and binBytes limit the records that are sorted at once, in a processor's cache.
	binRecords, binBytes = 1 << 16, 1 << 20
	// maxBinBits is the maximum number of key bits of one distribution.
	maxBinBits = 11
	// maxDigits is the maximum number of key bits by which a bin is divided.
	maxDigits = 12
	// prefixBits is the number of bits beyond the number of records by which takeRepeated compares.
	prefixBits = 2
	// numberBits are the last bits of a sort key, for the number of the record in its bin.
	numberBits = 16
)

// binSorter sorts records in chunks. It distributes the records to bins by the first bits that
// differ, until a bin fits in a processor's cache. A chunk is free as soon as its records are
// distributed, so that there is one copy of the records, apart from partly filled chunks.
type binSorter struct {
	size, key int
	alloc     func() []byte
	free      func(chunk []byte)
	emit      func(sorted []byte) error
	bins      []bin // one for each goroutine
}

// bin sorts the records of a bin.
type bin struct {
	size, key int
	recs, out []byte
	keys, aux []uint64
	next      []uint32    // of all groups being divided
	uses      [][2]uint64 // sets of prefixes: used once or more, and twice or more
}

func newBinSorter(size, key, workers int) *binSorter {
	s := &binSorter{size: size, key: key, bins: make([]bin, max(workers, 1))}
	for i := range s.bins {
		s.bins[i] = bin{size: size, key: key}
	}
	return s
}

// sort emits the records of chunks in order. They share their first from bits. Records that share
// the first single bytes of their key with no other record are dropped; 0 drops none.
func (s *binSorter) sort(chunks [][]byte, from, single int) error {
	if s.fits(chunks) {
		return s.sortBins([][][]byte{chunks}, from, single)
	}
	from = differ(chunks, s.size, s.key, from)
	if from >= 8*s.key { // all are equal
		for _, c := range chunks {
			if err := s.emit(c); err != nil {
				return err
			}
			s.free(c)
		}
		return nil
	}
	total := length(chunks)
	// The mean bin is a quarter of the largest one. On average half a chunk of a bin is empty.
	n := max(min(bits.Len(uint(4*total/binBytes)), bits.Len(uint(total/(2*cap(chunks[0]))))-1), 1)
	n = min(n, maxBinBits, 8*s.key-from)
	if from >= 8*single { // they share the prefix with each other
		single = 0
	} else {
		n = min(n, 8*single-from)
	}
	d := newSpread(s.size, from, n, s.alloc)
	for i, c := range chunks {
		chunks[i] = nil
		d.add(c)
		s.free(c)
	}
	return s.sortSpread(d.all(), from+n, single)
}

// sortSpread emits the records of bins in order. The records of a bin share their first from bits.
func (s *binSorter) sortSpread(bins [][][]byte, from, single int) error {
	for at := 0; at < len(bins); {
		end := at
		for end < len(bins) && end-at < len(s.bins) && s.fits(bins[end]) {
			end++
		}
		var err error
		if end > at {
			err = s.sortBins(bins[at:end], from, single)
		} else {
			err = s.sort(bins[end], from, single)
			end++
		}
		if err != nil {
			return err
		}
		clear(bins[at:end])
		at = end
	}
	return nil
}

func length(chunks [][]byte) (n int) {
	for _, c := range chunks {
		n += len(c)
	}
	return n
}

// fits reports whether chunks can be sorted as one bin.
func (s *binSorter) fits(chunks [][]byte) bool {
	n := length(chunks)
	return n <= binBytes && n/s.size <= binRecords
}

// sortBins emits the records of bins, at most one for each goroutine.
func (s *binSorter) sortBins(bins [][][]byte, from, single int) error {
	parallel.Each(len(bins), len(bins), func(i int) { s.bins[i].sort(bins[i], from, single) })
	for i, chunks := range bins {
		for _, c := range chunks {
			s.free(c)
		}
		if len(s.bins[i].out) > 0 {
			if err := s.emit(s.bins[i].out); err != nil {
				return err
			}
		}
	}
	return nil
}

// sureBits is the number of bits that load returns at least.
const sureBits = 57

// field reads bits of records of one size.
type field struct{ at, left int }

// fieldFrom returns the field of the bits from bit from on.
func fieldFrom(size, from int) field {
	at := max(min(from/8, size-8), 0)
	return field{at, (from - 8*at) & 63}
}

// load returns the bits of a record, sureBits to 64, and zeros after the last one.
func (f field) load(rec []byte) uint64 {
	if len(rec) >= 8 {
		return binary.BigEndian.Uint64(rec[f.at:]) << f.left
	}
	var b [8]byte
	copy(b[:], rec)
	return binary.BigEndian.Uint64(b[:]) << f.left
}

// differ returns the number of first bits of the key that all records share. It is at least from,
// which the caller knows.
func differ(chunks [][]byte, size, key, from int) int {
	first := chunks[0][:size]
	for from < 8*key {
		f := fieldFrom(size, from)
		x, diff := f.load(first), uint64(0)
		for _, c := range chunks {
			for at := 0; at < len(c); at += size {
				diff |= f.load(c[at:at+size]) ^ x
			}
			if diff>>63 != 0 {
				return from
			}
		}
		if n := bits.LeadingZeros64(diff); n < sureBits {
			return min(from+n, 8*key)
		}
		from += sureBits
	}
	return 8 * key
}

// sort puts the sorted records of chunks into b.out.
func (b *bin) sort(chunks [][]byte, from, single int) {
	b.recs, b.out = b.recs[:0], b.out[:0]
	if from < 8*single {
		b.takeRepeated(chunks, from, single)
	} else {
		for _, c := range chunks {
			b.recs = append(b.recs, c...)
		}
	}
	n := len(b.recs) / b.size
	if n == 0 || n == 1 && single > 0 {
		return
	}
	from = differ([][]byte{b.recs}, b.size, b.key, from)
	b.sortKeys(n, from)
	if single == 0 || from >= 8*single {
		b.gather(func(int) bool { return true })
		return
	}
	// The prefix is compared by its bits in the sort key first.
	shift := max(numberBits, 64-(8*single-from))
	alike := func(i int) bool {
		x, y := b.keys[i], b.keys[i+1]
		return (x^y)>>shift == 0 && bytes.Equal(b.record(x)[:single], b.record(y)[:single])
	}
	before := false
	b.gather(func(i int) bool {
		after := i+1 < n && alike(i)
		keep := before || after
		before = after
		return keep
	})
}

// takeRepeated copies the records of chunks to b.recs. It omits most records that share their first
// single bytes with no other record. It compares so many bits after the first from that few records
// are equal by chance.
func (b *bin) takeRepeated(chunks [][]byte, from, single int) {
	all := length(chunks)
	digits := min(bits.Len(uint(all/b.size))+prefixBits, 8*single-from, sureBits)
	b.uses = resized(b.uses, 1<<max(digits-6, 0))
	clear(b.uses)
	f := fieldFrom(b.size, from)
	for _, c := range chunks {
		for at := 0; at < len(c); at += b.size {
			k := f.load(c[at:at+b.size]) >> (64 - digits)
			u, bit := &b.uses[k>>6], uint64(1)<<(k&63)
			u[1] |= u[0] & bit
			u[0] |= bit
		}
	}
	b.recs = resized(b.recs, all)
	n := 0
	for _, c := range chunks {
		for at := 0; at < len(c); at += b.size {
			rec := c[at : at+b.size]
			k := f.load(rec) >> (64 - digits)
			if b.size >= 8 {
				copyRecord(b.recs[n:], rec)
			} else {
				copy(b.recs[n:], rec)
			}
			n += b.size * int(b.uses[k>>6][1]>>(k&63)&1)
		}
	}
	b.recs = b.recs[:n]
}

// sortKeys fills b.keys with the sort keys of n records, in order. A sort key consists of the first
// bits of the key that differ and the number of the record.
func (b *bin) sortKeys(n, from int) {
	b.keys, b.aux = resized(b.keys, n), resized(b.aux, n)
	mask := ^uint64(1<<numberBits - 1)
	if left := 8*b.key - from; left < 64-numberBits {
		mask = ^(^uint64(0) >> left)
	}
	f := fieldFrom(b.size, from)
	for i := range b.keys {
		b.keys[i] = f.load(b.recs[i*b.size:(i+1)*b.size])&mask | uint64(i)
	}
	b.sortGroup(b.keys, b.aux)
}

func resized[T any](b []T, n int) []T {
	if cap(b) < n {
		return make([]T, n, n+n/4)
	}
	return b[:n]
}

// sortGroup sorts sort keys. Where their bits of the key are equal, the records decide. aux is a
// buffer of the same length.
func (b *bin) sortGroup(keys, aux []uint64) {
	if len(keys) <= fewRecords {
		b.insertion(keys)
		return
	}
	diff := uint64(0)
	for _, k := range keys {
		diff |= k ^ keys[0]
	}
	if diff>>numberBits == 0 {
		slices.SortFunc(keys, b.compare)
		return
	}
	// Divide by the first bits that differ.
	digit := min(bits.Len(uint(len(keys)))-1, maxDigits)
	shift := max(bits.Len64(diff)-digit, numberBits)
	values := 1 << (bits.Len64(diff) - shift)
	used := len(b.next)
	b.next = slices.Grow(b.next, values+1)[:used+values+1]
	next := b.next[used:]
	clear(next)
	mask := uint64(values - 1)
	for _, k := range keys {
		next[k>>shift&mask+1]++
	}
	for c := range values {
		next[c+1] += next[c]
	}
	copy(aux, keys)
	for _, k := range aux {
		c := k >> shift & mask
		keys[next[c]] = k
		next[c]++
	}
	start := uint32(0)
	for _, end := range next[:values] {
		if end-start > 1 {
			b.sortGroup(keys[start:end], aux[start:end])
		}
		start = end
	}
	b.next = b.next[:used]
}

// insertion sorts a few sort keys.
func (b *bin) insertion(keys []uint64) {
	for i := 1; i < len(keys); i++ {
		k, j := keys[i], i
		for ; j > 0; j-- {
			other := keys[j-1]
			if x, y := other>>numberBits, k>>numberBits; x < y || x == y && b.compare(other, k) < 0 {
				break
			}
			keys[j] = other
		}
		keys[j] = k
	}
}

// compare compares two sort keys of different records.
func (b *bin) compare(x, y uint64) int {
	if x>>numberBits != y>>numberBits {
		return cmp.Compare(x, y)
	}
	return cmp.Or(bytes.Compare(b.record(x)[:b.key], b.record(y)[:b.key]), cmp.Compare(x, y))
}

// record returns the record of a sort key.
func (b *bin) record(k uint64) []byte {
	at := int(k&(1<<numberBits-1)) * b.size
	return b.recs[at : at+b.size]
}

// gather puts the records in order into b.out. keep is called with the positions in order.
func (b *bin) gather(keep func(i int) bool) {
	b.out = resized(b.out, len(b.recs))
	at := 0
	for i, k := range b.keys {
		if !keep(i) {
			continue
		}
		to := b.out[at : at+b.size]
		if b.size >= 8 {
			copyRecord(to, b.record(k))
		} else {
			copy(to, b.record(k))
		}
		at += b.size
	}
	b.out = b.out[:at]
}
