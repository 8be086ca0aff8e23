package blocks

import (
	"encoding/binary"
	"fmt"
	"math"
	"unsafe"
)

// Hints is a linear model of the roles over hashed tokens: the tokens of the class and id
// attributes around a block, and its first and last words.
type Hints struct {
	Bias        [Roles]float32
	Scale       float32     // size of a step
	Attr, Words []RoleSteps // by slot / RowSlots
}

// hintBits is the base-2 logarithm of the number of rows of each table. It is small so that
// both tables stay in the processor cache.
const hintBits = 14

// HintRows is the number of rows of each table of [Hints].
const HintRows = 1 << hintBits

// RoleSteps holds the weights of a token in steps, by role.
type RoleSteps [Roles]int8

// append writes the bias of each role, the scale, the weights of the attribute tokens and
// the weights of the words, one byte per role.
func (h *Hints) append(b []byte) []byte {
	for _, v := range h.Bias {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(h.Scale))
	for _, table := range [][]RoleSteps{h.Attr, h.Words} {
		for _, steps := range table {
			for _, v := range steps {
				b = append(b, byte(v))
			}
		}
	}
	return b
}

// readHints reads the output of append. The hints refer to b.
func readHints(b []byte) (*Hints, error) {
	const k, head = Roles, 4 * (Roles + 1)
	if want := head + 2*k<<hintBits; len(b) != want {
		return nil, fmt.Errorf("%d bytes, wanted %d", len(b), want)
	}
	h := new(Hints)
	for r := range h.Bias {
		h.Bias[r] = math.Float32frombits(binary.LittleEndian.Uint32(b))
		if !(math.Abs(float64(h.Bias[r])) < 1e3) {
			return nil, fmt.Errorf("bias %v", h.Bias[r])
		}
		b = b[4:]
	}
	h.Scale, b = math.Float32frombits(binary.LittleEndian.Uint32(b)), b[4:]
	if !(h.Scale >= 0 && h.Scale < 1e3) {
		return nil, fmt.Errorf("scale %v", h.Scale)
	}
	if err := checkSteps(b); err != nil {
		return nil, err
	}
	all := unsafe.Slice((*RoleSteps)(unsafe.Pointer(&b[0])), 2<<hintBits)
	h.Attr, h.Words = all[:1<<hintBits:1<<hintBits], all[1<<hintBits:]
	return h, nil
}
