package markdown

import "unicode/utf8"

// delimiter is one that was written: "*", "**" or "~~".
type delimiter struct {
	at    int // in the output
	n     int // its length
	char  byte
	close bool
	span  int // which span it is of
	link  int // the link that it stands in, -1 for none
}

// run is a run of delimiters as a reader sees it.
type run struct {
	char              byte
	length, left      int // its characters: all, and those that are not taken
	canOpen, canClose bool
	link              int
	delims            []delimiter // those that are not taken
}

// readsRight reports whether a reader of CommonMark would match the
// delimiters as they were meant. It does what section "phase 2: inline
// structure" of the specification does with them (rule of three included);
// the rest of the text is escaped, so there are no others.
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

// runsOf joins delimiters that touch.
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
		blankBefore := start == 0 || isBlank(before)
		blankAfter := start+r.length == len(out) || isBlank(after)
		r.canOpen = !blankAfter && (!isMark(after) || blankBefore || isMark(before))
		r.canClose = !blankBefore && (!isMark(before) || blankAfter || isMark(after))
		if r.char == '~' && before == '~' {
			r.canOpen, r.canClose = false, false // some readers take an escaped tilde for a part of the run
		}
	}
	return runs
}

// matches runs the matching of one link's delimiters.
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

// pairs reports whether the reader takes o and c for a pair.
func pairs(o, c *run) bool {
	if o.char != c.char || o.char == '~' && o.left != c.left {
		return false
	}
	if (o.canClose || c.canOpen) && (o.length+c.length)%3 == 0 && (o.length%3 != 0 || c.length%3 != 0) {
		return false
	}
	return true
}
