package tag

// Index returns the index of the weight of a feature and a part.
func Index(feature, part uint64, bits int) uint64 {
	return (feature + part) * multiplier >> (64 - bits)
}

// multiplier spreads hashes: 2^64 divided by the golden ratio.
const multiplier = 0x9e3779b97f4a7c15

// Add adds the weights of features to the scores of parts.
func Add(scores []int32, table []int32, features, parts []uint64, bits int) {
	for _, f := range features {
		for k, p := range parts {
			scores[k] += table[Index(f, p, bits)]
		}
	}
}

// tableBits is the number of bits of an index of the tables of published models.
const tableBits = 20

// add is [Add] for the bytes of a model: the weight of a byte is its square with the sign.
func (m *Model) add(scores []int32, features, parts []uint64) {
	if len(m.w.Table) == 1<<tableBits {
		addTo(scores, (*[1 << tableBits]int8)(m.w.Table), features, parts)
		return
	}
	for k, p := range parts {
		for _, f := range features {
			scores[k] += squares[uint8(m.w.Table[Index(f, p, m.w.Bits)])]
		}
	}
}

// addTo is add without checks of bounds. The sums of four parts at a time are in registers.
func addTo(scores []int32, table *[1 << tableBits]int8, features, parts []uint64) {
	scores = scores[:len(parts)]
	for len(parts) >= 4 {
		p0, p1, p2, p3 := parts[0]*multiplier, parts[1]*multiplier, parts[2]*multiplier, parts[3]*multiplier
		var s0, s1, s2, s3 int32
		for _, f := range features {
			f *= multiplier // the index is Index: (f+p)*multiplier is the sum of the products
			s0 += squares[uint8(table[(f+p0)>>(64-tableBits)])]
			s1 += squares[uint8(table[(f+p1)>>(64-tableBits)])]
			s2 += squares[uint8(table[(f+p2)>>(64-tableBits)])]
			s3 += squares[uint8(table[(f+p3)>>(64-tableBits)])]
		}
		scores[0] += s0
		scores[1] += s1
		scores[2] += s2
		scores[3] += s3
		parts, scores = parts[4:], scores[4:]
	}
	for k, p := range parts {
		p *= multiplier
		sum := int32(0)
		for _, f := range features {
			sum += squares[uint8(table[(f*multiplier+p)>>(64-tableBits)])]
		}
		scores[k] += sum
	}
}

// squares holds the square of each byte with the sign of the byte.
var squares = func() (t [256]int32) {
	for i := range t {
		t[i] = square(int8(i))
	}
	return t
}()

// square returns the square of x with the sign of x.
func square(x int8) int32 { return int32(x) * max(int32(x), -int32(x)) }

// Best returns the index of the candidate with the highest score, given the scores of the parts.
func (a *Analysis) Best(scores []int32) int {
	best, at := int32(0), 0
	from := uint16(0)
	for i, end := range a.Ends {
		sum := int32(0)
		for _, p := range a.Of[from:end] {
			sum += scores[p]
		}
		if i == 0 || sum > best {
			best, at = sum, i
		}
		from = end
	}
	return at
}

// Second returns the index of the best candidate besides one, and the difference of their scores.
func (a *Analysis) Second(scores []int32, besides int) (second int, gap int32) {
	best, at := int32(0), -1
	own := int32(0)
	from := uint16(0)
	for i, end := range a.Ends {
		sum := int32(0)
		for _, p := range a.Of[from:end] {
			sum += scores[p]
		}
		from = end
		if i == besides {
			own = sum
		} else if at < 0 || sum > best {
			best, at = sum, i
		}
	}
	return at, own - best
}
