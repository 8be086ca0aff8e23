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

// Rows holds the features of a model and their weights, as in a model file. Rows with the same
// number of pairs are stored together, because their pairs are similar and thus compress
// better.
type Rows struct {
	// Low holds the low bytes of the differences of the hashes, Steps the remaining bits as
	// unsigned LEB128.
	Low, Steps []byte
	// Sizes has one byte per feature.
	Sizes []byte
	// Classes and Weights hold the pairs: first the pairs of all rows with one pair, in the
	// order of the features, then of all rows with two pairs, and so on. A class is stored as
	// the difference to the previous class in the row.
	Classes, Weights []byte
}

// NewRows returns Rows of features in ascending order of their hashes. keys are the differences
// of the hashes as unsigned LEB128. classes and weights are the pairs in the order of the
// features.
func NewRows(keys, sizes, classes, weights []byte) (*Rows, error) {
	at, err := starts(sizes, len(classes), len(weights))
	if err != nil {
		return nil, err
	}
	r := &Rows{Sizes: sizes, Classes: make([]byte, len(classes)), Weights: make([]byte, len(weights))}
	from := 0
	for _, size := range sizes {
		d, k := binary.Uvarint(keys)
		if k <= 0 || d > math.MaxUint32 {
			return nil, errors.New("section keys does not fit section sizes")
		}
		keys = keys[k:]
		r.Low, r.Steps = append(r.Low, byte(d)), binary.AppendUvarint(r.Steps, d>>8)
		n := int(size & MaxPairs)
		copy(r.Classes[at[n]:], classes[from:from+n])
		copy(r.Weights[at[n]:], weights[from:from+n])
		at[n] += n
		from += n
	}
	return r, nil
}

// starts returns, for each number of pairs, the start of the pairs of its rows.
func starts(sizes []byte, classes, weights int) (at [MaxPairs + 1]int, err error) {
	var rows [MaxPairs + 1]int
	for _, size := range sizes {
		rows[size&MaxPairs]++
	}
	n := 0
	for pairs, many := range rows {
		at[pairs] = n
		n += pairs * many
	}
	if rows[0] > 0 || n != classes || n != weights || n >= maxPairs {
		return at, fmt.Errorf("%d classes and %d weights for %d pairs in %d rows", classes, weights, n, len(sizes))
	}
	return at, nil
}

// maxPairs is an upper bound on the number of pairs of a model.
const maxPairs = 1 << 24

