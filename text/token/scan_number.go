package token

// number scans a number from the digit at start on: with separators, a date, a time, an
// ordinal, or a code of digits and letters. A sign may precede it.
func (s *scanner) number(start int) (int, kind) {
	text := s.text
	end := s.digits(start)
	groups, stops, hyphens := 1, 0, 0
	for end < len(text) {
		c := text[end]
		n := s.digits(end+1) - end - 1 // digits after c
		if n <= 0 {
			break
		}
		ok := false
		switch c {
		case '.':
			ok = true
			stops++
		case ',':
			ok = s.rules.decimal != '.' || n == 3
		case '\'':
			ok = n == 3
		case ':', '/':
			ok = true
		case '-':
			hyphens++
			ok = hyphens > 1 || s.secondHyphen(end+1+n)
		}
		if !ok {
			break
		}
		end += 1 + n
		groups++
	}
	if end == len(text) {
		return end, numberToken
	}
	if c := text[end]; c <= ' ' {
		return end, numberToken
	}
	if s.wordAt(end) { // letters after it
		e := s.run(end)
		if s.rules.meaning(text[end:e])&unit != 0 {
			return end, numberToken
		}
		if (e-end == 1 || e-end == 2) && text[end]|0x20 == 'e' && e < len(text) && (text[e] == '-' || text[e] == '+') && s.digits(e+1) > e+1 {
			return s.digits(e + 1), numberToken // 1e-5
		}
		return s.code(start, e)
	}
	switch c := text[end]; {
	case c == '.':
		if groups > 1 && stops == 0 {
			return end, numberToken
		}
		return s.ordinal(start, end)
	case (c == '-' || c == ':' && s.rules.colon || c == '\'' || c == '@') && !s.digitAt(end+1):
		return s.code(start, end)
	}
	return end, numberToken
}

// code continues with letters after the number from start to end.
func (s *scanner) code(start, end int) (int, kind) {
	end, k := s.word(start, end)
	if k == wordToken {
		k = numberToken
	}
	return end, k
}

// digits returns the end of the digits from i on.
func (s *scanner) digits(i int) int {
	for i < len(s.text) {
		c, n := classAt(s.text, i)
		if c != digit {
			break
		}
		i += n
	}
	return i
}

func (s *scanner) digitAt(i int) bool { return s.digits(i) > i }

// secondHyphen reports whether a hyphen and a digit are at i.
func (s *scanner) secondHyphen(i int) bool {
	return i+1 < len(s.text) && s.text[i] == '-' && bmp[s.text[i+1]] == digit
}

// ordinal handles the full stop at dot after the number from start on.
func (s *scanner) ordinal(start, dot int) (int, kind) {
	text := s.text
	if dot+1 < len(text) && (text[dot+1] == '.' || s.digitAt(dot+1)) {
		return dot, numberToken
	}
	for _, sign := range [...]string{"\u00ba", "\u00aa"} { // 1.º
		if e := dot + 1 + len(sign); e <= len(text) && text[dot+1:e] == sign {
			return e, numberToken
		}
	}
	next := ahead(s.text, dot+1)
	if next.class == 0 || next.gap != blanks {
		return dot, numberToken
	}
	goes := next.continues() || s.rules.ordinal != plainOrdinal && dot-start <= 2 && s.dateFrom(next.at)
	if !goes && s.rules.ordinal != plainOrdinal && dot-start <= 4 && next.class != digit {
		m := s.rules.meaning(text[next.at:s.run(next.at)])
		goes = m&ordinalNext != 0 || s.rules.capitals && dot-start <= 2 && next.class == upperLetter && m&starter == 0
	}
	if goes {
		s.reads(next)
	}
	switch {
	case !goes:
		return dot, numberToken
	case s.rules.ordinal == joinedOrdinal && next.class != pause && dot-start <= 4:
		return dot + 1, numberToken
	}
	s.dead = dot + 1
	return dot, numberToken
}

// dateFrom reports whether a month with a stop or a year is at i: the rest of "3. 10." or "10.
// 2020".
func (s *scanner) dateFrom(i int) bool {
	end := s.digits(i)
	switch end - i {
	case 1, 2:
		return end < len(s.text) && s.text[end] == '.'
	case 4:
		return !s.wordAt(end)
	}
	return false
}
