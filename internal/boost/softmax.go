package boost

// Softmax sets p to the probabilities of the scores z.
func Softmax(p, z []float32) {
	high := z[0]
	for _, v := range z {
		high = max(high, v)
	}
	var sum float32
	for c, v := range z {
		p[c] = exp(v-high) + 1e-9
		sum += p[c]
	}
	for c := range p {
		p[c] /= sum
	}
}

// softmaxesGo applies Softmax to each row.
func softmaxesGo(p []float32, classes int) {
	for ; len(p) >= classes; p = p[classes:] {
		Softmax(p[:classes], p[:classes])
	}
}
