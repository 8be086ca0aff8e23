package trees

import "chaffinch/internal/boost"

// Mean returns the forest whose log odds are the mean of the log odds of the given forests, such as
// forests with different seeds (Breiman, Bagging predictors, Machine Learning 24, 1996). It has the
// trees of all of them. The log odds differ from the mean by rounding: at most half a step per
// tree, where a step is the largest leaf value divided by 32767.
func Mean(forests ...*boost.Forest) *boost.Forest {
	var features []boost.Feature
	var trees []boost.Tree
	var base float64
	n := float64(len(forests))
	for _, f := range forests {
		own, parts, from := f.Parts()
		base += float64(from) / n
		for _, t := range parts {
			for i := range t.Levels {
				t.Levels[i].Feature += len(features)
			}
			for i := range t.Values {
				t.Values[i] /= n
			}
			trees = append(trees, t)
		}
		features = append(features, own...)
	}
	return boost.NewForest(features, trees, float32(base))
}
