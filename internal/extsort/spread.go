package extsort

// spread distributes records to bins by n bits of their keys.
type spread struct {
	size, from, n int
	alloc         func() []byte
	bins          [][][]byte
	open          [][]byte // the last chunk of each bin
	chunks        int      // in bins and open
}

func newSpread(size, from, n int, alloc func() []byte) *spread {
	return &spread{size: size, from: from, n: n, alloc: alloc, bins: make([][][]byte, 1<<n), open: make([][]byte, 1<<n)}
}

// add copies the records of a chunk to the bins.
func (d *spread) add(c []byte) {
	size := d.size
	for at := 0; at < len(c); at += size {
		rec := c[at : at+size]
		b := load(rec, d.from) >> (64 - d.n)
		to := d.open[b]
		if len(to)+size > cap(to) {
			if to != nil {
				d.bins[b] = append(d.bins[b], to)
			}
			to = d.alloc()
			d.chunks++
		}
		k := len(to)
		to = to[:k+size]
		if size >= 8 {
			copyRecord(to[k:], rec)
		} else {
			copy(to[k:], rec)
		}
		d.open[b] = to
	}
}

// all returns the chunks of each bin. Nothing can be added afterwards.
func (d *spread) all() [][][]byte {
	for b, to := range d.open {
		if to != nil {
			d.bins[b] = append(d.bins[b], to)
		}
	}
	d.open = nil
	return d.bins
}
