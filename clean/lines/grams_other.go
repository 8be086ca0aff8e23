//go:build !amd64

package lines

// wideGrams is false: there is no vector code for this processor.
var wideGrams = false

func sumChars(codes *uint16, n int, weights *Weights) (sum, count int32) { return 0, 0 }
func sumWords(words *uint32, n int, weights *Weights) (sum, count int32) { return 0, 0 }
