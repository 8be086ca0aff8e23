package transformer

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
)

// Tensor is an array of numbers in a safetensors file.
type Tensor struct {
	Shape []int
	Data  []float32
}

// maxHeader is the maximum size of the header of a safetensors file. The limit of the format is 100
// MB; a head needs a thousand bytes.
const maxHeader = 1 << 20

// ReadSafetensors reads the tensors of a safetensors file whose names want accepts; nil accepts
// all. Numbers are F32, F16 or BF16. The format is 8 bytes with the size of a JSON header, the
// header, {"name": {"dtype", "shape", "data_offsets": [from, to]}}, and the data, little-endian.
func ReadSafetensors(path string, want func(name string) bool) (map[string]Tensor, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read weights: %w", err)
	}
	all, err := parseSafetensors(b, want)
	if err != nil {
		return nil, fmt.Errorf("weights %s: %w: wanted a safetensors file", path, err)
	}
	return all, nil
}

func parseSafetensors(b []byte, want func(string) bool) (map[string]Tensor, error) {
	if len(b) < 8 {
		return nil, fmt.Errorf("%d bytes", len(b))
	}
	size := binary.LittleEndian.Uint64(b)
	if b = b[8:]; size > maxHeader || size > uint64(len(b)) {
		return nil, fmt.Errorf("a header of %d bytes in a file of %d", size, len(b)+8)
	}
	var header map[string]json.RawMessage
	if err := json.Unmarshal(b[:size], &header); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	data := b[size:]
	all := map[string]Tensor{}
	for name, raw := range header {
		if name == "__metadata__" || want != nil && !want(name) {
			continue
		}
		var h struct {
			Type    string   `json:"dtype"`
			Shape   []int    `json:"shape"`
			Offsets []uint64 `json:"data_offsets"`
		}
		if err := json.Unmarshal(raw, &h); err != nil {
			return nil, fmt.Errorf("tensor %q: %w", name, err)
		}
		if len(h.Offsets) != 2 || h.Offsets[0] > h.Offsets[1] || h.Offsets[1] > uint64(len(data)) {
			return nil, fmt.Errorf("tensor %q: offsets %v in %d bytes of data", name, h.Offsets, len(data))
		}
		t, err := decodeTensor(h.Type, h.Shape, data[h.Offsets[0]:h.Offsets[1]])
		if err != nil {
			return nil, fmt.Errorf("tensor %q: %w", name, err)
		}
		all[name] = t
	}
	return all, nil
}

func decodeTensor(kind string, shape []int, b []byte) (t Tensor, err error) {
	width := map[string]int{"F32": 4, "F16": 2, "BF16": 2}[kind]
	if width == 0 {
		return t, fmt.Errorf("type %q, wanted F32, F16 or BF16", kind)
	}
	n := 1
	for _, d := range shape {
		if d < 0 || d > math.MaxInt32 || n > len(b) {
			return t, fmt.Errorf("shape %v for %d bytes", shape, len(b))
		}
		n *= d
	}
	if n < 0 || n > len(b) || n*width != len(b) {
		return t, fmt.Errorf("shape %v of type %s for %d bytes", shape, kind, len(b))
	}
	t = Tensor{Shape: shape, Data: make([]float32, n)}
	for i := range t.Data {
		switch kind {
		case "F32":
			t.Data[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		case "BF16":
			t.Data[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(b[2*i:])) << 16)
		case "F16":
			t.Data[i] = half(binary.LittleEndian.Uint16(b[2*i:]))
		}
		if v := float64(t.Data[i]); math.IsNaN(v) || math.IsInf(v, 0) {
			return t, errors.New("a value that is no finite number")
		}
	}
	return t, nil
}

// half converts a 16-bit number (IEEE 754 binary16).
func half(h uint16) float32 {
	sign, exp, frac := uint32(h>>15)<<31, uint32(h>>10&31), uint32(h&1023)
	switch exp {
	case 0:
		v := float32(frac) / (1 << 24)
		if sign != 0 {
			v = -v
		}
		return v
	case 31:
		return math.Float32frombits(sign | 0xFF<<23 | frac<<13)
	}
	return math.Float32frombits(sign | (exp+112)<<23 | frac<<13)
}
