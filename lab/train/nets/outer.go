package nets

// Products are rounded before they are added, as in package recurrent.

// addScaled adds a x to y.
func addScaled(y []float32, a float32, x []float32) {
	x = x[:len(y)]
	for i := range y {
		y[i] += float32(a * x[i])
	}
}

// addScaled4 adds a0 x0 + a1 x1 + a2 x2 + a3 x3 to y.
func addScaled4(y []float32, a0, a1, a2, a3 float32, x0, x1, x2, x3 []float32) {
	n := len(y)
	x0, x1, x2, x3 = x0[:n], x1[:n], x2[:n], x3[:n]
	for i := range y {
		y[i] += (float32(a0*x0[i]) + float32(a1*x1[i])) + (float32(a2*x2[i]) + float32(a3*x3[i]))
	}
}

// addTransposed adds W^T d to x: the gradient of x for the gradient d of W x.
func addTransposed(x, w, d []float32) {
	n := len(x)
	i := 0
	for ; i+4 <= len(d); i += 4 {
		addScaled4(x, d[i], d[i+1], d[i+2], d[i+3], w[i*n:], w[(i+1)*n:], w[(i+2)*n:], w[(i+3)*n:])
	}
	for ; i < len(d); i++ {
		addScaled(x, d[i], w[i*n:])
	}
}

// addOuter adds to W (rows x cols) the sum over items t of d_t x_t^T. The
// vectors of item t start at t*dStride and t*xStride.
func addOuter(w []float32, rows, cols int, d []float32, dStride int, x []float32, xStride, items int) {
	for i := range rows {
		row := w[i*cols : (i+1)*cols]
		t := 0
		for ; t+4 <= items; t += 4 {
			a, b := t*dStride+i, t*xStride
			addScaled4(row, d[a], d[a+dStride], d[a+2*dStride], d[a+3*dStride],
				x[b:], x[b+xStride:], x[b+2*xStride:], x[b+3*xStride:])
		}
		for ; t < items; t++ {
			addScaled(row, d[t*dStride+i], x[t*xStride:])
		}
	}
}
