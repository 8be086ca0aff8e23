package evidence

import "math"

// A pair is a class in the low bits of two bytes and a level of its weight in the high bits.
const (
	classBits = 10
	classMask = MaxClasses - 1
	levelMask = 1<<(16-classBits) - 1
	topLevel  = (levelMask + 1) / 2
)

// levels holds the weights of pairs, in units: 0 to 15 in steps of one, to 30 in steps of two, to 64 in
// steps of four; then those from -1 to -60. Precision matters less far from 0.
var levels = func() (l [levelMask + 1]int32) {
	for i := range int32(topLevel + 1) {
		switch {
		case i < 16:
			l[i] = i
		case i < 24:
			l[i] = 16 + (i-16)*2
		default:
			l[i] = 32 + (i-24)*4
		}
		if i > 0 && i < topLevel {
			l[topLevel+i] = -l[i]
		}
	}
	return l
}()

// Level returns the level of the weight nearest to a number of units; ties are rounded away from 0.
// Level 0 is weight 0.
func Level(units float64) uint8 {
	size, best := math.Abs(units), 0
	for i := range topLevel + 1 {
		if (units > 0 || i < topLevel) && math.Abs(float64(levels[i])-size) <= math.Abs(float64(levels[best])-size) {
			best = i
		}
	}
	if units < 0 && best > 0 {
		best += topLevel
	}
	return uint8(best)
}
