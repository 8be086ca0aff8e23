package lm

import (
	"bufio"
	"io"
	"strings"
	"testing"

	"chaffinch/internal/archive"
	"chaffinch/internal/cputime"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	_ "chaffinch/model/data/words"
)

// BenchmarkScore scores the gold text of the CleanEval development pages, on
// which the embedded model was not trained, line by line, cutting it into
// tokens included. words/s counts the words between blanks, as PyPlexity's
// figure does; tokens/s also punctuation. words/cpu-s is by processor time,
// which other programs on the machine change less.
func BenchmarkScore(b *testing.B) {
	m := must.Get(Embedded("en"))(b)
	var lines []string
	words := 0
	must.Succeed(b, archive.Walk(testkit.Data(b, "eval/cleaneval-en-dev.tar.zst"), func(p string, r io.Reader) error {
		if !strings.Contains(p, "/gold/") {
			return nil
		}
		in := bufio.NewScanner(r)
		in.Buffer(nil, 1<<20)
		for in.Scan() {
			lines = append(lines, in.Text())
			words += len(strings.Fields(in.Text()))
		}
		return in.Err()
	}))
	size := 0
	for _, l := range lines {
		size += len(l)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	var s Score
	from := cputime.Used()
	for b.Loop() {
		s = Score{}
		for _, l := range lines {
			s.Add(m.Sentence(l))
		}
	}
	cpu := cputime.Used() - from
	per := float64(b.N) / b.Elapsed().Seconds()
	b.ReportMetric(float64(words)*float64(b.N)/cpu.Seconds(), "words/cpu-s")
	b.ReportMetric(float64(words)*per, "words/s")
	b.ReportMetric(float64(s.Tokens)*per, "tokens/s")
	b.ReportMetric(s.Perplexity(), "perplexity")
}
