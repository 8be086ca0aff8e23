package bitpack

import (
	"bytes"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"chaffinch/internal/testkit/must"
	"chaffinch/internal/testkit/property"
)

func pack(width uint, xs []uint64) []byte {
	var b bytes.Buffer
	w := NewWriter(&b, width)
	for _, x := range xs {
		w.Add(x)
	}
	w.Close() // a buffer takes everything
	return b.Bytes()
}

func TestRoundTrip(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		width := rapid.UintRange(0, MaxWidth).Draw(t, "width")
		xs := rapid.SliceOf(rapid.Uint64Range(0, 1<<width-1)).Draw(t, "numbers")
		a := must.Get(Parse(pack(width, xs)))(t)
		if a.Len() != len(xs) {
			t.Fatalf("%d numbers, wanted %d", a.Len(), len(xs))
		}
		for i, x := range xs {
			if a.At(i) != x {
				t.Fatalf("number %d is %d, wanted %d", i, a.At(i), x)
			}
		}
	})
}

// TestAddPacked writes groups of numbers that Append packed, and then single numbers.
func TestAddPacked(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		width := rapid.UintRange(0, 32).Draw(t, "width")
		xs := rapid.SliceOfN(rapid.Uint32Range(0, 1<<width-1), 0, 5*64).Draw(t, "numbers")
		var b bytes.Buffer
		w := NewWriter(&b, width)
		var all []uint64
		for _, x := range xs {
			all = append(all, uint64(x))
		}
		groups := rapid.IntRange(0, len(xs)/64).Draw(t, "groups") * 64
		if rapid.Bool().Draw(t, "all") {
			groups = len(xs)
		}
		w.AddPacked(Append(nil, xs[:groups], width), groups)
		for _, x := range all[groups:] {
			w.Add(x)
		}
		must.Succeed(t, w.Close())
		if want := pack(width, all); !bytes.Equal(b.Bytes(), want) {
			t.Fatalf("%x, want %x", b.Bytes(), want)
		}
	})
}

// TestAddZeros writes runs of zeros between other numbers.
func TestAddZeros(t *testing.T) {
	for width := range uint(MaxWidth + 1) {
		var one, all bytes.Buffer
		x, y := NewWriter(&one, width), NewWriter(&all, width)
		for n := range uint64(200) {
			for range n {
				x.Add(0)
			}
			x.Add(1<<width - 1)
			y.AddZeros(n)
			y.Add(1<<width - 1)
		}
		if err := errors.Join(x.Close(), y.Close()); err != nil || !bytes.Equal(one.Bytes(), all.Bytes()) {
			t.Fatalf("width %d: AddZeros differs from Add, error %v", width, err)
		}
	}
}

func TestWidth(t *testing.T) {
	for max, want := range map[uint64]uint{0: 0, 1: 1, 2: 2, 255: 8, 256: 9} {
		if got := Width(max); got != want {
			t.Errorf("Width(%d) = %d, wanted %d", max, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte{})
	f.Add(pack(0, make([]uint64, 9)))
	f.Add(pack(13, []uint64{1, 8191, 77}))
	f.Add(pack(56, []uint64{1<<56 - 1, 5}))
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := Parse(b)
		if err != nil {
			return
		}
		for i := range min(a.Len(), 1000) {
			a.At(i)
			a.At(a.Len() - 1 - i)
		}
	})
}
