package charset

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/text/charset/alphabet"
)

// MojibakeRepair is the result of RepairMojibake.
type MojibakeRepair struct {
	// Through is the encoding from which UTF-8 bytes were wrongly decoded, "" if nothing was
	// repaired.
	Through string
	// Sequences is the number of characters that were restored in all rounds. Rounds is the
	// number of times that the text was encoded too often.
	Sequences, Rounds int
	// Left is the number of characters that look broken but could not be restored because bytes
	// are missing.
	Left int
}

// mojibakeThrough are the encodings from which UTF-8 text is wrongly decoded, the most frequent
// first.
var mojibakeThrough = []string{"windows-1252", "windows-1251", "windows-1250", "iso-8859-2", "windows-1254", "windows-1257", "windows-1253", "windows-1256", "koi8-r", "macintosh", "cp850", "cp437", "ibm866"}

// RepairMojibake restores UTF-8 text that was decoded from another encoding, such as
// windows-1252, and encoded as UTF-8 again ("Ã©" for "é"), once or several times.
//
// For each encoding it converts the runs of non-ASCII characters to bytes and tests whether
// these are UTF-8 characters. Intended text hardly has such runs, and damaged text has no
// others. An encoding is accepted if at least four in five of the sequences that begin like
// UTF-8 are complete, and there is one for every second run. With windows-1252, in which
// correct text has no such sequences, three in total suffice, because parts of a page may be
// correct. Other characters are unchanged.
func RepairMojibake(text string) (string, MojibakeRepair) {
	var m MojibakeRepair
	for m.Rounds < 3 {
		through, out, n, left := repairOnce(text)
		if through == "" {
			break
		}
		if m.Through == "" {
			m.Through = through
		}
		text, m.Left = out, left
		m.Sequences += n
		m.Rounds++
	}
	return text, m
}

// repairOnce repairs one round with the encoding that restores most characters.
func repairOnce(text string) (through, repaired string, n, left int) {
	if asciiPrefix([]byte(text[:min(len(text), 4096)])) == len(text) || !hasPair(text) {
		return "", text, 0, 0
	}
	for _, name := range mojibakeThrough {
		c := countMojibake(text, reverse(codecOf[name].single()))
		enough := 2*c.whole >= c.runs || name == "windows-1252" && c.whole >= 3
		if c.whole > n && c.whole >= 4*c.broken && enough && !c.plausible {
			through, n, left = name, c.whole, c.broken
		}
	}
	if through == "" {
		return "", text, 0, 0
	}
	back := reverse(codecOf[through].single())
	var b strings.Builder
	b.Grow(len(text))
	eachRun(text, func(plain, run string) {
		b.WriteString(plain)
		decodeRun(run, back, func(r rune, _ bool) { b.WriteRune(r) })
	})
	return through, b.String(), n, left
}

// hasPair reports whether text has two adjacent non-ASCII characters, as all damaged text has.
func hasPair(text string) bool {
	last := false
	for _, r := range text {
		high := r >= utf8.RuneSelf
		if high && last {
			return true
		}
		last = high
	}
	return false
}

// reverse returns the byte of each non-ASCII character of an encoding.
func reverse(runes *[256]rune) map[rune]byte {
	m := make(map[rune]byte, 128)
	for b := 0x80; b <= 0xFF; b++ {
		if r := runes[b]; r != utf8.RuneError {
			m[r] = byte(b)
		}
	}
	for b := 0x80; b < 0xA0; b++ { // the C1 controls of ISO 8859
		if _, ok := m[rune(b)]; !ok {
			m[rune(b)] = byte(b)
		}
	}
	return m
}

// mojibakeCount measures how well an encoding explains the runs of a text.
type mojibakeCount struct {
	runs, whole, broken int
	words               int  // complete sequences in runs that are words
	plausible           bool // whether the runs are plausible text without repair
}

