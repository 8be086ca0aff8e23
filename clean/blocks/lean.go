package blocks

import (
	"encoding/binary"
	"fmt"
	"math"
)

// LeastOdds is added to a probability before taking its logarithm.
const LeastOdds = 1e-4

// tilt adds the lean of m to the log odds of the roles.
func (m *Model) tilt(roles []float32) {
	if m.lean == nil {
		return
	}
	const k = Roles
	var f [k]float32
	for c, b := range m.lean {
		f[c] = float32(math.Exp(float64(b)))
	}
	for i := 0; i+k <= len(roles); i += k {
		p := roles[i : i+k]
		sum := float32(0)
		for c := range p {
			p[c] = float32((p[c] + LeastOdds) * f[c])
			sum += p[c]
		}
		for c := range p {
			p[c] /= sum
		}
	}
}

// appendLean appends the lean of m to b.
func (m *Model) appendLean(b []byte) []byte {
	for _, v := range m.lean {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b
}

func (m *Model) readLean(b []byte) error {
	if len(b) != 4*Roles {
		return fmt.Errorf("%d bytes, wanted %d", len(b), 4*Roles)
	}
	for ; len(b) > 0; b = b[4:] {
		v := math.Float32frombits(binary.LittleEndian.Uint32(b))
		if !(math.Abs(float64(v)) < 100) {
			return fmt.Errorf("the lean of role %d is %v: wanted a number below 100", len(m.lean)+1, v)
		}
		m.lean = append(m.lean, v)
	}
	return nil
}
