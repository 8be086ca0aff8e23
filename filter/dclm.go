package filter

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/zeebo/xxh3"

	"chaffinch/internal/lazyregexp"
	"chaffinch/internal/pytext"
	"chaffinch/text/token"
)

// The reasons for dropping lines by dclm, in the order of the tests.
const (
	lineUpper   = "uppercase"
	lineDigits  = "digits"
	lineCounter = "counter"
	lineButton  = "button"
)

// dclm computes the scores of the group dclm, marks lines, and passes the kept lines on to the
// following groups.
func dclm(s *Scorer, d *doc, out []float64) {
	tokens := s.tokens(d)
	f := s.countFields(d)
	out[0] = float64(f.alnum)
	if n := float64(f.all); n > 0 {
		out[1] = float64(f.chars) / n
		out[2] = float64(strings.Count(d.text, "#")+strings.Count(d.text, "...")+strings.Count(d.text, ". . .")+strings.Count(d.text, "…")) / n
		out[5] = float64(f.all-f.letters) / n
	}
	lines, bullets, ellipses := 0, 0, 0
	for rest := d.text; rest != ""; {
		line, n := cutAtLF(rest)
		rest = rest[n:]
		if line = trim(line); line == "" {
			continue
		}
		lines++
		if r, _ := utf8.DecodeRuneInString(line); r == '●' || r == '•' || r == '*' || r == '-' {
			bullets++
		}
		if strings.HasSuffix(line, "...") || strings.HasSuffix(line, ". . .") || strings.HasSuffix(line, "…") {
			ellipses++
		}
	}
	if lines > 0 {
		out[3] = float64(bullets) / float64(lines)
		out[4] = float64(ellipses) / float64(lines)
	}
	if d.rules.stop != nil {
		out[6] = float64(f.stop)
	}
	out[7], out[9] = s.repeated(d.text, "\n")
	out[8], out[10] = s.repeated(d.text, "\n\n")
	s.repeatedGrams(d, tokens, out[11:])

	s.edit(d, "dclm", cutAtLF, s.dclmLine)
	removed := &out[len(out)-1]
	if *removed = 0; f.alnum > 0 && len(d.text) < len(s.in.Whole) {
		*removed = float64(f.alnum-s.countFields(d).alnum) / float64(f.alnum)
	}
}

// textFields counts the words between white space.
type textFields struct {
	all     int
	chars   int // in all words
	letters int // words with a letter
	stop    int // stop words
	alnum   int // words that begin with a letter or digit, separated by ASCII white space
}

func (s *Scorer) countFields(d *doc) (f textFields) {
	start, letter := -1, false
	end := func(i int) {
		if start < 0 {
			return
		}
		f.all++
		if letter {
			f.letters++
		}
		if l := d.rules.stop; l != nil && i-start <= l.longest {
			s.lower = s.lower[:0]
			for _, r := range d.text[start:i] {
				s.lower = utf8.AppendRune(s.lower, unicode.ToLower(r))
			}
			if _, ok := l.index[string(s.lower)]; ok {
				f.stop++
			}
		}
		start, letter = -1, false
	}
	begins := true // at the start of a word, separated by ASCII white space
	for i, r := range d.text {
		if begins && isAlnum(r) {
			f.alnum++
		}
		begins = r == ' ' || r >= '\t' && r <= '\r' || r == 0
		if pytext.IsSpace(r) {
			end(i)
			continue
		}
		if start < 0 {
			start = i
		}
		f.chars++
		letter = letter || classes.At(r)&isAlpha != 0
	}
	end(len(d.text))
	return f
}

// isAlnum reports whether Python's str.isalnum holds for r.
func isAlnum(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r)
}

// repeated returns the share of pieces of text between separators that occur more than once,
// and the share of their characters.
func (s *Scorer) repeated(text, separator string) (pieces, chars float64) {
	s.slots, s.again = s.slots[:0], s.again[:0] // for each piece: its slot and its number of characters
	s.seen.reset(strings.Count(text, separator) + 1)
	for more := true; more; {
		var piece string
		piece, text, more = strings.Cut(text, separator)
		if piece = trim(piece); piece != "" {
			slot, _ := s.seen.add(xxh3.HashString(piece))
			s.slots = append(s.slots, slot)
			s.again = append(s.again, int32(utf8.RuneCountInString(piece)))
		}
	}
	if len(s.slots) < 2 {
		return 0, 0
	}
	n, in, all := 0, 0, 0
	for i, slot := range s.slots {
		size := int(s.again[i])
		if all += size; s.seen.slots[slot].n > 1 {
			n++
			in += size
		}
	}
	return float64(n) / float64(len(s.slots)), float64(in) / float64(all)
}

