package boost

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// Classes is a trained forest that scores classes. It is safe for concurrent
// use.
type Classes struct {
	classes  int
	prior    []float32
	scale    float32 // score per step
	features []Feature
	depths   []uint8
	levels   []level
	values   []leafSteps // of all trees, 2^depth each
}

// leafSteps holds a byte for each class: its value in steps, plus middle. The
// bytes of four classes stand in one word with 16 bits for each, so that one
// addition adds four of them; sums of maxAdded trees fit.
type leafSteps [MaxClasses / perWord]uint64

const (
	middle   = 128
	perWord  = 4   // classes
	maxAdded = 256 // trees; 256 times 255 fits into 16 bits
)

// steps returns the byte of class c.
func (v leafSteps) steps(c int) int { return int(v[c/perWord] >> (16 * (c % perWord)) & 0xffff) }

// packLeaf packs the bytes of a leaf.
func packLeaf(steps []byte) (v leafSteps) {
	for c, s := range steps {
		v[c/perWord] |= uint64(s) << (16 * (c % perWord))
	}
	return v
}

// newClasses packs trees; values are by tree, leaf and class.
func newClasses(classes int, features []Feature, trees []tree, values [][]float64, prior []float32) *Classes {
	f := &Classes{classes: classes, prior: prior, scale: 1}
	var high float64
	for _, vs := range values {
		for _, v := range vs {
			high = max(high, math.Abs(v))
		}
	}
	if high > 0 {
		f.scale = float32(high / (middle - 1))
	}
	for _, t := range trees {
		for _, q := range t.levels {
			f.features = append(f.features, features[q.feature])
		}
	}
	slices.SortFunc(f.features, compare)
	f.features = slices.Compact(f.features)
	for n, t := range trees {
		f.depths = append(f.depths, uint8(len(t.levels)))
		for _, q := range t.levels {
			k, _ := slices.BinarySearchFunc(f.features, features[q.feature], compare)
			f.levels = append(f.levels, level{uint16(k), q.threshold})
		}
		steps := make([]byte, classes)
		for leaf := range 1 << len(t.levels) {
			for c, v := range values[n][leaf*classes:][:classes] {
				steps[c] = byte(middle + int(math.Round(v/float64(f.scale))))
			}
			f.values = append(f.values, packLeaf(steps))
		}
	}
	return f
}

// Classes returns the number of classes, Trees that of trees.
func (f *Classes) Classes() int { return f.classes }

// Trees returns the number of trees.
func (f *Classes) Trees() int { return len(f.depths) }

// Used returns the features that the forest asks for, by column and shift.
func (f *Classes) Used() []Feature { return slices.Clone(f.features) }

// Columns returns the number of columns that a matrix needs for Score.
func (f *Classes) Columns() int {
	if len(f.features) == 0 {
		return 0
	}
	return f.features[len(f.features)-1].Col + 1
}

// Score sets dst[i*Classes()+k] to the score of class k of row i of m, which
// needs Columns columns: logarithms of probabilities up to a sum for each row.
func (f *Classes) Score(m *Matrix, dst []float32) {
	k := f.classes
	for i := range m.Rows {
		copy(dst[i*k:(i+1)*k], f.prior)
	}
	for from := 0; from < m.Rows; from += blockRows {
		f.scoreBlock(m, dst, from, min(from+blockRows, m.Rows))
	}
}

// scoreBlock scores the rows from from to to, at most blockRows.
func (f *Classes) scoreBlock(m *Matrix, dst []float32, from, to int) {
	var buf [blockRows]leafSteps
	sums := buf[:to-from]
	whole := len(sums) &^ (lanes - 1)
	levels, values := f.levels, f.values
	added := 0
	for _, depth := range f.depths {
		if depth == 6 {
			f.add6(m, (*[6]level)(levels), (*[1 << 6]leafSteps)(values), from, sums[:whole])
			f.add(m, levels[:depth], values, from+whole, sums[whole:])
		} else {
			f.add(m, levels[:depth], values, from, sums)
		}
		levels, values = levels[depth:], values[1<<depth:]
		if added++; added == maxAdded {
			f.flush(dst, sums, from, added)
			added = 0
		}
	}
	f.flush(dst, sums, from, added)
}

// add adds a tree to the sums of the rows from the given one on.
func (f *Classes) add(m *Matrix, levels []level, values []leafSteps, from int, sums []leafSteps) {
	for i := range sums {
		leaf := 0
		for l, q := range levels {
			ft := f.features[q.feature]
			if m.Cols[ft.Col][Pad+ft.Shift+from+i] > q.threshold {
				leaf |= 1 << l
			}
		}
		sums[i].add(&values[leaf])
	}
}

func (v *leafSteps) add(w *leafSteps) {
	v[0] += w[0]
	v[1] += w[1]
	v[2] += w[2]
	v[3] += w[3]
}

