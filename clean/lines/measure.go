package lines

import (
	"slices"
	"strings"
	"unicode/utf8"

	"chaffinch/internal/truth"
)

// Bytes that are read at the beginning and the end of a long line. The middle only counts
// for its length.
const (
	headBytes = 600
	tailBytes = 200
)

// stats holds the features of one line without its context.
type stats struct {
	chars     float32 // code points except white space and zero-width characters
	words     float32 // runs of letters and digits, or 1.5 characters of an unspaced script
	counts    [classes]uint16
	longest   uint16 // characters of the longest word
	short     uint16 // words of at most three letters
	capitals  uint16 // words that begin with an upper-case letter
	caps      uint16 // words of two letters and more, all upper case
	glued     uint16 // upper-case letters after a lower-case letter, as between joined links
	numbers   uint16 // words that begin with a digit
	tabs      uint16
	distant   uint16 // letters of scripts other than Latin
	read      uint16 // words read
	function  uint16 // function words of the document's language
	english   uint16 // function words of English
	first     class
	last      class // ignoring white space
	firstCase class // classUpper or classLower case of the first letter: classUpper or classLower
	ellipsis  bool  // ends in … or three stops
	sign      sign
	folded    uint64 // hash of the words in lower case, digits folded
	from, to  int32  // span of the words read, in sheet.hashes
}

// letters returns the number of letters read.
func (st *stats) letters() float32 {
	return float32(st.counts[classLower]) + float32(st.counts[classUpper]) + float32(st.counts[classUnspaced])
}

// sign is a set of marks that a line contains.
type sign uint16

const (
	signAt sign = 1 << iota
	signURL
	signHash  // # before a letter
	signDate  // two groups of digits with / . or - between
	signTime  // digits : digits
	signYear  // a number from 1900 to 2099
	signPhone // + or 0 and seven digits and more, with blanks and signs between
	signMarkup
	signCount // ends in a number in brackets
)

const (
	hashSeed  uint32 = 2166136261
	hashPrime uint32 = 16777619
)

// measure computes the features of a line. It appends the hashes of its words to s.hashes
// and leaves its folded characters in s.codes.
func (s *sheet) measure(st *stats, text string) {
	*st = stats{from: int32(len(s.hashes))}
	s.codes = append(s.codes[:0], ' ')
	head, tail := text, ""
	if len(text) > headBytes+tailBytes {
		head, tail = text[:boundary(text, headBytes)], text[boundary(text, len(text)-tailBytes):]
	}
	s.part(st, head)
	if tail != "" {
		s.codes = append(s.codes, ' ')
		s.part(st, tail)
	}
	if s.codes[len(s.codes)-1] != ' ' {
		s.codes = append(s.codes, ' ')
	}
	st.to = int32(len(s.hashes))
	n := 0
	for c := classLower; c < classes; c++ {
		n += int(st.counts[c])
	}
	st.read = uint16(st.to - st.from)
	st.chars = float32(n)
	unspaced := float32(st.counts[classUnspaced])
	// Subtract the pairs that count as words. Other characters between them reduce the pairs
	// below the number subtracted, which is limited to their count. The model was trained on
	// these counts.
	st.words = max(0, float32(st.read)-max(0, unspaced-1)+unspaced/1.5)
	st.folded = foldedHash(s.hashes[st.from:])
	if tail != "" {
		scale := float32(len(text)) / float32(len(head)+len(tail))
		st.chars *= scale
		st.words *= scale
		st.folded += uint64(len(text)) * 0x9E3779B97F4A7C15
	} else if n > 0 && st.read == 0 { // symbols only
		for _, c := range s.codes {
			st.folded = st.folded*0x9E3779B97F4A7C15 + uint64(c)
		}
	}
	st.ellipsis = st.last == classEllipsis || endsInDots(tailOf(text))
	if st.counts[classCode] > 0 {
		st.markup(head)
	}
}

// tailOf returns the end of a line.
func tailOf(text string) string { return text[max(0, len(text)-16):] }

// endsInDots reports whether a text ends in three full stops, ignoring spaces and closing
// brackets after them.
func endsInDots(text string) bool {
	for n := len(text); n >= 3; n-- {
		switch text[n-1] {
		case ' ', '\t', ')', ']':
		case 0xA0: // of a no-break space, U+00A0
			if n--; text[n-1] != 0xC2 {
				return false
			}
		default:
			return text[n-3:n] == "..."
		}
	}
	return false
}

