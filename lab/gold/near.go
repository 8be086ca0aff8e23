package gold

import (
	"cmp"
	"slices"

	"chaffinch/internal/pytext"
)

const (
	// nearShingle is the number of words per shingle.
	nearShingle = 4
	// nearShare is the minimum resemblance of near-duplicates (common shingles / all shingles of
	// both).
	nearShare = 0.5
)

// NearDuplicates returns for each text the indexes of its near-duplicates: more than half of the
// distinct 4-word shingles of both texts are common (the resemblance of Broder 1997). Case is
// ignored; characters of scripts without spaces are words. Texts without words have no
// near-duplicates.
func NearDuplicates(texts []string) [][]int {
	type posting struct {
		shingle uint64
		text    int32
	}
	var all []posting
	size := make([]int, len(texts))
	for i, t := range texts {
		set := shingleSet(t)
		size[i] = len(set)
		for _, s := range set {
			all = append(all, posting{s, int32(i)})
		}
	}
	slices.SortFunc(all, func(a, b posting) int { return cmp.Compare(a.shingle, b.shingle) })
	// runs[i] lists the ranges of all with shingles that text i shares with other texts.
	runs := make([][][2]int32, len(texts))
	for from := 0; from < len(all); {
		to := from + 1
		for to < len(all) && all[to].shingle == all[from].shingle {
			to++
		}
		if to-from > 1 {
			for _, p := range all[from:to] {
				runs[p.text] = append(runs[p.text], [2]int32{int32(from), int32(to)})
			}
		}
		from = to
	}
	out := make([][]int, len(texts))
	shared := make([]int, len(texts))
	for i := range texts {
		var met []int32
		for _, r := range runs[i] {
			for _, p := range all[r[0]:r[1]] {
				if shared[p.text] == 0 {
					met = append(met, p.text)
				}
				shared[p.text]++
			}
		}
		for _, j := range met {
			n := shared[j]
			shared[j] = 0
			if int(j) != i && float64(n) > nearShare*float64(size[i]+size[j]-n) {
				out[i] = append(out[i], int(j))
			}
		}
		slices.Sort(out[i])
	}
	return out
}

// shingleSet returns the sorted hashes of the distinct shingles of a text.
func shingleSet(text string) []uint64 {
	if Unspaced(text) {
		text = Spread(text)
	}
	words := pytext.Words(text)
	if len(words) == 0 {
		return nil
	}
	hash := make([]uint64, len(words))
	for i, w := range words {
		hash[i] = fnv(pytext.Lower(w))
	}
	out := make([]uint64, 0, len(words))
	for i := range max(1, len(hash)-nearShingle+1) {
		h := uint64(1)
		for _, w := range hash[i:min(i+nearShingle, len(hash))] {
			h = (h ^ w) * 0x9e3779b97f4a7c15
			h ^= h >> 29
		}
		out = append(out, h)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// fnv returns the FNV-1a hash of s (64 bits).
func fnv(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}
