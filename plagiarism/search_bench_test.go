package plagiarism

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// madeTexts makes texts of words of different frequency, the same always.
func madeTexts(n, words int) []string {
	x := uint64(1)
	next := func() uint64 {
		x = x*6364136223846793005 + 1442695040888963407
		return x >> 33
	}
	out := make([]string, n)
	for i := range out {
		var b strings.Builder
		for j := range words {
			r := next() % 1000
			fmt.Fprintf(&b, "w%d", r*r*(next()%8+1)%40000) // small numbers are frequent
			b.WriteString([]string{" ", " ", " ", ". "}[next()%4])
			if j%100 == 99 {
				b.WriteString("\n\n")
			}
		}
		out[i] = b.String()
	}
	return out
}

func benchIndex(b *testing.B, texts []string) *Index {
	w, err := NewIndexBuilder("", DefaultIndex, 256<<20, "")
	must.Succeed(b, err)
	for i, t := range texts {
		must.Succeed(b, w.Add(fmt.Sprint(i), t))
	}
	x, err := w.Index()
	must.Succeed(b, err)
	return x
}

func size(texts []string) (n int64) {
	for _, t := range texts {
		n += int64(len(t))
	}
	return n
}

func BenchmarkIndex(b *testing.B) {
	texts := madeTexts(50, 4000)
	b.SetBytes(size(texts))
	for b.Loop() {
		benchIndex(b, texts)
	}
}

// BenchmarkIndexOnDisk writes files, too.
func BenchmarkIndexOnDisk(b *testing.B) {
	texts := madeTexts(50, 4000)
	b.SetBytes(size(texts))
	for b.Loop() {
		w, err := NewIndexBuilder(b.TempDir(), DefaultIndex, 256<<20, "")
		must.Succeed(b, err)
		for i, t := range texts {
			must.Succeed(b, w.Add(fmt.Sprint(i), t))
		}
		must.Succeed(b, w.Close(context.Background()))
	}
}

// BenchmarkSearch searches documents of which a tenth is copied, from ten
// sources.
func BenchmarkSearch(b *testing.B) {
	texts := madeTexts(150, 4000)
	x := benchIndex(b, texts[:100])
	docs := texts[100:]
	for i := range docs {
		for j := range 10 {
			src := texts[(i*10+j)%100]
			docs[i] += "\n\n" + src[5000:5250]
		}
	}
	s, err := NewSearcher(x, DefaultSearch)
	must.Succeed(b, err)
	b.SetBytes(size(docs))
	for b.Loop() {
		for _, d := range docs {
			s.Search(b.Context(), "", d)
		}
	}
}

func BenchmarkAlign(b *testing.B) {
	texts := madeTexts(2, 4000)
	susp := texts[0] + texts[1][3000:5000]
	b.SetBytes(int64(len(susp) + len(texts[1])))
	for b.Loop() {
		Align(susp, texts[1], DefaultAlign)
	}
}
