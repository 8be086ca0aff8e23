package boost

import "golang.org/x/sys/cpu"

// vectors reports whether the processor has AVX2.
var vectors = cpu.X86.HasAVX2

// treeLeaves holds four times the index of the leaf of each row, for trees that are applied
// together.
type treeLeaves [together][blockRows]uint8

// leavesVector sets leaves to four times the leaf indexes of a tree of six levels. rows is a
// multiple of lanes; cols are the columns of the splits, limits their thresholds.
//
//go:noescape
func leavesVector(leaves *uint8, cols *[6]*uint8, limits *[6]uint8, rows int)

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
func (f *Classes) addDeep(m *Matrix, levels *[together * 6]level, values *[together << 6]leafSteps, from int, sums []leafSteps) {
	if !vectors {
		f.addDeepGo(m, levels, values, from, sums)
		return
	}
	if len(sums) == 0 {
		return
	}
	var leaves treeLeaves
	for t := range together {
		var cols [6]*uint8
		var limits [6]uint8
		for l, q := range levels[6*t:][:6] {
			cols[l], limits[l] = &f.column(m, q, from, len(sums))[0], q.threshold
		}
		leavesVector(&leaves[t][0], &cols, &limits, len(sums))
	}
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
