//go:build !amd64

package boost

// Softmaxes does what [Softmax] does to each row of scores, in place.
func Softmaxes(p []float32, classes int) { softmaxesGo(p, classes) }
