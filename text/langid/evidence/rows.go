package evidence

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"

	"chaffinch/internal/huge"
	"chaffinch/internal/parallel"
	"chaffinch/model"
)

// Feature is a word or an n-gram and its row of weights.
type Feature struct {
	// Hash identifies the feature: the upper half of Mix of its key.
	Hash uint32
	// Short marks an n-gram of at most three characters. Longer marks the end of a longer n-gram
	// that also has a row.
	Short, Longer bool
	// Classes holds the classes of the row, ascending, and Levels the levels of their weights.
	Classes []uint16
	Levels  []uint8
}

// Rows holds the features of a model and their weights, as in a model file. Rows with the same
// number of pairs are stored together, because their pairs are similar and thus compress
// better.
type Rows struct {
	// low holds the low bytes of the differences of the hashes, steps the remaining bits as
	// unsigned LEB128.
	low, steps []byte
	// sizes has one byte per feature.
	sizes []byte
	// high has one byte per row, in the order of the pairs: the bits of its first class above the
	// low byte.
	high []byte
	// classes and levels hold the pairs: first the pairs of all rows with one pair, in the
	// order of the features, then of all rows with two pairs, and so on. A class is stored as
	// the difference to the previous class in the row, the first one as its low byte.
	classes, levels []byte
}

// maxGap is the maximum difference of two classes in a row.
const maxGap = math.MaxUint8

// NewRows returns Rows of features in ascending order of their hashes. Rows longer than MaxPairs are
// cut. Between two classes that are too far apart, it adds pairs of weight 0.
func NewRows(features []Feature) (*Rows, error) {
	r := &Rows{}
	var high, classes, levels [MaxPairs + 1][]byte
	last := uint32(0)
	for i, f := range features {
		if len(f.Classes) == 0 || len(f.Classes) != len(f.Levels) || i > 0 && f.Hash <= last {
			return nil, fmt.Errorf("feature %d: %d classes and %d weights, hash %x after %x", i, len(f.Classes), len(f.Levels), f.Hash, last)
		}
		r.low, r.steps = append(r.low, byte(f.Hash-last)), binary.AppendUvarint(r.steps, uint64(f.Hash-last)>>8)
		last = f.Hash
		var gaps, weights []byte
		before := f.Classes[0] &^ math.MaxUint8
		top := byte(before >> 8)
		for k, c := range f.Classes {
			for ; c-before > maxGap; before += maxGap {
				gaps, weights = append(gaps, maxGap), append(weights, 0)
			}
			gaps, weights = append(gaps, byte(c-before)), append(weights, f.Levels[k])
			before = c
		}
		n := min(len(gaps), MaxPairs)
		size := byte(n)
		if f.Short {
			size |= shortGram
		}
		if f.Longer {
			size |= longer
		}
		r.sizes = append(r.sizes, size)
		high[n] = append(high[n], top)
		classes[n] = append(classes[n], gaps[:n]...)
		levels[n] = append(levels[n], weights[:n]...)
	}
	for n := range high {
		r.high, r.classes, r.levels = append(r.high, high[n]...), append(r.classes, classes[n]...), append(r.levels, levels[n]...)
	}
	return r, nil
}

// starts returns, for each number of pairs, the numbers of its first row and of its first pair.
func (r *Rows) starts() (row, pair [MaxPairs + 2]int, err error) {
	for _, size := range r.sizes {
		row[size&MaxPairs+1]++
	}
	for n := range MaxPairs + 1 {
		pair[n+1] = pair[n] + n*row[n+1]
		row[n+1] += row[n]
	}
	if n := pair[MaxPairs+1]; row[1] > 0 || n != len(r.classes) || n != len(r.levels) || n >= maxPairs {
		return row, pair, fmt.Errorf("%d classes and %d weights for %d pairs in %d rows", len(r.classes), len(r.levels), n, len(r.sizes))
	}
	if len(r.low) != len(r.sizes) || len(r.high) != len(r.sizes) {
		return row, pair, fmt.Errorf("%d low bytes and %d high bytes for %d rows", len(r.low), len(r.high), len(r.sizes))
	}
	return row, pair, nil
}

// maxPairs is an upper bound on the number of pairs of a model.
const maxPairs = 1 << 25

// Write compresses the sections and writes them to w.
func (r *Rows) Write(w *model.Writer) error {
	for _, s := range []model.Section{{Name: "low", Bytes: r.low}, {Name: "steps", Bytes: r.steps}, {Name: "sizes", Bytes: r.sizes}, {Name: "high", Bytes: r.high},
		{Name: "classes", Bytes: r.classes}, {Name: "levels", Bytes: r.levels}} {
		packed, err := model.Pack(s.Bytes)
		if err != nil {
			return err
		}
		w.Section(s.Name)
		if _, err := w.Write(packed); err != nil {
			return err
		}
	}
	return nil
}

// readRows reads the sections of f. langs is the number of classes of languages.
func readRows(f *model.File, langs int) (*Rows, error) {
	if f.Behaviour < 3 {
		return readOldRows(f, langs)
	}
	p, err := f.Unpack("low", "steps", "sizes", "high", "classes", "levels")
	if err != nil {
		return nil, err
	}
	return &Rows{p[0], p[1], p[2], p[3], p[4], p[5]}, nil
}

// room is the number of bytes that may be read after the end of a section.
const room = 8

