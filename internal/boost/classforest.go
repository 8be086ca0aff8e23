package boost

import (
	"encoding/binary"
	"fmt"
	"math"
	"unsafe"
)

// MaxClasses is the largest number of classes.
const MaxClasses = 16

// Classes is a trained forest with a score for each class. It is safe for concurrent use.
type Classes struct {
	splits
	classes int
	prior   []float32
	scale   float32     // score per step
	values  []leafSteps // of all trees, 2^depth each
}

// leafSteps holds a value for each class in steps of the scale, plus middle. Four classes share a
// word with 16 bits each, so that one addition adds four values. Sums of maxAdded trees fit.
type leafSteps [MaxClasses / perWord]uint64

const (
	middle   = 128
	perWord  = 4   // classes
	maxAdded = 256 // trees; 256 times 255 fits into 16 bits
)

// steps returns the value of class c.
func (v leafSteps) steps(c int) int { return int(v[c/perWord] >> (16 * (c % perWord)) & 0xffff) }

// packLeaf packs the values of a leaf, one byte for each class.
func packLeaf(steps []byte) (v leafSteps) {
	for c, s := range steps {
		v[c/perWord] |= uint64(s) << (16 * (c % perWord))
	}
	return v
}

// NewClasses packs trees that use some of the features. prior holds the scores before any tree.
func NewClasses(classes int, features []Feature, trees []Tree, prior []float32) *Classes {
	f := &Classes{splits: newSplits(features, trees), classes: classes, prior: prior, scale: 1}
	var high float64
	for _, t := range trees {
		for _, v := range t.Values {
			high = max(high, math.Abs(v))
		}
	}
	if high > 0 {
		f.scale = float32(high / (middle - 1))
	}
	for _, t := range trees {
		steps := make([]byte, classes)
		for leaf := range 1 << len(t.Levels) {
			for c, v := range t.Values[leaf*classes:][:classes] {
				steps[c] = byte(middle + int(math.Round(v/float64(f.scale))))
			}
			f.values = append(f.values, packLeaf(steps))
		}
	}
	return f
}

// Classes returns the number of classes.
func (f *Classes) Classes() int { return f.classes }

// Score sets dst[i*Classes()+k] to the score of class k of row i of m. m needs Columns columns. The
// scores are logarithms of probabilities up to a constant for each row.
func (f *Classes) Score(m *Matrix, dst []float32) {
	whole := m.Rows &^ (lanes - 1)
	var cols columnStarts
	if whole > 0 && len(f.features) <= len(cols) {
		for k, ft := range f.features {
			cols[k] = &ft.At(m)[0]
		}
	}
	for from := 0; from < whole; from += blockRows {
		f.scoreBlock(m, &cols, dst, from, min(from+blockRows, whole))
	}
	switch {
	case whole == m.Rows:
	case whole > 0: // the last lanes rows, some of them again
		f.scoreBlock(m, &cols, dst, m.Rows-lanes, m.Rows)
	default:
		f.scoreBlock(m, &cols, dst, 0, m.Rows)
	}
}

// columnStarts points to the value of row 0 of each feature of a forest of no more features.
type columnStarts [512]*uint8

// together is the number of trees that are applied to a row in sequence while its sums are in
// registers. Their leaves fit into the first-level cache.
const together = 8

// scoreBlock scores rows from to to-1, at most blockRows.
func (f *Classes) scoreBlock(m *Matrix, cols *columnStarts, dst []float32, from, to int) {
	for i := from; i < to; i++ {
		copy(dst[i*f.classes:(i+1)*f.classes], f.prior)
	}
	var buf [blockRows]leafSteps
	sums := buf[:to-from]
	levels, values := f.levels, f.values
	added := 0
	for t := 0; t < len(f.depths); {
		n := 1
		if len(sums)%lanes == 0 && f.deep(t, min(t+together, len(f.depths))) && added+together <= maxAdded {
			n = together
			f.addDeep(m, cols, (*[together * 6]level)(levels), (*[together << 6]leafSteps)(values), from, sums)
			levels, values = levels[together*6:], values[together<<6:]
		} else {
			depth := f.depths[t]
			f.add(m, levels[:depth], values, from, sums)
			levels, values = levels[depth:], values[1<<depth:]
		}
		t, added = t+n, added+n
		if added == maxAdded {
			f.flush(dst, sums, from, added)
			added = 0
		}
	}
	f.flush(dst, sums, from, added)
}

