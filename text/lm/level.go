package lm

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
)

// level holds the n-grams of one order in the reverse trie: records of equal width, packed bit
// by bit. The children of an n-gram are the n-grams one word longer to the left. They are
// contiguous in the next level, sorted by key, the scrambled id of the added word.
//
//	record = key | value | back-off | index of the first child
//
// Level 1 has no key: its index is the id. The last level has neither back-off nor children.
// One extra record at the end closes the last row.
type level struct {
	data   []byte
	n      uint64
	width  uint64
	keyLen uint // bits of each field
	valLen uint
	bowLen uint
	subLen uint
	value  []float32 // codebook of log10 probabilities; nil: the bits are a float32 or a count
	bow    []float32 // codebook of log10 back-off weights; nil: float32
}

// slack is the number of bytes after the records, so that eight bytes can be read at any
// position.
const slack = 8

func (l *level) size() int { return int((uint64(l.width)*(l.n+1)+7)/8) + slack }

// field reads length bits at bit position at. length is at most 57.
func (l *level) field(at uint64, length uint) uint64 {
	return binary.LittleEndian.Uint64(l.data[at>>3:]) >> (at & 7) & (1<<length - 1)
}

func (l *level) key(i uint64) uint64 { return l.field(i*l.width, l.keyLen) }

// raw returns the value bits of n-gram i: an index into the codebook, the bits of a float32, or
// a count.
func (l *level) raw(i uint64) uint64 { return l.field(i*l.width+uint64(l.keyLen), l.valLen) }

func (l *level) prob(i uint64) float32 {
	v := l.raw(i)
	if l.value == nil {
		return math.Float32frombits(uint32(v))
	}
	return l.value[v]
}

func (l *level) backoff(i uint64) float32 {
	v := l.field(i*l.width+uint64(l.keyLen+l.valLen), l.bowLen)
	if l.bow == nil {
		return math.Float32frombits(uint32(v))
	}
	return l.bow[v]
}

// children returns the range of children of n-gram i. The range is validated against below, the
// number of n-grams in the next level.
func (l *level) children(i, below uint64) (from, to uint64) {
	at := i*l.width + uint64(l.keyLen+l.valLen+l.bowLen)
	from, to = l.field(at, l.subLen), l.field(at+l.width, l.subLen)
	if to > below || from > to {
		return 0, 0
	}
	return from, to
}

// near is the maximum number of linear steps of find before it switches to binary search.
const near = 16

// find searches for a key among the records from..to-1 and reports whether it is there. The keys
// of a row are spread evenly over their range. Interpolation narrows the search twice: the error
// of the first guess is about the root of the row's length. The error of the second guess is
// about the root of the first error. From there find searches linearly.
func (l *level) find(key, from, to uint64) (uint64, bool) {
	data, width, keyLen := l.data, l.width, l.keyLen
	mask := uint64(1)<<keyLen - 1
	at := func(i uint64) uint64 {
		bit := i * width
		return binary.LittleEndian.Uint64(data[bit>>3:]) >> (bit & 7) & mask
	}
	if n := to - from; n > 8 {
		guess := from + key*n>>keyLen
		for range 2 {
			k := at(guess)
			if k == key {
				return guess, true
			}
			if k < key {
				from = guess + 1
				guess = min(guess+(key-k)*n>>keyLen, to-1)
			} else {
				to = guess
				guess -= min((k-key)*n>>keyLen, guess-from)
			}
			if from >= to {
				return 0, false
			}
			guess = min(max(guess, from), to-1)
		}
		// Usually a few steps remain.
		k := at(guess)
		for range near {
			switch {
			case k == key:
				return guess, true
			case k < key:
				if from = guess + 1; from >= to {
					return 0, false
				}
				guess++
			default:
				if to = guess; from >= to {
					return 0, false
				}
				guess--
			}
			k = at(guess)
		}
		for to-from > 8 {
			mid := (from + to) / 2
			if at(mid) <= key {
				from = mid
			} else {
				to = mid
			}
		}
	}
	for ; from < to; from++ {
		if k := at(from); k >= key {
			return from, k == key
		}
	}
	return 0, false
}

// scramble spreads n-bit ids evenly. It is a bijection on n bits.
func scramble(id uint32, n uint) uint64 { return uint64(id) * golden & (1<<n - 1) }

// unscramble is the inverse of scramble.
func unscramble(key uint64, n uint) uint32 { return uint32(key * goldenInverse & (1<<n - 1)) }

const golden = 0x9e3779b97f4a7c15

// goldenInverse is the inverse of golden modulo 2^64, by Newton's iteration.
var goldenInverse = func() uint64 {
	x := uint64(golden)
	for range 5 {
		x *= 2 - golden*x
	}
	return x
}()

// keyBits returns the number of bits of an id in a vocabulary of n words.
func keyBits(n int) uint { return uint(max(1, bits.Len(uint(n-1)))) }

// layout sets the field lengths of the level from the numbers of n-grams.
func (l *level) layout(m *meta, k int) error {
	l.n = m.Ngrams[k-1]
	if l.n >= 1<<40 {
		return fmt.Errorf("%d %d-grams: at most 2^40", l.n, k)
	}
	if k > 1 {
		l.keyLen = keyBits(int(m.Ngrams[0]))
	}
	l.valLen = m.ValueBits[k-1]
	if k < m.Order {
		l.bowLen = m.BackoffBits[k-1]
		l.subLen = uint(bits.Len64(m.Ngrams[k]))
	}
	if l.valLen > 48 || l.bowLen > 32 {
		return fmt.Errorf("%d-grams with %d bits of value and %d of back-off: at most 48 and 32", k, l.valLen, l.bowLen)
	}
	l.width = uint64(l.keyLen + l.valLen + l.bowLen + l.subLen)
	return nil
}

// packer writes records of a level in order.
type packer struct {
	buf  []byte
	bits uint64 // not yet written
	n    uint   // how many
	put  func([]byte) error
}

func (p *packer) field(v uint64, length uint) {
	for length > 0 {
		take := min(length, 64-p.n)
		p.bits |= v << p.n
		p.n += take
		v >>= take
		length -= take
		if p.n == 64 {
			p.buf = binary.LittleEndian.AppendUint64(p.buf, p.bits)
			p.bits, p.n = 0, 0
		}
	}
}

// flush passes the bytes packed so far to put if there are many or all are packed.
func (p *packer) flush(all bool) error {
	if all {
		p.finish()
	}
	if !all && len(p.buf) < 1<<16 {
		return nil
	}
	err := p.put(p.buf)
	p.buf = p.buf[:0]
	return err
}

// finish appends the last bits and the bytes after the records.
func (p *packer) finish() {
	for i := uint(0); i < p.n; i += 8 {
		p.buf = append(p.buf, byte(p.bits>>i))
	}
	p.buf = append(p.buf, make([]byte, slack)...)
}
