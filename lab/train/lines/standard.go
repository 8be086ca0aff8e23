package lines

import (
	"math"
	"slices"

	"chaffinch/clean/lines"
)

// fitStandard returns means and scales of the columns of rows.
func fitStandard(rows [][]float32, width int) (means, scales []float32) {
	means, scales = make([]float32, width), make([]float32, width)
	sum, square := make([]float64, width), make([]float64, width)
	n := 0.
	for _, r := range rows {
		for k := 0; k+width <= len(r); k += width {
			n++
			for c, v := range r[k : k+width] {
				sum[c] += float64(v)
				square[c] += float64(float64(v) * float64(v))
			}
		}
	}
	for c := range sum {
		mean := sum[c] / max(n, 1)
		sd := math.Sqrt(max(square[c]/max(n, 1)-float64(mean*mean), 0))
		means[c] = float32(mean)
		if sd > 1e-6 {
			scales[c] = float32(1 / sd)
		}
	}
	return means, scales
}

// fewDocs is the minimum number of documents in a script for which its n-grams are known.
const fewDocs = 5

// learnScripts adds the scripts of the examples to the known scripts.
func (m *parts) learnScripts(examples []*example) {
	of := map[string]int{}
	for _, x := range examples {
		of[x.doc.Script()]++
	}
	known := slices.Clone(m.Features.Scripts)
	for script, n := range of {
		if n >= fewDocs && script != "" && !slices.Contains(known, script) {
			known = append(known, script)
		}
	}
	slices.Sort(known)
	m.Features.Scripts = known
}

// learnUsual sets the usual scores from the rows of the examples, and uses them in the rows of
// examples in an unknown script.
func (m *parts) learnUsual(examples []*example, workers int) {
	var words, chars, n [len(lines.Usual{}.Words)]float64
	width, own := m.Features.Width(), m.Features.Columns()
	var unknown []*example
	for _, x := range examples {
		if !m.Features.KnowsScript(x.doc.Script()) {
			unknown = append(unknown, x)
			continue
		}
		for i := range x.doc.Lines() {
			k, row := x.doc.Length(i), x.rows[i*width+own:]
			words[k] += float64(row[0])
			chars[k] += float64(row[1])
			n[k]++
		}
	}
	for k := range n {
		m.Features.Usual.Words[k], m.Features.Usual.Chars[k] = float32(words[k]/max(n[k], 1)), float32(chars[k]/max(n[k], 1))
	}
	m.eachRows(unknown, workers, func(int) (a, b *lines.NGrams) { return m.Words, m.Chars })
}
