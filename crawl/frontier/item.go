package frontier

import (
	"encoding/binary"
	"errors"
)

// Item is a URL to fetch.
type Item struct {
	Host  uint32 // number of the host
	Score uint8  // the highest score of a host leaves first
	Depth uint8  // links from a seed
	Hops  uint8  // redirects since the last link
	Via   uint64 // place of the page that links to it, for the caller
	Words uint32 // words of the link, for the caller; 0 for none
	Path  []byte // path from the "/" on, with the query
}

// hasWords is the bit of the hops that marks the encoding of an item with words.
const hasWords = 1 << 7

// AppendTo appends the encoding of the item to b.
func (it Item) AppendTo(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(it.Host))
	if it.Words == 0 {
		b = append(b, it.Score, it.Depth, it.Hops)
		b = binary.AppendUvarint(b, it.Via)
	} else {
		b = append(b, it.Score, it.Depth, it.Hops|hasWords)
		b = binary.AppendUvarint(b, it.Via)
		b = binary.LittleEndian.AppendUint32(b, it.Words)
	}
	return append(b, it.Path...)
}

var errItem = errors.New("frontier: invalid item")

// ParseItem decodes an item. Its path shares memory with b.
func ParseItem(b []byte) (Item, error) {
	host, n := binary.Uvarint(b)
	if n <= 0 || len(b) < n+3 || host > 1<<32-1 {
		return Item{}, errItem
	}
	via, m := binary.Uvarint(b[n+3:])
	if m <= 0 {
		return Item{}, errItem
	}
	it := Item{Host: uint32(host), Score: b[n], Depth: b[n+1], Hops: b[n+2] &^ hasWords, Via: via, Path: b[n+3+m:]}
	if b[n+2]&hasWords != 0 {
		if len(it.Path) < 4 {
			return Item{}, errItem
		}
		it.Words, it.Path = binary.LittleEndian.Uint32(it.Path), it.Path[4:]
	}
	return it, nil
}

// JoinItems returns encoded items, each after its length.
func JoinItems(items [][]byte) (b []byte) {
	for _, it := range items {
		b = append(binary.AppendUvarint(b, uint64(len(it))), it...)
	}
	return b
}

// SplitItems returns the items in the result of JoinItems. They share memory with b.
func SplitItems(b []byte) (items [][]byte) {
	for {
		size, n := binary.Uvarint(b)
		if n <= 0 || uint64(len(b)-n) < size {
			return items
		}
		items = append(items, b[n:n+int(size)])
		b = b[n+int(size):]
	}
}
