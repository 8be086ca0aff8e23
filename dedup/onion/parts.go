package onion

import (
	"context"
	"math/bits"
	"unsafe"

	"chaffinch/internal/huge"
	"chaffinch/internal/prefetch"
)

// gramPair is a hash of an n-gram in two halves. The highest digits of the first half select the [part]
// that numbers the hash, and stay. The part replaces the second half by a number + 1, or by 0 if the
// n-gram certainly occurs once. So parts work at the same time in the same memory.
type gramPair [2]uint32

// pairs returns hashes in halves.
func pairs(grams []uint64) []gramPair {
	return unsafe.Slice((*gramPair)(unsafe.Pointer(unsafe.SliceData(grams))), len(grams))
}

// hash returns the hash. Its highest digits are in the second half.
func (p *gramPair) hash() uint64 { return uint64(p[1])<<32 | uint64(p[0]) }

// part numbers the hashes whose first halves begin with the same digits.
type part struct {
	first  uint32 // these digits
	digits int    // their number
	sieve  sieve
	// grams numbers n-grams that occur at least twice, and a few others; uses counts them, up to 2.
	grams numbers
	uses  []uint8
	from  int // first number of the part in the collection
}

// mostParts limits the parts, each of which reads all hashes.
const mostParts = 16

// newParts returns at least one part for each of up to mostParts workers.
func newParts(workers int, docs []heldDoc) []part {
	total := 0
	for i := range docs {
		total += len(docs[i].grams)
	}
	digits := bits.Len(uint(min(workers, mostParts) - 1))
	parts := make([]part, 1<<digits)
	for i := range parts {
		parts[i] = part{first: uint32(i), digits: digits, sieve: sieve{mask: 1<<bits.Len(uint(total/16>>digits)) - 1}}
	}
	return parts
}

// batch is the number of n-grams that are looked up together.
const batch = 64

// number replaces the second halves of the hashes of the part.
func (x *part) number(ctx context.Context, docs []heldDoc) {
	x.sieve.uses = huge.Make[uint64](2*int(x.sieve.mask+1), 0)
	x.each(ctx, docs, x.sieve.add)
	x.grams = newNumbers(x.sieve.close())
	x.each(ctx, docs, x.replace)
	x.sieve, x.grams = sieve{}, numbers{}
}

// each calls fn for batches of n-grams and the positions in them of the hashes of the part.
func (x *part) each(ctx context.Context, docs []heldDoc, fn func(some []gramPair, own []uint8)) {
	var own [batch]uint8
	for i := range own {
		own[i] = uint8(i)
	}
	for i := range docs {
		if ctx.Err() != nil {
			return
		}
		for rest := pairs(docs[i].grams); len(rest) > 0; {
			some := rest[:min(batch, len(rest))]
			rest = rest[len(some):]
			n := len(some)
			if x.digits > 0 {
				n = x.find(&own, some)
			}
			fn(some, own[:n])
		}
	}
}

// find finds the hashes of the part. It returns their number.
func (x *part) find(own *[batch]uint8, some []gramPair) (n int) {
	first, digits, mask := x.first, x.digits, uint32(1)<<x.digits-1
	for i := range some {
		own[n%batch] = uint8(i)
		n += int(((bits.RotateLeft32(some[i][0], digits)&mask ^ first) - 1) >> 31)
	}
	return n
}

// replace numbers a batch of hashes. It first fetches their slots and what these refer to, since the
// table is larger than the caches of a processor.
func (x *part) replace(some []gramPair, own []uint8) {
	var hashes [batch]uint64
	var place [batch]uint8
	var slot [batch]uint32
	k := 0
	for _, i := range own {
		p := &some[i]
		h := p.hash()
		p[1] = 0
		at := k % batch
		place[at], hashes[at], slot[at] = i, h, uint32(x.grams.slot(h))
		k += x.sieve.again(h)
	}
	x.grams.fetch(slot[:k])
	for i, h := range hashes[:k] {
		n := x.grams.of(h)
		if n == len(x.uses) {
			x.uses = append(x.uses, 0)
		}
		x.uses[n] = min(x.uses[n]+1, 2)
		some[place[i]][1] = uint32(n) + 1
	}
}

