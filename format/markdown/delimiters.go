package markdown

import (
	"unicode"
	"unicode/utf8"
)

// delimiter is a written delimiter: "*", "**" or "~~".
type delimiter struct {
	at    int // offset in the output
	n     int // length in bytes
	char  byte
	close bool
	span  int // index of its span
	link  int // index of the enclosing link, or -1
}

// run is a delimiter run, as CommonMark defines it.
type run struct {
	char              byte
	length, left      int // number of characters: in total, and unmatched
	canOpen, canClose bool
	link              int
	delims            []delimiter // unmatched delimiters
}

// readsRight reports whether a CommonMark parser matches the delimiters as intended. It
// implements section "phase 2: inline structure" of the specification, including the rule
// of three. The rest of the text is escaped, so it contains no other delimiters.
func readsRight(out []byte, delims []delimiter) bool {
	runs := runsOf(out, delims)
	links := map[int]bool{}
	for i := range runs {
		links[runs[i].link] = true
	}
	for link := range links {
		if !matches(runs, link) {
			return false
		}
	}
	return true
}

// runsOf joins adjacent delimiters into runs.
func runsOf(out []byte, delims []delimiter) []run {
	var runs []run
	for i, d := range delims {
		if n := len(runs) - 1; i > 0 && runs[n].char == d.char && delims[i-1].at+delims[i-1].n == d.at && runs[n].link == d.link {
			runs[n].length += d.n
			runs[n].delims = append(runs[n].delims, d)
		} else {
			runs = append(runs, run{char: d.char, length: d.n, link: d.link, delims: []delimiter{d}})
		}
	}
	for i := range runs {
		r := &runs[i]
		r.left = r.length
		start := r.delims[0].at
		before, _ := utf8.DecodeLastRune(out[:start])
		after, _ := utf8.DecodeRune(out[start+r.length:])
		blankBefore := start == 0 || unicode.IsSpace(before)
		blankAfter := start+r.length == len(out) || unicode.IsSpace(after)
		r.canOpen = !blankAfter && (!isMark(after) || blankBefore || isMark(before))
		r.canClose = !blankBefore && (!isMark(before) || blankAfter || isMark(after))
		if r.char == '~' && before == '~' {
			r.canOpen, r.canClose = false, false // some parsers count an escaped tilde as part of the run
		}
	}
	return runs
}

// matches reports whether the delimiters inside one link match as intended.
func matches(runs []run, link int) bool {
	var openers []*run
	for i := range runs {
		c := &runs[i]
		if c.link != link {
			continue
		}
		for c.canClose && c.left > 0 {
			k := len(openers) - 1
			for k >= 0 && !pairs(openers[k], c) {
				k--
			}
			if k < 0 {
				break
			}
			o := openers[k]
			openers = openers[:k+1]
			use := 1
			if o.left >= 2 && c.left >= 2 {
				use = 2
			}
			od, cd := o.delims[len(o.delims)-1], c.delims[0]
			if od.close || !cd.close || od.span != cd.span || od.n != use {
				return false
			}
			o.delims, c.delims = o.delims[:len(o.delims)-1], c.delims[1:]
			o.left -= use
			c.left -= use
			if o.left == 0 {
				openers = openers[:k]
			}
		}
		if c.left > 0 {
			if !c.canOpen {
				return false
			}
			openers = append(openers, c)
		}
	}
	return len(openers) == 0
}

// pairs reports whether a parser matches o and c as a pair.
func pairs(o, c *run) bool {
	if o.char != c.char || o.char == '~' && o.left != c.left {
		return false
	}
	if (o.canClose || c.canOpen) && (o.length+c.length)%3 == 0 && (o.length%3 != 0 || c.length%3 != 0) {
		return false
	}
	return true
}
