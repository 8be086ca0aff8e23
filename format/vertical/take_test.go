package vertical

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestTake damages the output of a tagger in every way, and wants that each row
// that is taken is the one of its token, and that damage costs only sentences
// near it.
func TestTake(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 300 {
		b := newBatch("", "")
		var rows [][]byte
		var todo []int
		damage := 0
		for i := range 1 + rng.IntN(60) {
			todo = append(todo, i)
			for range 1 + rng.IntN(12) {
				w := fmt.Sprintf("w%d", rng.IntN(40))
				row := []byte(fmt.Sprintf("%s\t%d", w, len(b.ends)))
				b.token(&Line{Kind: Token, Fields: [][]byte{[]byte(w)}})
				switch rng.IntN(200) {
				case 0: // missing
					damage++
				case 1: // other
					damage++
					rows = append(rows, []byte("other\tx"))
				case 2: // surplus
					damage++
					rows = append(rows, []byte("surplus\tx"), row)
				default:
					rows = append(rows, row)
				}
			}
			b.end()
		}
		b.rows, b.why = make([]row, len(b.ends)), map[int]string{}
		left := b.take(todo, rows, []int{1}, &Tagger{})
		if len(left) > damage*4 {
			t.Errorf("round %d: %d places of damage cost %d of %d sentences", round, damage, len(left), len(todo))
		}
		isLeft := map[int]bool{}
		for _, i := range left {
			isLeft[i] = true
		}
		for i, s := range b.sents {
			for k := s.first; k < s.end; k++ {
				got := string(b.text[b.rows[k].from:b.rows[k].to])
				if want := fmt.Sprintf("\t%d", k); !isLeft[i] && got != want {
					t.Fatalf("round %d: token %d of sentence %d gets %q, not %q", round, k, i, got, want)
				}
			}
		}
	}
}
