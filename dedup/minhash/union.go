package minhash

import "sync/atomic"

// forest joins documents into clusters, from any number of goroutines at the
// same time and without locks: a root is linked by compare-and-swap below a
// smaller one, and finds halve their paths (Anderson and Woll, Wait-free
// parallel algorithms for the union-find problem, STOC 1991; Jayanti and Tarjan,
// PODC 2016). The root of a cluster is its smallest document, in whatever order
// edges come.
type forest []uint32

// forestBytes is the memory for each document: its parent, and a bit that
// distinguishes roots of clusters from documents without a cluster.
const forestBytes = 4.125

func newForest(docs int64) forest {
	f := make(forest, docs)
	for i := range f {
		f[i] = uint32(i)
	}
	return f
}

func (f forest) find(x uint32) uint32 {
	for {
		p := atomic.LoadUint32(&f[x])
		if p == x {
			return x
		}
		g := atomic.LoadUint32(&f[p])
		if g == p {
			return p
		}
		atomic.CompareAndSwapUint32(&f[x], p, g)
		x = g
	}
}

func (f forest) union(a, b uint32) {
	for {
		a, b = f.find(a), f.find(b)
		if a == b {
			return
		}
		if a < b {
			a, b = b, a
		}
		if atomic.CompareAndSwapUint32(&f[a], a, b) {
			return
		}
	}
}

// clustered returns the documents that share their cluster with another, as
// bits.
func (f forest) clustered() []uint64 {
	set := make([]uint64, (len(f)+63)/64)
	for i := range f {
		if r := f.find(uint32(i)); r != uint32(i) {
			set[i/64] |= 1 << (i % 64)
			set[r/64] |= 1 << (r % 64)
		}
	}
	return set
}
