//go:build !amd64

package boost

// Softmaxes applies [Softmax] to each row of scores in place.
func Softmaxes(p []float32, classes int) { softmaxesGo(p, classes) }
