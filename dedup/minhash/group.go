package minhash

import (
	"context"
	"fmt"
	"iter"
	"math"

	"chaffinch/dedup"
	"chaffinch/internal/parallel"
)

// The tables between the steps.
const (
	keptTable     = "kept"     // two documents of a band that are similar enough
	clustersTable = "clusters" // root of the cluster, rank, document, sample of its signature
)

const edge = 2 * dedup.DocBytes

// Group turns equal band keys into edges, edges into clusters, and marks all
// documents of a cluster but the best ranked as copies of it.
func (m *Method) Group(ctx context.Context, g *dedup.Group) error {
	w := &work{m: m, g: g, ctx: ctx}
	if m.selected() {
		if err := w.choose(); err != nil {
			return err
		}
	}
	var err error
	if w.fits() {
		err = w.inMemory()
	} else {
		err = w.bySorting()
	}
	if err != nil {
		return err
	}
	if m.verified() {
		return w.markVerified()
	}
	return g.Step("mark", w.mark)
}

// work is one run of Group.
type work struct {
	m   *Method
	g   *dedup.Group
	ctx context.Context
}

// fits reports whether a [forest] of all documents fits in memory.
func (w *work) fits() bool {
	return !w.m.sorting && w.g.Docs() < math.MaxUint32 && int64(forestBytes*float64(w.g.Docs())) <= w.g.Memory()
}

// pairs calls fn for the first document of each group of equal band keys and
// each of the others.
func (w *work) pairs(fn func(worker int, first, other int64) error) error {
	key := w.m.keyBytes()
	return w.g.Groups(bandsTable, func(worker int, group *dedup.Records) error {
		if group.Len() < 2 {
			return nil
		}
		first := int64(-1)
		for rec, err := range group.All() {
			if err != nil {
				return err
			}
			doc := dedup.DocAt(rec[key:])
			if first < 0 {
				first = doc
			} else if err := fn(worker, first, doc); err != nil {
				return err
			}
		}
		return w.ctx.Err()
	})
}

// inMemory finds clusters with a [forest].
func (w *work) inMemory() error {
	return w.g.Step("clusters", func() error {
		f := newForest(w.g.Docs())
		err := error(nil)
		if w.m.selected() {
			err = w.parts(keptTable, func(_ int, rec []byte) error {
				a, b := edgeAt(rec)
				f.union(uint32(a), uint32(b))
				return nil
			})
		} else {
			err = w.pairs(func(_ int, first, other int64) error {
				f.union(uint32(first), uint32(other))
				return nil
			})
		}
		if err != nil {
			return err
		}
		set := f.clustered()
		out, err := w.clusters()
		if err != nil {
			return err
		}
		return w.parts(sampleTable, func(worker int, rec []byte) error {
			doc := dedup.DocAt(rec)
			if set[doc/64]>>(doc%64)&1 == 0 {
				return nil
			}
			return w.cluster(out, worker, int64(f.find(uint32(doc))), doc, rec[dedup.DocBytes:])
		})
	})
}

