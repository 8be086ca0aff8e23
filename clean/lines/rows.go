package lines

// Rows returns the columns of each line of a document, in the order of [ColumnGroups], for
// use by other learners. lang is the language as a BCP 47 tag, or "" to detect it.
func Rows(lang string, lines []string) [][]float32 {
	var s sheet
	read(&s, lang, lines)
	out := make([][]float32, s.n)
	for i := range out {
		out[i] = s.row(i)
	}
	return out
}
