package extract

import (
	"encoding/binary"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestTagOf compares tagOf with lookup, and the numbers of attributes with those of their names:
// of all names, in any case and beside anything, and of bytes at random.
func TestTagOf(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	var names []string
	for name := range tagIDs {
		names = append(names, name, strings.ToUpper(name), name+"x", name+"\x00")
		if name != "" {
			names = append(names, strings.ToUpper(name[:1])+name[1:], name[:len(name)-1])
		}
	}
	for _, slot := range attrNames {
		name := strings.TrimRight(string(binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, slot.lo), slot.hi)), "\x00")
		names = append(names, name, strings.ToUpper(name), name+"x", "x"+name)
	}
	for range 2000 {
		b := make([]byte, rng.IntN(20))
		for i := range b {
			b[i] = byte(rng.IntN(256))
			if rng.IntN(3) > 0 {
				b[i] = "AZaz@[`{BRbr"[rng.IntN(12)]
			}
		}
		names = append(names, string(b))
	}
	for _, name := range names {
		for _, behind := range []string{"", ">", " CLASS=A>", ">\xff\xff\xff\xff\xff\xff\xff\xff"} {
			if got, want := tagOf("<"+name+behind, 1, 1+len(name)), lookup(name); got != want {
				t.Fatalf("%q before %q: element %d, wanted %d", name, behind, got, want)
			}
			if got, want := attrNames.of("<"+name+behind, 1, 1+len(name)), attrNames.find(keyOf(name), len(name)); got != want {
				t.Fatalf("%q before %q: attribute %d, wanted %d", name, behind, got, want)
			}
		}
	}
}
