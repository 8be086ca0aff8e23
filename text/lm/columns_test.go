package lm

import (
	"bytes"
	"slices"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/model"
)

// columnsOf returns n-grams of one or two words as columns.
func columnsOf(t *testing.T, grams []Grams, words int) []Columns {
	t.Helper()
	all := make([]Columns, len(grams))
	for k, g := range grams {
		c := &all[k]
		for _, x := range g.(Slice) {
			c.Prob = append(c.Prob, x.Prob)
			if k == 0 {
				c.Backoff = append(c.Backoff, x.Backoff)
			} else {
				c.Left = append(c.Left, Scramble(x.Words[1], words))
			}
		}
	}
	if len(grams) > 1 {
		first := make([]uint32, words+1)
		for _, x := range grams[1].(Slice) {
			first[x.Words[0]+1]++
		}
		for i := range words {
			first[i+1] += first[i]
		}
		all[0].First = first
	} else {
		all[0].Backoff = nil
	}
	return all
}

// TestColumns writes the same n-grams from a reader and from columns, in one piece and in several.
func TestColumns(t *testing.T) {
	for _, c := range []struct {
		words, gap int
		bits       uint
		order      int
	}{{4, 1, 1, 2}, {100, 3, 8, 2}, {1000, 200, 5, 2}, {4000, 90, 32, 2}, {70_000, 30_000, 8, 2}, {pieceGrams, 9_000, 3, 2}, {2000, 100, 8, 1}} {
		s := madeUpSpec(c.words, c.gap, c.bits)
		s.Grams = s.Grams[:c.order]
		m := must.Get(Memory(model.Header{Name: "made up"}, &s))(t)
		want := bytesOf(t, m)
		s.Grams, s.Columns = nil, columnsOf(t, s.Grams, c.words)
		m = must.Get(Memory(model.Header{Name: "made up"}, &s))(t)
		if got := bytesOf(t, m); !bytes.Equal(got, want) {
			t.Errorf("%+v: %d bytes from columns, or other ones, wanted %d", c, len(got), len(want))
		}
	}
}

// TestColumnLengths rejects columns of different lengths.
func TestColumnLengths(t *testing.T) {
	for name, damage := range map[string]func(c []Columns){
		"left":    func(c []Columns) { c[1].Left = c[1].Left[1:] },
		"backoff": func(c []Columns) { c[0].Backoff = nil },
		"first":   func(c []Columns) { c[0].First = c[0].First[1:] },
		"total":   func(c []Columns) { c[0].First[len(c[0].First)-1]-- },
	} {
		s := madeUpSpec(100, 3, 8)
		columns := columnsOf(t, s.Grams, 100)
		damage(columns)
		s.Grams, s.Columns = nil, slices.Clone(columns)
		if _, err := Memory(model.Header{Name: "made up"}, &s); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
