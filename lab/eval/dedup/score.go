package dedup

import (
	"math"

	"chaffinch/internal/sorts"
	"chaffinch/internal/truth"
	"chaffinch/lab/eval/stats"
)

// Count counts right answers, all answers (Said) and all true cases (There).
type Count struct{ Right, Said, There float64 }

// P returns the precision, 1 without answers.
func (c Count) P() float64 { return ratio(c.Right, c.Said) }

// R returns the recall, 1 without true cases.
func (c Count) R() float64 { return ratio(c.Right, c.There) }

// F returns the harmonic mean of precision and recall.
func (c Count) F() float64 { return stats.Harmonic(c.P(), c.R()) }

func ratio(a, b float64) float64 {
	if b == 0 {
		return 1
	}
	return a / b
}

// Result holds the scores of a program on a set.
type Result struct {
	System string
	// Clusters is set if the program reports clusters. Otherwise Pairs, Copies, BCubedP, BCubedR
	// and Rand are meaningless.
	Clusters bool
	// Pairs counts pairs of documents in one cluster, compared with the clusters of [Truth].
	Pairs Count
	// Copies counts the same pairs compared with how the documents were made: [Copies] are right,
	// [Unrelated] pairs are wrong, others are ignored.
	Copies Count
	// BCubedP and BCubedR are the precision and recall of the clusters, a mean over documents
	// (Bagga and Baldwin 1998). Rand is the adjusted Rand index (Hubert and Arabie 1985).
	BCubedP, BCubedR, Rand float64
	// Removed counts removed documents: all documents of a true cluster except one should be
	// removed. A removed document is right if another document of its cluster is kept.
	Removed Count
	// Paras counts the words of removed paragraphs, whether the program removes documents or
	// paragraphs. All paragraphs of one origin except one should be removed. Paragraphs with more
	// than a fifth of their words changed are ignored.
	Paras Count
	// Kinds holds figures by how documents were made.
	Kinds []KindResult
}

// KindResult holds the scores of a program on the documents of a kind.
type KindResult struct {
	Kind Kind
	Docs int
	// Jaccard is the mean similarity with the closest other document of the same roots, Near the
	// fraction with a similarity of at least [Threshold].
	Jaccard, Near float64
	// Found is the fraction in one cluster with the closest document, Wrong the fraction in a
	// cluster with a document that is [Unrelated].
	Found, Wrong float64
	// Dropped is the fraction of removed documents, Words the fraction of removed words.
	Dropped, Words float64
}

// Score compares answers with the truth.
func Score(t *Truth, a *Answers) *Result {
	r := &Result{System: a.System, Clusters: a.Cluster != nil}
	if r.Clusters {
		r.pairs(t, a.Cluster)
		r.agreement(t.Cluster, a.Cluster)
	}
	r.Removed = removed(t.Cluster, a.Drop)
	r.paras(t.Set, a)
	r.kinds(t, a)
	return r
}

// members returns the documents of each cluster with more than one document.
func members(cluster []int) map[int][]int {
	out := map[int][]int{}
	for i, c := range cluster {
		out[c] = append(out[c], i)
	}
	for c, m := range out {
		if len(m) == 1 {
			delete(out, c)
		}
	}
	return out
}

// eachPair calls fn for each pair of documents in one cluster.
func eachPair(cluster []int, fn func(a, b int)) {
	for _, m := range members(cluster) {
		for i, a := range m {
			for _, b := range m[i+1:] {
				fn(a, b)
			}
		}
	}
}

func (r *Result) pairs(t *Truth, cluster []int) {
	eachPair(cluster, func(a, b int) {
		r.Pairs.Said++
		if t.Cluster[a] == t.Cluster[b] {
			r.Pairs.Right++
		}
		switch t.origin(a, b) {
		case Copies:
			r.Copies.Right++
			r.Copies.Said++
		case Unrelated:
			r.Copies.Said++
		}
	})
	eachPair(t.Cluster, func(a, b int) { r.Pairs.There++ })
	byRoot := map[int][]int{}
	for i, d := range t.Set.Docs {
		if len(d.Roots) == 1 {
			byRoot[d.Roots[0]] = append(byRoot[d.Roots[0]], i)
		}
	}
	for _, m := range byRoot {
		for i, a := range m {
			for _, b := range m[i+1:] {
				if t.origin(a, b) == Copies {
					r.Copies.There++
				}
			}
		}
	}
}

// agreement computes the measures of clusters from their contingency table.
func (r *Result) agreement(truth, answer []int) {
	both, rows, columns := map[[2]int]float64{}, map[int]float64{}, map[int]float64{}
	for i := range truth {
		both[[2]int{truth[i], answer[i]}]++
		rows[truth[i]]++
		columns[answer[i]]++
	}
	// Sums of integers do not depend on the order.
	pairs := func(n float64) float64 { return n * (n - 1) / 2 }
	var joint, said, there float64
	for _, n := range both {
		joint += pairs(n)
	}
	for _, n := range rows {
		there += pairs(n)
	}
	for _, n := range columns {
		said += pairs(n)
	}
	n := float64(len(truth))
	expected := said * there / max(1, pairs(n))
	r.Rand = 1
	if mean := (said + there) / 2; mean != expected {
		r.Rand = (joint - expected) / (mean - expected)
	}
	for i := range truth {
		c := both[[2]int{truth[i], answer[i]}]
		r.BCubedP += c / columns[answer[i]] / n
		r.BCubedR += c / rows[truth[i]] / n
	}
}

