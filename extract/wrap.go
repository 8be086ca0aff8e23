package extract

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/internal/runes"
)

// Bounds of the width that people and mail programs wrap text to, in
// characters.
const minWidth, maxWidth = 40, 100

const (
	sureBreaks = 3 // line breaks that tell by themselves that a run of lines was wrapped
	poolBreaks = 4 // of all short runs of a text together
	slack      = 3 // characters by which lines stay below their width
)

// runs yields the lines that stand together, with no blank line between.
func runs(lines []span) iter.Seq[[]span] {
	return func(yield func([]span) bool) {
		for from := 0; from < len(lines); {
			to := from + 1
			for to < len(lines) && !lines[to].first {
				to++
			}
			if !yield(lines[from:to]) {
				return
			}
			from = to
		}
	}
}

// wrapWidth returns the width to which the paragraphs of a text were wrapped,
// 0 if they were not or it cannot be told. Paragraphs of some lines vote with
// their longest line; without any, short ones are measured together.
func wrapWidth(src string, lines []span) int {
	var votes [maxWidth + 1]int
	found, short := false, 0
	for run := range runs(lines) {
		width := widest(src, run)
		if width == 0 {
			continue
		}
		switch fits, breaks := full(src, run, width); {
		case len(run)-1 < sureBreaks:
			short = max(short, width)
		case surely(src, fits, breaks, run):
			votes[width] += breaks
			found = true
		}
	}
	if found {
		best, most := 0, 0
		for w := range votes {
			sum := 0
			for k := max(0, w-2*slack); k <= w; k++ {
				sum += votes[k]
			}
			if sum > most || sum == most && votes[w] > 0 {
				best, most = w, sum
			}
		}
		return best
	}
	if short == 0 {
		return 0
	}
	breaks, fits := 0, 0
	for run := range runs(lines) {
		if len(run) > 1 && widest(src, run) > 0 {
			f, b := full(src, run, short)
			fits += f
			breaks += b
		}
	}
	if breaks < poolBreaks || !mostly(fits, breaks) {
		return 0
	}
	return short
}

// wrapped reports whether a run of lines was wrapped: by itself, since nearly
// all its lines are full, or because it is full at the width of the text, or
// goes on in small letters.
func wrapped(src string, run []span, width int) bool {
	own := widest(src, run)
	if own == 0 {
		return false
	}
	fits, breaks := full(src, run, own)
	if len(run)-1 >= sureBreaks {
		return surely(src, fits, breaks, run)
	}
	if fits < len(run)-1 {
		return false
	}
	if width > 0 && own <= width {
		if fits, _ = full(src, run, width); fits == len(run)-1 {
			return true
		}
	}
	return goesOn(src, run)
}

// surely reports whether a run with so many full lines of those that count was
// wrapped. Half of its lines have to count, and at most half may end a sentence:
// where nearly every line does, it is a list of sentences of the same length.
func surely(src string, fits, breaks int, run []span) bool {
	if breaks < sureBreaks || 2*breaks < len(run)-1 || !mostly(fits, breaks) {
		return false
	}
	ends := 0
	for _, l := range run[:len(run)-1] {
		if endsSentence(src, l) {
			ends++
		}
	}
	return 2*ends <= len(run)-1
}

// mostly reports whether n of all are at least four fifths.
func mostly(n, all int) bool { return n*5 >= all*4 }

// widest returns the characters of the longest of two or more lines, 0 if that is
// no width to which text is wrapped.
func widest(src string, run []span) int {
	if len(run) < 2 {
		return 0
	}
	longest := 0
	for _, l := range run {
		longest = max(longest, l.end-l.start)
	}
	if longest < minWidth || longest > utf8.UTFMax*maxWidth {
		return 0
	}
	width := 0
	for _, l := range run {
		width = max(width, lineWidth(src, l))
	}
	if width < minWidth || width > maxWidth {
		return 0
	}
	return width
}