// index fills the hash tables and the pairs from the rows. It runs before the first result of a
// process, over about 300,000 features. Its branches therefore do not depend on individual
// features.
func (m *Model) index(rows *Rows) error {
	damaged := func(what string) error { return fmt.Errorf("model %s: %s: copy it again", m.Name, what) }
	row, pair, err := rows.starts()
	if err != nil {
		return damaged(err.Error())
	}
	var n [2]int // features by table
	for _, size := range rows.sizes {
		n[tableOf(size)]++
	}
	tables := [2]*table{&m.words, &m.grams}
	for i, t := range tables {
		*t = makeTable(n[i])
	}
	quads := 1 // 0 is no row
	var first [MaxPairs + 1]uint64
	for pairs := range first {
		quads = (quads + alignQuads - 1) &^ (alignQuads - 1)
		first[pairs] = uint64(quads)<<8 | uint64(quadsOf(pairs))
		quads += (row[pairs+1] - row[pairs]) * quadsOf(pairs)
	}
	if quads >= 1<<24 {
		return damaged(fmt.Sprintf("%d pairs", pair[MaxPairs+1]))
	}
	m.pairs = huge.Make[uint64](quads+8, 0) // a vector may be read from the end of the last row on
	err = parallel.All(2, func(part int) error {
		if part == 0 {
			rows.fillPairs(m.pairs, &row, &first)
			if m.dense = expands && m.densify(&row, &first); expands && !m.dense {
				rows.fillPairs(m.pairs, &row, &first)
			}
			return nil
		}
		return rows.fillTables(&tables, first)
	})
	if err != nil {
		return damaged(err.Error())
	}
	return nil
}

// alignQuads is the number of quads in two cache lines. The first row of each length is aligned, so
// that long rows are in few lines.
const alignQuads = 16

// quadsOf returns the number of quads of a row.
func quadsOf(pairs int) int { return (pairs + 3) / 4 }

// tableOf returns the number of the table of a feature with a size.
func tableOf(size uint8) int { return int(size / shortGram & 1) }

// fillTables inserts the features. first is, for each number of pairs, the first row in the tables.
// Because the hashes ascend, a feature is inserted in its slot or, if that is taken, after the last
// feature.
func (r *Rows) fillTables(tables *[2]*table, first [MaxPairs + 1]uint64) error {
	steps := append(r.steps, make([]byte, room)...)
	hash := uint64(0)
	var next [2]int // free slot by table
	for i, size := range r.sizes {
		if len(steps) <= room {
			return errSteps
		}
		d, k := uvarint(binary.LittleEndian.Uint64(steps))
		if hash += d<<8 | uint64(r.low[i]); k > maxStep || hash > math.MaxUint32 {
			return errSteps
		}
		steps = steps[k:]
		pairs := size & MaxPairs
		n := tableOf(size)
		t := tables[n]
		slot := max(int(hash>>t.shift), next[n])
		if slot >= len(t.slots)-1 {
			return errors.New("hashes are not spread evenly")
		}
		t.slots[slot] = hash<<32 | uint64(size&longer) | first[pairs]
		first[pairs] += first[pairs] & maxQuads << 8
		next[n] = slot + 1
	}
	if len(steps) < room { // the last number is incomplete
		return errSteps
	}
	return nil
}

var errSteps = errors.New("section steps does not fit section sizes")

// maxStep is the maximum number of bytes of a number in steps.
const maxStep = 5

// uvarint decodes a number of variable length (see binary.Uvarint) of at most maxStep bytes. It
// returns the number of bytes, more than maxStep if the number is longer.
func uvarint(b uint64) (v uint64, bytes int) {
	last := ^b & 0x8080808080808080
	b &= last ^ (last - 1) // up to the first byte without a continuation bit
	v = b&0x7f | b>>1&(0x7f<<7) | b>>2&(0x7f<<14) | b>>3&(0x7f<<21) | b>>4&(0x7f<<28)
	return v, bits.TrailingZeros64(last)/8 + 1
}

// eachLane times a number below 1<<16 copies it to each lane of 16 bits. A word of lanes times
// eachLane adds to each lane all lower lanes.
const eachLane = 0x0001000100010001

// lanes returns four bytes in lanes of 16 bits.
func lanes(b uint32) uint64 {
	x := uint64(b)
	x = (x | x<<16) & 0x0000ffff0000ffff
	return (x | x<<8) & 0x00ff00ff00ff00ff
}

// fillPairs writes the pairs of the rows. row is the number of the first row by number of pairs, and
// first the first row as in the tables. Quads are padded with 0, the class 0 with weight 0.
func (r *Rows) fillPairs(pairs []uint64, row *[MaxPairs + 2]int, first *[MaxPairs + 1]uint64) {
	classes, levels := append(r.classes, make([]byte, room)...), append(r.levels, make([]byte, room)...)
	for n := range MaxPairs + 1 {
		at := first[n] >> rowShift
		own := ^uint64(0) >> (-n & 3 * 16) // the pairs of the last quad
		for _, high := range r.high[row[n]:row[n+1]] {
			last := uint64(high) << 8
			for i := 0; i < n; i += 4 {
				class := lanes(binary.LittleEndian.Uint32(classes[i:]))*eachLane + last*eachLane
				level := lanes(binary.LittleEndian.Uint32(levels[i:]))
				last = class >> 48
				pairs[at] = class&(classMask*eachLane) | level&(levelMask*eachLane)<<classBits
				at++
			}
			classes, levels = classes[n:], levels[n:]
			pairs[at-1] &= own
		}
	}
}
