package extsort

import (
	"encoding/binary"
	"math"
	"math/bits"

	"chaffinch/internal/parallel"
)

const (
	// maxDigit is the maximum number of key bits of one round: the counts of all values still fit
	// into a cache.
	maxDigit = 17
	// perValue is the minimum number of records for each of these values.
	perValue = 2
	// maxRounds is the number of rounds up to which sortDigits is faster than sortWide, whose
	// rounds have fewer bits but read no more bytes than necessary.
	maxRounds = 3
)

// sortDigits is sortWide for keys of at most eight bytes that differ in few bits, such as small
// numbers. It is a radix sort from the last bits to the first. It moves each record once per round
// for any keys, whereas sortWide is slow if many keys have a common prefix. sorted is buf or aux,
// or nil if the method does not apply.
func sortDigits(buf, aux []byte, size, key, workers int) (sorted, other []byte) {
	records := uint64(len(buf) / size)
	if key > 8 || size < 8 || len(buf) < wideBytes || records > math.MaxUint32 {
		return nil, nil
	}
	mask := ^uint64(0) << (64 - 8*key)
	first, differ := binary.BigEndian.Uint64(buf), uint64(0)
	for i := 0; i < len(buf); i += size {
		differ |= binary.BigEndian.Uint64(buf[i:]) ^ first
	}
	if differ &= mask; differ == 0 {
		return buf, aux
	}
	low := uint(bits.TrailingZeros64(differ))
	n := uint(bits.Len64(differ)) - low
	digit := min(maxDigit, uint(bits.Len64(records/perValue)))
	rounds := (n + digit - 1) / digit
	if rounds > maxRounds {
		return nil, nil
	}
	r := round{size: size, bits: (n + rounds - 1) / rounds, parts: make([]part, max(workers, 1))}
	for i := range r.parts {
		r.parts[i].next = make([]uint32, 1<<r.bits)
	}
	sorted, other = buf, aux
	for i := range rounds {
		r.shift = low + i*r.bits
		r.move(other, sorted)
		sorted, other = other, sorted
	}
	return sorted, other
}

// round moves records to their positions by some bits of their first eight bytes.
type round struct {
	size        int
	shift, bits uint
	parts       []part
}

// part is the share of one goroutine.
type part struct {
	from []byte
	next []uint32 // the number of the position for the next record with these bits
}

func (r *round) move(to, from []byte) {
	n := len(from) / r.size
	for i := range r.parts {
		r.parts[i].from = from[i*n/len(r.parts)*r.size : (i+1)*n/len(r.parts)*r.size]
	}
	parallel.Each(len(r.parts), len(r.parts), func(i int) { r.count(&r.parts[i]) })
	at := uint32(0)
	for c := range 1 << r.bits {
		for i := range r.parts {
			n := r.parts[i].next[c]
			r.parts[i].next[c] = at
			at += n
		}
	}
	parallel.Each(len(r.parts), len(r.parts), func(i int) { r.scatter(to, &r.parts[i]) })
}

func (r *round) digit(rec []byte) uint64 {
	return binary.BigEndian.Uint64(rec) >> (r.shift & 63) & (1<<r.bits - 1)
}

func (r *round) count(p *part) {
	clear(p.next)
	for i := 0; i < len(p.from); i += r.size {
		p.next[r.digit(p.from[i:])]++
	}
}

func (r *round) scatter(to []byte, p *part) {
	size, next := r.size, p.next
	for i := 0; i < len(p.from); i += size {
		rec := p.from[i : i+size]
		c := r.digit(rec)
		at := int(next[c]) * size
		next[c]++
		copyRecord(to[at:at+size], rec)
	}
}

// copyRecord copies a record of at least eight bytes. Copies of 8 and of 16 bytes are inlined,
// longer ones are calls. The last copy overlaps the previous one.
func copyRecord(to, from []byte) {
	size := len(from)
	if size <= 16 {
		*(*[8]byte)(to) = *(*[8]byte)(from)
		*(*[8]byte)(to[size-8:]) = *(*[8]byte)(from[size-8:])
		return
	}
	for k := 0; k < size-16; k += 16 {
		*(*[16]byte)(to[k:]) = *(*[16]byte)(from[k:])
	}
	*(*[16]byte)(to[size-16:]) = *(*[16]byte)(from[size-16:])
}
