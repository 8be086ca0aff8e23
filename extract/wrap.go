package extract

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/internal/runes"
)

// Limits of the width that people and mail programs wrap text to, in characters.
const minWidth, maxWidth = 40, 100

const (
	minBreaks       = 3 // fewest line breaks by which a run of lines is judged alone
	minPooledBreaks = 4 // fewest line breaks of all short runs together
	slack           = 3 // characters by which lines stay below their width
)

// runs yields the runs of lines without a blank line between them.
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

// wrapWidth returns the width to which the paragraphs of a text were wrapped; 0 if they were not,
// or if there is too little evidence. Paragraphs of several lines vote with their longest line;
// without any, the short ones are measured together.
func wrapWidth(src string, lines []span) int {
	var votes [maxWidth + 1]int
	found, short := false, 0
	for run := range runs(lines) {
		width := longestLine(src, run)
		if width == 0 {
			continue
		}
		switch fits, breaks := countFull(src, run, width); {
		case len(run)-1 < minBreaks:
			short = max(short, width)
		case isWrapped(src, fits, breaks, run):
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
		if len(run) > 1 && longestLine(src, run) > 0 {
			f, b := countFull(src, run, short)
			fits += f
			breaks += b
		}
	}
	if breaks < minPooledBreaks || !fourFifths(fits, breaks) {
		return 0
	}
	return short
}

// wrapped reports whether a run of lines was wrapped: nearly all its lines are full, or it is full
// at the width of the text, or its lines begin in lower case and continue sentences.
func wrapped(src string, run []span, width int) bool {
	own := longestLine(src, run)
	if own == 0 {
		return false
	}
	fits, breaks := countFull(src, run, own)
	if len(run)-1 >= minBreaks {
		return isWrapped(src, fits, breaks, run)
	}
	if fits < len(run)-1 {
		return false
	}
	if width > 0 && own <= width {
		if fits, _ = countFull(src, run, width); fits == len(run)-1 {
			return true
		}
	}
	return continuesSentences(src, run)
}

// isWrapped reports whether a run with fits full lines, of breaks lines that count, was wrapped. Half
// of its lines have to count, and at most half may end a sentence: if nearly every line does, the
// run is a list of sentences of the same length.
func isWrapped(src string, fits, breaks int, run []span) bool {
	if breaks < minBreaks || 2*breaks < len(run)-1 || !fourFifths(fits, breaks) {
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

// fourFifths reports whether n is at least four fifths of all.
func fourFifths(n, all int) bool { return n*5 >= all*4 }

// longestLine returns the characters of the longest line of a run; 0 for a single line or a width to
// which text is not wrapped.
func longestLine(src string, run []span) int {
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
		if width = max(width, lineWidth(src, l)); width > maxWidth {
			return 0
		}
	}
	if width < minWidth {
		return 0
	}
	return width
}

func lineWidth(src string, l span) int {
	return runes.Count(strings.TrimRight(src[l.start:l.end], " \t"))
}

// countFull counts the full lines of a run, without its last line, and the lines that count. A line that
// is not full and ends a sentence may also end a paragraph, and does not count.
func countFull(src string, run []span, width int) (fits, breaks int) {
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

// isFull reports whether the first word of the next line would not have fitted on line l. In
// scripts without spaces one character is tested.
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

// continuesSentences reports whether every line but the first begins with a lower-case letter and follows a
// line that does not end a sentence.
func continuesSentences(src string, run []span) bool {
	for i := 1; i < len(run); i++ {
		r, _ := utf8.DecodeRuneInString(strings.TrimLeft(src[run[i].start:run[i].end], " \t"))
		if !unicode.IsLower(r) || endsSentence(src, run[i-1]) {
			return false
		}
	}
	return true
}

// beginsParagraph reports whether line i of a wrapped run begins a paragraph. It does if it follows a
// sentence that ends before the width, is a single indented line after the end of a sentence, or
// begins with the mark of a list.
func beginsParagraph(src string, run []span, i, width int) bool {
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

// indent returns the number of spaces and tabs at the start of a line.
func indent(src string, l span) int {
	return l.end - l.start - len(strings.TrimLeft(src[l.start:l.end], " \t"))
}

// listMark reports whether a line begins with the mark of a list item or, if numbers is set, its
// number.
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

// endsSentence reports whether a line ends with the mark of the end of a sentence, perhaps followed
// by quotes and brackets.
func endsSentence(src string, l span) bool {
	line := strings.TrimRight(src[l.start:l.end], " \t\"'”’»)]")
	r, _ := utf8.DecodeLastRuneInString(line)
	return strings.ContainsRune(".!?…:。！？।؟։", r)
}

// breakIsSpace reports whether the break between two lines counts as a space. It does not between
// characters of scripts without spaces.
func breakIsSpace(src string, l, next span) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(src[l.start:l.end], " \t"))
	q, _ := utf8.DecodeRuneInString(strings.TrimLeft(src[next.start:next.end], " \t"))
	return !unspaced(r) || !unspaced(q)
}

// unspaced reports whether r belongs to a script without spaces between words, or to the
// punctuation of Chinese and Japanese.
func unspaced(r rune) bool { return runes.IsWide(r) || runes.IsUnspacedOrTibetan(r) }
