// Package segment finds words in scripts that are written without spaces: Chinese,
// Japanese, Thai and others for which a model is trained. [Open] opens a model, [Model.At]
// finds the end of the word at a place.
//
// Whether a word ends between two characters is decided for each place alone,
// by a sum of weights (Neubig, Nakata and Mori, Pointwise Prediction for
// Robust, Adaptable Japanese Morphological Analysis, ACL 2011): of the n-grams
// of characters and of kinds of characters around it, and of how words of a
// dictionary lie there. As in Vaporetto (Akabe et al., 2021) an n-gram is
// looked up once and gives its weights for all places around it. See
// docs/segment.md.
package segment

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"chaffinch/model"
)

// Kind and Behaviour name the model files of this package.
//
//	1  weights of n-grams and of words, a dictionary
//	2  the same; sections are packed
const (
	Kind      = "segment"
	Behaviour = 2
)

// sections are those of a model file.
var sections = [...]string{"grams1", "grams2", "grams3", "lexicon", "kinds", "words", "fold"}

// sectionsOf returns the sections of f by their names.
func sectionsOf(f *model.File) (map[string][]byte, error) {
	of := map[string][]byte{}
	if f.Behaviour == 1 {
		for _, name := range sections {
			of[name], _ = f.Section(name)
		}
		return of, nil
	}
	parts, err := f.Unpack(sections[:]...)
	for i, b := range parts {
		of[sections[i]] = b
	}
	return of, err
}

const (
	// reach is how many characters before and after a place are looked at.
	reach = 3
	// MaxOrder is the length of the longest n-gram of characters.
	MaxOrder = 3
	// MaxWord is the length of the longest word of a dictionary.
	MaxWord = 16
	// unit is the weight that one step of a stored weight stands for.
	unit = 1.0 / 16

	// blockLen is how many characters are decided at a time.
	blockLen = 64
	window   = MaxWord + blockLen + MaxWord
)

// Places is for how many places an n-gram of a length has weights: it may
// begin Reach characters before the place, and end Reach characters after it.
func Places(order int) int { return 2*reach - order + 1 }

// Config is what a model says of itself.
type Config struct {
	// Lang is the language, as a BCP 47 tag without region.
	Lang string `json:"lang"`
	// Scripts are the scripts in which it finds words.
	Scripts []Script `json:"scripts"`
	// Words is how many words its dictionary has.
	Words int `json:"words"`
	// Bias is the weight of every place.
	Bias int `json:"bias"`
}

// Model finds words. It is safe for concurrent use.
type Model struct {
	Config
	scripts [scripts]bool
	fold    map[rune]rune
	grams   [MaxOrder]table
	kinds   []int8 // by order, place and kinds
	lexicon table
	inDict  [3][MaxWord]int16
	joint   [longest * longest * longest]int16
}

// Open reads a model file into memory.
func Open(path string) (*Model, error) {
	f, err := model.Open(path)
	if err != nil {
		return nil, err
	}
	return read(f)
}

// Parse reads a model file that is in memory; name is for errors.
func Parse(name string, b []byte) (*Model, error) {
	f, err := model.Parse(name, b)
	if err != nil {
		return nil, err
	}
	return read(f)
}

func read(f *model.File) (*Model, error) {
	if err := f.Want(Kind, 1, Behaviour); err != nil {
		return nil, err
	}
	m := &Model{fold: map[rune]rune{}}
	if err := json.Unmarshal(f.Config, &m.Config); err != nil {
		return nil, fmt.Errorf("model %s: configuration: %w", f.Name, err)
	}
	for _, s := range m.Scripts {
		i, ok := scriptOf[s]
		if !ok {
			return nil, fmt.Errorf("model %s: script %q, wanted one of %v", f.Name, s, Scripts())
		}
		m.scripts[i] = true
	}
	of, err := sectionsOf(f)
	if err != nil {
		return nil, err
	}
	wrong := func(name string, b []byte) error {
		return fmt.Errorf("model %s: section %q has %d bytes: train again", f.Name, name, len(b))
	}
	for i := range m.grams {
		name := fmt.Sprintf("grams%d", i+1)
		b := of[name]
		if !m.grams[i].read(b, Places(i+1)) {
			return nil, wrong(name, b)
		}
	}
	b := of["lexicon"]
	if !m.lexicon.read(b, 0) {
		return nil, wrong("lexicon", b)
	}
	if b = of["kinds"]; len(b) != kindWeights {
		return nil, wrong("kinds", b)
	}
	m.kinds = make([]int8, len(b))
	for i, c := range b {
		m.kinds[i] = int8(c)
	}
	if b = of["words"]; len(b) != 2*(3*MaxWord+len(m.joint)) {
		return nil, wrong("words", b)
	}
	for i := range m.inDict {
		for j := range m.inDict[i] {
			m.inDict[i][j], b = int16(binary.LittleEndian.Uint16(b)), b[2:]
		}
	}
	for i := range m.joint {
		m.joint[i], b = int16(binary.LittleEndian.Uint16(b)), b[2:]
	}
	if b = of["fold"]; len(b)%8 != 0 {
		return nil, wrong("fold", b)
	}
	for ; len(b) > 0; b = b[8:] {
		m.fold[rune(binary.LittleEndian.Uint32(b))] = rune(binary.LittleEndian.Uint32(b[4:]))
	}
	return m, nil
}

