package onion

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"chaffinch/dedup"
	"chaffinch/input/records"
	_ "chaffinch/internal/testkit" // waits for no disk
	"chaffinch/internal/testkit/must"
)

// BenchmarkMethod runs all steps of the method, but for reading and writing, over
// a million tokens, half of which stand twice. MB/s is of text; tokens/s is what
// the goal of a million is about.
func BenchmarkMethod(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	var docs []*records.Doc
	var size, tokens int64
	for i := range 2000 {
		var paras []string
		for k := range 10 {
			if i >= 1000 && k < 8 {
				p := docs[i-1000].Paras[k].Text
				paras = append(paras, string(p))
				size += int64(len(p))
				continue
			}
			p := make([]string, 50)
			for t := range p {
				p[t] = fmt.Sprintf("word%d", int(r.ExpFloat64()*3000))
			}
			paras = append(paras, strings.Join(p, " "))
			size += int64(len(paras[k]))
		}
		tokens += 500
		docs = append(docs, doc(fmt.Sprintf("%06d", i), "http://a.example/", paras...))
	}
	m, err := New(Default)
	must.Succeed(b, err)
	b.SetBytes(size)
	for b.Loop() {
		if _, err := dedup.Find(b.Context(), docs, dedup.Job{Method: m, Jobs: 1, Memory: 256 << 20}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(tokens)*float64(b.N)/b.Elapsed().Seconds(), "tokens/s")
}

// BenchmarkJudge is the greedy pass alone: documents of which every other n-gram
// was seen before.
func BenchmarkJudge(b *testing.B) {
	cfg := Default
	j := judge{cfg: &cfg}
	seen := newBitSet(64<<20, b.TempDir())
	defer seen.Close()
	at := uint64(1)
	for b.Loop() {
		j.reset()
		for range 10 {
			j.units = append(j.units, unit{tokens: 50})
		}
		for i := range int32(500) {
			at = at*6364136223846793005 + 1442695040888963407
			j.grams = append(j.grams, gram{num: at >> 37, end: i})
		}
		j.decide(seen)
	}
	b.ReportMetric(500*float64(b.N)/b.Elapsed().Seconds(), "tokens/s")
}
