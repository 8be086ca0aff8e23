package lm

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// The ids of the tokens that every model has.
const (
	Unknown uint32 = 0 // <unk>
	Begin   uint32 = 1 // <s>
	End     uint32 = 2 // </s>
	// Special is the number of these tokens. Ids of words start here.
	Special = 3
)

var special = [Special]string{"<unk>", "<s>", "</s>"}

// Vocab maps words to ids and back. It reads the sections of a model in place.
//
// The words are concatenated in the order of their ids. A hash table with open addressing and
// linear probing maps a hash to the id. The bytes are compared, so that an unknown word is
// never mistaken for a known one.
type Vocab struct {
	text  []byte // followed by eight zeros
	ends  []byte // uint32 LE: end in text of the word with this id
	slots []byte // uint32 LE: ids, free in unused slots
	n     uint32
	size  uint64 // number of slots
}

const free = 1<<32 - 1

// Len returns the number of words, including <unk>, <s> and </s>.
func (v *Vocab) Len() int { return int(v.n) }

// Word returns the word with the given id, "" if it does not exist.
func (v *Vocab) Word(id uint32) string {
	if id >= v.n {
		return ""
	}
	from := uint32(0)
	if id > 0 {
		from = u32(v.ends, int(id)-1)
	}
	return string(v.text[from:u32(v.ends, int(id))])
}

// ID returns the id of a folded token, Unknown if it is not in the model.
func (v *Vocab) ID(token []byte) uint32 {
	var buf [maxTokenBytes + 16]byte
	n := copy(buf[:maxTokenBytes], token)
	if n < len(token) {
		return Unknown
	}
	return v.id(&buf, n)
}

// id looks up the token in the first n bytes of buf. The rest of buf is zero.
func (v *Vocab) id(buf *[maxTokenBytes + 16]byte, n int) uint32 {
	for s := bits64(hash(buf, n), v.size); ; {
		id := u32(v.slots, int(s))
		if id == free {
			return Unknown
		}
		if v.is(id, buf, n) {
			return id
		}
		if s++; s == v.size {
			s = 0
		}
	}
}

// is reports whether the word with this id equals the first n bytes of buf. Short words, nearly
// all, are compared as one number.
func (v *Vocab) is(id uint32, buf *[maxTokenBytes + 16]byte, n int) bool {
	from, to := uint32(0), u32(v.ends, int(id))
	if id > 0 {
		from = u32(v.ends, int(id)-1)
	}
	switch {
	case int(to-from) != n:
		return false
	case n <= 8:
		a, b := binary.LittleEndian.Uint64(v.text[from:]), binary.LittleEndian.Uint64(buf[:])
		return (a^b)<<(64-8*uint(n)) == 0
	}
	return string(v.text[from:to]) == string(buf[:n])
}

// bits64 scales a hash to 0..n-1.
func bits64(h, n uint64) uint64 {
	hi, _ := bits.Mul64(h, n)
	return hi
}

// hash hashes the token in the first n bytes of buf. The rest of buf is zero. The hash is part
// of the file format.
func hash(buf *[maxTokenBytes + 16]byte, n int) uint64 {
	h := uint64(n) * 0x9e3779b97f4a7c15
	for i := 0; i < n && i <= maxTokenBytes; i += 8 {
		hi, lo := bits.Mul64(h^binary.LittleEndian.Uint64(buf[i:]), 0xd6e8feb86659fd93)
		h = hi ^ lo
	}
	h ^= h >> 32
	return h * 0x9e3779b97f4a7c15
}

func u32(b []byte, i int) uint32 { return binary.LittleEndian.Uint32(b[4*i:]) }

// newVocab validates the sections, so that lookups need not.
func newVocab(text, ends, slots []byte, n uint32) (*Vocab, error) {
	padded := make([]byte, len(text)+8)
	copy(padded, text)
	v := &Vocab{text: padded, ends: ends, slots: slots, n: n, size: uint64(len(slots) / 4)}
	if n < Special || len(ends) != 4*int(n) {
		return nil, fmt.Errorf("vocabulary of %d words has %d bytes of ends, wanted %d", n, len(ends), 4*int(n))
	}
	last := uint32(0)
	for i := range int(n) {
		e := u32(ends, i)
		if e < last || int(e) > len(text) {
			return nil, fmt.Errorf("word %d ends at byte %d of %d, before that at %d", i, e, len(text), last)
		}
		last = e
	}
	for i, w := range special {
		if got := v.Word(uint32(i)); got != w {
			return nil, fmt.Errorf("word %d is %q, wanted %q", i, got, w)
		}
	}
	empty := 0
	for i := range int(v.size) {
		if id := u32(slots, i); id == free {
			empty++
		} else if id >= n {
			return nil, fmt.Errorf("slot %d holds word %d of %d", i, id, n)
		}
	}
	if empty == 0 {
		return nil, fmt.Errorf("the vocabulary's table has no free slot among %d", v.size)
	}
	return v, nil
}

// vocabSections returns the three sections of a vocabulary whose words are in the order of
// their ids.
func vocabSections(words []string) (text, ends, slots []byte, err error) {
	size := uint64(len(words))*4/3 + 1
	table := make([]uint32, size)
	for i := range table {
		table[i] = free
	}
	for id, w := range words {
		if len(w) > maxTokenBytes {
			return nil, nil, nil, fmt.Errorf("word %.80q has %d bytes, at most %d fit", w, len(w), maxTokenBytes)
		}
		if uint64(len(text)+len(w)) > 1<<32-1 {
			return nil, nil, nil, fmt.Errorf("the words fill more than 4 GiB: cut the vocabulary")
		}
		text = append(text, w...)
		ends = binary.LittleEndian.AppendUint32(ends, uint32(len(text)))
		var buf [maxTokenBytes + 16]byte
		s := bits64(hash(&buf, copy(buf[:], w)), size)
		for table[s] != free {
			if words[table[s]] == w {
				return nil, nil, nil, fmt.Errorf("word %q occurs twice in the vocabulary", w)
			}
			if s++; s == size {
				s = 0
			}
		}
		table[s] = uint32(id)
	}
	for _, id := range table {
		slots = binary.LittleEndian.AppendUint32(slots, id)
	}
	return text, ends, slots, nil
}
