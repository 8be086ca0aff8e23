package boost

import "golang.org/x/sys/cpu"

// vectors reports whether the processor has AVX2.
var vectors = cpu.X86.HasAVX2

// treeLeaves holds four times the index of the leaf of each row, for trees that are applied
// together.
type treeLeaves [together][blockRows]uint8

// leavesVector sets leaves to four times the leaf indexes of trees of six levels. cols[k] points to
// the first value of feature k; rows is a multiple of lanes.
//
//go:noescape
func leavesVector(leaves *treeLeaves, levels *[together * 6]level, cols **uint8, from, rows int)

// sumVector adds the values of the leaves to the sums of the rows.
//
//go:noescape
func sumVector(sums *leafSteps, leaves *treeLeaves, values *[together << 6]leafSteps, rows int)

// flushVector subtracts less from the sums, multiplies them by scale, adds them to the scores and
// clears them. masks is -1 for each class.
//
//go:noescape
func flushVector(dst *float32, sums *leafSteps, masks *[MaxClasses]int32, rows, classes, less int, scale float32)

// addDeep is the vector version of addDeepGo.
func (f *Classes) addDeep(m *Matrix, cols *columnStarts, levels *[together * 6]level, values *[together << 6]leafSteps, from int, sums []leafSteps) {
	if !vectors || len(f.features) > len(cols) {
		f.addDeepGo(m, levels, values, from, sums)
		return
	}
	if len(sums) == 0 {
		return
	}
	var leaves treeLeaves
	leavesVector(&leaves, levels, &cols[0], from, len(sums))
	sumVector(&sums[0], &leaves, values, len(sums))
}

// flush is the vector version of flushGo.
func (f *Classes) flush(dst []float32, sums []leafSteps, from, trees int) {
	if !vectors || len(sums) == 0 {
		f.flushGo(dst, sums, from, trees)
		return
	}
	masks := classMasks(f.classes)
	dst = dst[from*f.classes:][:len(sums)*f.classes]
	flushVector(&dst[0], &sums[0], &masks, len(sums), f.classes, trees*middle, f.scale)
}

// classMasks returns -1 for each class, 0 for the rest.
func classMasks(classes int) (masks [MaxClasses]int32) {
	for c := range classes {
		masks[c] = -1
	}
	return masks
}
