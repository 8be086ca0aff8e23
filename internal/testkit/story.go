package testkit

import (
	"math/rand/v2"
	"strings"
)

// Story returns a text of n sentences by a small grammar.
func Story(r *rand.Rand, n int) string {
	one := func(words string) string {
		list := strings.Fields(words)
		return list[r.IntN(len(list))]
	}
	phrase := func() string {
		return one("the a this every her his") + " " + one("old small quiet broken green narrow early empty heavy northern") + " " +
			one("harbour island ferry captain window letter garden bridge winter lantern village stranger kitchen morning teacher")
	}
	var b strings.Builder
	for i := range n {
		s := phrase() + " " + one("carried found crossed painted remembered followed opened mended watched left") + " " + phrase()
		switch r.IntN(3) {
		case 0:
			s += " " + one("before after while because") + " " + phrase() + " " + one("slept waited burned vanished returned")
		case 1:
			s = one("Yesterday Later Then Once") + ", " + s
		}
		b.WriteString(strings.ToUpper(s[:1]) + s[1:] + ".")
		if i%6 == 5 {
			b.WriteByte('\n')
		} else {
			b.WriteByte(' ')
		}
	}
	return b.String()
}
