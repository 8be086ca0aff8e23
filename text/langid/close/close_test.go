package close

import (
	"slices"
	"strings"
	"testing"

	_ "chaffinch/model/data/languages"

	"chaffinch/internal/testkit/must"
	"chaffinch/model"
	"chaffinch/model/data"
)

// hashes returns the hashes of the features of a text in Latin script.
func hashes(text string) (list []uint32) {
	Features(scriptOf("Latn"), text, func(h uint32) { list = append(list, h) })
	return list
}

func TestFeatures(t *testing.T) {
	if a, b := hashes("eg veit ikkje"), hashes("Eg veit ikkje."); !slices.Equal(a, b) {
		t.Error("the first word of a sentence has other features with a capital letter")
	}
	if a, b := hashes("dei bur i Oslo no"), hashes("dei bur i no"); len(a) >= len(b)+len(hashes("oslo")) {
		t.Error("a name within a sentence has features")
	}
	if n := len(hashes("да нет")); n != 0 {
		t.Errorf("%d features in another script", n)
	}
	// The word, and n-grams of two to five characters of "_da_".
	if n := len(hashes("da")); n != 1+3+2+1 {
		t.Errorf("%d features of a word of two letters", n)
	}
	for _, h := range hashes(strings.Repeat("så lang ei tekst ", 20)) {
		if h >= 1<<HashBits {
			t.Fatalf("hash %x of more than %d bits", h, HashBits)
		}
	}
}

// made writes and reads a group in which "ikkje" is a word of the second member.
func made(t *testing.T) *Group {
	t.Helper()
	ikkje := hashes("ikkje")[0]
	rows := Rows{Hashes: []uint32{ikkje}, Weights: []int8{-3, 5}}
	if other := ikkje ^ 1; other < ikkje {
		rows = Rows{Hashes: []uint32{other, ikkje}, Weights: []int8{9, -3, 9, 5}}
	}
	w := model.Memory(model.Header{Kind: Kind, Behaviour: Behaviour, Name: "made"})
	must.Succeed(t, Write(w, []Settings{{Name: "no", Script: "Latn", Members: []string{"nb", "nn"}, Unit: .5, Features: len(rows.Hashes)}}, []Rows{rows}))
	b := must.Get(w.Bytes())(t)
	groups := must.Get(Parse("made", b))(t)
	return groups[0]
}

func TestGroup(t *testing.T) {
	g := made(t)
	var once, twice, sum Scores
	g.Read("eg veit ikkje", &once)
	if once.Sum[0] != -3 || once.Sum[1] != 5 || once.Rows != 1 {
		t.Fatalf("%+v", once)
	}
	g.Read("eg veit ikkje kven som ikkje kom", &twice)
	sum.Add(&once)
	sum.Add(&once)
	if sum != twice {
		t.Errorf("two texts %+v, both together %+v", sum, twice)
	}
	var p [MaxMembers]float64
	g.Probabilities(&once, 3, &p)
	if p[1] < .98 || p[0]+p[1] != 1 {
		t.Errorf("%v", p)
	}
	g.Probabilities(&once, 1, &p)
	if p[0] != 1 || p[1] != 0 {
		t.Errorf("only nb is allowed: %v", p)
	}
}

func TestParse(t *testing.T) {
	groups := must.Get(Parse("embedded", data.Close))(t)
	for _, g := range groups {
		g.Read("a", new(Scores)) // decodes the rows
		for _, part := range g.Parts {
			for _, tag := range part.Of {
				if tag != "cnr" && !slices.Contains(g.Members, tag) {
					t.Errorf("group %s: %s of %s is no member", g.Name, tag, part.Tag)
				}
			}
		}
	}
	for i := 100; i < len(data.Close); i += len(data.Close) / 20 {
		bad := slices.Clone(data.Close)
		bad[i] ^= 0x55
		if _, err := Parse("damaged", bad); err == nil {
			t.Errorf("byte %d changed, and no error", i)
		}
	}
}

func TestAllocations(t *testing.T) {
	g := made(t)
	var s Scores
	if n := testing.AllocsPerRun(20, func() { g.Read("eg veit ikkje kven som kom til Oslo", &s) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
