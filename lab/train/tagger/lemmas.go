package tagger

import (
	"math/rand/v2"

	"chaffinch/text/tag"
)

// lemmaExample is a form with a tag: the possible lemmas, and the right one.
type lemmaExample struct {
	list []tag.Candidate
	gold int
}

// learnLemmas learns to rank the scripts of words that the lexicon does not have, from the words of
// the treebank. Each word with its tag and lemma is one example.
func learnLemmas(m *tag.Model, v *vocabulary, list []sentence, cfg Config) []int8 {
	type key struct {
		form, lemma string
		tag         uint16
	}
	seen := map[key]bool{}
	var examples []lemmaExample
	for _, s := range list {
		for _, w := range s.words {
			k := key{w.form, w.lemma, v.tags[w.Tag]}
			norm := v.cfg.Normalize(w.form)
			if seen[k] || w.lemma == "" || v.words[norm].count > cfg.Rare || norm[0] == '\x01' {
				continue
			}
			seen[k] = true
			e := lemmaExample{list: m.LemmaCandidates(w.form, norm, k.tag, int(v.script(w.form, w.lemma))), gold: -1}
			for i, c := range e.list {
				if c.Lemma == w.lemma {
					e.gold = i
					break
				}
			}
			if e.gold >= 0 && len(e.list) > 1 {
				examples = append(examples, e)
			}
		}
	}
	table, sums, time := make([]int32, 1<<tag.LemmaBits), make([]int64, 1<<tag.LemmaBits), int64(0)
	update := func(features []uint64, d int32) {
		for _, f := range features {
			i := f >> (64 - tag.LemmaBits)
			table[i] += d
			sums[i] += int64(d) * time
		}
	}
	r := rand.New(rand.NewPCG(cfg.Seed, 1))
	for range cfg.Passes {
		for _, i := range r.Perm(len(examples)) {
			time++
			e := &examples[i]
			if best := tag.BestLemma(e.list, table); best != e.gold {
				update(e.list[e.gold].Features, 1)
				update(e.list[best].Features, -1)
			}
		}
	}
	sum := make([]float64, len(table))
	addAverage(sum, table, sums, time)
	return quantize(sum)
}
