package minhash

import (
	"math/rand/v2"
	"strings"
	"testing"

	"chaffinch/input/records"
	"chaffinch/internal/cputime"
	_ "chaffinch/internal/testkit" // waits for no disk
	"chaffinch/internal/testkit/must"
)

// essays makes documents of that many words of a made-up language whose words
// are as frequent as words are (Zipf).
func essays(n, words int, seed uint64) []*records.Doc {
	rnd := rand.New(rand.NewPCG(seed, 7))
	syllables := strings.Fields("ka lo mi ner tu sa ve ron dil pe has gor wen ul fi bra")
	vocabulary := make([]string, 20000)
	for i := range vocabulary {
		for range 1 + rnd.IntN(3) {
			vocabulary[i] += syllables[rnd.IntN(len(syllables))]
		}
	}
	zipf := rand.NewZipf(rnd, 1.1, 3, uint64(len(vocabulary)-1))
	docs := make([]*records.Doc, n)
	for i := range docs {
		var b strings.Builder
		for j := range words {
			switch {
			case j == 0:
			case j%17 == 0:
				b.WriteString(". ")
			case j%11 == 0:
				b.WriteString(", ")
			default:
				b.WriteByte(' ')
			}
			b.WriteString(vocabulary[zipf.Uint64()])
		}
		docs[i] = docOf(b.String())
	}
	return docs
}

// BenchmarkSketch makes all records of documents of 500 words: tokens, shingles,
// signature, band keys and sample. On one core.
func BenchmarkSketch(b *testing.B) {
	docs := essays(64, 500, 1)
	size := 0
	for _, d := range docs {
		size += len(d.Raw)
	}
	run := func(name string, cfg Config) {
		b.Run(name, func(b *testing.B) {
			m := must.Get(New(cfg))(b)
			s := m.Sketcher()
			var recs [2][]byte
			for i, t := range m.Tables() {
				recs[i] = make([]byte, t.Record)
			}
			emit := func(table int) []byte { return recs[table] }
			b.SetBytes(int64(size / len(docs)))
			b.ReportAllocs()
			i := 0
			before := cputime.Used().Seconds()
			for b.Loop() {
				s.Sketch(docs[i%len(docs)], int64(i), emit)
				i++
			}
			b.ReportMetric(float64(b.N)/(cputime.Used().Seconds()-before), "docs/cpu-s")
		})
	}
	for _, p := range Presets {
		run(p.Preset, p.Config)
	}
	run("chaffinch-128bit", Config{Bits: 128})
	run("chaffinch-char24", Config{NgramUnit: "char", Ngram: 24})
}

// BenchmarkSign signs 496 shingles.
func BenchmarkSign(b *testing.B) {
	rnd := rand.New(rand.NewPCG(1, 1))
	set := make([]uint64, 496)
	for i := range set {
		set[i] = rnd.Uint64() >> 32
	}
	for _, p := range Presets {
		b.Run(p.Preset, func(b *testing.B) {
			m := must.Get(New(p.Config))(b)
			s := m.newSigner()
			before := cputime.Used().Seconds()
			for b.Loop() {
				s.Sign(set)
			}
			b.ReportMetric((cputime.Used().Seconds()-before)/float64(b.N)*1e6, "cpu-µs/op")
		})
	}
}
