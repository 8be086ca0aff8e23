package tag

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/zeebo/xxh3"
)

// Analysis holds the candidates and features of a form. It does not depend on the sentence, except
// for the flag of its start. It is read-only.
type Analysis struct {
	// Tags are the candidates.
	Tags []uint16
	// Parts are the hashes of the parts in which the candidates differ. Of lists the parts of the
	// candidates, one after the other; Ends are the ends of their lists.
	Parts []uint64
	Of    []uint8
	Ends  []uint16
	// Static are the features of the form.
	Static []uint64

	form, norm       string
	word, suf, class uint64
	shape            uint8
	scores           []int32 // of Static by part
	lemmas           []string
}

// Options of an analysis.
type Options struct {
	// Start states that no word precedes the form in the sentence.
	Start bool
	// Unseen ignores that the form occurs in the treebank, once, with the tag Gold.
	Unseen bool
	Gold   uint16
}

// mix returns a hash of a kind of feature and its values.
func mix(kind int, a, b uint64) uint64 {
	h := (a ^ uint64(kind)*0x9e3779b97f4a7c15) * 0xff51afd7ed558ccd
	h ^= h >> 32
	h = (h + b) * 0xc4ceb9fe1a85ec53
	return h ^ h>>29
}

// partsOf returns the hashes of the parts of a tag.
func partsOf(t Tag) []uint64 {
	list := []uint64{
		xxh3.HashString("U" + t.UPOS),
		xxh3.HashString("T" + t.UPOS + "\t" + t.XPOS + "\t" + t.Feats),
	}
	if t.XPOS != "" {
		list = append(list, xxh3.HashString("X"+t.XPOS))
	}
	if t.Feats != "" {
		for f := range strings.SplitSeq(t.Feats, "|") {
			list = append(list, xxh3.HashString("F"+f))
		}
	}
	return list
}

// Analyze returns the analysis of a form.
func (m *Model) Analyze(form string, opt Options) *Analysis {
	var b buffers
	a := m.analyze(&b, form, opt)
	a.Static = slices.Clone(b.static)
	return a
}

// buffers holds slices that analyses reuse.
type buffers struct {
	tags, lemmas places
	guesses      []guess
	candidates   []uint16
	parts        []uint64
	of           []uint8
	ends         []uint16
	static       []uint64 // features of the analysis
	lemmaList    []Candidate
	lemmaStatic  []uint64
	// numbers, bytes and hashes hold the slices of all analyses.
	numbers slab[uint16]
	bytes   slab[uint8]
	hashes  slab[uint64]
	scores  slab[int32]
	strings slab[string]
	none    []string // empty lemmas
}

// slab allocates small slices.
type slab[T any] []T

// slabSize is the number of values that a slab allocates at once.
const slabSize = 4096

// clone returns a copy of a list.
func (s *slab[T]) clone(list []T) []T {
	if len(list) > cap(*s)-len(*s) {
		*s = make([]T, 0, max(slabSize, len(list)))
	}
	n := len(*s)
	*s = append(*s, list...)
	return (*s)[n:len(*s):len(*s)]
}

// analyze returns the analysis of a form without its features, which are b.static.
func (m *Model) analyze(b *buffers, form string, opt Options) *Analysis {
	norm := m.w.Normalize(form)
	if mark, ok := m.marks[norm]; ok {
		norm = mark
	}
	if alias := m.unknown(form, norm); alias != "" {
		norm = alias
	}
	if len(norm) > 1 && norm[0] == '-' && !m.words.has(norm) && m.words.has(norm[1:]) {
		form, norm = form[1:], norm[1:] // an enclitic whose hyphen the treebank leaves out
	}
	a := &Analysis{form: form, norm: norm, shape: shapeOf(form)}
	a.word = xxh3.HashString(norm)
	w := m.words.find(norm, a.word)
	if opt.Unseen {
		w = Word{}
	}
	entry := m.more.find(norm, a.word)
	a.Tags = b.candidates[:0]
	m.candidates(a, b, w, entry, opt)
	b.candidates, a.Tags = a.Tags[:0], b.numbers.clone(a.Tags)
	m.setParts(a, b)
	m.setStatic(a, b, w, entry, opt)
	return a
}