// column returns n values of the feature of a question.
func (f *Classes) column(m *Matrix, q level, from, n int) []uint8 {
	ft := f.features[q.feature]
	return m.Cols[ft.Col][Pad+ft.Shift+from:][:n]
}

// add6 is add for trees of six levels and rows in groups of lanes (see
// Forest.add6).
func (f *Classes) add6(m *Matrix, q *[6]level, values *[1 << 6]leafSteps, from int, sums []leafSteps) {
	n := len(sums)
	c0, c1, c2 := f.column(m, q[0], from, n), f.column(m, q[1], from, n), f.column(m, q[2], from, n)
	c3, c4, c5 := f.column(m, q[3], from, n), f.column(m, q[4], from, n), f.column(m, q[5], from, n)
	t0, t1, t2 := limit(q[0]), limit(q[1]), limit(q[2])
	t3, t4, t5 := limit(q[3]), limit(q[4]), limit(q[5])
	c0, c1, c2, c3, c4, c5 = c0[:n], c1[:n], c2[:n], c3[:n], c4[:n], c5[:n]
	for row := 0; row+lanes <= n; row += lanes {
		leaf := ((binary.LittleEndian.Uint64(c0[row:row+8]) | tops) - t0) & tops >> 1
		leaf = (leaf | ((binary.LittleEndian.Uint64(c1[row:row+8])|tops)-t1)&tops) >> 1
		leaf = (leaf | ((binary.LittleEndian.Uint64(c2[row:row+8])|tops)-t2)&tops) >> 1
		leaf = (leaf | ((binary.LittleEndian.Uint64(c3[row:row+8])|tops)-t3)&tops) >> 1
		leaf = (leaf | ((binary.LittleEndian.Uint64(c4[row:row+8])|tops)-t4)&tops) >> 1
		leaf = (leaf | ((binary.LittleEndian.Uint64(c5[row:row+8])|tops)-t5)&tops) >> 2
		s := (*[lanes]leafSteps)(sums[row : row+lanes])
		s[0].add(&values[leaf&63])
		s[1].add(&values[leaf>>8&63])
		s[2].add(&values[leaf>>16&63])
		s[3].add(&values[leaf>>24&63])
		s[4].add(&values[leaf>>32&63])
		s[5].add(&values[leaf>>40&63])
		s[6].add(&values[leaf>>48&63])
		s[7].add(&values[leaf>>56&63])
	}
}

// flush adds the sums of so many trees to the scores and clears them.
func (f *Classes) flush(dst []float32, sums []leafSteps, from, trees int) {
	k := f.classes
	for i := range sums {
		row := dst[(from+i)*k:][:k]
		for c := range row {
			row[c] += float32(sums[i].steps(c)-trees*middle) * f.scale
		}
	}
	clear(sums)
}

// classesVersion is the first byte of encoded classes.
//
// 1: classes (byte), scale (float32), priors (float32 each), features and trees
// as in a forest, but with a byte for each leaf and class as values.
const classesVersion = 1

// AppendBinary appends the forest to b.
func (f *Classes) AppendBinary(b []byte) ([]byte, error) {
	b = append(b, classesVersion, byte(f.classes))
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f.scale))
	for _, p := range f.prior {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(p))
	}
	b = appendFeatures(b, f.features)
	b = binary.AppendUvarint(b, uint64(len(f.depths)))
	levels, values := f.levels, f.values
	for _, depth := range f.depths {
		b = appendLevels(b, levels[:depth])
		for _, leaf := range values[:1<<depth] {
			for c := range f.classes {
				b = append(b, byte(leaf.steps(c)))
			}
		}
		levels, values = levels[depth:], values[1<<depth:]
	}
	return b, nil
}

// UnmarshalBinary reads a forest that AppendBinary wrote. The bytes may come
// from anywhere; what it accepts is safe to Score with Columns columns.
func (f *Classes) UnmarshalBinary(data []byte) error {
	r := reader{data: data}
	if v := r.byte(); r.err == nil && v != classesVersion {
		return fmt.Errorf("boost: forest of classes of format %d, this build reads %d: train it again", v, classesVersion)
	}
	n := Classes{classes: int(r.byte()), scale: r.float()}
	if r.err == nil && (n.classes < 2 || n.classes > MaxClasses) {
		r.fail(fmt.Sprintf("%d classes, wanted 2 to %d", n.classes, MaxClasses))
	}
	for range n.classes {
		n.prior = append(n.prior, r.float())
	}
	n.features = r.features()
	trees := r.number("number of trees", len(data))
	for i := 0; i < trees && r.err == nil; i++ {
		depth, levels := r.levels(len(n.features))
		if r.err != nil {
			break
		}
		n.depths = append(n.depths, depth)
		n.levels = append(n.levels, levels...)
		for range 1 << depth {
			n.values = append(n.values, packLeaf(r.take(n.classes)))
		}
	}
	if err := r.end(); err != nil {
		return err
	}
	*f = n
	return nil
}