// removed counts the removed documents.
func removed(cluster []int, drop []bool) (c Count) {
	size, gone := map[int]float64{}, map[int]float64{}
	for i, k := range cluster {
		size[k]++
		if drop[i] {
			gone[k]++
		}
	}
	for k, n := range size {
		c.Said += gone[k]
		c.There += n - 1
		c.Right += min(gone[k], n-1)
	}
	return c
}

// farEdit is the maximum fraction of changed words of a copied paragraph.
const farEdit = .2

// paras counts the words of removed paragraphs.
func (r *Result) paras(s *Set, a *Answers) {
	type origin struct {
		all, gone, longest float64
		template           bool
	}
	origins := map[int]*origin{}
	for i, d := range s.Docs {
		for k, p := range d.Paras {
			if p.Edited > farEdit+1e-9 {
				continue
			}
			o := origins[p.Origin]
			if o == nil {
				o = &origin{template: p.Template}
				origins[p.Origin] = o
			}
			w := float64(p.Words)
			o.all += w
			o.longest = max(o.longest, w)
			if a.gone(i, k) {
				o.gone += w
			}
		}
	}
	for _, o := range origins {
		copied := o.all - o.longest
		r.Paras.There += copied
		r.Paras.Right += min(o.gone, copied)
		if o.template && copied > 0 {
			r.Paras.Said += min(o.gone, copied) // the last paragraph of a template may also be removed
		} else {
			r.Paras.Said += o.gone
		}
	}
}

// gone reports whether a paragraph is removed, alone or with its document.
func (a *Answers) gone(doc, para int) bool {
	return a.Drop[doc] || a.Paras != nil && a.Paras[doc][para]
}

// closest returns for each document the most similar other document with a common root, -1 if there
// is none.
func (t *Truth) closest() (other []int, similarity []float64) {
	other, similarity = make([]int, len(t.Set.Docs)), make([]float64, len(t.Set.Docs))
	for i := range other {
		other[i] = -1
	}
	for _, p := range t.Pairs {
		if t.origin(p.A, p.B) == Unrelated {
			continue
		}
		for _, ab := range [][2]int{{p.A, p.B}, {p.B, p.A}} {
			if p.Jaccard > similarity[ab[0]] {
				other[ab[0]], similarity[ab[0]] = ab[1], p.Jaccard
			}
		}
	}
	return other, similarity
}

func (r *Result) kinds(t *Truth, a *Answers) {
	other, similarity := t.closest()
	wrong := make([]bool, len(t.Set.Docs))
	if a.Cluster != nil {
		eachPair(a.Cluster, func(x, y int) {
			if t.origin(x, y) == Unrelated {
				wrong[x], wrong[y] = true, true
			}
		})
	}
	for _, k := range kinds {
		f := KindResult{Kind: k}
		var words, gone float64
		for i, d := range t.Set.Docs {
			if d.Kind != k {
				continue
			}
			f.Docs++
			f.Jaccard += similarity[i]
			f.Near += truth.Float64(similarity[i] >= Threshold)
			f.Found += truth.Float64(a.Cluster != nil && other[i] >= 0 && a.Cluster[i] == a.Cluster[other[i]])
			f.Wrong += truth.Float64(wrong[i])
			f.Dropped += truth.Float64(a.Drop[i])
			for p := range d.Paras {
				words += float64(d.Paras[p].Words)
				if a.gone(i, p) {
					gone += float64(d.Paras[p].Words)
				}
			}
		}
		if f.Docs == 0 {
			continue
		}
		n := float64(f.Docs)
		f.Jaccard, f.Near, f.Found, f.Wrong, f.Dropped = f.Jaccard/n, f.Near/n, f.Found/n, f.Wrong/n, f.Dropped/n
		f.Words = gone / math.Max(1, words)
		r.Kinds = append(r.Kinds, f)
	}
}

// Case is a pair of documents with a wrong decision.
type Case struct {
	Pair
	// Missed is set for near-duplicates in different clusters. Otherwise the pair is unrelated or
	// dissimilar and in one cluster.
	Missed bool
}

// Worst returns wrongly clustered pairs: the most similar pairs in different clusters, then the
// least similar pairs in one cluster, at most n of each.
func Worst(t *Truth, a *Answers, n int) (out []Case) {
	if a.Cluster == nil {
		return nil
	}
	var missed, joined []Case
	for _, p := range t.Pairs {
		if p.Jaccard >= Threshold && a.Cluster[p.A] != a.Cluster[p.B] {
			missed = append(missed, Case{p, true})
		}
	}
	eachPair(a.Cluster, func(x, y int) {
		if t.Cluster[x] != t.Cluster[y] {
			joined = append(joined, Case{Pair{x, y, t.jaccard(x, y)}, false})
		}
	})
	order := func(sign float64) func(a, b Case) int {
		return func(a, b Case) int {
			switch d := sign * (a.Jaccard - b.Jaccard); {
			case d < 0:
				return -1
			case d > 0:
				return 1
			case a.A != b.A:
				return a.A - b.A
			}
			return a.B - b.B
		}
	}
	sorts.Func(missed, order(-1))
	sorts.Func(joined, order(1))
	return append(missed[:min(n, len(missed))], joined[:min(n, len(joined))]...)
}

// BCubed returns the harmonic mean of BCubedP and BCubedR.
func (r *Result) BCubed() float64 { return stats.Harmonic(r.BCubedP, r.BCubedR) }
