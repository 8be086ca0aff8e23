package evidence

import (
	"sync"

	"golang.org/x/text/unicode/norm"
)

// hashOf returns the hash of a word, as Next computes it.
func hashOf(codes []uint16) uint64 {
	h := uint64(0)
	for _, c := range codes {
		h = (h + uint64(c)) * spread
	}
	return h
}

// composition maps letters with marks to precomposed letters (Unicode Standard Annex 15).
type composition struct {
	joined map[[2]uint16]uint16
	parted map[uint16][2]uint16
	order  [0x70]uint8 // the canonical classes of marks
}

// compositions builds the tables on first use, because few texts contain separate marks.
var compositions = sync.OnceValue(func() *composition {
	t := &composition{joined: map[[2]uint16]uint16{}, parted: map[uint16][2]uint16{}}
	for c := rune(0xc0); c < tableRunes; c++ {
		if d := []rune(string(norm.NFD.PropertiesString(string(c)).Decomposition())); len(d) > 1 {
			up := []rune(norm.NFC.String(string(d[:len(d)-1])))
			pair := [2]uint16{uint16(up[0]), uint16(d[len(d)-1])}
			if len(up) == 1 && norm.NFC.String(string(c)) == string(c) {
				t.joined[pair], t.parted[uint16(c)] = uint16(c), pair
			}
		}
	}
	for i := range t.order {
		t.order[i] = norm.NFD.PropertiesString(string(rune(0x300 + i))).CCC()
	}
	return t
})

func isMark(c uint16) bool { return c >= 0x300 && c < 0x370 }

// compose adds a combining mark to the letter and marks at the end of the n characters of w, in
// normalization form C. It returns the new n.
func (w *Word) compose(n int, m uint16) int {
	if m == 0x329 { // a line below is treated as a dot below
		m = 0x323
	}
	t := compositions()
	start := n - 1
	for start > 0 && isMark(w.Code[start]) {
		start--
	}
	var marks [8]uint16
	k := 0
	base := w.Code[start]
	for p, ok := t.parted[base]; ok && isMark(p[1]) && k < len(marks); p, ok = t.parted[base] {
		copy(marks[1:], marks[:k])
		base, marks[0] = p[0], p[1]
		k++
	}
	for _, c := range append(w.Code[start+1:n:n], m) {
		if k == len(marks) {
			return n // more marks than any letter has
		}
		at := k // after marks of the same class and of lower classes
		for at > 0 && t.order[marks[at-1]-0x300] > t.order[c-0x300] {
			marks[at] = marks[at-1]
			at--
		}
		marks[at] = c
		k++
	}
	n = start + 1
	for _, c := range marks[:k] {
		if whole, ok := t.joined[[2]uint16{base, c}]; ok && (n == start+1 || t.order[w.Code[n-1]-0x300] < t.order[c-0x300]) {
			base = whole
		} else if n < maxWord-1 {
			w.Code[n] = c
			n++
		}
	}
	w.Code[start] = base
	return n
}

// alike returns the Cyrillic letter that looks like a Latin letter, or 0. Words of Cyrillic
// text often contain some Latin letters.
func alike(latin uint16) uint16 {
	switch latin {
	case 'a':
		return 'а'
	case 'e':
		return 'е'
	case 'o':
		return 'о'
	case 'c':
		return 'с'
	case 'p':
		return 'р'
	case 'x':
		return 'х'
	case 'y':
		return 'у'
	case 'i':
		return 'і'
	case 'j':
		return 'ј'
	case 's':
		return 'ѕ'
	case 'h':
		return 'һ'
	case 'k':
		return 'к'
	case 'm':
		return 'м'
	case 't':
		return 'т'
	case 'ă':
		return 'ӑ'
	case 'ĕ':
		return 'ӗ'
	case 'ç':
		return 'ҫ'
	case 'ə':
		return 'ә'
	}
	return 0
}

// lookAlike replaces Latin letters by Cyrillic letters that look like them, if all have one. It
// reports whether all have one.
func lookAlike(codes []uint16) bool {
	for _, c := range codes {
		if alike(c) == 0 {
			return false
		}
	}
	for i, c := range codes {
		codes[i] = alike(c)
	}
	return true
}
