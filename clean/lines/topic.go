package lines

// topic sets the columns that tell how far a line is about what the document
// is about: which of its content words, neither function words nor numbers,
// other lines have. Links to other pages bring words of their own.
func (s *sheet) topic() {
	list := s.tallies.list
	s.inLong = grow(s.inLong, len(list))
	clear(s.inLong)
	title := int32(-1) // the first line with words
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
		var all, elsewhere, titled, fresh, alone float32
		for j := st.from; j < st.to; j++ {
			if !s.content[j] {
				continue
			}
			all++
			t := s.ones[j]
			own := int32(0)
			if st.words >= longWords {
				own = 1
			}
			elsewhere += flag(s.inLong[t].lines > own)
			titled += flag(list[t].first == title && title != int32(i))
			fresh += flag(list[t].first == int32(i))
			alone += flag(list[t].lines == 1)
		}
		s.set(i, colTopic, ratio(elsewhere, all))
		s.set(i, colTitle, ratio(titled, all))
		s.set(i, colNew, ratio(fresh, all))
		s.set(i, colAlone, ratio(alone, all))
	}
}

// longTally counts the long lines that have a word.
type longTally struct {
	lines, last int32 // last = the last such line + 1
}
