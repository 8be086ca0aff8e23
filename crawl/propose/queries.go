package propose

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// minQueryWord is the least number of letters of a word in a query: shorter ones are mostly
	// function words, or words of several languages.
	minQueryWord = 4
	// A query has no words of the first commonShare of a list by frequency, nor after rareRank.
	commonShare = .02
	rareRank    = 5000
	// maxWords is the most words of a list.
	maxWords = 1 << 20
)

// ReadWords reads the first word of each line of a list, in order. Lines that begin with # are
// comments. Lines of other than letters, such as column names with underscores, are skipped.
func ReadWords(in io.Reader) (words []string, err error) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() && len(words) < maxWords {
		f := strings.Fields(lines.Text())
		if len(f) > 0 && isWord(f[0]) {
			words = append(words, f[0])
		}
	}
	return words, lines.Err()
}

func isWord(s string) bool {
	for i, r := range s {
		inner := i > 0 && (r == '\'' || r == '’' || r == '-')
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && !inner {
			return false
		}
	}
	return s != ""
}

// Queries returns n different queries of size words each, chosen by a seed from words. Words are
// sorted by descending frequency: the most frequent and the rare ones are not used.
func Queries(words []string, n, size int, seed uint64) ([]string, error) {
	words = words[int(commonShare*float64(len(words))):min(len(words), rareRank)]
	var pool []string
	seen := map[string]bool{}
	for _, w := range words {
		if w = strings.ToLower(w); utf8.RuneCountInString(w) >= minQueryWord && !seen[w] {
			seen[w] = true
			pool = append(pool, w)
		}
	}
	if len(pool) < 2*size {
		return nil, fmt.Errorf("%s of at least %d letters, wanted at least %d: give a longer list", count(len(pool), "word"), minQueryWord, 2*size)
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	var list []string
	used := map[string]bool{}
	for range 20 * n { // a short list has few combinations
		if len(list) == n {
			break
		}
		var query []string
		for _, i := range rng.Perm(len(pool))[:size] {
			query = append(query, pool[i])
		}
		slices.Sort(query) // the same words in another order are the same query
		if q := strings.Join(query, " "); !used[q] {
			used[q] = true
			list = append(list, q)
		}
	}
	return list, nil
}
