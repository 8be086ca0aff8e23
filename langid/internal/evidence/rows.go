package evidence

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"chaffinch/model"
)

// Rows are the features of a model and what they tell, as a model file has them: rows of
// as many pairs stand together, since their pairs are alike, so that they pack better.
type Rows struct {
	// Low are the low bytes of the differences of the hashes, Steps the rest of them, as
	// unsigned LEB128.
	Low, Steps []byte
	// Sizes has a byte for each feature.
	Sizes []byte
	// Classes and Weights are the pairs: first those of all rows of one pair, in the
	// order of the features, then those of all rows of two, and so on. A class is less
	// the one before it in the row.
	Classes, Weights []byte
}

// NewRows makes Rows of features in ascending order of their hashes: keys are the
// differences of these as unsigned LEB128, classes and weights the pairs in the order of
// the features.
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

// starts returns where the pairs of the rows of each number of pairs begin.
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

// maxPairs bounds the pairs of a model.
const maxPairs = 1 << 24

// Write writes the sections to w.
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

// index fills the hash tables and the quads from the rows.
func (m *Model) index(rows *Rows) error {
	damaged := func(what string) error { return fmt.Errorf("model %s: %s: copy it again", m.Name, what) }
	at, err := starts(rows.Sizes, len(rows.Classes), len(rows.Weights))
	if err != nil {
		return damaged(err.Error())
	}
	if len(rows.Low) != len(rows.Sizes) {
		return damaged("section low does not fit section sizes")
	}
	classes, weights := append(rows.Classes, 0, 0, 0), append(rows.Weights, 0, 0, 0) // so that whole quads can be read
	var n [4]int                                                                     // features by table
	tables := [4]*table{&m.words, &m.grams, &m.grouped[0], &m.grouped[1]}
	which := func(class, size uint8) (i int) {
		if int(class) >= len(m.Classes) {
			i = 2
		}
		if size&ShortGram != 0 {
			i++
		}
		return i
	}
	quads := 1 // 0 is no row
	next := at
	for _, size := range rows.Sizes {
		pairs := int(size & MaxPairs)
		n[which(classes[next[pairs]], size)]++
		next[pairs] += pairs
		quads += quadsOf(pairs)
	}
	for i, t := range tables {
		*t = makeTable(n[i])
	}
	m.quads = make([]byte, 8*quads)
	steps := rows.Steps
	hash, r := uint64(0), row(0)
	for i, size := range rows.Sizes {
		d, k := binary.Uvarint(steps)
		if k <= 0 || d > math.MaxUint32>>8 {
			return damaged("section steps does not fit section sizes")
		}
		steps = steps[k:]
		if hash += d<<8 | uint64(rows.Low[i]); hash > math.MaxUint32 {
			return damaged("section steps does not fit section sizes")
		}
		pairs := int(size & MaxPairs)
		from := at[pairs]
		at[pairs] += pairs
		r = r.next(quadsOf(pairs))
		if !tables[which(classes[from], size)].add(hash<<32 | uint64(size&Longer) | uint64(r)) {
			return damaged("hashes are not spread evenly")
		}
		fillRow(r.of(m.quads), classes[from:], weights[from:], pairs)
	}
	return nil
}
