package plain

import (
	"encoding/binary"
	"testing"
)

// TestAnyControl: a control byte is found at every place of eight, beside any other byte.
func TestAnyControl(t *testing.T) {
	for c := range 256 {
		for _, beside := range []byte{' ', 'a', 0x7E, 0x80, 0xFF} {
			for place := range 8 {
				b := [8]byte{beside, beside, beside, beside, beside, beside, beside, beside}
				b[place] = byte(c)
				if got, want := anyControl(binary.LittleEndian.Uint64(b[:])), c < 0x20 || c == 0x7F; got != want {
					t.Errorf("byte %#x at %d beside %#x: %v", c, place, beside, got)
				}
			}
		}
	}
}
