package recurrent

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Round rounds the embeddings to the precision of [Net.AppendBinary]: integer steps for each row,
// with the largest value at 127 steps.
func (n *Net) Round() {
	for r := 0; r < len(n.Table); r += max(1, n.Dim) {
		row := n.Table[r : r+n.Dim]
		scale := rowScale(row)
		for i, v := range row {
			row[i] = float32(scale * float32(steps(v, scale)))
		}
	}
}

// rowScale returns the size of a step of a row.
func rowScale(row []float32) float32 {
	var high float32
	for _, v := range row {
		high = max(high, float32(math.Abs(float64(v))))
	}
	return high / 127
}

// steps returns v in integer steps.
func steps(v, scale float32) int8 {
	if scale == 0 {
		return 0
	}
	return int8(max(-127, min(127, math.RoundToEven(float64(v/scale)))))
}

// AppendBinary appends the weights to b: first all weights except embeddings as little-endian
// 32-bit floats, then for each embedding its scale, a float, and its values in steps, one byte
// each. The shape is not included.
func (n *Net) AppendBinary(b []byte) ([]byte, error) {
	for _, v := range n.Flat {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	for r := 0; r < len(n.Table); r += n.Dim {
		row := n.Table[r : r+n.Dim]
		scale := rowScale(row)
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(scale))
		for _, v := range row {
			b = append(b, byte(steps(v, scale)))
		}
	}
	return b, nil
}

// Parse decodes the output of AppendBinary for a network of shape s. Weights must be numbers with
// an absolute value of at most 10,000.
func Parse(s Shape, b []byte) (*Net, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	_, flat := s.View(nil, nil)
	if want := 4*flat + s.Rows*(4+s.Dim); len(b) != want {
		return nil, fmt.Errorf("recurrent: %d bytes of weights, wanted %d", len(b), want)
	}
	n, err := Empty(s)
	if err != nil {
		return nil, err
	}
	number := func() (float32, error) {
		v := math.Float32frombits(binary.LittleEndian.Uint32(b))
		b = b[4:]
		if !(math.Abs(float64(v)) <= 1e4) {
			return 0, fmt.Errorf("recurrent: weight %v, wanted a number of at most 10000", v)
		}
		return v, nil
	}
	for i := range n.Flat {
		if n.Flat[i], err = number(); err != nil {
			return nil, err
		}
	}
	for r := 0; r < len(n.Table); r += s.Dim {
		scale, err := number()
		if err != nil {
			return nil, err
		}
		for i := range s.Dim {
			n.Table[r+i] = float32(scale * float32(int8(b[i])))
		}
		b = b[s.Dim:]
	}
	return n, nil
}