func lineWidth(src string, l span) int {
	return utf8.RuneCountInString(strings.TrimRight(src[l.start:l.end], " \t"))
}

// full counts the lines but the last that are full, of those that count: the
// end of a sentence may end a paragraph too, and does not if the line is not full.
func full(src string, run []span, width int) (fits, breaks int) {
	for i := range run[:len(run)-1] {
		if isFull(src, run[i], run[i+1], width) {
			fits++
			breaks++
		} else if !endsSentence(src, run[i]) {
			breaks++
		}
	}
	return fits, breaks
}

// isFull reports whether the first word of the next line would not have fitted
// behind the line. Where words are not parted by blanks it is one character.
func isFull(src string, l, next span, width int) bool {
	word := strings.TrimLeft(src[l.end:next.end], " \t\r\n\f")
	n := 1
	if r, _ := utf8.DecodeRuneInString(word); !unspaced(r) {
		if k := strings.IndexAny(word, " \t"); k >= 0 {
			word = word[:k]
		}
		n = utf8.RuneCountInString(word)
	}
	return lineWidth(src, l)+1+n > width-slack
}

// goesOn reports whether every line but the first begins with a small letter,
// behind a line that ends no sentence.
func goesOn(src string, run []span) bool {
	for i := 1; i < len(run); i++ {
		r, _ := utf8.DecodeRuneInString(strings.TrimLeft(src[run[i].start:run[i].end], " \t"))
		if !unicode.IsLower(r) || endsSentence(src, run[i-1]) {
			return false
		}
	}
	return true
}

// begins reports whether line i of a wrapped run begins a paragraph: it follows
// a sentence that ends before the width, is the one indented line behind the end of a
// sentence, or has the mark of a list.
func begins(src string, run []span, i, width int) bool {
	l, before := run[i], run[i-1]
	ends := endsSentence(src, before)
	if ends && !isFull(src, before, l, width) {
		return true
	}
	in := indent(src, l)
	if ends && in > indent(src, before) && (i+1 == len(run) || indent(src, run[i+1]) < in) {
		return true
	}
	return listMark(src[l.start+in:l.end], ends)
}

// indent returns the number of blanks and tabs that a line begins with.
func indent(src string, l span) int {
	return l.end - l.start - len(strings.TrimLeft(src[l.start:l.end], " \t"))
}

// listMark reports whether a line begins with the mark of an item, or, behind the
// end of a sentence, with its number.
func listMark(line string, numbers bool) bool {
	mark, _, ok := strings.Cut(line, " ")
	if !ok || mark == "" {
		return false
	}
	switch mark {
	case "-", "*", "•", "·", "▪", "●", "○", "◦", "‣":
		return true
	}
	digits := strings.TrimRight(mark, ".)")
	return numbers && len(mark) == len(digits)+1 && len(digits) > 0 && len(digits) < 3 && strings.Trim(digits, "0123456789") == ""
}

// endsSentence reports whether a line ends with the mark of the end of a
// sentence, behind which quotes and brackets may stand.
func endsSentence(src string, l span) bool {
	line := strings.TrimRight(src[l.start:l.end], " \t\"'”’»)]")
	r, _ := utf8.DecodeLastRuneInString(line)
	return strings.ContainsRune(".!?…:。！？।؟։", r)
}

// spaced reports whether a blank stands for the break between two lines: not
// between characters of scripts without spaces.
func spaced(src string, l, next span) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(src[l.start:l.end], " \t"))
	q, _ := utf8.DecodeRuneInString(strings.TrimLeft(src[next.start:next.end], " \t"))
	return !unspaced(r) || !unspaced(q)
}

// unspaced reports whether r belongs to a script that sets no spaces between
// words, or to the punctuation of Chinese and Japanese.
func unspaced(r rune) bool { return runes.IsWide(r) || runes.IsUnspacedOrTibetan(r) }
