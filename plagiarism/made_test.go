package plagiarism

import (
	"fmt"
	"strings"
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

func size(texts []string) (n int64) {
	for _, t := range texts {
		n += int64(len(t))
	}
	return n
}
