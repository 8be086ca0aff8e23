package boost

// Mean returns the forest whose log odds are the mean of those of the given
// ones, such as forests of different seeds: what chance did to one of them the
// others do not repeat (Breiman, Bagging predictors, Machine Learning 24,
// 1996). It has the trees of all of them. The log odds differ from the mean by
// rounding: at most half a step a tree, a step being the largest value of a
// leaf divided by 32767.
func Mean(forests ...*Forest) *Forest {
	var features []Feature
	var trees []tree
	var base float64
	n := float64(len(forests))
	for _, f := range forests {
		base += float64(f.base) / n
		levels, values := f.levels, f.values
		for _, depth := range f.depths {
			var t tree
			for _, q := range levels[:depth] {
				t.levels = append(t.levels, question{len(features) + int(q.feature), q.threshold})
			}
			for _, v := range values[:1<<depth] {
				t.values = append(t.values, float64(v)*float64(f.scale)/n)
			}
			trees = append(trees, t)
			levels, values = levels[depth:], values[1<<depth:]
		}
		features = append(features, f.features...)
	}
	mean := newForest(features, trees, float32(base))
	mean.asked = nil
	return mean
}
