package lines

import "strings"

// The number of a paragraph, alone on its line, is boilerplate: of 164 such lines in
// turku-lines, one is text. The constants are the minimum number of counters of a document,
// the maximum step between two, the maximum number of their digits, and the highest log odds
// of a counter.
const (
	fewCounters   = 4
	counterStep   = 3
	counterDigits = 4
	counterBytes  = 16 // maximum length of a counter with its signs
	counterOdds   = -2
)

// demoteCounters limits the log odds of lines that number the paragraphs of a document.
func demoteCounters(odds []float32, lines []string) {
	var run []int // indexes of the lines
	last := 0
	end := func() {
		if len(run) >= fewCounters {
			for _, i := range run {
				odds[i] = min(odds[i], counterOdds)
			}
		}
		run = run[:0]
	}
	for i, line := range lines {
		n := counterIn(line)
		if n == 0 {
			continue
		}
		if n <= last || n > last+counterStep {
			end()
		}
		run, last = append(run, i), n
	}
	end()
}

// counterIn returns the number that is all of a line except signs before and after it, or 0.
func counterIn(line string) (n int) {
	if len(line) > counterBytes {
		return 0
	}
	line = strings.Trim(line, " \t\u00a0|.()[]-–•*")
	if len(line) > counterDigits {
		return 0
	}
	for _, c := range []byte(line) {
		if c < '0' || c > '9' {
			return 0
		}
		n = 10*n + int(c-'0')
	}
	return n
}