// candidates sets the candidates and the class of a form.
func (m *Model) candidates(a *Analysis, b *buffers, w, entry Word, opt Options) {
	class := uint64(0)
	if w.Readings != nil {
		for _, r := range w.Readings {
			if !slices.Contains(a.Tags, r.Tag) {
				a.Tags = append(a.Tags, r.Tag)
			}
		}
		slices.Sort(a.Tags)
		for _, t := range a.Tags {
			class = mix(1, class, uint64(t))
		}
		if a.class = class; w.Count >= m.w.Closed || a.norm[0] == '\x01' {
			return
		}
	}
	without := -1
	if opt.Unseen {
		without = int(opt.Gold)
	}
	known := len(a.Tags)
	if entry.Readings != nil {
		for _, r := range entry.Readings {
			for _, t := range m.w.Likely[r.Tag] {
				if len(a.Tags) < maxGuesses && !slices.Contains(a.Tags, t) {
					a.Tags = append(a.Tags, t)
				}
			}
			class += m.hints[r.Tag][1]
		}
	}
	list := m.guess.distribute(b.guesses[:0], &b.tags, a.norm, seedTags, without)
	b.guesses = list
	for i := range min(m.w.Guesses, len(list)) {
		g := best(list[i:])
		if g.p < list[0].p*leastGuess {
			break
		}
		if len(a.Tags) < maxGuesses && !slices.Contains(a.Tags, g.value) {
			a.Tags = append(a.Tags, g.value)
		}
	}
	if len(a.Tags) == 0 {
		a.Tags = append(a.Tags, 0)
	}
	switch {
	case known > 0:
	case entry.Readings != nil:
		a.class = mix(3, class, 0)
	default:
		a.class = mix(2, uint64(m.upos[a.Tags[0]]), 0)
	}
}

// leastGuess is the minimum probability of a candidate relative to the most probable one.
const leastGuess = .005

// setParts sets the parts in which the candidates differ.
func (m *Model) setParts(a *Analysis, b *buffers) {
	if len(a.Tags) == 1 {
		a.Ends = noParts
		return
	}
	parts, of, ends := b.parts[:0], b.of[:0], b.ends[:0]
	first := m.parts[a.Tags[0]]
	for _, t := range a.Tags {
		for _, p := range m.parts[t] {
			if slices.Contains(first, p) && m.common(a.Tags[1:], p) {
				continue
			}
			at := slices.Index(parts, p)
			if at < 0 {
				if len(parts) == 256 {
					continue
				}
				at = len(parts)
				parts = append(parts, p)
			}
			of = append(of, uint8(at))
		}
		ends = append(ends, uint16(len(of)))
	}
	b.parts, b.of, b.ends = parts, of, ends
	a.Parts, a.Of, a.Ends = b.hashes.clone(parts), b.bytes.clone(of), b.numbers.clone(ends)
}

// noParts are the ends of the parts of one candidate.
var noParts = []uint16{0}

// common reports whether all tags have a part.
func (m *Model) common(tags []uint16, part uint64) bool {
	for _, t := range tags {
		if !slices.Contains(m.parts[t], part) {
			return false
		}
	}
	return true
}

// Kinds of features.
const (
	kBias = iota + 10
	kWord
	kWordShape
	kShape
	kClass
	kPrefix
	kSuffix
	kSuffixShape
	kPrev
	kNext
	kPrev2
	kNext2
	kPrevNext
	kWordNext
	kWordPrev
	kPrevSuf
	kNextSuf
	kPrevClass
	kNextClass
	kNext2Class
	kClassNext
	kNextShape
	kPrevShape
	kTag1
	kTag2
	kUPOS1
	kUPOS2
	kTag1Word
	kTag1Class
	kTag1NextClass
	kTag1Suf
	kUPOS2Class
	kPart1
	kNextNext2
	kPrevPrev2
	kTitles
	kHint
	kHints
)

