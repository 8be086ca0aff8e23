package filter

import (
	"strings"
	"unicode/utf8"

	"github.com/zeebo/xxh3"
)

// shortLine is the maximum length in characters of a short line.
const shortLine = 30

// fineweb computes the scores of the group fineweb.
func fineweb(s *Scorer, d *doc, out []float64) {
	s.seen.reset(strings.Count(d.text, "\n") + 1)
	lines, breaks, punctuated, short, duplicate := 0, 0, 0, 0, 0
	for rest, more := d.text, true; more; {
		var line string
		if line, rest, more = strings.Cut(rest, "\n"); more {
			breaks++
		}
		if trimLeft(line) == "" {
			continue
		}
		lines++
		if endsTerminal(line) {
			punctuated++
		}
		_, count := s.seen.add(xxh3.HashString(line))
		again := count > 1
		if !again && len(line) > shortLine*utf8.UTFMax {
			continue
		}
		chars := utf8.RuneCountInString(line)
		if chars <= shortLine {
			short++
		}
		if again {
			duplicate += chars
		}
	}
	out[0] = float64(lines)
	if lines == 0 {
		return
	}
	out[1] = float64(punctuated) / float64(lines)
	out[2] = float64(short) / float64(lines)
	if out[3] = 0; duplicate > 0 {
		out[3] = float64(duplicate) / float64(d.measure().chars-breaks)
	}
	if n := s.countTokens(d); n > 0 {
		out[4] = float64(breaks) / float64(n)
	}
}
