package lines

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/gold"
)

// ownColumns are plain measurements of a line and its place.
func ownColumns(d *gold.LineDoc) [][]float32 {
	seen := map[string]int{}
	for _, line := range d.Lines {
		seen[strings.TrimSpace(line)]++
	}
	out := make([][]float32, len(d.Lines))
	for i, line := range d.Lines {
		out[i] = measure(line)
		out[i] = append(out[i], float32(math.Log1p(float64(i))), float32(i)/float32(len(d.Lines)), flag(seen[strings.TrimSpace(line)] > 1))
	}
	for i := range out {
		for _, k := range []int{i - 1, i + 1} {
			near := make([]float32, 3)
			if k >= 0 && k < len(out) {
				copy(near, out[k][:3])
			}
			out[i] = append(out[i][:len(out[i]):len(out[i])], near...)
		}
	}
	return out
}

// measure counts the characters of a line.
func measure(line string) []float32 {
	var letters, upper, digits, marks, runes float64
	for _, r := range line {
		runes++
		switch {
		case unicode.IsLetter(r):
			letters++
			if unicode.IsUpper(r) {
				upper++
			}
		case unicode.IsDigit(r):
			digits++
		case unicode.IsPunct(r), unicode.IsSymbol(r):
			marks++
		}
	}
	n := max(runes, 1)
	words := strings.Fields(line)
	capital := 0.0
	for _, w := range words {
		if r, _ := utf8.DecodeRuneInString(w); unicode.IsUpper(r) {
			capital++
		}
	}
	last, _ := utf8.DecodeLastRuneInString(strings.TrimSpace(line))
	return []float32{
		float32(math.Log1p(runes)), float32(math.Log1p(float64(len(words)))), flag(strings.ContainsRune(".!?…。！？", last)),
		float32(upper / max(letters, 1)), float32(digits / n), float32(marks / n), float32(letters / n),
		float32(capital / max(float64(len(words)), 1)), float32(strings.Count(line, ",")) / float32(n),
		flag(strings.ContainsAny(line, "|»›•·©")), flag(strings.Contains(line, "@") || strings.Contains(line, "http") || strings.Contains(line, "www.")),
	}
}

func flag(b bool) float32 {
	if b {
		return 1
	}
	return 0
}