// setStatic sets the features of a form and the values that the features of neighbours use.
func (m *Model) setStatic(a *Analysis, b *buffers, w, entry Word, opt Options) {
	shape := uint64(a.shape)
	if opt.Start {
		shape |= 1 << 8
	}
	norm := a.norm
	f := append(b.static[:0], mix(kBias, 0, 0), mix(kShape, shape, 0), mix(kClass, a.class, 0))
	if w.Readings != nil {
		f = append(f, mix(kWord, a.word, 0), mix(kWordShape, a.word, shape))
	}
	switch {
	case entry.Readings != nil:
		tags, upos := uint64(0), uint64(0)
		for _, r := range entry.Readings {
			h := m.hints[r.Tag]
			tags += h[0]
			for _, x := range h {
				if x = mix(kHint, x, 0); !slices.Contains(f, x) {
					f = append(f, x)
					if x == mix(kHint, h[1], 0) {
						upos += h[1]
					}
				}
			}
		}
		f = append(f, mix(kHints, tags, 0), mix(kHints, tags, shape), mix(kHints, upos, 1), mix(kHints, upos, 2+shape))
	case m.more.len() > 0:
		f = append(f, mix(kHints, 0, 1), mix(kHints, 0, 2+shape))
	}
	i := len(norm)
	for n := 1; n <= 6 && i > 0; n++ {
		_, size := utf8.DecodeLastRuneInString(norm[:i])
		i -= size
		h := xxh3.HashString(norm[i:])
		f = append(f, mix(kSuffix, h, uint64(n)))
		switch n {
		case 2:
			f = append(f, mix(kSuffixShape, h, shape))
		case 3:
			a.suf = h
			f = append(f, mix(kSuffixShape, h, shape))
		}
	}
	if a.suf == 0 {
		a.suf = a.word
	}
	i = 0
	for n := 1; n <= 4 && i < len(norm); n++ {
		_, size := utf8.DecodeRuneInString(norm[i:])
		i += size
		f = append(f, mix(kPrefix, xxh3.HashString(norm[:i]), uint64(n)))
	}
	if w.Readings == nil {
		a.word = a.suf // rare words are features of neighbours by their suffix
	}
	b.static = f
}

// outside is the analysis before and after a sentence.
var outside = &Analysis{word: 11, suf: 12, class: 13, shape: 0xff}

// at returns the i-th analysis, or outside.
func at(s []*Analysis, i int) *Analysis {
	if i < 0 || i >= len(s) {
		return outside
	}
	return s[i]
}

// Titles returns the share of capitalized words of a sentence, in four steps: headlines have many.
func Titles(s []*Analysis) uint64 {
	letters, upper := 0, 0
	for _, a := range s {
		switch a.shape & 7 {
		case shapeTitle, shapeUpper:
			upper++
			letters++
		case shapeLower, shapeMixed:
			letters++
		}
	}
	switch {
	case letters < 3:
		return 0
	case upper == 0:
		return 1
	case upper*5 < letters*3:
		return 2
	}
	return 3
}

// Context appends the features of the i-th word of a sentence that depend on its neighbours, given
// the result of [Titles] for the sentence.
func Context(dst []uint64, s []*Analysis, titles uint64, i int) []uint64 {
	a, p, n, p2, n2 := s[i], at(s, i-1), at(s, i+1), at(s, i-2), at(s, i+2)
	return append(dst,
		mix(kPrev, p.word, 0), mix(kNext, n.word, 0), mix(kPrev2, p2.word, 0), mix(kNext2, n2.word, 0),
		mix(kPrevNext, p.word, n.word), mix(kWordNext, a.word, n.word), mix(kWordPrev, a.word, p.word),
		mix(kPrevSuf, p.suf, 0), mix(kNextSuf, n.suf, 0),
		mix(kNextClass, n.class, 0), mix(kNext2Class, n.class, n2.class), mix(kClassNext, a.class, n.class),
		mix(kNextNext2, n.word, n2.word), mix(kPrevPrev2, p.word, p2.word),
		mix(kNextShape, uint64(n.shape), uint64(a.shape)), mix(kTitles, titles, uint64(a.shape)), mix(kPrevShape, uint64(p.shape), uint64(a.shape)),
	)
}

// None replaces the tag of a word before the sentence.
const None = 1<<16 - 1

// History appends the features of the i-th word of a sentence that depend on the tags of the two
// words before it, None before the first.
func (m *Model) History(dst []uint64, s []*Analysis, i int, tag1, tag2 uint16) []uint64 {
	a, n := s[i], at(s, i+1)
	u1, u2 := uint64(99), uint64(99)
	if tag1 != None {
		u1 = uint64(m.upos[tag1])
	}
	if tag2 != None {
		u2 = uint64(m.upos[tag2])
	}
	dst = append(dst,
		mix(kTag1, uint64(tag1), 0), mix(kTag2, uint64(tag1), uint64(tag2)),
		mix(kUPOS1, u1, 0), mix(kUPOS2, u1, u2),
		mix(kTag1Word, a.word, u1), mix(kTag1Class, a.class, uint64(tag1)), mix(kTag1NextClass, n.class, u1),
		mix(kTag1Suf, a.suf, uint64(tag1)), mix(kUPOS2Class, a.class, u1*100+u2),
	)
	if tag1 != None {
		for _, p := range m.parts[tag1][2:] {
			dst = append(dst, mix(kPart1, p, 0))
		}
	}
	return dst
}
