package langid

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"chaffinch/text/langid/evidence"
)

// feature is a word or an n-gram with its counts by class.
type feature struct {
	key    uint64
	parent uint64 // of an n-gram: the key of the n-gram without the first character
	order  int    // of an n-gram; 0 = word
	codes  []uint16
	counts []count32 // by class, ascending
	value  float64   // information value, by which features are selected
	chosen bool
}

// count32 is a count in a class of the script.
type count32 struct {
	class int
	n     float32
}

// inventory holds the features of the languages of one script.
type inventory struct {
	script   evidence.Script
	salt     uint64
	texts    []*text
	features []*feature
	byKey    map[uint64]*feature
	words    []float64              // running words by class
	listed   map[listedWord]float64 // frequencies of words from lists
	listSize float64                // weight of a list in running words
	grams    []float64              // characters by class
}

// listedWord is a word in the list of a class.
type listedWord struct {
	key   uint64
	class int
}

// wordCount is a word of one class.
type wordCount struct {
	codes []uint16
	n     float32
}

// countFeatures counts the words of each text, and the n-grams of its vocabulary including the word
// list. A word with count n contributes 1+log2(n), because n-grams are for unknown words.
func countFeatures(s evidence.Script, texts []*text, cfg Config) *inventory {
	salt := evidence.Salt(s)
	inv := &inventory{script: s, salt: salt, texts: texts, byKey: map[uint64]*feature{}, listed: map[listedWord]float64{}, listSize: cfg.ListWords,
		words: make([]float64, len(texts)), grams: make([]float64, len(texts))}
	type seen struct {
		words map[uint64]*wordCount
		grams map[uint64]*feature
	}
	all := make([]seen, len(texts))
	for i, t := range texts {
		words := countWords(t, salt)
		inv.list(i, t, words)
		grams := map[uint64]*feature{}
		for _, k := range slices.Sorted(maps.Keys(words)) {
			w := words[k]
			inv.words[i] += float64(w.n)
			n := float64(w.n) + float64(inv.listed[listedWord{k, i}]*cfg.ListWords)
			if n == 0 {
				continue // in the list as a word of similar languages
			}
			weight := float32(1 + math.Log2(max(1, n)))
			evidence.EachGram(s, salt, w.codes, func(key, parent uint64, order int) {
				g := grams[key]
				if g == nil {
					g = &feature{key: key, parent: parent, order: order, counts: []count32{{i, 0}}}
					grams[key] = g
				}
				g.counts[0].n += weight
				if order == 1 {
					inv.grams[i] += float64(weight)
				}
			}, func(int) {})
		}
		all[i] = seen{words, grams}
	}
	add := func(f *feature, c count32) {
		have := inv.byKey[f.key]
		if have == nil {
			have = &feature{key: f.key, parent: f.parent, order: f.order, codes: f.codes}
			inv.byKey[f.key] = have
		}
		have.counts = append(have.counts, c)
	}
	for i := range texts { // features that are frequent enough in one class
		for k, w := range all[i].words {
			listed := inv.listed[listedWord{k, i}] > 0
			if (listed || int(w.n) >= cfg.MinCount) && s != evidence.Hani && inv.byKey[k] == nil {
				inv.byKey[k] = &feature{key: k, codes: w.codes}
			}
		}
		for k, g := range all[i].grams {
			if g.counts[0].n >= float32(cfg.MinCount) && inv.byKey[k] == nil {
				inv.byKey[k] = &feature{key: k, parent: g.parent, order: g.order}
			}
		}
	}
	for i := range texts { // their counts in all classes
		for k, w := range all[i].words {
			if f := inv.byKey[k]; f != nil && f.order == 0 {
				add(f, count32{i, w.n})
			}
		}
		for k, g := range all[i].grams {
			if f := inv.byKey[k]; f != nil && f.order > 0 {
				add(f, count32{i, g.counts[0].n})
			}
		}
	}
	for _, f := range inv.byKey {
		f.value = inv.information(f)
		inv.features = append(inv.features, f)
	}
	slices.SortFunc(inv.features, func(a, b *feature) int {
		return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.key, b.key))
	})
	return inv
}

// information returns the sum over the classes of p·log(p/mean p), where p is the relative frequency of
// the feature in a class.
func (inv *inventory) information(f *feature) float64 {
	mean := inv.mean(f)
	sum := 0.0
	for _, c := range f.counts {
		if p := inv.share(f, c); p > 0 {
			sum += float64(p * math.Log(p/mean))
		}
	}
	return sum
}

// list adds the word list of class i, including words that are not in the text.
func (inv *inventory) list(i int, t *text, words map[uint64]*wordCount) {
	for _, listed := range slices.Sorted(maps.Keys(t.shares)) {
		var w evidence.Word
		if end := w.Next(listed, 0); w.N == 0 || end < len(listed) || w.Script != inv.script {
			continue // not a word by the rules of this package
		}
		k := evidence.WordKey(w.Hash, inv.salt)
		inv.listed[listedWord{k, i}] = t.shares[listed]
		if words[k] == nil {
			words[k] = &wordCount{codes: slices.Clone(w.Code[:w.N])}
		}
	}
}

// seen returns the count of a word in a class and the number of running words. A list counts like
// text.
func (inv *inventory) seen(f *feature, class int, n float64) (count, of float64) {
	count, of = n, inv.words[class]
	if share, ok := inv.listed[listedWord{f.key, class}]; ok {
		count, of = count+float64(share*inv.listSize), of+inv.listSize
	}
	return count, of
}

func (inv *inventory) share(f *feature, c count32) float64 {
	if f.order > 0 {
		return float64(c.n) / inv.grams[c.class]
	}
	n, of := inv.seen(f, c.class, float64(c.n))
	return n / of
}

// mean returns the relative frequency of f averaged over the classes.
func (inv *inventory) mean(f *feature) float64 {
	sum := 0.0
	for _, c := range f.counts {
		sum += inv.share(f, c)
	}
	return sum / float64(len(inv.texts))
}

// countWords counts the words of a text.
func countWords(t *text, salt uint64) map[uint64]*wordCount {
	words := map[uint64]*wordCount{}
	var w evidence.Word
	for _, lines := range t.sets {
		for _, line := range lines {
			for i := 0; ; {
				i = w.Next(line, i)
				if w.N == 0 {
					break
				}
				if w.Script != t.script {
					continue
				}
				k := evidence.WordKey(w.Hash, salt)
				c := words[k]
				if c == nil {
					c = &wordCount{codes: slices.Clone(w.Code[:w.N])}
					words[k] = c
				}
				c.n++
			}
		}
	}
	return words
}
