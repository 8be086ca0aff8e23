package boost

import (
	"encoding/binary"
	"fmt"
	"math"
)

// formatVersion is the version of the encoding of a Forest, its first byte.
//
// 1: base and scale (float32), features (column as uvarint, shift as varint), trees: depth (byte),
// splits (feature as uvarint, threshold as byte), values (int16). All little-endian; lists follow
// their lengths as uvarint.
const formatVersion = 1

// AppendBinary implements [encoding.BinaryAppender]. The gains of the features are not encoded.
func (f *Forest) AppendBinary(b []byte) ([]byte, error) {
	b = append(b, formatVersion)
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f.base))
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f.scale))
	b = appendFeatures(b, f.features)
	b = binary.AppendUvarint(b, uint64(len(f.depths)))
	levels, values := f.levels, f.values
	for _, depth := range f.depths {
		b = appendLevels(b, levels[:depth])
		for _, v := range values[:1<<depth] {
			b = binary.LittleEndian.AppendUint16(b, uint16(v))
		}
		levels, values = levels[depth:], values[1<<depth:]
	}
	return b, nil
}

// appendFeatures appends the number of features and the features.
func appendFeatures(b []byte, features []Feature) []byte {
	b = binary.AppendUvarint(b, uint64(len(features)))
	for _, ft := range features {
		b = binary.AppendUvarint(b, uint64(ft.Col))
		b = binary.AppendVarint(b, int64(ft.Shift))
	}
	return b
}

// appendLevels appends the depth of a tree and its splits.
func appendLevels(b []byte, levels []level) []byte {
	b = append(b, byte(len(levels)))
	for _, q := range levels {
		b = binary.AppendUvarint(b, uint64(q.feature))
		b = append(b, q.threshold)
	}
	return b
}

// Limits of decoding, far above any trained forest. A forest cannot request more memory than a
// small multiple of its encoded size.
const (
	maxColumns  = 1 << 20
	maxFeatures = 1 << 16
)

// UnmarshalBinary implements [encoding.BinaryUnmarshaler]. data may be untrusted: an accepted
// forest is safe to Score with Columns columns.
func (f *Forest) UnmarshalBinary(data []byte) error {
	r := reader{data: data}
	if v := r.byte(); r.err == nil && v != formatVersion {
		return fmt.Errorf("boost: forest of format %d, this build reads %d: train it again", v, formatVersion)
	}
	var n Forest
	n.base, n.scale = r.float(), r.float()
	n.features = r.features()
	trees := r.number("number of trees", len(data))
	for i := 0; i < trees && r.err == nil; i++ {
		r.tree(&n)
	}
	if err := r.end(); err != nil {
		return err
	}
	*f = n
	f.layOut()
	return nil
}

// reader reads numbers and remembers the first error.
type reader struct {
	data []byte
	at   int
	err  error
}

func (r *reader) fail(what string) {
	if r.err == nil {
		r.err = fmt.Errorf("boost: damaged forest, byte %d: %s: train it again", r.at, what)
	}
}

var zeros [2 << MaxDepth]byte

// take returns the next n bytes, zeros after an error.
func (r *reader) take(n int) []byte {
	if r.err == nil && len(r.data)-r.at < n {
		r.fail("ends too early")
	}
	if r.err != nil {
		return zeros[:n]
	}
	r.at += n
	return r.data[r.at-n : r.at]
}

func (r *reader) byte() byte { return r.take(1)[0] }

func (r *reader) float() float32 {
	v := math.Float32frombits(binary.LittleEndian.Uint32(r.take(4)))
	if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
		r.fail("number that is not finite")
	}
	return v
}

// number reads an integer of at most high.
func (r *reader) number(what string, high int) int {
	if r.err != nil {
		return 0
	}
	v, n := binary.Uvarint(r.data[r.at:])
	if n <= 0 || v > uint64(high) {
		r.fail(fmt.Sprintf("%s, wanted at most %d", what, high))
		return 0
	}
	r.at += n
	return int(v)
}

func (r *reader) shift() int {
	if r.err != nil {
		return 0
	}
	v, n := binary.Varint(r.data[r.at:])
	if n <= 0 || v < -Pad || v > Pad {
		r.fail(fmt.Sprintf("shift of a feature, wanted at most %d", Pad))
		return 0
	}
	r.at += n
	return int(v)
}

// end returns the first error. Remaining bytes are an error.
func (r *reader) end() error {
	if r.err == nil && r.at != len(r.data) {
		r.fail(fmt.Sprintf("%d bytes after the last tree", len(r.data)-r.at))
	}
	return r.err
}

func (r *reader) features() (list []Feature) {
	count := r.number("number of features", maxFeatures)
	for i := 0; i < count && r.err == nil; i++ {
		col := r.number("column", maxColumns)
		ft := Feature{Col: col, Shift: r.shift()}
		if i > 0 && compare(list[i-1], ft) >= 0 {
			r.fail("feature out of order")
		}
		list = append(list, ft)
	}
	return list
}

// levels reads the depth of a tree and its splits, which use the given number of features.
func (r *reader) levels(features int) (depth uint8, levels []level) {
	depth = r.byte()
	if depth > MaxDepth {
		r.fail(fmt.Sprintf("tree of depth %d, wanted at most %d", depth, MaxDepth))
		return 0, nil
	}
	if depth > 0 && features == 0 {
		r.fail("question without a feature")
		return 0, nil
	}
	for range depth {
		q := level{uint16(r.number("feature", features-1)), r.byte()}
		if q.threshold >= MaxBins {
			r.fail(fmt.Sprintf("threshold %d, wanted at most %d", q.threshold, MaxBins-1))
		}
		levels = append(levels, q)
	}
	return depth, levels
}

// tree reads a tree and appends it to f.
func (r *reader) tree(f *Forest) {
	depth, levels := r.levels(len(f.features))
	if r.err != nil {
		return
	}
	f.depths = append(f.depths, depth)
	f.levels = append(f.levels, levels...)
	b := r.take(2 << depth)
	for i := 0; i < len(b); i += 2 {
		f.values = append(f.values, int16(binary.LittleEndian.Uint16(b[i:])))
	}
}