// Write compresses the sections and writes them to w.
func (r *Rows) Write(w *model.Writer) error {
	for _, s := range []model.Section{{Name: "low", Bytes: r.Low}, {Name: "steps", Bytes: r.Steps}, {Name: "sizes", Bytes: r.Sizes}, {Name: "classes", Bytes: r.Classes}, {Name: "weights", Bytes: r.Weights}} {
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

// readRows reads the sections of f.
func readRows(f *model.File) (*Rows, error) {
	if f.Behaviour == 1 {
		parts, err := f.Unpack("keys", "sizes", "classes", "weights")
		if err != nil {
			return nil, err
		}
		r, err := NewRows(parts[0], parts[1], parts[2], parts[3])
		if err != nil {
			return nil, fmt.Errorf("model %s: %w: copy it again", f.Path(), err)
		}
		return r, nil
	}
	parts, err := f.Unpack("low", "steps", "sizes", "classes", "weights")
	if err != nil {
		return nil, err
	}
	return &Rows{parts[0], parts[1], parts[2], parts[3], parts[4]}, nil
}

// room is the number of bytes that may be read after the end of a section. fillQuads is the
// number of quads of a row that are written at once; the next row overwrites the excess.
const (
	room      = 4 * fillQuads
	fillQuads = 2
)

// index fills the hash tables and the quads from the rows. It runs before the first result of a
// process, over about 300,000 features. Its branches therefore do not depend on individual
// features.
func (m *Model) index(rows *Rows) error {
	damaged := func(what string) error { return fmt.Errorf("model %s: %s: copy it again", m.Name, what) }
	at, err := starts(rows.Sizes, len(rows.Classes), len(rows.Weights))
	if err != nil {
		return damaged(err.Error())
	}
	if len(rows.Low) != len(rows.Sizes) {
		return damaged("section low does not fit section sizes")
	}
	langs := len(m.Classes)
	var n [4]int // features by table
	var many [MaxPairs + 1]int
	next := at
	for _, size := range rows.Sizes {
		pairs := size & MaxPairs
		n[tableOf(rows.Classes[next[pairs]], size, langs)]++
		next[pairs] += int(pairs)
		many[pairs]++
	}
	tables := [4]*table{&m.words, &m.grams, &m.grouped[0], &m.grouped[1]}
	for i, t := range tables {
		*t = makeTable(n[i])
	}
	quads := 1 // 0 is no row
	var first [MaxPairs + 1]row
	for pairs, n := range many {
		first[pairs] = row(quads<<8 | quadsOf(pairs))
		quads += n * quadsOf(pairs)
	}
	m.quads = huge.Make[uint8](8*quads, 8*fillQuads)
	err = parallel.All(2, func(part int) error {
		if part == 0 {
			fillRows(m.quads, &many, rows.Classes, rows.Weights)
			return nil
		}
		return rows.fillTables(&tables, at, first, langs)
	})
	if err != nil {
		return damaged(err.Error())
	}
	return nil
}

// tableOf returns the number of the table of a feature whose row begins with a class. langs is
// the number of classes of languages.
func tableOf(class, size uint8, langs int) int {
	group := uint(langs-1-int(class)) >> (bits.UintSize - 1) // 1 if the difference is negative
	return int(uint(size/ShortGram&1) + 2*group)
}

// fillTables inserts the features. at and first are, for each number of pairs, the start of the
// pairs of the first row, and that row. Because the hashes ascend, a feature is inserted in its
// slot or, if that is taken, after the last feature.
func (r *Rows) fillTables(tables *[4]*table, at [MaxPairs + 1]int, first [MaxPairs + 1]row, langs int) error {
	steps := append(r.Steps, make([]byte, room)...)
	hash := uint64(0)
	var next [4]int // free slot by table
	for i, size := range r.Sizes {
		if len(steps) <= room {
			return errSteps
		}
		d, k := uvarint(binary.LittleEndian.Uint64(steps))
		if hash += d<<8 | uint64(r.Low[i]); k > maxStep || hash > math.MaxUint32 {
			return errSteps
		}
		steps = steps[k:]
		pairs := size & MaxPairs
		n := tableOf(r.Classes[at[pairs]], size, langs) & 3
		at[pairs] += int(pairs)
		t := tables[n]
		slot := max(int(hash>>t.shift), next[n])
		if slot >= len(t.slots)-1 {
			return errors.New("hashes are not spread evenly")
		}
		t.slots[slot] = hash<<32 | uint64(size&Longer) | uint64(first[pairs])
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

// eachByte times a number adds to each of its bytes all lower bytes.
const eachByte = 0x0101010101010101

// fillRows writes the quads of the rows. many is the number of rows by number of pairs. classes
// holds differences, which add up to less than 256 in a row. A row is padded with weights of 0.
func fillRows(quads []byte, many *[MaxPairs + 1]int, classes, weights []byte) {
	classes, weights = append(classes, make([]byte, room)...), append(weights, make([]byte, room)...)
	quads = quads[:cap(quads)]
	at, from := 8, 0
	for pairs, n := range many {
		size, own := 8*quadsOf(pairs), ^uint64(0)>>(-pairs&3*8) // own are the pairs of the last quad
		for ; n > 0; n-- {
			last := uint64(0)
			for i := 0; i < pairs; i += 4 * fillQuads {
				q := quads[at+2*i:][:8*fillQuads]
				class, weight := (binary.LittleEndian.Uint64(classes[from+i:])+last)*eachByte, binary.LittleEndian.Uint64(weights[from+i:])
				last = class >> 56
				binary.LittleEndian.PutUint64(q[:8], class&math.MaxUint32|weight<<32)
				binary.LittleEndian.PutUint64(q[8:], class>>32|weight&^math.MaxUint32)
			}
			at += size
			from += pairs
			end := quads[at-8 : at]
			binary.LittleEndian.PutUint64(end, binary.LittleEndian.Uint64(end)&own)
		}
	}
}
