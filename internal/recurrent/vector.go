package recurrent

import "math"

// Every product is rounded by a conversion before it is added, so that no processor fuses the
// operations and the results are the same everywhere (Go specification, floating-point operators).

// affine sets y = W x + b; W has len(y) rows of len(x) values. b may be nil.
func affine(y, w, x, b []float32) {
	n, fours := len(x), len(y)&^3
	affineRows(y[:fours], w, x)
	for i := fours; i < len(y); i++ {
		y[i] = dot(w[i*n:][:n], x)
	}
	if b != nil {
		b = b[:len(y)]
		for i := range y {
			y[i] += b[i]
		}
	}
}

// affineRowsGo sets y = W x.
func affineRowsGo(y, w, x []float32) {
	for i := range y {
		y[i] = dot(w[i*len(x):][:len(x)], x)
	}
}

// dot returns the inner product of vectors of one length: four sums of every fourth product, with
// the rest in the first.
func dot(a, b []float32) float32 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float32
	i := 0
	for ; i+4 <= len(a); i += 4 {
		x, y := a[i:i+4:i+4], b[i:i+4:i+4]
		s0 += float32(x[0] * y[0])
		s1 += float32(x[1] * y[1])
		s2 += float32(x[2] * y[2])
		s3 += float32(x[3] * y[3])
	}
	for ; i < len(a); i++ {
		s0 += float32(a[i] * b[i])
	}
	return (s0 + s1) + (s2 + s3)
}

// Add adds x to y.
func Add(y, x []float32) {
	x = x[:len(y)]
	for i := range y {
		y[i] += x[i]
	}
}

// exp returns e^x with a relative error below 1e-6 times the magnitude of x: 2^k 2^f with an
// integer k and a polynomial for 2^f, f in -1/2..1/2.
func exp(x float32) float32 {
	const log2e = 1.44269504088896
	x = float32(max(-87, min(87, x)) * log2e)
	const whole = 3 << 22 // added to a number it leaves its integer part
	k := float32(x+whole) - whole
	f := x - k
	p := float32(1.5403530e-4*f) + 1.3333558e-3
	p = float32(p*f) + 9.6181291e-3
	p = float32(p*f) + 5.5504109e-2
	p = float32(p*f) + 2.4022651e-1
	p = float32(p*f) + 6.9314718e-1
	p = float32(p*f) + 1
	return math.Float32frombits(math.Float32bits(p) + uint32(int32(k))<<23)
}

// Sigmoid returns the logistic function 1/(1+e^-x).
func Sigmoid(x float32) float32 { return 1 / (1 + exp(-x)) }

// Tanh returns the hyperbolic tangent of x.
func Tanh(x float32) float32 { return 1 - 2/(1+exp(2*x)) }

// sigmoids replaces each element of v with its sigmoid.
func sigmoids(v []float32) {
	fours := len(v) &^ 3
	sigmoidFours(v[:fours])
	sigmoidsGo(v[fours:])
}

// tanhs replaces each element of v with its hyperbolic tangent.
func tanhs(v []float32) {
	fours := len(v) &^ 3
	tanhFours(v[:fours])
	tanhsGo(v[fours:])
}

func sigmoidsGo(v []float32) {
	for i, x := range v {
		v[i] = Sigmoid(x)
	}
}

func tanhsGo(v []float32) {
	for i, x := range v {
		v[i] = Tanh(x)
	}
}

// grow returns s with length n and undefined elements.
func grow(s []float32, n int) []float32 {
	if cap(s) < n {
		return make([]float32, n, n+n/4)
	}
	return s[:n]
}

// zeros returns s with length n, all 0.
func zeros(s []float32, n int) []float32 {
	s = grow(s, n)
	clear(s)
	return s
}