// parts calls fn for all records of a table, on several goroutines.
func (w *work) parts(table string, fn func(worker int, rec []byte) error) error {
	parts, err := w.g.Parts(table)
	if err != nil {
		return err
	}
	return parallel.All(len(parts), func(worker int) error {
		n := 0
		for rec, err := range parts[worker] {
			if err == nil {
				err = fn(worker, rec)
			}
			if n++; err == nil && n%(1<<16) == 0 {
				err = w.ctx.Err()
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

const clusterHead = 3 * dedup.DocBytes

// clusters begins the table of clusters.
func (w *work) clusters() (*dedup.Sorter, error) {
	return w.g.NewTable(dedup.Table{Name: clustersTable, Record: clusterHead + w.m.sampleBytes(), Key: dedup.DocBytes})
}

// cluster records that a document is in the cluster of root, if this process marks
// that cluster.
func (w *work) cluster(out *dedup.Sorter, worker int, root, doc int64, sample []byte) error {
	if !w.m.selected() && !w.g.Owns(root) { // selected pairs are already limited to this process
		return nil
	}
	rec, err := out.Add(worker)
	if err != nil {
		return err
	}
	dedup.PutDoc(rec, root)
	dedup.PutDoc(rec[dedup.DocBytes:], w.g.Rank(doc))
	dedup.PutDoc(rec[2*dedup.DocBytes:], doc)
	copy(rec[clusterHead:], sample)
	return nil
}

// mark marks the documents of all clusters. The first of a cluster is the best
// ranked.
func (w *work) mark() error {
	return w.g.Groups(clustersTable, func(_ int, group *dedup.Records) error {
		var head []byte // of the one that stays
		size := int32(min(group.Len(), math.MaxInt32))
		for rec, err := range group.All() {
			if err != nil {
				return err
			}
			if head == nil {
				head = append(head, rec...)
			}
			stays, doc := dedup.DocAt(head[2*dedup.DocBytes:]), dedup.DocAt(rec[2*dedup.DocBytes:])
			similarity := estimate(head[clusterHead:], rec[clusterHead:])
			if err := w.g.Mark(markOf(doc, stays, size, similarity)); err != nil {
				return err
			}
		}
		return w.ctx.Err()
	})
}

// markOf returns the mark of a document in the cluster of the document that stays.
func markOf(doc, stays int64, size int32, similarity float64) dedup.Mark {
	m := dedup.Mark{Doc: doc, Para: dedup.Whole, First: -1, Cluster: stays, Size: size, Similarity: float32(similarity)}
	if doc != stays {
		m.Drop, m.Reason, m.First = true, dedup.Near, stays
	}
	return m
}

// bySorting finds clusters with edges on disk alone, see stars.go.
func (w *work) bySorting() error {
	stars, err := w.stars("", func(edge func(worker int, a, b int64) error) error {
		if !w.m.selected() {
			return w.pairs(edge)
		}
		return w.parts(keptTable, func(worker int, rec []byte) error {
			a, b := edgeAt(rec)
			return edge(worker, a, b)
		})
	})
	if err != nil {
		return err
	}
	return w.g.Step("clusters", func() error { return w.fromStars(stars) })
}

// stars makes a table of what the edges that pairs calls its function with join: each
// document with the smallest, and that with all. Tables and steps have names that begin so.
func (w *work) stars(prefix string, pairs func(edge func(worker int, a, b int64) error) error) (table string, err error) {
	name := func(kind string, round int) string {
		return prefix + kind + string(rune('a'+round/26)) + string(rune('a'+round%26))
	}
	err = w.g.Step(prefix+"edges", func() error {
		out, err := w.edges(name("large", 0))
		if err != nil {
			return err
		}
		return pairs(func(worker int, a, b int64) error {
			if err := put(out, worker, a, b); err != nil {
				return err
			}
			return put(out, worker, b, a)
		})
	})
	if err != nil {
		return "", err
	}
	round := 0
	for changed := true; changed; round++ {
		large, small, next := name("large", round), name("small", round), name("large", round+1)
		// The result of a step is in a table, so that a resumed run finds it.
		err := w.g.Step(small, func() error { return w.star(largeStar, large, small, false) })
		if err != nil {
			return "", err
		}
		if err := w.g.Step(next, func() error { return w.star(smallStar, small, next, true) }); err != nil {
			return "", err
		}
		changed = false
		for _, table := range []string{small, next} {
			for _, err := range w.g.Sorted(table + "changed") {
				if err != nil {
					return "", err
				}
				changed = true
			}
		}
	}
	return name("large", round), nil
}

// edges begins a table of edges.
func (w *work) edges(name string) (*dedup.Sorter, error) {
	return w.g.NewTable(dedup.Table{Name: name, Record: edge, Key: dedup.DocBytes})
}

func put(out *dedup.Sorter, worker int, a, b int64) error {
	rec, err := out.Add(worker)
	if err == nil {
		putEdge(rec, a, b)
	}
	return err
}

// star does half a round from one table to the next, and notes whether it
// changed anything. Documents with all their neighbours are within one part.
func (w *work) star(half func(iter.Seq2[[]byte, error], func(a, b int64) error) (bool, error), from, to string, both bool) error {
	out, err := w.edges(to)
	if err != nil {
		return err
	}
	note, err := w.edges(to + "changed")
	if err != nil {
		return err
	}
	parts, err := w.g.Parts(from)
	if err != nil {
		return err
	}
	err = parallel.All(len(parts), func(worker int) error {
		changed, err := half(parts[worker], func(a, b int64) error {
			if err := put(out, worker, a, b); err != nil || !both {
				return err
			}
			return put(out, worker, b, a)
		})
		if err != nil || !changed {
			return err
		}
		return put(note, worker, 0, 0)
	})
	if err != nil {
		return err
	}
	w.g.Remove(from)
	return w.ctx.Err()
}

// fromStars fills the table of clusters: documents in order, each with its
// neighbours, and its sample.
func (w *work) fromStars(stars string) error {
	out, err := w.clusters()
	if err != nil {
		return err
	}
	samples, err := w.samples()
	if err != nil {
		return err
	}
	defer samples.in.Close()
	last := int64(-1)
	for e, err := range distinct(w.g.Sorted(stars)) {
		if err != nil {
			return err
		}
		doc := e[0]
		if doc == last {
			continue
		}
		last = doc
		sample, err := samples.of(doc)
		if err != nil {
			return err
		}
		if err := w.cluster(out, 0, min(doc, e[1]), doc, sample); err != nil {
			return err
		}
	}
	return w.ctx.Err()
}

// errNoSample is an error of ours or of a broken index: each document with band
// keys has a sample.
func errNoSample(doc int64) error {
	return fmt.Errorf("minhash: document %d has band keys but no sample of its signature: rebuild the index", doc)
}
