package recurrent

// Standardise scales rows of len(mean) values each as for the training of a network: to (v - mean)
// scale, clipped to -limit..limit.
func Standardise(rows, mean, scale []float32, limit float32) {
	if len(mean) == 0 || len(rows) < len(mean) {
		return
	}
	if wideLanes > 0 {
		wideStandardise(rows, mean, scale, limit)
		return
	}
	standardiseGo(rows, mean, scale, limit)
}

func standardiseGo(rows, mean, scale []float32, limit float32) {
	scale = scale[:len(mean)]
	for ; len(rows) >= len(mean); rows = rows[len(mean):] {
		for c, v := range rows[:len(mean)] {
			rows[c] = max(-limit, min(limit, float32((v-mean[c])*scale[c])))
		}
	}
}
