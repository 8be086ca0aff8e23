package lines

import (
	"slices"

	"chaffinch/internal/truth"
)

// topic sets the columns that measure whether a line shares the topic of the document: the
// content words, neither function words nor numbers, that other lines contain. Links to
// other pages have different words.
func (s *sheet) topic() {
	list := s.tallies.list
	title := int32(slices.IndexFunc(s.stats[:s.n], func(st stats) bool { return st.read > 1 })) // first line with words
	for i := range s.n {
		st := &s.stats[i]
		own := int32(truth.Int(st.words >= longWords))
		var all, elsewhere, titled, fresh, alone int
		for j := st.from; j < st.to; j++ {
			is := int(s.content[j]) // 1 or 0: avoids an unpredictable branch
			l := &list[s.ones[j]]
			all += is
			elsewhere += is & truth.Int(l.long > own)
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