// repeatedGrams computes shares of characters in n-grams of the tokens that begin with a letter
// or digit. For the first lengths it counts the most frequent n-gram, for the other lengths all
// n-grams that occur more than once. An n-gram that occurs once also occurs once with one more
// token, so it is not counted again.
func (s *Scorer) repeatedGrams(d *doc, tokens []token.Token, out []float64) {
	s.alnum = s.alnum[:0]
	for _, w := range tokens {
		if r, _ := utf8.DecodeRuneInString(d.text[w.Start:]); isAlnum(r) {
			s.alnum = append(s.alnum, w)
		}
	}
	s.sums.sum(d.text, s.alnum)
	s.sums.order(d.text, s.alnum)
	all := float64(s.sums.length(0, len(s.alnum)))
	s.again = s.again[:0]
	for i := range s.alnum {
		s.again = append(s.again, int32(i))
	}
	for n := firstTop; n <= lastDuplicate; n++ {
		s.seen.reset(len(s.again))
		s.slots = s.slots[:0]
		most := uint32(1)
		for _, i := range s.again {
			if int(i)+n > len(s.alnum) {
				break
			}
			slot, count := s.seen.add(s.sums.sequence(int(i), n, powers[n]))
			s.slots = append(s.slots, slot)
			most = max(most, count)
		}
		longest, covered, end, left := 0, 0, 0, s.again[:0]
		for k, slot := range s.slots {
			count := s.seen.slots[slot].n
			if count == 1 {
				continue
			}
			i := int(s.again[k])
			left = append(left, int32(i))
			if count == most {
				longest = max(longest, s.sums.length(i, n))
			}
			from := max(i, end)
			end = i + n
			covered += s.sums.length(from, end-from)
		}
		s.again = left
		chars := covered
		if n <= lastTop {
			chars = int(most) * longest
		}
		if out[n-firstTop] = 0; chars > 0 {
			out[n-firstTop] = float64(chars) / all
		}
	}
}

func cutAtLF(text string) (line string, size int) {
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		return text[:i], i + 1
	}
	return text, len(text)
}

var (
	counter = lazyregexp.New(`(?i)^[^\p{L}\p{N}_]*\p{Nd}[,.\p{Nd}]*[kmb]?[\s\p{Z}]+(?:likes|shares|comments|retweets|reposts|quotes|bookmarks|upvotes|downvotes|downloads|views|followers)[^\p{L}\p{N}_]*$`)
	// buttons are the texts removed from short lines, with a part that all matches contain.
	buttons = []struct {
		part    []byte
		pattern func() *regexp.Regexp
	}{
		{[]byte("items in cart"), lazyregexp.New(`(?i)[\s\p{Z}]?items in cart`)},
		{[]byte("read more"), lazyregexp.New(`(?i)[\s\p{Z}]?read more...$`)}, // any three characters, as published
		{[]byte("sign-in"), lazyregexp.New(`(?i)^sign-in[\s\p{Z}]?`)},
	}
)

// buttonWords is the maximum number of words of a line from which button texts are removed.
const buttonWords = 10

// dclmLine returns the kept part of a line, and the rule that drops it.
func (s *Scorer) dclmLine(text string, was *line) (left, why string) {
	chars, upper, digits, first := 0, 0, 0, rune(0)
	for _, r := range text {
		chars++
		switch {
		case r < utf8.RuneSelf && r >= 'A' && r <= 'Z' || r >= utf8.RuneSelf && pytext.IsUpper(r):
			upper++
		case pytext.IsDigitValue(r):
			digits++
		}
		if first == 0 && (isAlnum(r) || r == '_') {
			first = r
		}
	}
	switch {
	case 2*upper > chars:
		return text, lineUpper
	case digits == chars:
		return text, lineDigits
	case unicode.IsDigit(first) && counter().MatchString(text):
		return text, lineCounter
	case !words(text, 2):
		return text, lineFewWords
	}
	if words(text, buttonWords+1) {
		return text, ""
	}
	s.lower = appendLower(s.lower[:0], text)
	left = text
	for i := range buttons {
		if b := &buttons[i]; bytes.Contains(s.lower, b.part) {
			left = b.pattern().ReplaceAllString(left, "")
		}
	}
	if trim(left) == "" {
		return left, lineButton
	}
	if len(left) < len(text) {
		was.from = -1
	}
	return left, ""
}

func dclmScores() []Score {
	list := []Score{
		{"words", "words that begin with a letter or digit, between white space", within(50, 100_000)},
		{"mean_word_length", "mean length in characters of words between white space", within(3, 10)},
		{"symbols", "characters # and ellipses per word", atMost(0.1)},
		{"bullet_lines", "share of lines that begin with ●, •, * or -", atMost(0.9)},
		{"ellipsis_lines", "share of lines that end in an ellipsis", atMost(0.3)},
		{"words_without_letters", "share of words without a letter", atMost(0.2)},
		{"stop_words", "stop words of the language, each time that they occur", atLeast(2)},
		{"duplicate_lines", "share of lines that occur more than once", atMost(0.3)},
		{"duplicate_paragraphs", "share of paragraphs, parted by empty lines, that occur more than once", atMost(0.3)},
		{"duplicate_line_chars", "share of characters in such lines", atMost(0.2)},
		{"duplicate_paragraph_chars", "share of characters in such paragraphs", atMost(0.2)},
	}
	list = append(list, gramScores("most frequent %d-gram of words, the longest of several", "%d-grams of words that occur more than once")...)
	return append(list, Score{"removed_words", "share of words that rules of lines take out", atMost(0.05)})
}
