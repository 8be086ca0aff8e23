//go:build !amd64

package blocks

func (t *lookup) add(z *sums, slots []uint32) { t.addGo(z, slots) }
