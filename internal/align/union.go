package align

// UnionHits counts the symbols of the reference sentences that are covered by the candidate
// sentences, as ROUGE-LSum does (Lin, ROUGE: a package for automatic evaluation of summaries, 2004,
// section 3.2). A position of a reference sentence is covered if it is on a longest common
// subsequence with any candidate sentence. A symbol counts at most as often as it occurs in all
// candidates and in all references together.
//
// Of several longest subsequences it takes the one that a trace of the plain table from its end
// finds. The trace takes a match if there is one. Otherwise it steps back in the candidate if that
// table entry is the larger, else in the reference.
//
// Symbols must be 0 to symbols-1.
func UnionHits(reference, candidate [][]int32, symbols int) int {
	inRef, inCan := counts(reference, symbols), counts(candidate, symbols)
	u := union{row: make([]int32, symbols)}
	for i := range u.row {
		u.row[i] = -1
	}
	hits := 0
	for _, r := range reference {
		u.start(r)
		for _, c := range candidate {
			u.add(r, c)
		}
		for i, s := range r {
			u.row[s] = -1
			if u.marked[i] && inRef[s] > 0 && inCan[s] > 0 {
				inRef[s]--
				inCan[s]--
				hits++
			}
		}
	}
	return hits
}

func counts(sentences [][]int32, symbols int) []int32 {
	n := make([]int32, symbols)
	for _, s := range sentences {
		for _, x := range s {
			n[x]++
		}
	}
	return n
}

// union marks the covered positions of one reference sentence.
type union struct {
	marked []bool
	row    []int32 // symbol -> its match vector, -1 if not in the sentence
	rows   int
	match  []uint64
	table  []uint64
}

func (u *union) start(r []int32) {
	u.marked = append(u.marked[:0], make([]bool, len(r))...)
	u.rows = 0
	for _, s := range r {
		if u.row[s] < 0 {
			u.row[s] = int32(u.rows)
			u.rows++
		}
	}
}

// add marks the positions of r on a longest common subsequence with c.
func (u *union) add(r, c []int32) {
	shared := false
	for _, s := range c {
		if u.row[s] >= 0 {
			shared = true
			break
		}
	}
	if !shared {
		return
	}
	w := (len(c) + 63) / 64
	u.match = grow(u.match, w*u.rows)
	clear(u.match)
	for j, s := range c {
		if k := u.row[s]; k >= 0 {
			u.match[w*int(k)+j>>6] |= 1 << (j & 63)
		}
	}
	u.table = grow(u.table, w*(len(r)+1))
	line := func(i int) []uint64 { return u.table[w*i : w*i+w] }
	for k := range line(0) {
		u.table[k] = ^uint64(0)
	}
	for i, s := range r {
		k := w * int(u.row[s])
		next(line(i+1), line(i), u.match[k:k+w])
	}
	// here and above are the table entries (i, j) and (i-1, j).
	i, j := len(r), len(c)
	here, above := zeros(line(i), j), zeros(line(i-1), j)
	for i > 0 && j > 0 {
		grown := func(i int) int { return int(^line(i)[(j-1)>>6] >> ((j - 1) & 63) & 1) }
		switch {
		case r[i-1] == c[j-1]:
			u.marked[i-1] = true
			i--
			j--
			if i > 0 {
				here, above = zeros(line(i), j), zeros(line(i-1), j)
			}
		case here-grown(i) > above:
			here -= grown(i)
			above -= grown(i - 1)
			j--
		default:
			i--
			if i > 0 {
				here, above = above, zeros(line(i-1), j)
			}
		}
	}
}

func grow(b []uint64, n int) []uint64 {
	if cap(b) < n {
		return make([]uint64, n, n+n/2)
	}
	return b[:n]
}
