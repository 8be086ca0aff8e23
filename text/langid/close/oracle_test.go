package close

import (
	"math/rand/v2"
	"slices"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/model/data"
)

// plainGrams calls fn for the n-grams of a word: the oracle of reader.grams.
func plainGrams(codes []uint16, fn func(uint32)) {
	codes = append(append([]uint16{boundary}, codes...), boundary)
	for end := 2; end <= len(codes); end++ {
		for n := minGram; n <= min(maxGram, end); n++ {
			h := uint64(0)
			for k, c := range codes[end-n : end] {
				if k == 0 {
					h = 1
				}
				h = (h + uint64(c)) * spread
			}
			fn(hash(h, gram))
		}
	}
}

func TestGrams(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for n := range 48 {
		codes := make([]uint16, n)
		for i := range codes {
			codes[i] = uint16(rng.IntN(1 << 16))
		}
		var want []uint32
		plainGrams(codes, func(h uint32) { want = append(want, h) })
		var r reader
		if r.grams(codes); !slices.Equal(r.found[:r.n], want) {
			t.Fatalf("%d characters: %x, want %x", n, r.found[:r.n], want)
		}
	}
}

// plainRead adds the rows of the features of a text one by one: the oracle of Group.Read.
func plainRead(g *Group, text string) (s Scores) {
	rows := map[uint32]uint64{}
	for _, slot := range g.table {
		if slot != 0 {
			rows[uint32(slot>>32)] = g.rows[uint32(slot)-1]
		}
	}
	Features(g.script, text, func(h uint32) {
		if row, ok := rows[h]; ok {
			for m := range s.Sum {
				s.Sum[m] += int32(row>>(8*m)&0xff) - 128
			}
			s.Rows++
		}
	})
	return s
}

func TestRead(t *testing.T) {
	groups := must.Get(Parse("embedded", data.Close))(t)
	text := ""
	for range 40 {
		text += "Eg veit ikkje kvifor dei ikkje kom. Starý most bol zatvorený. Старый мост был закрыт. Não sei, no lo sé. 那座旧桥因为洪水关闭了。 पुराना पुल बंद था। "
	}
	for _, g := range groups {
		for _, x := range []string{"", text[:200], text} {
			var got Scores
			if g.Read(x, &got); got != plainRead(g, x) {
				t.Errorf("group %s, %d bytes: %+v, want %+v", g.Name, len(x), got, plainRead(g, x))
			}
		}
	}
}
