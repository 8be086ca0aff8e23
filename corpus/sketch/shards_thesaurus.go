package sketch

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"chaffinch/corpus"
)

// shardsThesaurus computes a thesaurus over shards. Counts are summed before scores are computed.
type shardsThesaurus struct {
	c      *corpus.Shards // whole
	paired int64
	totals map[string]int64     // f(*,*,w) by collocate
	freqs  map[string]int64     // by headword
	heads  map[contextKey]int64 // maximum number of headwords of a context
}

// contextKey identifies a context: relation, value of label 3, collocate.
type contextKey [3]string

func compareKeys(a, b contextKey) int { return slices.Compare(a[:], b[:]) }

// scoredContext is a context of a headword with its score.
type scoredContext struct {
	contextKey
	score float64
}

// sharer is a headword that shares contexts with another one.
type sharer struct {
	word   string
	shared []scoreOf
	gain   float64
	bound  float64 // upper bound of its similarity
}

// scoreOf is the score of a numbered context.
type scoreOf struct {
	number int
	score  float64
}

// sharersAtOnce is the number of headwords whose contexts are fetched at once.
const sharersAtOnce = 200

// thesaurusOfShards returns the thesaurus of a headword over shards, as [Sketches.Thesaurus] does for one
// index.
func thesaurusOfShards(ctx context.Context, c *corpus.Shards, word string, cfg ThesaurusConfig) (*Thesaurus, error) {
	t := &shardsThesaurus{c: c.Whole(), totals: map[string]int64{}, freqs: map[string]int64{}, heads: map[contextKey]int64{}}
	h, err := findHead(ctx, t.c, word)
	if err != nil {
		return nil, err
	}
	rows, err := t.c.Sums(ctx, &corpus.Request{Op: opSize})
	if err != nil {
		return nil, err
	}
	for row, err := range rows {
		if err != nil {
			return nil, err
		}
		t.paired = row.N[0]
	}
	own, err := t.contextsOf(ctx, []string{h.word})
	if err != nil {
		return nil, err
	}
	contexts := own[h.word]
	members, sharers, err := t.sharers(ctx, contexts, func(w string) bool {
		return strings.HasSuffix(w, h.word[len(h.bare):]) && (len(h.word) > len(h.bare) || !hasSuffix(w))
	})
	if err != nil {
		return nil, err
	}
	out := &Thesaurus{Word: h.word, Freq: h.freq, Also: h.also, Similar: []Similar{}}
	for _, n := range members {
		if n > 1 && n <= maxContext {
			out.Contexts++
		}
	}
	sum := sumOf(contexts)
	for i := range sharers {
		x, all := &sharers[i], 0.0
		for _, s := range x.shared {
			if n := members[s.number]; n > 1 && n <= maxContext {
				x.gain += gain(contexts[s.number].score, s.score)
				all += s.score
			}
		}
		x.bound = x.gain / (sum + all) * (1 + 1e-9) // sums in another order differ slightly
	}
	sharers = slices.DeleteFunc(sharers, func(x sharer) bool { return x.gain <= 0 || x.word == h.word })
	slices.SortFunc(sharers, func(a, b sharer) int { return cmp.Or(cmp.Compare(b.bound, a.bound), strings.Compare(a.word, b.word)) })
	kept := map[string][]scoredContext{}
	for len(sharers) > 0 {
		if n := len(out.Similar); cfg.Limit > 0 && n == cfg.Limit && out.Similar[n-1].Score > sharers[0].bound {
			break // all others are less similar
		}
		batch := sharers[:min(len(sharers), sharersAtOnce)]
		sharers = sharers[len(batch):]
		if err := t.add(ctx, out, batch, sum, cfg, kept); err != nil {
			return nil, err
		}
	}
	cluster(out.Similar, kept, cfg.Cluster)
	return out, nil
}

