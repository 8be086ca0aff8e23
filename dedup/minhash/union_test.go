package minhash

import (
	"bytes"
	"errors"
	"iter"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"chaffinch/internal/parallel"
	"chaffinch/internal/testkit/must"
	"chaffinch/internal/testkit/property"
)

// components is the oracle: the least document that each hangs together with.
func components(docs int, edges [][2]int) []int {
	root := make([]int, docs)
	for i := range root {
		root[i] = i
	}
	for changed := true; changed; {
		changed = false
		for _, e := range edges {
			if m := min(root[e[0]], root[e[1]]); root[e[0]] != m || root[e[1]] != m {
				root[e[0]], root[e[1]] = m, m
				changed = true
			}
		}
	}
	return root
}

func drawEdges(t *rapid.T) (docs int, edges [][2]int) {
	docs = rapid.IntRange(1, 80).Draw(t, "docs")
	edge := rapid.Custom(func(t *rapid.T) [2]int {
		a := rapid.IntRange(0, docs-1).Draw(t, "a")
		b := rapid.IntRange(0, docs-1).Draw(t, "b")
		if rapid.Bool().Draw(t, "near") { // long chains
			b = min(a+1, docs-1)
		}
		return [2]int{a, b}
	})
	return docs, rapid.SliceOfN(edge, 0, 120).Draw(t, "edges")
}

// TestForest joins the same edges from several goroutines in any order.
func TestForest(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		docs, edges := drawEdges(t)
		f := newForest(int64(docs))
		const jobs = 4
		must.Succeed(t, parallel.All(jobs, func(job int) error {
			for i := job; i < len(edges); i += jobs {
				f.union(uint32(edges[i][0]), uint32(edges[i][1]))
			}
			return nil
		}))
		want := components(docs, edges)
		set := f.clustered()
		for i, root := range want {
			if got := f.find(uint32(i)); int(got) != root {
				t.Fatalf("document %d: root %d, want %d", i, got, root)
			}
			alone := true
			for j, r := range want {
				alone = alone && (j == i || r != root)
			}
			if got := set[i/64]>>(i%64)&1 == 0; got != alone {
				t.Fatalf("document %d: alone %v, want %v", i, got, alone)
			}
		}
	})
}

// records gives edges as sorted records.
func edgeRecords(edges [][2]int64) iter.Seq2[[]byte, error] {
	recs := make([][]byte, len(edges))
	for i, e := range edges {
		recs[i] = make([]byte, edge)
		putEdge(recs[i], e[0], e[1])
	}
	slices.SortFunc(recs, bytes.Compare)
	return func(yield func([]byte, error) bool) {
		for _, r := range recs {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// TestStars finds the components with large-star and small-star.
func TestStars(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		docs, edges := drawEdges(t)
		var large [][2]int64
		for _, e := range edges {
			if a, b := int64(e[0]), int64(e[1]); a != b {
				large = append(large, [2]int64{a, b}, [2]int64{b, a})
			}
		}
		rounds := 0
		for changed := true; changed; rounds++ {
			var small, next [][2]int64
			c1, err1 := largeStar(edgeRecords(large), func(a, b int64) error {
				small = append(small, [2]int64{a, b})
				return nil
			})
			c2, err2 := smallStar(edgeRecords(small), func(a, b int64) error {
				next = append(next, [2]int64{a, b}, [2]int64{b, a})
				return nil
			})
			must.Succeed(t, errors.Join(err1, err2))
			changed, large = c1 || c2, next
			if rounds > 20 {
				t.Fatalf("no end after %d rounds", rounds)
			}
		}
		got := make([]int, docs)
		for i := range got {
			got[i] = i
		}
		for _, e := range large {
			if e[1] < e[0] {
				got[e[0]] = int(e[1])
			}
		}
		if want := components(docs, edges); !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}
