package crawl

import (
	"reflect"
	"testing"
)

// TestTextSet wants the last texts to be known, and the memory to be bounded.
func TestTextSet(t *testing.T) {
	s := newTextSet(100)
	for i := range uint64(1000) {
		if s.has(i) {
			t.Fatalf("%d is known before it came", i)
		}
		s.add(i)
		if n := len(s.young) + len(s.older); n > 100 {
			t.Fatalf("%d texts are kept", n)
		}
		for back := range min(i+1, 50) {
			if !s.has(i - back) {
				t.Fatalf("%d is not known when %d came", i-back, i)
			}
		}
		if i%90 == 0 {
			again := newTextSet(100)
			if again.load(s.save()); !reflect.DeepEqual(again, s) {
				t.Fatalf("%d: %v, read again %v", i, s, again)
			}
			s = again
		}
	}
}
