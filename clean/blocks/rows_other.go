//go:build !amd64

package blocks

func (t *lookup) add(z *sums, slots []uint32) { t.addGo(z, slots) }

func (z *sums) sum(x, y *sums) { z.sumGo(x, y) }
