package langid

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"chaffinch/model/data"
)

// plain is the reading of a text as docs/langid.md tells it, with maps and
// floating-point numbers: the oracle of Model.read.
type plain struct {
	m    *Model
	rows map[uint64]map[uint8]float64 // by hash
}

func newPlain(m *Model) *plain {
	p := &plain{m, map[uint64]map[uint8]float64{}}
	for _, slot := range slices.Concat(m.words.slots, m.grams.slots) {
		if slot == 0 {
			continue
		}
		row := map[uint8]float64{}
		first, n := uint32(slot)>>8, uint32(slot)&maxQuads
		for _, quad := range m.quads[first : first+n] {
			for ; quad != 0; quad >>= 16 {
				row[uint8(quad)] += float64(int8(quad >> 8))
			}
		}
		p.rows[slot>>32] = row
	}
	return p
}

func (p *plain) row(key uint64) map[uint8]float64 { return p.rows[mix(key)>>32] }

// score adds up the rows of text.
func (p *plain) score(text string) (score [maxClasses]float64) {
	add := func(row map[uint8]float64) {
		for c, w := range row {
			score[c] += w
		}
	}
	var w word
	words := 0
	for i := w.next(text, 0); w.n > 0; i = w.next(text, i) {
		s, codes := w.script, slices.Clone(w.code[:w.n])
		if len(p.m.byScript[s]) < 2 {
			continue
		}
		words++
		if row := p.row(wordKey(hashOf(codes), salt(int(s)))); row != nil && s != hani {
			add(row)
			continue
		}
		var longest map[uint8]float64
		eachGram(s, salt(int(s)), codes, func(key, _ uint64, order int) {
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
	m, err := Parse("embedded", data.Langid)
	if err != nil {
		t.Fatal(err)
	}
	p := newPlain(m)
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
		var y tally
		m.read(text, &y, false)
		rows += y.rows
		want := p.score(text)
		for c := range y.score {
			if float64(y.score[c]) != want[c] {
				t.Errorf("%q: class %d: %d, wanted %v", text, c, y.score[c], want[c])
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
		var a, b word
		a.next(pair[0], 0)
		b.next(pair[1], 0)
		if a.n == 0 || a.hash != b.hash || a.script != b.script {
			t.Errorf("%q is %x, %q is %x", pair[0], a.code[:a.n], pair[1], b.code[:b.n])
		}
	}
}

// FuzzDetect reads any bytes: no crash, probabilities that are ones, the same
// result twice. The plain reading is compared on real words alone: it asks for
// n-grams that the fast one passes over, and one in some 20,000 made-up ones
// has the hash of another.
func FuzzDetect(f *testing.F) {
	m, err := Parse("embedded", data.Langid)
	if err != nil {
		f.Fatal(err)
	}
	d, err := m.Detector(Default)
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range samples {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g := d.Detect(text)
		if !(g.Confidence >= 0 && g.Confidence <= 1.000001) || g.Lang == "" {
			t.Errorf("%q: %+v", text, g)
		}
		if again := d.Detect(text); again != g {
			t.Errorf("%q: %+v, then %+v", text, g, again)
		}
		sum := 0.0
		for _, r := range d.Rank(nil, text, 300) {
			sum += r.Confidence
		}
		if sum > 1.0001 {
			t.Errorf("%q: probabilities add up to %v", text, sum)
		}
	})
}

// FuzzParse reads any bytes as a model.
func FuzzParse(f *testing.F) {
	f.Add(data.Langid[:4096])
	f.Add([]byte("CHFMODEL"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if m, err := Parse("fuzz", b); err == nil {
			var y tally
			m.read("any text", &y, false)
		}
	})
}