// add adds the similar ones of a batch, and keeps their contexts.
func (t *shardsThesaurus) add(ctx context.Context, out *Thesaurus, batch []sharer, sum float64, cfg ThesaurusConfig, kept map[string][]scoredContext) error {
	words := make([]string, len(batch))
	for i, x := range batch {
		words[i] = x.word
	}
	if err := t.count(ctx, words); err != nil {
		return err
	}
	batch = slices.DeleteFunc(slices.Clone(batch), func(x sharer) bool { return t.freqs[x.word] < cfg.MinFreq })
	words = words[:0]
	for _, x := range batch {
		words = append(words, x.word)
	}
	contexts, err := t.contextsOf(ctx, words)
	if err != nil {
		return err
	}
	for _, x := range batch {
		kept[x.word] = contexts[x.word]
		if s := x.gain / (sum + sumOf(contexts[x.word])); s > 0 {
			out.Similar = append(out.Similar, Similar{Word: x.word, Freq: t.freqs[x.word], Score: s})
		}
	}
	slices.SortFunc(out.Similar, func(a, b Similar) int { return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Word, b.Word)) })
	if cfg.Limit > 0 && len(out.Similar) > cfg.Limit {
		for _, x := range out.Similar[cfg.Limit:] {
			delete(kept, x.Word)
		}
		out.Similar = out.Similar[:cfg.Limit]
	}
	return nil
}

// count fetches the counts of words that are not known yet.
func (t *shardsThesaurus) count(ctx context.Context, words []string) error {
	var items [][]string
	for _, w := range words {
		if _, ok := t.totals[w]; !ok {
			t.totals[w] = 0
			items = append(items, []string{w})
		}
	}
	return t.c.Figures(ctx, corpus.Request{Op: opTotals}, items, func(i int, n []int64) {
		t.totals[items[i][0]], t.freqs[items[i][0]] = n[0], n[1]
	})
}

// contextsOf returns the contexts with a positive score of headwords, without the contexts of too many
// headwords.
func (t *shardsThesaurus) contextsOf(ctx context.Context, words []string) (map[string][]scoredContext, error) {
	if len(words) == 0 {
		return nil, nil
	}
	r := &corpus.Request{Op: opContexts}
	for _, w := range slices.Sorted(slices.Values(words)) {
		r.Items = append(r.Items, []string{w})
	}
	type instances struct {
		contextKey
		n, all int64
	}
	found, out := map[string][]instances{}, map[string][]scoredContext{}
	var colls []string
	err := t.each(ctx, r, func(head string, key contextKey, n, all int64) {
		found[head] = append(found[head], instances{key, n, all})
		colls = append(colls, key[2])
	})
	if err == nil {
		err = t.count(ctx, colls)
	}
	if err != nil {
		return nil, err
	}
	var frequent []contextKey
	for head, list := range found {
		for _, x := range list {
			s := t.score(x.n, x.all, x.contextKey)
			if s <= 0 {
				continue
			}
			out[head] = append(out[head], scoredContext{x.contextKey, s})
			if _, ok := t.heads[x.contextKey]; !ok && t.totals[x.contextKey[2]] > maxContext {
				t.heads[x.contextKey] = 0
				frequent = append(frequent, x.contextKey)
			}
		}
	}
	if err := t.countHeads(ctx, frequent); err != nil {
		return nil, err
	}
	for head, list := range out {
		out[head] = slices.DeleteFunc(list, func(x scoredContext) bool { return t.heads[x.contextKey] > maxContext })
	}
	return out, nil
}

// countHeads counts the headwords of contexts: exactly if they may be too many.
func (t *shardsThesaurus) countHeads(ctx context.Context, contexts []contextKey) error {
	slices.SortFunc(contexts, compareKeys)
	err := t.c.Figures(ctx, corpus.Request{Op: opSharing}, itemsOf(contexts), func(i int, n []int64) { t.heads[contexts[i]] = n[0] })
	if err != nil {
		return err
	}
	contexts = slices.DeleteFunc(contexts, func(k contextKey) bool { return t.heads[k] <= maxContext })
	if len(contexts) == 0 {
		return nil
	}
	for _, k := range contexts {
		t.heads[k] = 0
	}
	return t.each(ctx, &corpus.Request{Op: opMembers, Items: itemsOf(contexts)}, func(_ string, key contextKey, n, all int64) {
		if t.score(n, all, key) > 0 {
			t.heads[key]++
		}
	})
}

