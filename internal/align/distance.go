// Package align compares sequences of symbols. [Distance] returns the edit distance and [LCS] the
// length of a longest common subsequence, both with bit-parallel rows. [Blocks] returns the
// matching blocks of Ratcliff and Obershelp. A symbol is an int32: a code point, or the number of a
// word in a [Vocabulary].
package align

import "math/bits"

// masks holds one bit vector for each distinct symbol of a pattern, with a bit for each position of
// the symbol.
type masks struct {
	words int // 64-bit words in a vector
	low   [256]int32
	high  map[int32]int32
	bits  []uint64 // vector i is bits[i*words:(i+1)*words]; vector 0 is empty
}

func newMasks(pattern []int32) *masks {
	m := &masks{words: (len(pattern) + 63) / 64}
	m.bits = make([]uint64, m.words, m.words*64)
	for i, s := range pattern {
		r := m.row(s)
		if r == 0 {
			r = int32(len(m.bits) / m.words)
			m.bits = append(m.bits, make([]uint64, m.words)...)
			if s >= 0 && s < 256 {
				m.low[s] = r
			} else {
				if m.high == nil {
					m.high = map[int32]int32{}
				}
				m.high[s] = r
			}
		}
		m.bits[int(r)*m.words+i>>6] |= 1 << (i & 63)
	}
	return m
}

func (m *masks) row(s int32) int32 {
	if s >= 0 && s < 256 {
		return m.low[s]
	}
	return m.high[s]
}

func (m *masks) vector(s int32) []uint64 {
	r := int(m.row(s)) * m.words
	return m.bits[r : r+m.words]
}

// trim removes the common prefix and suffix of a and b and returns their total length.
func trim(a, b []int32) (x, y []int32, shared int) {
	n := min(len(a), len(b))
	i := 0
	for i < n && a[i] == b[i] {
		i++
	}
	a, b = a[i:], b[i:]
	n -= i
	j := 0
	for j < n && a[len(a)-1-j] == b[len(b)-1-j] {
		j++
	}
	return a[:len(a)-j], b[:len(b)-j], i + j
}

// Distance returns the Levenshtein distance of a and b: the least number of insertions, deletions
// and substitutions of single symbols that turn one into the other. For a distance of d it takes
// len(a)*d/64 steps.
//
// The algorithm is Myers, A fast bit-vector algorithm for approximate string matching, J. ACM 46,
// 1999. Patterns longer than a machine word are handled as in Hyyrö, A bit-vector algorithm for
// computing Levenshtein and Damerau edit distances, Nordic J. Computing 10, 2003. The band is
// doubled until the distance fits, as in Ukkonen, Algorithms for approximate string matching,
// Information and Control 64, 1985.
func Distance(a, b []int32) int {
	a, b, _ = trim(a, b)
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) == 0 {
		return len(b)
	}
	m := newMasks(a)
	up, down := make([]uint64, m.words), make([]uint64, m.words)
	for limit := len(b) - len(a) + len(b)/16 + 64; ; limit *= 2 {
		if limit > len(b)/2 {
			limit = len(b)
		}
		if d := within(m, len(a), b, limit, up, down); d <= limit {
			return d
		}
	}
}

// within returns the distance of b to the pattern of m, of length n, if it is at most limit,
// otherwise some larger number. No path of that cost leaves the diagonals from n-len(b)-slack to
// slack, so only the words of a column that these diagonals cross are computed. At the edges of the
// band the distance is assumed to grow by one with each symbol, which is never too low.
func within(m *masks, n int, b []int32, limit int, up, down []uint64) int {
	slack := (limit - (len(b) - n)) / 2
	// up[i] and down[i] hold the rows of the current column at which the distance grows or falls by
	// one towards the next row. rows and dist are the last row of the band and the distance at that
	// row.
	rows, dist, bottom := 0, 0, -1
	for j, s := range b {
		top := max(0, j+1-(len(b)-n)-slack-1) >> 6
		for last := (min(n, j+1+slack) - 1) >> 6; bottom < last; {
			bottom++
			up[bottom], down[bottom] = ^uint64(0), 0
			grown := min(n, (bottom+1)*64) - rows
			rows += grown
			dist += grown
		}
		var right, left uint64 = 1, 0 // growth and fall towards the next column, from the word above
		var rightOut, leftOut uint64
		eqs := m.vector(s)[top : bottom+1]
		ups, downs := up[top : bottom+1][:len(eqs)], down[top : bottom+1][:len(eqs)]
		for i, eq := range eqs {
			pv, mv := ups[i], downs[i]
			xv := eq | mv
			eq |= left
			xh := (((eq & pv) + pv) ^ pv) | eq
			rightOut = mv | ^(xh | pv)
			leftOut = pv & xh
			ph := rightOut<<1 | right
			mh := leftOut<<1 | left
			right, left = rightOut>>63, leftOut>>63
			ups[i] = mh | ^(xv | ph)
			downs[i] = ph & xv
		}
		at := uint(rows-1) & 63
		dist += int(rightOut>>at&1) - int(leftOut>>at&1)
	}
	return dist
}

// LCS returns the length of a longest common subsequence of a and b, with the row of Hyyrö,
// Bit-parallel LCS-length computation revisited (AWOCA 2004). atLeast is a lower bound of the
// result, such as 0 or max(len(a), len(b)) - Distance(a, b). The closer the bound, the narrower the
// band of the table that is computed.
func LCS(a, b []int32, atLeast int) int {
	a, b, shared := trim(a, b)
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) == 0 {
		return shared
	}
	m := newMasks(a)
	row := make([]uint64, m.words)
	for i := range row {
		row[i] = ^uint64(0)
	}
	// A subsequence of that length skips at most this many symbols.
	atLeast = max(0, atLeast-shared)
	skipA, skipB := len(a)-atLeast, len(b)-atLeast
	for j, s := range b {
		first, last := max(0, j-skipB)>>6, (min(len(a), j+skipA+1)+63)>>6
		next(row[first:last], row[first:last], m.vector(s)[first:last])
	}
	return shared + zeros(row, len(a))
}

// next writes to out the row that follows row for a symbol with the match vector eq. Bit j is 0 if
// the common subsequence with the first j+1 symbols of the pattern is longer than with the first j.
// out may be row.
func next(out, row, eq []uint64) {
	var carry uint64
	eq, out = eq[:len(row)], out[:len(row)]
	for i, v := range row {
		u := v & eq[i]
		sum, c := bits.Add64(v, u, carry)
		carry = c
		out[i] = sum | (v &^ eq[i])
	}
}

// zeros counts the zero bits among the first n.
func zeros(v []uint64, n int) int {
	k, count := n>>6, 0
	for _, w := range v[:k] {
		count += 64 - bits.OnesCount64(w)
	}
	if n&63 != 0 {
		count += bits.OnesCount64(^v[k] & (1<<(n&63) - 1))
	}
	return count
}
