//go:build !amd64

package boost

func (f *Classes) addDeep(m *Matrix, _ *columnStarts, levels *[together * 6]level, values *[together << 6]leafSteps, from int, sums []leafSteps) {
	f.addDeepGo(m, levels, values, from, sums)
}

func (f *Classes) flush(dst []float32, sums []leafSteps, from, trees int) {
	f.flushGo(dst, sums, from, trees)
}
