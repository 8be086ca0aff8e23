package generate

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// stuffing inserts a few keywords into sentences, instead of words or between them, and strings
// them together in some places.
func (m *maker) stuffing(r *rand.Rand, d *source) string {
	keys := m.keys(r, d, between(r, 1, 5))
	rate := 0.04 + float64(0.2*r.Float64()) // probability of a keyword per word
	rows := r.IntN(3) > 0
	var words, gaps []string
	for i := 0; i < len(d.units) && len(words) < len(d.units); i++ {
		u := d.units[i]
		switch {
		case rows && r.Float64() < rate/8:
			for range between(r, 4, 14) {
				words = append(words, variant(r, pick(r, keys)))
				gaps = append(gaps, pick(r, []string{m.comma(), m.space(), m.comma(), " | ", " - "}))
			}
		case r.Float64() < rate:
			words = append(words, variant(r, pick(r, keys)))
			gaps = append(gaps, m.space())
			if r.IntN(2) == 0 { // instead of the word
				gaps[len(gaps)-1] = u.gap
				continue
			}
		}
		words, gaps = append(words, u.word), append(gaps, u.gap)
	}
	return m.join(words, gaps, true)
}

// variant returns a spelling variant of a keyword.
func variant(r *rand.Rand, key string) string {
	switch r.IntN(8) {
	case 0:
		return strings.ToUpper(key)
	case 1, 2:
		words := strings.Fields(key)
		for i := range words {
			words[i] = capital(words[i])
		}
		return strings.Join(words, " ")
	}
	return key
}

// spinning replaces words with others that occur after the same word and end alike, a few of them
// always with the same word.
func (m *maker) spinning(r *rand.Rand, d *source) string {
	rate := 0.25 + float64(0.5*r.Float64())
	always := map[string]string{}
	words := wordsOf(d.units)
	for i := 1; i < len(words); i++ {
		w := words[i]
		if m.spaced && len([]rune(w)) < 4 || r.Float64() > rate {
			continue
		}
		if to, ok := always[w]; ok {
			words[i] = to
			continue
		}
		list := m.alike[likeness(d.units[i-1].word, w)]
		if len(list) < 2 || r.IntN(4) == 0 {
			list = m.alike[likeness(pick(r, m.function), w)]
		}
		if len(list) == 0 {
			list = []string{common(r, m.content)}
		}
		words[i] = pick(r, list)
		if r.IntN(2) == 0 {
			always[w] = words[i]
		}
	}
	gaps := make([]string, len(words))
	for i, u := range d.units {
		gaps[i] = u.gap
	}
	return m.join(words, gaps, true)
}

// stitching concatenates phrases of several documents.
func (m *maker) stitching(r *rand.Rand, d *source) string {
	longest := between(r, 3, 12)
	pool := make([]*source, between(r, 2, 12))
	for i := range pool {
		pool[i] = &m.docs[r.IntN(len(m.docs))]
	}
	own := r.IntN(2) == 0
	var words, gaps []string
	for len(words) < len(d.units) {
		from := pick(r, pool)
		if own && r.IntN(3) == 0 {
			from = d
		}
		n := min(between(r, 2, longest), len(from.units))
		at := r.IntN(len(from.units) - n + 1)
		for _, u := range from.units[at : at+n] {
			words, gaps = append(words, u.word), append(gaps, u.gap)
		}
		if r.IntN(3) == 0 {
			gaps[len(gaps)-1] = pick(r, []string{m.space(), m.comma(), m.stop()})
		}
	}
	if r.IntN(3) == 0 {
		return m.writeUp(r, words, d)
	}
	return m.join(words, gaps, r.IntN(3) > 0)
}

// shuffling shuffles words or phrases of the document, within sentences or over the whole document.
func (m *maker) shuffling(r *rand.Rand, d *source) string {
	var pieces [][]string
	longest := pick(r, []int{1, 1, 2, 3, 5})
	cut := func(units []unit) {
		for len(units) > 0 {
			n := min(between(r, 1, longest), len(units))
			pieces = append(pieces, wordsOf(units[:n]))
			units = units[n:]
		}
	}
	shuffle := func(list [][]string) { r.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] }) }
	if r.IntN(2) == 0 {
		cut(d.units)
		shuffle(pieces)
	} else {
		start := 0
		for _, end := range d.ends {
			first := len(pieces)
			cut(d.units[start:end])
			shuffle(pieces[first:])
			start = end
		}
	}
	return m.writeUp(r, slices.Concat(pieces...), d)
}

// markov generates a Markov chain of words.
func (m *maker) markov(r *rand.Rand, d *source) string {
	second := pick(r, []float64{0, 0.5, 1, 1}) // probability of conditioning on two words
	at := r.IntN(len(m.all))
	var words, gaps []string
	for len(words) < len(d.units) {
		words, gaps = append(words, m.all[at].word), append(gaps, m.all[at].gap)
		list := m.next[words[len(words)-1]]
		if n := len(words); n > 1 && r.Float64() < second {
			if l := m.pairs[pairOf(words[n-2], words[n-1])]; len(l) > 1 || len(list) == 0 {
				list = l
			}
		}
		if len(list) == 0 || r.IntN(100) == 0 {
			at = r.IntN(len(m.all))
			continue
		}
		at = int(pick(r, list))
	}
	if r.IntN(3) == 0 {
		return m.writeUp(r, words, d)
	}
	return m.join(words, gaps, true)
}

