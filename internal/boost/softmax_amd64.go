package boost

import "math"

// softmaxVector applies Softmax to rows of scores in place; masks is -1 for each class.
//
//go:noescape
func softmaxVector(p *float32, masks *[MaxClasses]int32, constants *[12][8]float32, rows, classes int)

// softmaxConstants holds the constants of exp and the addend of Softmax, eight times each.
var softmaxConstants = func() (t [12][8]float32) {
	const ln2 = 0x1.62ep-1
	for i, c := range [12]float32{1 / math.Ln2, .5, ln2, math.Ln2 - ln2, 1. / 720, 1. / 120, 1. / 24, 1. / 6, 1, math.Float32frombits(127), -87, 1e-9} {
		for k := range t[i] {
			t[i][k] = c
		}
	}
	return t
}()

// Softmaxes applies [Softmax] to each row of scores in place.
func Softmaxes(p []float32, classes int) {
	rows := len(p) / classes
	if !vectors || rows == 0 || classes > MaxClasses {
		softmaxesGo(p, classes)
		return
	}
	masks := classMasks(classes)
	softmaxVector(&p[0], &masks, &softmaxConstants, rows, classes)
}
