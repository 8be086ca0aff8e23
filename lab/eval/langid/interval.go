package langid

import (
	"math/rand/v2"
	"slices"
)

// draws is the number of samples of the bootstrap.
const draws = 500

// interval returns the 95 % interval of the mean F1 of the first langs answers of a confusion matrix.
// Each row is a language of the pieces, with the number of pieces by answer. Pieces are drawn again
// within each row.
func interval(rows [][]int, langs int) (low, high float64) {
	rng := rand.New(rand.NewPCG(1, 2))
	scores := make([]float64, draws)
	drawn := make([][]int, len(rows))
	for d := range scores {
		for i, row := range rows {
			drawn[i] = redraw(row, rng)
		}
		scores[d] = macroF1(drawn, langs)
	}
	slices.Sort(scores)
	return scores[draws/40], scores[draws-1-draws/40]
}

// redraw draws as many pieces from a row as it has, with replacement.
func redraw(row []int, rng *rand.Rand) []int {
	total := 0
	ends := make([]int, len(row))
	for i, n := range row {
		total += n
		ends[i] = total
	}
	out := make([]int, len(row))
	for range total {
		at, _ := slices.BinarySearch(ends, rng.IntN(total)+1)
		out[at]++
	}
	return out
}

// macroF1 returns the mean F1 of the languages with pieces.
func macroF1(rows [][]int, langs int) float64 {
	answered := make([]int, langs)
	for _, row := range rows {
		for k := range langs {
			answered[k] += row[k]
		}
	}
	sum, n := 0.0, 0.0
	for i, row := range rows {
		gold := 0
		for _, x := range row {
			gold += x
		}
		if gold > 0 && i < langs {
			sum += ratio(2*row[i], gold+answered[i], 1)
			n++
		}
	}
	return sum / max(1, n)
}

// Interval returns the 95 % interval of [Result.MacroF1].
func (r *Result) Interval() (low, high float64) {
	langs := r.Sorted()
	slices.Sort(langs)
	rows := make([][]int, len(langs))
	for i, l := range langs {
		rows[i] = make([]int, len(langs)+1)
		rows[i][i] = r.ByLang[l].Right
	}
	for pair, n := range r.confusions {
		i := slices.Index(langs, pair[0])
		k, ok := slices.BinarySearch(langs, pair[1])
		if !ok {
			k = len(langs)
		}
		rows[i][k] += n
	}
	return interval(rows, len(langs))
}

// MacroF1 returns the mean F1 of the languages with text.
func (t *Table) MacroF1() float64 { return macroF1(t.Rows, len(t.Group.Langs)) }

// Interval returns the 95 % interval of [Table.MacroF1].
func (t *Table) Interval() (low, high float64) { return interval(t.Rows, len(t.Group.Langs)) }