// translation imitates a word-by-word translation: function words are replaced, missing or
// superfluous, and adjacent words are in another order.
func (m *maker) translation(r *rand.Rand, d *source) string {
	to := slices.Clone(m.function)
	for i := range to { // each by one of similar frequency
		if k := min(len(to)-1, i+r.IntN(8)); r.IntN(2) == 0 {
			to[i], to[k] = to[k], to[i]
		}
	}
	instead := map[string]string{}
	for i, w := range m.function {
		instead[w] = to[i]
	}
	lost := map[string]bool{pick(r, m.function): true, m.function[r.IntN(min(10, len(m.function)))]: true}
	wrong, swaps, verbs := 0.15+float64(0.5*r.Float64()), 0.05+float64(0.2*r.Float64()), r.IntN(3) == 0
	var words, gaps []string
	start := 0
	for _, end := range d.ends {
		sentence := wordsOf(d.units[start:end])
		for i := 0; i+1 < len(sentence); i++ {
			if r.Float64() < swaps {
				sentence[i], sentence[i+1] = sentence[i+1], sentence[i]
				i++
			}
		}
		if verbs && len(sentence) > 4 { // one moves to the end
			i := 1 + r.IntN(3)
			w := sentence[i]
			copy(sentence[i:], sentence[i+1:])
			sentence[len(sentence)-1] = w
		}
		for i, w := range sentence {
			low := strings.ToLower(w)
			if f, ok := instead[low]; ok {
				if lost[low] && r.IntN(4) > 0 && i+1 < len(sentence) {
					continue
				}
				if r.Float64() < wrong {
					w = f
				}
			} else if r.IntN(30) == 0 {
				words, gaps = append(words, pick(r, m.function)), append(gaps, m.space())
			} else if r.IntN(20) == 0 {
				if list := m.alike[likeness(pick(r, m.function), w)]; len(list) > 0 {
					w = pick(r, list)
				}
			}
			words, gaps = append(words, w), append(gaps, d.units[start+i].gap)
		}
		start = end
	}
	return m.join(words, gaps, true)
}

// templates fills the slots of a few sentences repeatedly.
func (m *maker) templates(r *rand.Rand, d *source) string {
	const slot = "\x00"
	var all [][]unit
	for range between(r, 2, 7) {
		from := d
		if r.IntN(2) == 0 {
			from = &m.docs[r.IntN(len(m.docs))]
		}
		s := slices.Clone(from.sentence(r))
		s = s[:min(len(s), 30)]
		for range between(r, 1, 3) {
			s[r.IntN(len(s))].word = slot
		}
		all = append(all, s)
	}
	lists := [][]string{m.names, m.content, m.keys(r, d, between(r, 2, 12))}
	topics := m.keys(r, d, between(r, 3, 20))
	ordered := r.IntN(2) == 0
	var words, gaps []string
	for len(words) < len(d.units) {
		topic := pick(r, topics)
		for i := range all {
			s := all[i]
			if !ordered {
				s = pick(r, all)
			}
			for _, u := range s {
				if u.word == slot {
					if u.word = topic; r.IntN(2) == 0 {
						u.word = pick(r, pick(r, lists))
					}
				}
				words, gaps = append(words, u.word), append(gaps, u.gap)
			}
			if !endsSentence(gaps[len(gaps)-1]) {
				gaps[len(gaps)-1] = m.stop()
			}
			if r.IntN(6) == 0 {
				gaps[len(gaps)-1] = strings.TrimSpace(m.stop()) + "\n"
			}
		}
	}
	return m.join(words, gaps, true)
}

// lists writes names, places and keywords in rows.
func (m *maker) lists(r *rand.Rand, d *source) string {
	sep := pick(r, []string{m.comma(), " | ", " ", "\n", " - ", " · ", "; ", " / ", " » "})
	words := pick(r, [][]string{m.names, m.names, m.content})
	if r.IntN(3) == 0 { // a few words, repeatedly
		few := make([]string, between(r, 10, 80))
		for i := range few {
			few[i] = pick(r, words)
		}
		words = few
	}
	ordered, longest, numbers := r.IntN(3) == 0, between(r, 1, 4), r.IntN(4) == 0
	var items []string
	for n := 0; n < len(d.units); {
		item := make([]string, between(r, 1, longest))
		for i := range item {
			item[i] = pick(r, words)
		}
		if numbers {
			item = append(item, number(r))
		}
		items = append(items, strings.Join(item, m.space()))
		n += len(item)
	}
	if ordered {
		slices.Sort(items)
	}
	var b strings.Builder
	for i, item := range items {
		if i > 0 {
			if b.WriteString(sep); sep != "\n" && r.IntN(60) == 0 {
				b.WriteByte('\n')
			}
		}
		b.WriteString(item)
	}
	return b.String()
}
