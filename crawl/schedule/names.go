package schedule

import (
	"unsafe"

	"chaffinch/crawl/frontier"
)

// index finds records by a hash. It is an open hash table with linear probing that holds the numbers of
// the records, since a map would take five times the memory.
type index struct {
	slots []uint32 // number of a record plus 1; 0 is free
	used  int
}

// find returns the number of the record with a hash for which is returns true; ok is false if there is
// none.
func (x *index) find(hash uint64, is func(number int) bool) (number int, ok bool) {
	if len(x.slots) == 0 {
		return 0, false
	}
	for at := x.firstSlot(hash); x.slots[at] != 0; at = (at + 1) % len(x.slots) {
		if number = int(x.slots[at]) - 1; is(number) {
			return number, true
		}
	}
	return 0, false
}

// add adds the record with the next number. hash returns the hashes of this record and the earlier ones.
func (x *index) add(hash func(number int) uint64) {
	x.used++
	if 4*x.used <= 3*len(x.slots) {
		x.put(hash(x.used-1), x.used-1)
		return
	}
	x.slots = make([]uint32, max(2*len(x.slots), 64))
	for i := range x.used {
		x.put(hash(i), i)
	}
}

func (x *index) put(hash uint64, number int) {
	at := x.firstSlot(hash)
	for x.slots[at] != 0 {
		at = (at + 1) % len(x.slots)
	}
	x.slots[at] = uint32(number) + 1
}

func (x *index) firstSlot(hash uint64) int { return int(hash % uint64(len(x.slots))) }

// textStore holds strings in large blocks. It keeps the strings in records alive, which the garbage
// collector does not see.
type textStore struct {
	blocks [][]byte
	free   []byte // unused end of the last block
}

const textBlock = 64 << 10

// add returns a copy of x.
func (t *textStore) add(x string) string {
	if len(t.free) < len(x) {
		t.free = make([]byte, max(len(x), textBlock))
		t.blocks = append(t.blocks, t.free)
	}
	n := copy(t.free, x)
	x = unsafe.String(unsafe.SliceData(t.free), n)
	t.free = t.free[n:]
	return x
}

// packet is a part of the encoded items of an origin.
type packet struct {
	next *packet
	n    uint8
	part [55]byte
}

// store returns a list of packets with the bytes of b; nil if b is empty.
func (t *tables) store(b []byte) (first *packet) {
	for to := &first; len(b) > 0; to = &(*to).next {
		p := t.freePacket
		if p == nil {
			p = t.packets.Add()
		}
		t.freePacket, p.next = p.next, nil
		p.n = uint8(copy(p.part[:], b))
		b, *to = b[p.n:], p
	}
	return first
}

// load appends the bytes of a list of packets to b.
func (p *packet) load(b []byte) []byte {
	for ; p != nil; p = p.next {
		b = append(b, p.part[:p.n]...)
	}
	return b
}

// drop frees a list of packets.
func (t *tables) drop(first *packet) {
	for p := first; p != nil; p = first {
		first = p.next
		p.next, t.freePacket = t.freePacket, p
	}
}

// taken returns the next page of an origin, an item. It is valid until the next call.
func (s *Scheduler) taken(o *Origin) []byte {
	s.page = o.taken.load(s.page[:0])
	return s.page
}

// setTaken sets the next page of an origin; nil for none.
func (s *Scheduler) setTaken(o *Origin, item []byte) {
	s.drop(o.taken)
	o.taken = s.store(item)
}

// again returns the pages of an origin to retry.
func (s *Scheduler) again(o *Origin) [][]byte { return frontier.SplitItems(o.again.load(nil)) }

// setAgain sets the pages of an origin to retry.
func (s *Scheduler) setAgain(o *Origin, items [][]byte) {
	s.drop(o.again)
	o.again = s.store(frontier.JoinItems(items))
}

// addAgain adds a page to retry.
func (s *Scheduler) addAgain(o *Origin, item []byte) { s.setAgain(o, append(s.again(o), item)) }
