package extsort

// spread distributes records to bins by n bits of their keys.
type spread struct {
	size, from, n int
	alloc         func() []byte
	bins          [][][]byte
	open          [][]byte // the last chunk of each bin, up to its capacity
	used          []int    // bytes of records in it
	chunks        int      // in bins and open
}

func newSpread(size, from, n int, alloc func() []byte) *spread {
	return &spread{size: size, from: from, n: n, alloc: alloc, bins: make([][][]byte, 1<<n), open: make([][]byte, 1<<n), used: make([]int, 1<<n)}
}

// add copies the records of a chunk to the bins.
func (d *spread) add(c []byte) {
	size, open, used := d.size, d.open, d.used
	f, right := fieldFrom(size, d.from), (64-d.n)&63
	for ; len(c) >= size; c = c[size:] {
		rec := c[:size]
		b := f.load(rec) >> right
		k := used[b]
		if k+size > len(open[b]) {
			d.next(int(b))
			k = 0
		}
		used[b] = k + size
		if to := open[b][k : k+size]; size >= 8 {
			copyRecord(to, rec)
		} else {
			copy(to, rec)
		}
	}
}

// next opens a chunk of a bin.
func (d *spread) next(b int) {
	d.close(b)
	c := d.alloc()
	d.open[b] = c[:cap(c)]
	d.chunks++
}

// close moves the open chunk of a bin to the others.
func (d *spread) close(b int) {
	if d.used[b] > 0 {
		d.bins[b] = append(d.bins[b], d.open[b][:d.used[b]])
	}
}

// all returns the chunks of each bin. Nothing can be added afterwards.
func (d *spread) all() [][][]byte {
	for b := range d.open {
		d.close(b)
	}
	d.open, d.used = nil, nil
	return d.bins
}