// Covers reports whether the model finds words in the script of r.
func (m *Model) Covers(r rune) bool { return m.scripts[scriptAt(r)] }

// Ends are the places in a stretch of a text where words end. The zero value
// is of no text.
type Ends struct {
	start, end int // the stretch, in bytes: start is no place of it, end is
	ends       [4 * blockLen / 64]uint64
}

// At reports whether a word ends before the byte i of text, which is the
// first of a character. Places are best asked for from left to right.
func (m *Model) At(text string, i int, e *Ends) bool {
	if i <= e.start || i > e.end {
		m.decide(text, i, e)
	}
	o := i - e.start - 1
	return e.ends[o>>6]>>(o&63)&1 != 0
}

// decide finds the ends from the byte i on.
func (m *Model) decide(text string, i int, e *Ends) {
	var v view
	v.fill(m, text, i)
	*e = Ends{start: i - 1, end: i - 1}
	var scores [blockLen]int32
	m.score(&v, &scores)
	for n, at := 0, i; n < v.places; n++ {
		c := MaxWord + n
		if scores[n] > 0 && !joined(v.kinds[c-1], v.kinds[c], v.chars[c]) {
			o := at - i
			e.ends[o>>6] |= 1 << (o & 63)
		}
		e.end = at
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
}

// view is a stretch of a text as numbers: MaxWord characters, those before
// which a word may end, and MaxWord more. It ends on both sides with the first
// symbol or white space, so that a sentence is cut as it is in its text; what
// lies beyond, and white space, is 0.
type view struct {
	chars  [window]rune
	kinds  [window]uint8
	places int
}

func (v *view) fill(m *Model, text string, i int) {
	for n, at := MaxWord-1, i; n >= 0 && at > 0; n-- {
		r, size := utf8.DecodeLastRuneInString(text[:at])
		at -= size
		if v.set(m, n, r) {
			break
		}
	}
	at := i
	for n := MaxWord; n < window && at < len(text); n++ {
		r, size := utf8.DecodeRuneInString(text[at:])
		at += size
		if n < MaxWord+blockLen {
			v.places++
		}
		if v.set(m, n, r) {
			break
		}
	}
	v.places = max(v.places, 1) // one at the end of the text
}

// set puts a character into v and reports whether v ends there.
func (v *view) set(m *Model, n int, r rune) bool {
	k := kindOf(r)
	if k == space {
		return true
	}
	v.chars[n], v.kinds[n] = m.folded(r), k
	return k == symbol
}

// folded returns the character that stands for r in n-grams and words.
func (m *Model) folded(r rune) rune {
	switch {
	case r < 0x3001:
		return r
	case r >= 0xff01 && r <= 0xff5e: // full-width forms of ASCII
		return r - 0xfee0
	case r == '、':
		return ','
	case r == '。':
		return '.'
	}
	if to, ok := m.fold[r]; ok {
		return to
	}
	return r
}

// joined reports whether no word ends between two characters of these kinds.
func joined(before, after uint8, r rune) bool {
	switch after {
	case vowel, tone, killer:
		return true
	case longMark:
		return r >= 0x3000 // those of Thai and Lao are words
	}
	return before == frontVowel
}

// score adds up the weights of the places of v.
func (m *Model) score(v *view, scores *[blockLen]int32) {
	for p := range v.places {
		scores[p] = int32(m.Bias)
	}
	// Characters: the n-gram that begins at c has its first weight for the
	// place Reach after c, the next for the one before, and so on.
	for c := MaxWord - reach; c < MaxWord+v.places+reach-1; c++ {
		key := uint64(0)
		for order := 1; order <= MaxOrder && c+order <= window; order++ {
			key = key<<21 | uint64(v.chars[c+order-1])
			w := m.grams[order-1].weights(key)
			if w == nil {
				if order > 1 {
					break // a longer one has no weights without the shorter
				}
				continue
			}
			first := c + reach - MaxWord
			for i, x := range w {
				if p := first - i; p >= 0 && p < v.places {
					scores[p] += int32(x)
				}
			}
		}
	}
	var slots [kindSlots]int32
	for p := range v.places {
		c := MaxWord + p - reach
		kindSlotsOf(v.kinds[c:c+2*reach], &slots)
		for _, i := range slots {
			scores[p] += int32(m.kinds[i])
		}
	}
	if m.lexicon.buckets > 0 {
		m.scoreWords(v, scores)
	}
}
