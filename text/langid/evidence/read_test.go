package evidence

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	_ "chaffinch/model/data/languages"

	"chaffinch/internal/testkit/must"
	"chaffinch/model/data"
)

// plain is the reading of a text as docs/explanation/langid.md describes it, with maps and
// floating-point numbers: the oracle of Model.read.
type plain struct {
	m    *Model
	rows map[uint64]map[uint16]float64 // by hash
}

func newPlain(t *testing.T, m *Model) *plain {
	p := &plain{m, map[uint64]map[uint16]float64{}}
	for _, slot := range slices.Concat(m.words.slots, m.grams.slots) {
		weights := map[uint16]float64{}
		if m.dense && slot&maxQuads >= denseQuads {
			t.Fatal("dense rows")
		}
		for _, quad := range m.pairs[uint32(slot)>>8:][:slot&maxQuads] {
			for range 4 {
				weights[uint16(quad%MaxClasses)] += float64(levelWeight(uint8(quad / MaxClasses)))
				quad >>= 16
			}
		}
		if slot != 0 {
			p.rows[slot>>32] = weights
		}
	}
	return p
}

// sparse returns a model without dense rows.
func sparse(t *testing.T, b []byte) *Model {
	before := expands
	expands = false
	defer func() { expands = before }()
	return must.Get(Parse("sparse", b))(t)
}

func (p *plain) row(key uint64) map[uint16]float64 { return p.rows[Mix(key)>>32] }

// score adds the rows of text to the priors.
func (p *plain) score(text string) (score [MaxClasses]float64) {
	add := func(row map[uint16]float64) {
		for c, w := range row {
			score[c] += w
		}
	}
	var w Word
	words := 0
	var begun [MaxScripts]bool
	for i := w.Next(text, 0); w.N > 0; i = w.Next(text, i) {
		s, codes := w.Script, slices.Clone(w.Code[:w.N])
		if len(p.m.ByScript[s]) < 2 {
			continue
		}
		for _, c := range p.m.ByScript[s] {
			if !begun[s] {
				score[c] = float64(p.m.priors[c])
			}
		}
		begun[s] = true
		words++
		if row := p.row(WordKey(hashOf(codes), Salt(s))); row != nil && s != Hani {
			add(row)
			continue
		}
		var longest map[uint16]float64
		EachGram(s, Salt(s), codes, func(key, _ uint64, order int) {
			if row := p.row(key); row != nil {
				longest = row
			}
		}, func(left int) {
			if words <= thorough || left%hastyStep == 0 {
				add(longest)
			}
			longest = nil
		})
	}
	return score
}

var samples = []string{
	"", " ", "a", "The old bridge was closed for three weeks.", "L'été, l’eau d'un étang; aujourd'hui",
	"Starý most bol tri týždne zatvorený kvůli povodni", "Стари мост је због поплаве", "нa oснoву oптужби", "古い橋は洪水のために",
	"那座旧桥因为洪水关闭了三个星期。", "e\u0301te\u0301 ọ̀rọ̀ o\u0329\u0300ro\u0329\u0300", "\xff\xfeabc\xc3", "x1y2_z3 <div class=\"a\">", strings.Repeat("ab", 200),
	"Pneumonoultramicroscopicsilicovolcanoconiosis", "́́́", "'''", "a'b'c", "पुरानी पुल", "مرحبا بالعالم", "ღია", "ꙗ",
}

// TestRead compares the reading of Model with the plain one.
func TestRead(t *testing.T) {
	m := must.Get(Parse("embedded", data.Langid))(t)
	p := newPlain(t, sparse(t, data.Langid))
	rng := rand.New(rand.NewPCG(1, 1))
	texts := slices.Clone(samples)
	for range 200 { // words of several languages in one text
		var words []string
		for range 1 + rng.IntN(8) {
			f := strings.Fields(samples[rng.IntN(len(samples))])
			if len(f) > 0 {
				words = append(words, f[rng.IntN(len(f))])
			}
		}
		texts = append(texts, strings.Join(words, " "))
	}
	texts = append(texts, strings.Join(texts, " "))
	rows := int32(0)
	for _, text := range texts {
		var y Tally
		m.Read(text, &y, false)
		rows += y.Rows
		want := p.score(text)
		for c := range y.Score {
			if float64(y.Score[c]) != want[c] {
				t.Errorf("%q: class %d: %d, wanted %v", text, c, y.Score[c], want[c])
				break
			}
		}
	}
	if rows < 100 {
		t.Errorf("only %d rows were added: the samples test nothing", rows)
	}
}

// TestCompose wants letters with marks to be the same word, composed or not.
func TestCompose(t *testing.T) {
	for _, pair := range [][2]string{{"é", "e\u0301"}, {"ọ̀", "o\u0323\u0300"}, {"ọ̀rọ̀", "o\u0329\u0300ro\u0300\u0323"}, {"Việt", "Vie\u0323\u0302t"}, {"нa", "на"}, {"Jужне", "Јужне"}} {
		var a, b Word
		a.Next(pair[0], 0)
		b.Next(pair[1], 0)
		if a.N == 0 || a.Hash != b.Hash || a.Script != b.Script {
			t.Errorf("%q is %x, %q is %x", pair[0], a.Code[:a.N], pair[1], b.Code[:b.N])
		}
	}
}

// FuzzParse reads any bytes as a model.
func FuzzParse(f *testing.F) {
	f.Add(data.Langid[:4096])
	f.Add([]byte("CHFMODEL"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if m, err := Parse("fuzz", b); err == nil {
			var y Tally
			m.Read("any text", &y, false)
		}
	})
}
