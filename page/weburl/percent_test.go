package weburl

import "testing"

func TestOctet(t *testing.T) {
	for c := range 256 {
		s := "/" + string(AppendOctet(nil, byte(c)))
		if got, ok := Octet(s, 1); !ok || got != byte(c) {
			t.Errorf("%q is %#x (%v), want %#x", s, got, ok, c)
		}
	}
	for _, s := range []string{"", "%", "%4", "%4g", "%g4", "x41", "% 41"} {
		if c, ok := Octet(s, 0); ok {
			t.Errorf("%q is %#x, want none", s, c)
		}
	}
	if c, ok := Octet("%aF", 0); !ok || c != 0xaf {
		t.Errorf("%%aF is %#x (%v)", c, ok)
	}
}