// boundary returns the start of the character at or before i.
func boundary(text string, i int) int {
	if i >= len(text) {
		return len(text)
	}
	for k := range utf8.UTFMax {
		if i-k >= 0 && utf8.RuneStart(text[i-k]) {
			return i - k
		}
	}
	return i
}

// foldedHash returns a hash of word hashes in order.
func foldedHash(words []uint32) uint64 {
	h := uint64(len(words))
	for _, w := range words {
		h = (h ^ uint64(w)) * 0x9E3779B97F4A7C15
		h ^= h >> 29
	}
	return h
}

// part measures one part of a line.
func (s *sheet) part(st *stats, text string) {
	w := openWord{hash: hashSeed}
	prev := classNone
	lastCode := uint16(' ')
	codes := slices.Grow(s.codes, len(text))
	digits := digitRun{}
	for i := 0; i < len(text); {
		if text[i]-'a' < 26 { // fast path for most characters of most texts
			from := i
			h := w.hash
			to := codes[len(codes) : len(codes)+len(text)-i]
			for k := range to {
				c := text[from+k]
				if c-'a' >= 26 {
					to = to[:k]
					break
				}
				h = (h ^ uint32(c)) * hashPrime
				to[k] = uint16(c)
			}
			i += len(to)
			codes = codes[:len(codes)+len(to)]
			w.hash = h
			w.chars += i - from
			st.counts[classLower] += uint16(i - from)
			if digits.all > 0 {
				digits.end(st)
			}
			if st.first == classNone {
				st.first = classLower
			}
			if st.firstCase == classNone {
				st.firstCase = classLower
			}
			st.last, prev, lastCode = classLower, classLower, codes[len(codes)-1]
			st.sign &^= signCount
			continue
		}
		if text[i] == ' ' && digits.all == 0 { // also frequent
			st.counts[classSpace]++
			if w.chars > 0 {
				s.endWord(st, &w)
			}
			if lastCode != ' ' {
				codes = append(codes, ' ')
				lastCode = ' '
			}
			prev = classSpace
			i++
			continue
		}
		var g glyph
		n := 1
		if c := text[i]; c < utf8.RuneSelf {
			g = glyphs.ASCII[c]
		} else {
			var r rune
			r, n = utf8.DecodeRuneInString(text[i:])
			if g = glyphs.At(r); r >= 0x370 && g.class().letter() {
				st.distant++
			}
		}
		c := g.class()
		code := uint16(g.lower())
		st.counts[c]++
		switch c {
		case classLower:
			w.chars++
			w.hash = (w.hash ^ g.lower()) * hashPrime
		case classUpper:
			if w.chars == 0 {
				w.capital = true
			} else if prev == classLower {
				st.glued++
			}
			w.chars++
			w.upper++
			w.hash = (w.hash ^ g.lower()) * hashPrime
		case classDigit:
			if w.chars == 0 {
				w.number = true
			}
			code = '0'
			w.chars++
			if prev != classDigit { // a run of digits counts once
				w.hash = (w.hash ^ '0') * hashPrime
			}
			digits.add(text[i])
		case classUnspaced:
			s.endWord(st, &w)
			// Pairs of characters count as words.
			if prev == classUnspaced {
				s.hashes = append(s.hashes, (uint32(lastCode)*hashPrime^g.lower())*hashPrime)
				s.content = append(s.content, 1)
			}
		default:
			if w.chars > 0 {
				s.endWord(st, &w)
			}
		}
		if c > classDigit || c == classSpace {
			digits.sign(st, text[i], c)
			if c == classSpace {
				if text[i] == '\t' {
					st.tabs++
				}
				code = ' '
				i += n
				if lastCode != ' ' {
					codes = append(codes, code)
					lastCode = code
				}
				prev = c
				continue
			}
			if c == classSymbol || c == classColon {
				st.marks(text, i)
			}
		} else if c == classNone {
			i += n
			continue
		} else if c != classDigit {
			digits.end(st)
		}
		if st.first == classNone {
			st.first = c
		}
		if st.firstCase == classNone && (c == classLower || c == classUpper) {
			st.firstCase = c
		}
		if c == classBracket && prev == classDigit {
			st.sign |= signCount
		} else {
			st.sign &^= signCount
		}
		st.last = c
		codes = append(codes, code)
		lastCode = code
		prev = c
		i += n
	}
	digits.end(st)
	s.endWord(st, &w)
	s.codes = codes
}

