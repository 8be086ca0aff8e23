package wordtable

import (
	"encoding/binary"
	"hash/maphash"
	"math"
	"sync/atomic"
)

// Words numbers distinct words in the order of their first occurrence. The zero value is empty.
type Words struct {
	text  []byte       // the words, one after another
	ends  []uint64     // where each word ends in text
	slots []slot       // open addressing; the length is a power of two
	seed  maphash.Seed // against words chosen to collide
	// recent holds the short words that Add found last, at the hash of their bytes, so that most
	// words of a text are found without a search. It is nil until the table has many words.
	recent []recentWord
}

// slot holds the hash of a word in its lower half, and 1 + the number of the word in its upper half. 0
// is a free slot.
type slot uint64

func newSlot(hash uint32, number int) slot { return slot(hash) | slot(number+1)<<32 }

func (s slot) hash() uint32 { return uint32(s) }

// number returns the number of the word. The slot must not be free.
func (s slot) number() int { return int(s>>32) - 1 }

// slotBytes is the size of a slot in memory.
const slotBytes = 8

// recentWord is a word of at most recentBytes.
type recentWord struct {
	key    uint64 // the bytes of the word
	length uint32 // 0 if there is none
	number uint32
}

const (
	recentBytes = 8       // maximum length of a recent word
	recentBits  = 14      // binary logarithm of the number of recent words
	recentSize  = 16      // size of a recentWord in memory
	recentFrom  = 1 << 12 // number of words from which a table has recent words
)

// minSlots is the length of the smallest hash table.
const minSlots = 1 << 8

// Len returns the number of words.
func (w *Words) Len() int { return len(w.ends) }

// Memory returns an upper bound of the bytes held.
func (w *Words) Memory() int64 {
	return int64(cap(w.text)) + 8*int64(cap(w.ends)) + slotBytes*int64(len(w.slots)) + recentSize*int64(len(w.recent))
}

// Word returns the word with a number. It must not be modified.
func (w *Words) Word(n int) []byte {
	from := uint64(0)
	if n > 0 {
		from = w.ends[n-1]
	}
	return w.text[from:w.ends[n]]
}

// Add returns the number of a word. A new word gets the number Len. Add may read bytes after the word
// up to its capacity.
func (w *Words) Add(word []byte) int {
	if len(w.ends) < recentFrom {
		return w.add(word, math.MaxInt)
	}
	return recently(&w.recent, word, func(word []byte) int { return w.add(word, math.MaxInt) })
}

// recentPrime is the factor of the hash of a recent word.
const recentPrime = 0x9e3779b97f4a7c15

// recently returns the number of a word in a table of recent words, which it allocates if it is nil. If
// the word is missing, it adds the number that find returns, unless it is negative.
func recently(table *[]recentWord, word []byte, find func([]byte) int) int {
	n := len(word)
	if n == 0 || n > recentBytes || cap(word) < recentBytes {
		return find(word)
	}
	if *table == nil {
		*table = make([]recentWord, 1<<recentBits)
	}
	key := binary.LittleEndian.Uint64(word[:recentBytes]) << (8 * (recentBytes - n))
	r := &(*table)[key*recentPrime>>(64-recentBits)]
	if r.key != key || r.length != uint32(n) {
		number := find(word)
		if number < 0 {
			return number
		}
		*r = recentWord{key, uint32(n), uint32(number)}
	}
	return int(r.number)
}

// add is Add for a table of at most most words. It returns -1 for a new word if the table is full.
func (w *Words) add(word []byte, most int) int {
	if len(w.slots) == 0 {
		w.slots, w.seed = make([]slot, minSlots), maphash.MakeSeed()
	}
	hash := w.hash(word)
	mask := uint32(len(w.slots) - 1)
	for at := hash & mask; ; at = (at + 1) & mask {
		s := w.slots[at]
		if s == 0 {
			if len(w.ends) >= most {
				return -1
			}
			w.text = append(w.text, word...)
			w.ends = append(w.ends, uint64(len(w.text)))
			atomic.StoreUint64((*uint64)(&w.slots[at]), uint64(newSlot(hash, len(w.ends)-1)))
			if 4*len(w.ends) > 3*len(w.slots) {
				w.grow()
			}
			return len(w.ends) - 1
		}
		if s.hash() == hash && string(w.Word(s.number())) == string(word) {
			return s.number()
		}
	}
}

// grow doubles the number of slots.
func (w *Words) grow() {
	old := w.slots
	w.slots = make([]slot, 2*len(old))
	for _, s := range old {
		if s != 0 {
			w.put(s)
		}
	}
}

// put stores a slot at the first free place from the place of its hash on.
func (w *Words) put(s slot) {
	mask := uint32(len(w.slots) - 1)
	at := s.hash() & mask
	for w.slots[at] != 0 {
		at = (at + 1) & mask
	}
	w.slots[at] = s
}

// Cut keeps the first n words.
func (w *Words) Cut(n int) {
	clear(w.recent)
	if n == 0 && 8*len(w.ends) <= len(w.slots) { // faster than clearing all slots
		mask := uint32(len(w.slots) - 1)
		for k := range w.ends {
			at := w.hash(w.Word(k)) & mask
			for w.slots[at] == 0 || w.slots[at].number() != k {
				at = (at + 1) & mask
			}
			w.slots[at] = 0
		}
	} else {
		clear(w.slots)
		for k := range n {
			w.put(newSlot(w.hash(w.Word(k)), k))
		}
	}
	w.ends = w.ends[:n]
	w.text = w.text[:0]
	if n > 0 {
		w.text = w.text[:w.ends[n-1]]
	}
}

func (w *Words) hash(word []byte) uint32 { return uint32(maphash.Bytes(w.seed, word)) }
