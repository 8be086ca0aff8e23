package labels

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/zeebo/xxh3"

	"chaffinch/page/weburl/registered"
)

// sketchSize is the number of the smallest hashes of the word 5-grams of a document that are
// compared. Documents that share at least alike of them are near-duplicates.
const (
	sketchSize = 24
	alike      = 12
	gramWords  = 5
)

// sketch returns the smallest hashes of the word 5-grams of a text, ascending.
func sketch(text string) []uint64 {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	var hashes []uint64
	for i := range max(1, len(words)-gramWords+1) {
		hashes = append(hashes, xxh3.HashString(strings.Join(words[i:min(len(words), i+gramWords)], " ")))
	}
	slices.Sort(hashes)
	hashes = slices.Compact(hashes)
	return hashes[:min(len(hashes), sketchSize)]
}

// duplicates groups near-duplicates. It returns for each document the first document of its group.
func duplicates(docs []Doc) (first []int) {
	first = make([]int, len(docs))
	seen := map[uint64][]int{}
	const most = 50 // documents of a hash: more share a phrase, not a text
	for i := range docs {
		first[i] = i
		s := sketch(docs[i].Text)
		shared := map[int]int{}
		for _, h := range s {
			for _, j := range seen[h] {
				shared[j]++
			}
			if len(seen[h]) < most {
				seen[h] = append(seen[h], i)
			}
		}
		for j, n := range shared {
			if n >= min(alike, len(s)) {
				first[i] = min(first[i], first[j])
			}
		}
	}
	return first
}

// group returns the group of each document that is held out together: its own group, its site, or
// the site or number of the first of its near-duplicates.
func group(docs []Doc, first []int) []string {
	own := func(i int) string {
		d := &docs[i]
		if d.Group == "" && d.URL == "" {
			return fmt.Sprint("document ", i)
		}
		return cmp.Or(d.Group, registered.Site(d.URL))
	}
	// Groups that share near-duplicates are joined.
	parent := map[string]string{}
	var find func(g string) string
	find = func(g string) string {
		p, ok := parent[g]
		if !ok || p == g {
			return g
		}
		parent[g] = find(p)
		return parent[g]
	}
	for i := range docs {
		a, b := find(own(i)), find(own(first[i]))
		if a != b {
			parent[max(a, b)] = min(a, b)
		}
	}
	groups := make([]string, len(docs))
	for i := range docs {
		groups[i] = find(own(i))
	}
	return groups
}

// folds divides documents into n folds. Documents of a group are in one fold. Groups are dealt out
// in the order of the rarest class of their documents, so that each fold has documents of it.
func folds(groups []string, truths []truth, n int, seed uint64) []int {
	size := make([]int, len(truths[0]))
	for _, t := range truths {
		for c, x := range t {
			if x > 0 {
				size[c]++
			}
		}
	}
	type entry struct {
		name   string
		hash   uint64
		rarest int // size of the rarest class
		docs   int
	}
	at := map[string]int{}
	var list []entry
	for i, g := range groups {
		k, ok := at[g]
		if !ok {
			k = len(list)
			at[g] = k
			list = append(list, entry{g, xxh3.HashStringSeed(g, seed), len(truths), 0})
		}
		list[k].docs++
		for c, x := range truths[i] {
			if x > 0 {
				list[k].rarest = min(list[k].rarest, size[c])
			}
		}
	}
	slices.SortFunc(list, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.rarest, b.rarest), cmp.Compare(a.hash, b.hash), strings.Compare(a.name, b.name))
	})
	// A group goes to the fold with the fewest documents of its kind, then of all.
	fold, all := map[string]int{}, make([]int, n)
	var kind []int
	for i, e := range list {
		if i == 0 || e.rarest != list[i-1].rarest {
			kind = make([]int, n)
		}
		best := 0
		for k := range n {
			if kind[k] < kind[best] || kind[k] == kind[best] && all[k] < all[best] {
				best = k
			}
		}
		kind[best] += e.docs
		all[best] += e.docs
		fold[e.name] = best
	}
	out := make([]int, len(groups))
	for i, g := range groups {
		out[i] = fold[g]
	}
	return out
}
