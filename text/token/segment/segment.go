// Package segment finds words in scripts that are written without spaces: Chinese, Japanese,
// Thai and others with a trained model. [Open] opens a model, and [Model.At] reports whether a
// word ends at a place.
//
// Each place between two characters is decided separately by a sum of weights (Neubig, Nakata
// and Mori, Pointwise Prediction for Robust, Adaptable Japanese Morphological Analysis, ACL
// 2011). The weights belong to the surrounding n-grams of characters and of kinds of
// characters, and to the positions of dictionary words. As in Vaporetto (Akabe et al., 2021),
// an n-gram is looked up once and yields its weights for all places around it. See
// docs/explanation/segment.md.
// docs/explanation/segment.md.
package segment

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"chaffinch/model"
)

// Kind and Behaviour are the kind and version of the model files of this package.
//
//	1  weights of n-grams and of words, a dictionary
//	2  the same; sections are compressed
const (
	Kind      = "segment"
	Behaviour = 2
)

// sections are the names of the sections of a model file.
var sections = [...]string{"grams1", "grams2", "grams3", "lexicon", "kinds", "words", "fold"}

// sectionsOf returns the sections of f by name.
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
	// reach is the number of characters before and after a place that are used.
	reach = 3
	// MaxOrder is the maximum length of an n-gram of characters.
	MaxOrder = 3
	// MaxWord is the maximum length of a dictionary word.
	MaxWord = 16
	// unit is the weight of one step of a stored weight.
	unit = 1.0 / 16

	// blockLen is the number of places that are decided at once.
	blockLen = 64
	window   = MaxWord + blockLen + MaxWord
)

// Places returns the number of places for which an n-gram of the given length has weights. It
// may begin up to reach characters before the place and end up to reach characters after it.
func Places(order int) int { return 2*reach - order + 1 }

// Config is the configuration of a model.
type Config struct {
	// Lang is the language, as a BCP 47 tag without region.
	Lang string `json:"lang"`
	// Scripts are the scripts in which the model finds words.
	Scripts []Script `json:"scripts"`
	// Words is the number of words in the dictionary.
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

// Parse parses a model file in memory. name is used in errors.
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

// Ends holds the ends of words in a section of a text. The zero value is an empty section.
type Ends struct {
	start, end int // the section in bytes: places are in (start, end]
	ends       [4 * blockLen / 64]uint64
}

// At reports whether a word ends before byte i of text, the first byte of a character. It is
// most efficient to query places from left to right.
func (m *Model) At(text string, i int, e *Ends) bool {
	if i <= e.start || i > e.end {
		m.decide(text, i, e)
	}
	o := i - e.start - 1
	return e.ends[o>>6]>>(o&63)&1 != 0
}

// decide computes the ends from byte i on.
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

// view is a section of a text as numbers: MaxWord characters, then the characters before which
// a word may end, and MaxWord more. It ends on both sides with the first symbol or white space,
// so that the result for a sentence does not depend on its context. White space and positions
// outside are 0.
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
	v.places = max(v.places, 1) // one place at the end of the text
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

// folded returns the character that represents r in n-grams and words.
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

// joined reports whether no word can end between two characters of these kinds.
func joined(before, after uint8, r rune) bool {
	switch after {
	case vowel, tone, killer:
		return true
	case longMark:
		return r >= 0x3000 // in Thai and Lao such marks are words
	}
	return before == frontVowel
}

// score adds the weights of the places of v to scores.
func (m *Model) score(v *view, scores *[blockLen]int32) {
	for p := range v.places {
		scores[p] = int32(m.Bias)
	}
	// Characters: an n-gram that begins at c has its first weight for the place reach after c,
	// the next for the place before, and so on.
	for c := MaxWord - reach; c < MaxWord+v.places+reach-1; c++ {
		key := uint64(0)
		for order := 1; order <= MaxOrder && c+order <= window; order++ {
			key = key<<21 | uint64(v.chars[c+order-1])
			w := m.grams[order-1].weights(key)
			if w == nil {
				if order > 1 {
					break // a longer n-gram has no weights without the shorter one
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