// deep reports whether trees from to to-1 are together trees of six levels each.
func (f *Classes) deep(from, to int) bool {
	for _, depth := range f.depths[from:to] {
		if depth != 6 {
			return false
		}
	}
	return to-from == together
}

// add adds a tree to the sums of the rows from row from.
func (f *Classes) add(m *Matrix, levels []level, values []leafSteps, from int, sums []leafSteps) {
	for i := range sums {
		leaf := 0
		for l, q := range levels {
			ft := f.features[q.feature]
			value := m.Cols[ft.Col][Pad+ft.Shift+from+i]
			leaf |= int((uint64(q.threshold)-uint64(value))>>63) << l // no branch: the outcome is hard to predict
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

// addDeepGo adds together trees of six levels at once to the sums of groups of lanes rows. It finds
// the leaves of a tree for lanes rows with one word (see Forest.add6), and then adds the leaves of
// all trees to a row.
func (f *Classes) addDeepGo(m *Matrix, levels *[together * 6]level, values *[together << 6]leafSteps, from int, sums []leafSteps) {
	var leaves [blockRows / lanes][together]uint64
	for t := range together {
		f.leaves6(m, (*[6]level)(levels[6*t:]), from, len(sums), t, &leaves)
	}
	// Unrolled: as a loop it takes 50 % longer.
	leaf := func(t int) *[1 << 6]leafSteps { return (*[1 << 6]leafSteps)(values[t<<6:]) }
	w0, w1, w2, w3, w4, w5, w6, w7 := leaf(0), leaf(1), leaf(2), leaf(3), leaf(4), leaf(5), leaf(6), leaf(7)
	for i := range sums {
		x, shift := &leaves[i/lanes], uint(i%lanes*8)&63
		v := &sums[i]
		a, b := &w0[x[0]>>shift&63], &w1[x[1]>>shift&63]
		v0, v1, v2, v3 := v[0]+a[0]+b[0], v[1]+a[1]+b[1], v[2]+a[2]+b[2], v[3]+a[3]+b[3]
		a, b = &w2[x[2]>>shift&63], &w3[x[3]>>shift&63]
		v0, v1, v2, v3 = v0+a[0]+b[0], v1+a[1]+b[1], v2+a[2]+b[2], v3+a[3]+b[3]
		a, b = &w4[x[4]>>shift&63], &w5[x[5]>>shift&63]
		v0, v1, v2, v3 = v0+a[0]+b[0], v1+a[1]+b[1], v2+a[2]+b[2], v3+a[3]+b[3]
		a, b = &w6[x[6]>>shift&63], &w7[x[7]>>shift&63]
		v[0], v[1], v[2], v[3] = v0+a[0]+b[0], v1+a[1]+b[1], v2+a[2]+b[2], v3+a[3]+b[3]
	}
}

// leaves6 sets the leaves of tree t for n rows, one byte each.
func (f *Classes) leaves6(m *Matrix, q *[6]level, from, n, t int, leaves *[blockRows / lanes][together]uint64) {
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
		leaves[row/lanes][t] = leaf
	}
}

// flushGo adds the sums of the given number of trees to the scores and clears them.
func (f *Classes) flushGo(dst []float32, sums []leafSteps, from, trees int) {
	k := f.classes
	for i := range sums {
		row := dst[(from+i)*k:][:k]
		for c := range row {
			row[c] += float32(float32(sums[i].steps(c)-trees*middle) * f.scale)
		}
	}
	clear(sums)
}

// classesVersion is the version of the encoding of Classes, its first byte.
//
// 1: classes (byte), scale (float32), priors (float32 each), features and trees
// as in a forest, but with a byte for each leaf and class as values.
const classesVersion = 1

// AppendBinary implements [encoding.BinaryAppender].
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

// UnmarshalBinary implements [encoding.BinaryUnmarshaler]. data may be untrusted: an accepted
// forest is safe to Score with Columns columns.
func (f *Classes) UnmarshalBinary(data []byte) error {
	return f.Read(data, func(n int) []uint64 { return make([]uint64, n) })
}

// Read is like UnmarshalBinary. alloc returns n zeros for the leaves.
func (f *Classes) Read(data []byte, alloc func(n int) []uint64) error {
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
	if r.err == nil && trees > 0 {
		most := (len(data) - r.at) / n.classes // most bytes that follow are values
		words := alloc(most * len(leafSteps{}))
		n.values = unsafe.Slice((*leafSteps)(unsafe.Pointer(unsafe.SliceData(words))), most)[:0]
	}
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
