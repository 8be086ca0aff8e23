package boost

import (
	"encoding/binary"
	"fmt"
	"math"
)

// AppendCuts appends the cut points of a column to b: their number as one byte, then each as a
// little-endian float32.
func AppendCuts(b []byte, cuts []float32) []byte {
	b = append(b, byte(len(cuts)))
	for _, v := range cuts {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b
}

// ReadCuts reads the output of [AppendCuts] and returns the bytes after it.
func ReadCuts(b []byte) (cuts []float32, rest []byte, err error) {
	if len(b) == 0 {
		return nil, nil, fmt.Errorf("the cuts are missing")
	}
	n := int(b[0])
	if b = b[1:]; n >= MaxBins || len(b) < 4*n {
		return nil, nil, fmt.Errorf("%d cuts in %d bytes", n, len(b))
	}
	cuts = make([]float32, n)
	for i := range cuts {
		v := math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return nil, nil, fmt.Errorf("cut %v", v)
		}
		if i > 0 && v <= cuts[i-1] {
			return nil, nil, fmt.Errorf("cut %v after %v, wanted rising numbers", v, cuts[i-1])
		}
		cuts[i] = v
	}
	return cuts, b[4*n:], nil
}
