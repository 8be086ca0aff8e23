package segment

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"

	"chaffinch/internal/sorts"
)

// table maps keys to rows of weights. With rows of length 0 it is a set of keys. Keys are in
// buckets by their hash. Within a bucket a key is identified by 16 bits, so about one in ten
// thousand missing keys is mistaken for a present one.
type table struct {
	buckets uint64
	row     int      // number of weights in a row
	starts  []uint32 // of buckets, and the end of the last one
	checks  []uint16
	rows    []int8
}

// perBucket is the mean number of keys in a bucket.
const perBucket = 4

// hash is a bijection that spreads keys over all bits. It is the finalizer of SplitMix64
// (Steele, Lea and Flood, OOPSLA 2014).
func hash(key uint64) uint64 {
	key += 0x9e3779b97f4a7c15
	key = (key ^ key>>30) * 0xbf58476d1ce4e5b9
	key = (key ^ key>>27) * 0x94d049bb133111eb
	return key ^ key>>31
}

// place returns the bucket of a key and its check.
func place(key, buckets uint64) (bucket uint64, check uint16) {
	h := hash(key)
	bucket, _ = bits.Mul64(h, buckets)
	return bucket, uint16(h)
}

// find returns the number of the row of a key, -1 if there is none.
func (t *table) find(key uint64) int {
	if t.buckets == 0 {
		return -1
	}
	b, check := place(key, t.buckets)
	from := t.starts[b]
	for i, c := range t.checks[from:t.starts[b+1]] {
		if c == check {
			return int(from) + i
		}
	}
	return -1
}

// weights returns the row of a key, nil if there is none.
func (t *table) weights(key uint64) []int8 {
	i := t.find(key)
	if i < 0 {
		return nil
	}
	return t.rows[i*t.row:][:t.row]
}

// read parses a table from a section of a model file: the numbers of keys and buckets, the
// number of keys in each bucket, the checks, and the rows. It reports whether b is valid.
func (t *table) read(b []byte, row int) bool {
	if len(b) < 8 {
		return false
	}
	keys, buckets := int(binary.LittleEndian.Uint32(b)), int(binary.LittleEndian.Uint32(b[4:]))
	if b = b[8:]; len(b) != buckets+keys*(2+row) {
		return false
	}
	*t = table{buckets: uint64(buckets), row: row, starts: make([]uint32, buckets+1), checks: make([]uint16, keys), rows: make([]int8, keys*row)}
	for i := range buckets {
		t.starts[i+1] = t.starts[i] + uint32(b[i])
	}
	if t.starts[buckets] != uint32(keys) {
		return false
	}
	b = b[buckets:]
	for i := range t.checks {
		t.checks[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	for i, c := range b[2*keys:] {
		t.rows[i] = int8(c)
	}
	return true
}

// encodeTable returns a table of keys with their rows. The result does not depend on the
// order of the map. Of two keys with the same bucket and check, only the larger one is kept.
func encodeTable(rows map[uint64][]int8) (b []byte) {
	type entry struct {
		bucket uint64
		check  uint16
		key    uint64
	}
	buckets := uint64((len(rows) + perBucket - 1) / perBucket)
	entries := make([]entry, 0, len(rows))
	for k := range rows {
		bucket, check := place(k, buckets)
		entries = append(entries, entry{bucket, check, k})
	}
	sorts.Func(entries, func(x, y entry) int {
		return cmp.Or(cmp.Compare(x.bucket, y.bucket), cmp.Compare(x.check, y.check), cmp.Compare(y.key, x.key))
	})
	entries = slices.CompactFunc(entries, func(x, y entry) bool { return x.bucket == y.bucket && x.check == y.check })
	b = binary.LittleEndian.AppendUint32(b, uint32(len(entries)))
	b = binary.LittleEndian.AppendUint32(b, uint32(buckets))
	counts := make([]byte, buckets)
	for _, e := range entries {
		counts[e.bucket]++
	}
	b = append(b, counts...)
	for _, e := range entries {
		b = binary.LittleEndian.AppendUint16(b, e.check)
	}
	for _, e := range entries {
		for _, w := range rows[e.key] {
			b = append(b, byte(w))
		}
	}
	return b
}
