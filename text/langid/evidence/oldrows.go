package evidence

import (
	"encoding/binary"
	"fmt"

	"chaffinch/model"
)

// readOldRows reads the rows of a file of behaviour 1 or 2. These have classes of one byte, where the
// classes of groups of languages follow the classes of languages, and weights of one byte in units.
// Rows of groups are skipped. Behaviour 1 has the pairs in the order of the features. langs is the
// number of classes of languages.
func readOldRows(f *model.File, langs int) (*Rows, error) {
	keys := []string{"low", "steps"}
	if f.Behaviour == 1 {
		keys = []string{"keys"}
	}
	p, err := f.Unpack(append(keys, "sizes", "classes", "weights")...)
	if err != nil {
		return nil, err
	}
	damaged := fmt.Errorf("model %s: sections do not fit each other: copy it again", f.Path())
	steps, low := p[len(keys)-1], p[0]
	sizes, classes, weights := p[len(keys)], p[len(keys)+1], p[len(keys)+2]
	var at [MaxPairs + 2]int // the next pair of the rows of each size
	for _, size := range sizes {
		at[size&MaxPairs+1] += int(size & MaxPairs)
	}
	for n := range MaxPairs + 1 {
		at[n+1] += at[n]
	}
	if at[MaxPairs+1] != len(classes) || len(classes) != len(weights) || len(keys) == 2 && len(low) != len(sizes) {
		return nil, damaged
	}
	ids, levels := make([]uint16, len(classes)), make([]uint8, len(weights))
	for i, w := range weights {
		levels[i] = Level(float64(int8(w)))
	}
	features := make([]Feature, 0, len(sizes))
	hash, next := uint64(0), 0
	for i, size := range sizes {
		d, k := binary.Uvarint(steps)
		if k <= 0 || size&MaxPairs == 0 {
			return nil, damaged
		}
		steps = steps[k:]
		if len(keys) == 2 {
			d = d<<8 | uint64(low[i])
		}
		if hash += d; hash>>32 != 0 {
			return nil, damaged
		}
		n := int(size & MaxPairs)
		from := next
		if next += n; len(keys) == 2 {
			from = at[n]
			at[n] += n
		}
		c := uint8(0)
		for k := from; k < from+n; k++ {
			c += classes[k]
			ids[k] = uint16(c)
		}
		if int(ids[from]) >= langs {
			continue
		}
		features = append(features, Feature{Hash: uint32(hash), Short: size&shortGram != 0, Longer: size&longer != 0, Classes: ids[from : from+n], Levels: levels[from : from+n]})
	}
	rows, err := NewRows(features)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w: copy it again", f.Path(), err)
	}
	return rows, nil
}
