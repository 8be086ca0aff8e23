package lines

import "chaffinch/internal/truth"

// topic sets the columns that measure whether a line shares the topic of the document: the
// content words, neither function words nor numbers, that other lines contain. Links to
// other pages have different words.
func (s *sheet) topic() {
	list := s.tallies.list
	s.inLong = grow(s.inLong, len(list))
	clear(s.inLong)
	title := int32(-1) // first line with words
	for i := range s.n {
		st := &s.stats[i]
		if title < 0 && st.read > 1 {
			title = int32(i)
		}
		if st.words < longWords {
			continue
		}
		for _, t := range s.ones[st.from:st.to] {
			if l := &s.inLong[t]; l.last != int32(i)+1 {
				l.lines++
				l.last = int32(i) + 1
			}
		}
	}
	for i := range s.n {
		st := &s.stats[i]
		own := int32(0)
		if st.words >= longWords {
			own = 1
		}
		var all, elsewhere, titled, fresh, alone int
		for j := st.from; j < st.to; j++ {
			is := int(s.content[j]) // 1 or 0: avoids an unpredictable branch
			t := s.ones[j]
			l := &list[t]
			all += is
			elsewhere += is & truth.Int(s.inLong[t].lines > own)
			titled += is & truth.Int(l.first == title)
			fresh += is & truth.Int(l.first == int32(i))
			alone += is & truth.Int(l.lines == 1)
		}
		if title == int32(i) {
			titled = 0
		}
		n := float32(all)
		s.set(i, colTopic, ratio(float32(elsewhere), n))
		s.set(i, colTitle, ratio(float32(titled), n))
		s.set(i, colNew, ratio(float32(fresh), n))
		s.set(i, colAlone, ratio(float32(alone), n))
	}
}

// longTally counts the long lines that contain a word.
type longTally struct {
	lines, last int32 // last is the last such line plus one
}