// finish replaces hashes that all parts have numbered by the numbers + 1 of the collection, and
// n-grams that occur once by 0.
func finish(grams []uint64, parts []part) {
	for i, p := range pairs(grams) {
		x := &parts[int(bits.RotateLeft32(p[0], parts[0].digits))&(len(parts)-1)]
		if p[1] == 0 || x.uses[p[1]-1] < 2 {
			grams[i] = 0
		} else {
			grams[i] = uint64(x.from) + uint64(p[1])
		}
	}
}

// sieve finds hashes that occur once, except for a few. A hash uses the bit of its lowest digits.
type sieve struct {
	uses  []uint64 // by turns: bits used once or more, and twice or more
	twice []uint64 // bits that are used more than once
	mask  uint64
}

func (s *sieve) add(some []gramPair, own []uint8) {
	for _, i := range own {
		h := some[i].hash()
		k, bit := h>>6&s.mask*2, uint64(1)<<(h&63)
		u := s.uses[k : k+2]
		u[1] |= u[0] & bit
		u[0] |= bit
	}
}

// close ends the additions. It returns the number of bits that are used more than once.
func (s *sieve) close() (n int) {
	for i := range len(s.uses) / 2 {
		s.uses[i] = s.uses[2*i+1]
		n += bits.OnesCount64(s.uses[i])
	}
	s.twice = s.uses[:len(s.uses)/2]
	return n
}

// again returns 1 if a hash may occur more than once, else 0.
func (s *sieve) again(h uint64) int { return int(s.twice[h>>6&s.mask] >> (h & 63) & 1) }

// numbers numbers hashes from 0, in the order of their first occurrences. It is a hash table with linear
// probing.
type numbers struct {
	slots  []uint64 // two slots in an element: a number + 1, 0 if the slot is free
	shift  int      // the slot of a hash is hash >> shift, or one after it
	hashes []uint64 // by number + 1
}

// newNumbers returns a table for about n hashes.
func newNumbers(n int) numbers {
	size := max(bits.Len(uint(n+n/2)), 4)
	return numbers{slots: huge.Make[uint64](1<<(size-1), 0), shift: 64 - size, hashes: huge.Make[uint64](1, n+n/2)}
}

// slot returns the first slot for a hash.
func (x *numbers) slot(h uint64) int { return int(h >> (x.shift & 63)) }

// at returns the number + 1 in a slot.
func (x *numbers) at(slot int) uint32 { return uint32(x.slots[slot/2] >> (slot % 2 * 32)) }

// fetch loads slots, which it overwrites, and the hashes of their numbers into the caches.
func (x *numbers) fetch(slots []uint32) {
	prefetch.Words(x.slots, slots, 1)
	for i, s := range slots {
		slots[i] = x.at(int(s))
	}
	prefetch.Words(x.hashes, slots, 0)
}

// of returns the number of a hash.
func (x *numbers) of(h uint64) int {
	if 2*len(x.hashes) >= 3*len(x.slots) {
		x.grow()
	}
	for i := x.slot(h); ; i = (i + 1) & (2*len(x.slots) - 1) {
		n := x.at(i)
		if n == 0 {
			n = uint32(len(x.hashes))
			x.slots[i/2] |= uint64(n) << (i % 2 * 32)
			x.hashes = append(x.hashes, h)
		}
		if x.hashes[n] == h {
			return int(n) - 1
		}
	}
}

// grow doubles the slots.
func (x *numbers) grow() {
	old := x.hashes
	*x = newNumbers(max(2*len(old), 8))
	if old == nil {
		return
	}
	for n, h := range old[1:] {
		i := x.slot(h)
		for x.at(i) != 0 {
			i = (i + 1) & (2*len(x.slots) - 1)
		}
		x.slots[i/2] |= uint64(n+1) << (i % 2 * 32)
	}
	x.hashes = append(x.hashes, old[1:]...)
}