func countMojibake(text string, back map[rune]byte) (c mojibakeCount) {
	sound := 0
	eachRun(text, func(_, run string) {
		if run == "" {
			return
		}
		c.runs++
		good, bad := 0, 0
		begun := false // whether the previous character may begin a sequence
		decodeRun(run, back, func(r rune, whole bool) {
			b := back[r]
			switch {
			case whole:
				good++
			case begun && b&0xC0 == 0x80:
				bad++
			}
			begun = !whole && 0xC2 <= b && b <= 0xF4
		})
		c.whole += good
		c.broken += bad
		if good > 0 && isWord(run) {
			c.words += good
		}
		if good > 0 && bad == 0 && utf8.RuneCountInString(run) == 2 && letters(run) {
			sound++ // two letters that may be intended
		}
	})
	// Two adjacent letters are damaged text only with further evidence. Words are text: in
	// Cyrillic code pages some of their bytes are also valid UTF-8.
	c.plausible = c.whole == sound && c.whole < 3 || 10*c.words >= 9*c.whole
	return c
}

// isWord reports whether a run is a word, possibly surrounded by other signs. A word has three
// or more letters of a script other than Latin, in lower case after the first letter or all
// capitals. Quotation marks or dashes with up to three letters, as in d’été, are also words.
// Damaged text has other signs and capitals inside.
func isWord(run string) bool {
	if rest := strings.TrimLeft(run, "’‘“”„«»‹›–—\u00A0\u202F"); rest != run && rest != "" && utf8.RuneCountInString(rest) <= 3 && letters(rest) {
		return true
	}
	run = strings.TrimFunc(run, func(r rune) bool { return !unicode.IsLetter(r) })
	letters, lower, upper := 0, 0, 0
	var script *unicode.RangeTable
	for _, r := range run {
		if script == nil {
			for _, s := range [...]*unicode.RangeTable{unicode.Cyrillic, unicode.Greek, unicode.Hebrew, unicode.Arabic, unicode.Thai} {
				if unicode.Is(s, r) {
					script = s
				}
			}
		}
		switch {
		case script == nil || !unicode.Is(script, r):
			return false
		case unicode.IsUpper(r) && letters > 0:
			upper++
		case unicode.IsLower(r) && letters > 0:
			lower++
		}
		letters++
	}
	return letters > 2 && (lower == 0 || upper == 0)
}

// letters reports whether run consists of letters.
func letters(run string) bool {
	for _, r := range run {
		if _, _, symbol := alphabet.LetterOf(r); symbol {
			return false
		}
	}
	return true
}

// eachRun calls fn for each run of non-ASCII characters with the ASCII text before it, and once
// for the text after the last run.
func eachRun(text string, fn func(plain, run string)) {
	for len(text) > 0 {
		i := 0
		for i < len(text) && text[i] < utf8.RuneSelf {
			i++
		}
		k := i
		for k < len(text) && text[k] >= utf8.RuneSelf {
			k++
		}
		fn(text[:i], text[i:k])
		text = text[k:]
	}
}

// decodeRun calls fn for each character of a run: for a complete sequence with the UTF-8
// character of its bytes, otherwise with the character itself.
func decodeRun(run string, back map[rune]byte, fn func(r rune, whole bool)) {
	for len(run) > 0 {
		var seq [utf8.UTFMax]byte
		n, size := 0, 0
		rest := run
		for n < utf8.UTFMax && len(rest) > 0 {
			r, k := utf8.DecodeRuneInString(rest)
			b, ok := back[r]
			if !ok || n > 0 && b&0xC0 != 0x80 {
				break
			}
			seq[n] = b
			n++
			size += k
			rest = rest[k:]
			if c, width := utf8.DecodeRune(seq[:n]); c != utf8.RuneError && width == n && n > 1 {
				fn(c, true)
				run = rest
				size = 0
				break
			}
		}
		if size == 0 && n > 1 {
			continue
		}
		r, k := utf8.DecodeRuneInString(run)
		fn(r, false)
		run = run[k:]
	}
}
