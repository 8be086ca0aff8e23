package lines

import "chaffinch/internal/truth"

// Limits of short and long lines, in words.
const (
	shortWords = 7
	longWords  = 12
	farAway    = 64 // maximum distance in lines; larger distances count as this
)

// shape returns a coarse description of a line. The lines of a list have the same shape.
func (st *stats) shape() uint32 {
	size := uint32(0)
	for w := int(st.words); w > 0; w >>= 1 {
		size++
	}
	digits := uint32(0)
	switch d := st.counts[classDigit]; {
	case d > 4:
		digits = 2
	case d > 0:
		digits = 1
	}
	caps := uint32(0)
	switch {
	case 2*st.caps > st.read:
		caps = 2
	case 2*st.capitals > st.read:
		caps = 1
	}
	return size | uint32(st.first)<<4 | uint32(st.last)<<9 | digits<<14 | caps<<16
}

// context sets the columns of the surrounding lines.
func (s *sheet) context() {
	n := s.n
	s.shapes = grow(s.shapes, n)
	s.runs = grow(s.runs, n)
	total, inLong := float32(0), float32(0)
	run := 0
	for i := range n {
		st := &s.stats[i]
		s.shapes[i] = st.shape()
		total += st.words
		if st.words >= longWords {
			inLong += st.words
		}
		if st.words > shortWords {
			run = i + 1
		} else if i+1 == n || s.stats[i+1].words > shortWords {
			for j := run; j <= i; j++ {
				s.runs[j] = int32(i + 1 - run)
			}
		}
		if st.words > shortWords {
			s.runs[i] = 0
		}
	}
	sum, long, before := float32(0), float32(0), -farAway
	for i := range n {
		st := &s.stats[i]
		shape := s.shapes[i]
		same3, same8 := 0, 0
		for _, other := range s.shapes[max(0, i-8):min(n, i+9)] {
			same8 += truth.Int(other == shape)
		}
		for _, other := range s.shapes[max(0, i-3):min(n, i+4)] {
			same3 += truth.Int(other == shape)
		}
		s.set(i, colShape3, float32(same3-1)/6)
		s.set(i, colShape8, float32(same8-1)/16)
		near, long2, long5 := float32(0), 0, 0
		for j := max(0, i-5); j < min(n, i+6); j++ {
			if j == i {
				continue
			}
			w := s.stats[j].words
			long := truth.Int(w >= longWords)
			long5 += long
			if j >= i-3 && j <= i+3 {
				near += w
				if j >= i-2 && j <= i+2 {
					long2 += long
				}
			}
		}
		s.set(i, colWords3, log1(near))
		s.set(i, colLong2, float32(long2)/4)
		s.set(i, colLong5, float32(long5)/10)
		if i > 0 {
			s.set(i, colPrevWords, log1(s.stats[i-1].words))
		}
		if i+1 < n {
			s.set(i, colNextWords, log1(s.stats[i+1].words))
		}
		s.set(i, colLikePrev, truth.Float32(i > 0 && s.shapes[i-1] == s.shapes[i]))
		s.set(i, colLikeNext, truth.Float32(i+1 < n && s.shapes[i+1] == s.shapes[i]))
		s.set(i, colRun, log1(float32(s.runs[i])))
		s.set(i, colFromStart, log1(float32(i)))
		s.set(i, colFromEnd, log1(float32(n-1-i)))
		s.set(i, colPlace, ratio(float32(i), float32(n-1)))
		s.set(i, colWordPlace, ratio(sum, total))
		s.set(i, colToLongBefore, log1(float32(min(i-before, farAway))))
		sum += st.words
		s.set(i, colLongBefore, ratio(long, inLong))
		if st.words >= longWords {
			before = i
			long += st.words
		}
		s.set(i, colLongAfter, ratio(inLong-long, inLong))
	}
	after := n + farAway
	for i := n - 1; i >= 0; i-- {
		s.set(i, colToLongAfter, log1(float32(min(after-i, farAway))))
		if s.stats[i].words >= longWords {
			after = i
		}
	}
}

// window holds sums over the lines before a line.
type window struct{ lines, words, stops, function, read, capitals, bars, copies float32 }

// around sets the columns with means over a line and the lines around it.
func (s *sheet) around() {
	s.windows = grow(s.windows, s.n+1)
	var w window
	s.windows[0] = w
	for i := range s.n {
		if st := &s.stats[i]; st.chars > 0 {
			w.lines++
			w.words += st.words
			w.stops += truth.Float32(st.last == classStop)
			w.function += float32(st.function)
			w.read += float32(st.read)
			w.capitals += float32(st.capitals)
			w.bars += truth.Float32(st.counts[classBar] > 0)
			w.copies += truth.Float32(s.tallies.list[s.keys[i].line].lines > 1)
		}
		s.windows[i+1] = w
	}
	for i := range s.n {
		a, b := &s.windows[max(0, i-3)], &s.windows[min(s.n, i+4)]
		lines, read := b.lines-a.lines, b.read-a.read
		s.set(i, colStops3, ratio(b.stops-a.stops, lines))
		s.set(i, colFunction3, ratio(b.function-a.function, read))
		s.set(i, colCapitals3, ratio(b.capitals-a.capitals, read))
		s.set(i, colBars3, ratio(b.bars-a.bars, lines))
		s.set(i, colCopies3, ratio(b.copies-a.copies, lines))
		a, b = &s.windows[max(0, i-8)], &s.windows[min(s.n, i+9)]
		lines, read = b.lines-a.lines, b.read-a.read
		s.set(i, colWords8, log1(ratio(b.words-a.words, lines)))
		s.set(i, colStops8, ratio(b.stops-a.stops, lines))
		s.set(i, colFunction8, ratio(b.function-a.function, read))
	}
}