// openWord holds the word being read.
type openWord struct {
	chars, upper    int
	capital, number bool
	hash            uint32
}

// endWord counts a word and starts the next one.
func (s *sheet) endWord(st *stats, w *openWord) {
	if w.chars == 0 {
		return
	}
	s.hashes = append(s.hashes, w.hash)
	st.longest = uint16(max(int(st.longest), w.chars))
	switch {
	case w.number:
		st.numbers++
	case w.chars <= 3:
		st.short++
	}
	if w.capital {
		st.capitals++
		if w.upper == w.chars && w.chars > 1 {
			st.caps++
		}
	}
	kind := s.function.kind(w.hash)
	st.function += uint16(kind & ofLanguage)
	st.english += uint16(kind & ofEnglish / ofEnglish)
	s.content = append(s.content, uint8(truth.Int(kind&ofLanguage == 0)&truth.Int(!w.number)))
	*w = openWord{hash: hashSeed}
}

// digitRun reads digits and the characters between them to find dates, times and telephone
// numbers.
type digitRun struct {
	digits int  // of the open group
	number int  // value of the open group
	groups int  // closed groups of the run
	all    int  // digits of the run
	dated  int  // closed groups with / . or - before them
	sep    byte // sign before the open group
	prefix bool // the run began with + or 0
	timed  bool // a group followed a colon
}

func (d *digitRun) add(c byte) {
	if d.all == 0 && c == '0' {
		d.prefix = true
	}
	d.digits++
	d.all++
	if c >= '0' && c <= '9' && d.digits <= 4 {
		d.number = d.number*10 + int(c-'0')
	}
}

// sign reads a character that is neither a digit nor a letter.
func (d *digitRun) sign(st *stats, c byte, cl class) {
	if d.all == 0 {
		if c == '+' {
			d.prefix = true
		} else if cl != classSpace && cl != classBracket {
			d.prefix = false
		}
		return
	}
	switch c {
	case '.', '/', '-', ':', ' ', '(', ')':
		d.close(st)
		if c == ' ' && d.isDate() {
			d.end(st)
			return
		}
		d.sep = c
	default:
		d.end(st)
	}
}

// close ends a group of digits.
func (d *digitRun) close(st *stats) {
	if d.digits == 0 {
		return
	}
	if d.groups > 0 {
		switch d.sep {
		case ':':
			if d.timed = true; d.digits == 2 {
				st.sign |= signTime
			}
		case '.', '/', '-':
			d.dated++
		}
	}
	if d.digits == 4 && d.number >= 1900 && d.number < 2100 {
		st.sign |= signYear
	}
	d.groups++
	d.digits, d.number = 0, 0
}

// isDate reports whether the closed groups are a date.
func (d *digitRun) isDate() bool {
	return d.groups == 3 && d.dated == 2 && d.all >= 4 && d.all <= 8 || d.groups == 2 && d.dated == 1 && d.sep == '/' && d.all <= 4
}

// end ends the run.
func (d *digitRun) end(st *stats) {
	if d.all == 0 {
		return
	}
	d.close(st)
	switch {
	case d.isDate():
		st.sign |= signDate
	case !d.timed && (d.all >= 9 && d.groups > 1 || d.all >= 7 && d.prefix):
		st.sign |= signPhone
	}
	*d = digitRun{}
}

// marks records the mark at byte i of text.
func (st *stats) marks(text string, i int) {
	switch text[i] {
	case '@':
		st.sign |= signAt
	case '#':
		if i+1 < len(text) && text[i+1] != ' ' {
			st.sign |= signHash
		}
	case ':':
		if strings.HasPrefix(text[i:], "://") {
			st.sign |= signURL
		}
	}
}

// markup finds tags, declarations and calls at the beginning of a line with characters of
// program text.
func (st *stats) markup(text string) {
	for _, m := range [...]string{"</", "/>", "<a ", "<p", "<div", "{\"", "\":", "();", "function", "var ", "px;", "=\"", "&nbsp;", "&#", "&amp;"} {
		if strings.Contains(text, m) {
			st.sign |= signMarkup
			return
		}
	}
}
