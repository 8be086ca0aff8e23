package site

import (
	"math/bits"
	"unicode"
	"unicode/utf8"

	"chaffinch/page"
)

// maxBlocks is the most blocks of a page that are counted and looked up.
const maxBlocks = 1 << 14

// pathClasses is the number of elements around a block, from the innermost out, whose classes
// count. Further out only names count.
const pathClasses = 4

// prints holds the fingerprints of a page. It is reused.
type prints struct {
	page             uint64 // of all texts
	text, path, both []uint64
	elements         []elementPrint
}

// elementPrint is the fingerprint of an element.
type elementPrint struct {
	names uint64 // of all elements from the outermost on
	own   uint64 // of name and class
}

// Kinds of fingerprints.
const (
	ofText uint64 = iota + 1
	ofPath
	ofBoth
)

// read sets the fingerprints of p.
func (f *prints) read(p *page.Page) {
	f.elements = f.elements[:0]
	for i := range p.Elements {
		e := &p.Elements[i]
		own := hash(e.Name)
		var above uint64
		if e.Parent >= 0 {
			above = f.elements[e.Parent].names
		}
		x := elementPrint{names: mix(above, own), own: own}
		if e.Name != "html" && e.Name != "body" { // whose classes name the page
			x.own = mix(own, hash(e.Class))
		}
		f.elements = append(f.elements, x)
	}
	n := min(len(p.Blocks), maxBlocks)
	f.text, f.path, f.both = f.text[:0], f.path[:0], f.both[:0]
	f.page = uint64(n)
	for i := range n {
		b := &p.Blocks[i]
		text := hash(b.Text)
		var path uint64
		for k, e := 0, b.Element; e >= 0; k, e = k+1, p.Elements[e].Parent {
			if k == pathClasses {
				path = mix(path, f.elements[e].names)
				break
			}
			path = mix(path, f.elements[e].own)
		}
		f.text = append(f.text, mix(ofText, text))
		f.path = append(f.path, mix(ofPath, path))
		f.both = append(f.both, mix(mix(ofBoth, text), path))
		f.page = mix(f.page, text)
	}
}

// hash returns the hash of the words of s in lower case. Each number counts as 0, so that dates and
// counts do not matter. Without words all characters are hashed.
func hash(s string) uint64 {
	const seed, prime = 14695981039346656037, 1099511628211
	h := uint64(seed)
	last := ' ' // a letter, '0' in a number, a space between words
	words := false
	for i := 0; i < len(s); {
		r, n := rune(s[i]), 1
		switch {
		case 'a' <= r && r <= 'z':
		case 'A' <= r && r <= 'Z':
			r |= 0x20
		case '0' <= r && r <= '9':
			r = '0'
		case r < utf8.RuneSelf:
			r = ' '
		default:
			r, n = utf8.DecodeRuneInString(s[i:])
			switch {
			case unicode.IsLetter(r) || unicode.IsMark(r):
				r = unicode.ToLower(r)
			case unicode.IsDigit(r):
				r = '0'
			default:
				r = ' '
			}
		}
		i += n
		if r == last && (r == ' ' || r == '0') {
			continue
		}
		last = r
		words = words || r != ' '
		h = (h ^ uint64(r)) * prime
	}
	if !words {
		for i := range len(s) {
			h = (h ^ uint64(s[i])) * prime
		}
	}
	return h
}

// keyOf returns the key of a site. Unlike in texts, numbers matter.
func keyOf(site string) uint64 {
	h := uint64(len(site))
	for i := range len(site) {
		h = mix(h, uint64(site[i]))
	}
	return h
}

// mix returns a hash of h followed by v.
func mix(h, v uint64) uint64 {
	hi, lo := bits.Mul64(h^0x2545F4914F6CDD1D, v^0x9E3779B97F4A7C15)
	return hi ^ lo
}

// Prints returns two fingerprints for each of the first blocks of p: of its elements, and of its
// elements and its text. Blocks with the same fingerprint look the same on all pages of a site,
// except for numbers.
func Prints(p *page.Page) (path, both []uint64) {
	var f prints
	f.read(p)
	return f.path, f.both
}

// Likes numbers the blocks of p from 0 by the names and classes of their elements. Blocks with
// equal elements have equal numbers.
func Likes(p *page.Page) []int {
	path, _ := Prints(p)
	out, of := make([]int, len(p.Blocks)), map[uint64]int{}
	for i := range out {
		if i >= len(path) {
			out[i] = len(of) + i
			continue
		}
		n, ok := of[path[i]]
		if !ok {
			n = len(of)
			of[path[i]] = n
		}
		out[i] = n
	}
	return out
}