// itemsOf returns contexts as items of a request.
func itemsOf(contexts []contextKey) [][]string {
	out := make([][]string, len(contexts))
	for i, k := range contexts {
		out[i] = k[:]
	}
	return out
}

// sharers returns the number of headwords of each context, and the headwords that are wanted, with the
// scores of the contexts.
func (t *shardsThesaurus) sharers(ctx context.Context, contexts []scoredContext, wanted func(string) bool) (members []int, out []sharer, err error) {
	number, keys := map[contextKey]int{}, make([]contextKey, len(contexts))
	for i, x := range contexts {
		number[x.contextKey], keys[i] = i, x.contextKey
	}
	members = make([]int, len(contexts))
	if len(contexts) == 0 {
		return members, nil, nil
	}
	last, want := "", false
	err = t.each(ctx, &corpus.Request{Op: opMembers, Items: itemsOf(keys)}, func(head string, key contextKey, n, all int64) {
		i, ok := number[key]
		s := t.score(n, all, key)
		if !ok || s <= 0 {
			return
		}
		members[i]++
		if head != last {
			if last, want = head, wanted(head); want {
				out = append(out, sharer{word: head})
			}
		}
		if want {
			x := &out[len(out)-1]
			x.shared = append(x.shared, scoreOf{i, s})
		}
	})
	return members, out, err
}

// each calls each with the contexts of headwords in all shards, in order. all counts the instances of the
// headword in the relation.
func (t *shardsThesaurus) each(ctx context.Context, r *corpus.Request, each func(head string, key contextKey, n, all int64)) error {
	rows, err := t.c.Sums(ctx, r)
	if err != nil {
		return err
	}
	var all int64
	for row, err := range rows {
		switch {
		case err != nil:
			return err
		case len(row.Key) != 4 || len(row.N) != 1:
			return damaged("row " + strconv.Quote(strings.Join(row.Key, " ")))
		case row.Key[3] == "":
			all = row.N[0]
		default:
			each(row.Key[0], contextKey(row.Key[1:]), row.N[0], all)
		}
	}
	return nil
}

// score returns the score of a context of a headword.
func (t *shardsThesaurus) score(n, all int64, key contextKey) float64 {
	return float64(float32(aScore(float64(min(n, math.MaxUint32)), float64(all), float64(t.totals[key[2]]), float64(t.paired))))
}

// sumOf returns the sum of the scores of contexts, in the order of collocates as [Build] does.
func sumOf(contexts []scoredContext) (sum float64) {
	sorted := slices.Clone(contexts)
	slices.SortFunc(sorted, func(a, b scoredContext) int {
		return cmp.Or(strings.Compare(a.contextKey[2], b.contextKey[2]), compareKeys(a.contextKey, b.contextKey))
	})
	for _, x := range sorted {
		sum += x.score
	}
	return sum
}

// cluster groups words as [Sketches.Thesaurus] does.
func cluster(list []Similar, contexts map[string][]scoredContext, limit float64) {
	sums := make([]float64, min(len(list), maxClustered))
	for i := range sums {
		sums[i] = sumOf(contexts[list[i].Word])
	}
	clusters := clustered(len(list), limit, func(i, j int) float64 {
		a, b := contexts[list[i].Word], contexts[list[j].Word]
		return sharedBy(a, b, func(a, b scoredContext) int { return compareKeys(a.contextKey, b.contextKey) }, func(x scoredContext) float64 { return x.score }) / (sums[i] + sums[j])
	})
	for i, n := range clusters {
		list[i].Cluster = n
	}
}
