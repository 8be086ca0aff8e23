package main

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// TestEachPart wants parts that are together the text, none longer than asked for, and ends
// after lines, or blanks where there are none.
func TestEachPart(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var b strings.Builder
		for range rnd.IntN(40) {
			b.WriteString([]string{"a", "bb", " ", "\n", "longer", strings.Repeat("x", 30)}[rnd.IntN(6)])
		}
		text, most := b.String(), 1+rnd.IntN(50)
		var parts []string
		err := eachPart("x", iotest.OneByteReader(strings.NewReader(text)), most, func(p []byte) error { parts = append(parts, string(p)); return nil })
		if err != nil || strings.Join(parts, "") != text {
			t.Fatalf("%q in parts of %d: %q, %v", text, most, parts, err)
		}
		for i, p := range parts {
			last := i == len(parts)-1
			if len(p) > most || len(p) == 0 || !last && p[len(p)-1] != '\n' && strings.Contains(p, "\n") || !last && strings.HasSuffix(p, "x") && strings.Contains(p, " ") {
				t.Fatalf("%q in parts of %d: %q", text, most, parts)
			}
		}
	}
	bad := errors.New("bad")
	if err := eachPart("x", iotest.ErrReader(bad), 10, nil); !errors.Is(err, bad) || !strings.HasPrefix(err.Error(), "x: ") {
		t.Error(err)
	}
	if err := eachPart("x", strings.NewReader("a\nb"), 2, func([]byte) error { return bad }); err != bad {
		t.Error(err)
	}
	var one []string
	eachPart("x", strings.NewReader("a\n"), 2, func(p []byte) error { one = append(one, string(p)); return nil })
	if !slices.Equal(one, []string{"a\n"}) {
		t.Errorf("%q", one)
	}
}
