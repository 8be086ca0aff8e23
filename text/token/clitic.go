package token

// clitics finds the positions at which the word p is split. The first run of letters of p ends
// at run.
func (s *scanner) clitics(p *piece, run int) {
	if p.kind != wordToken && p.kind != abbrEnd {
		return
	}
	word := s.text[p.start:p.end]
	if s.rules.mayCut(word) {
		var buf [MaxEntry + 8]byte
		for _, c := range s.rules.splits[string(folded(buf[:0], word))] {
			s.add(p.start + unfolded(word, c))
		}
		if s.cutn > 0 {
			s.add(p.end)
			return
		}
	}
	if p.end == run {
		return
	}
	// The first and the last apostrophe or hyphen.
	first, last := -1, -1
	for i := 0; i < len(word); i++ {
		switch c := word[i]; {
		case c == '\'' || c == '-':
		case c == 0xe2 && i+2 < len(word) && word[i+1] == 0x80 && (word[i+2] == 0x99 || word[i+2] == 0x90 || word[i+2] == 0x91):
		default:
			continue
		}
		if first < 0 {
			first = i
		}
		last = i
	}
	if first < 0 || len(word) <= MaxEntry && s.rules.meaning(word)&wholeWord != 0 {
		return
	}
	start, end := p.start, p.end
	for i := p.start + first; s.rules.proclitics && i <= p.start+last && s.cutn < 2 && i-start <= MaxEntry; {
		n := joint(s.text[i:end])
		if n == 0 {
			i++
			continue
		}
		if i+n >= end || s.rules.meaning(s.text[start:i+n])&proclitic == 0 {
			break
		}
		start, i = i+n, i+n
		s.add(start)
	}
	before := s.cutn
	var tail [maxCuts]int
	tails := 0
	for tails+before < maxCuts-1 {
		at := s.enclitic(start, end, p.start+first, p.start+last)
		if at < 0 {
			break
		}
		tail[tails] = at
		tails++
		end = at
	}
	for i := tails - 1; i >= 0; i-- {
		s.add(tail[i])
	}
	if s.cutn > 0 {
		s.add(p.end)
	}
}

func (s *scanner) add(cut int) {
	if s.cutn < maxCuts {
		s.cuts[s.cutn] = cut
		s.cutn++
	}
}

// joint returns the length of the apostrophe or hyphen at the start of w.
func joint(w string) int {
	switch {
	case w == "":
	case w[0] == '\'' || w[0] == '-':
		return 1
	case len(w) > 2 && w[0] == 0xe2 && w[1] == 0x80 && (w[2] == 0x99 || w[2] == 0x90 || w[2] == 0x91):
		return 3
	}
	return 0
}

// enclitic returns the start of the longest enclitic at the end of the word from start to end,
// -1 if there is none. The joints of the word are between first and last.
func (s *scanner) enclitic(start, end, first, last int) int {
	at := -1
	for i := min(end-1, last); i >= max(start+1, first) && end-i <= MaxEntry; i-- {
		n := joint(s.text[i:end])
		if n == 0 {
			continue
		}
		forms := uint8(bareEnclitic | withN)
		if i+n < end {
			forms = s.rules.enclitics[s.text[i+n]]
		}
		if forms&withN != 0 && i > start+1 && (s.text[i-1] == 'n' || s.text[i-1] == 'N') && s.rules.meaning(s.text[i-1:end])&enclitic != 0 {
			at = i - 1 // n't
		} else if forms&bareEnclitic != 0 && s.rules.meaning(s.text[i:end])&enclitic != 0 {
			at = i
		}
	}
	return at
}
