package tag

import (
	"unicode/utf8"

	"github.com/zeebo/xxh3"
)

// LemmaBits is the number of bits of an index of the table of weights of scripts.
const LemmaBits = 17

// maxLemmas is the maximum number of scripts that are ranked for a word.
const maxLemmas = 8

// Candidate is a possible lemma of a form.
type Candidate struct {
	Script   uint16
	Lemma    string
	Features []uint64
}

// bases counts the words of which a lemma is the lemma, by the hash of the lemma and its part of
// speech.
type bases map[uint64]uint8

func baseKey(lemma string, upos uint16) uint64 { return xxh3.HashStringSeed(lemma, uint64(upos)+1) }

// newBases returns the lemmas of a lexicon.
func newBases(m *Model) bases {
	b := bases{}
	for _, w := range m.w.Words {
		for _, r := range w.Readings {
			if l, ok := m.w.Apply(&m.w.Scripts[r.Script], w.Form); ok {
				k := baseKey(m.w.lowerString(l), m.upos[r.Tag])
				if b[k] < 255 {
					b[k]++
				}
			}
		}
	}
	return b
}

// Kinds of features of scripts.
const (
	kRank = iota + 100
	kOdds
	kBase
	kScriptSuffix
	kScriptPrefix
	kLemmaEnd
	kScriptTag
	kScriptShape
	kOffer
)

// LemmaCandidates appends the possible lemmas of a form with a tag, without the readings that the
// lexicon has for the form. If without is 0 or more, the form is in the lexicon once, with this
// script.
func (m *Model) LemmaCandidates(dst []Candidate, form, norm string, tag uint16, without int) []Candidate {
	upos := m.upos[tag]
	list := m.lemmas.distribute(nil, norm, seedLemmas+uint64(tag), without)
	n := len(list)
	list = m.lemmas.distribute(list, norm, seedUPOS+uint64(upos), without)
	// The scripts of the dictionary come first.
	offered := map[uint16]uint64{}
	if entry := m.more.get(norm); entry != nil {
		var first []guess
		for _, r := range entry.Readings {
			if m.w.LexiconTags[r.Tag].UPOS == m.w.Tags[tag].UPOS {
				offered[r.Script] = 2
			} else if offered[r.Script] == 0 {
				offered[r.Script] = 1
			}
			first = append(first, guess{value: r.Script, p: 1})
		}
		for _, g := range list {
			if offered[g.value] > 0 {
				for k := range first {
					if first[k].value == g.value {
						first[k].p = max(g.p, 1./256)
					}
				}
			}
		}
		list = append(first, list...)
		n += len(first)
	} else if len(m.w.Lexicon) > 0 {
		offered = nil
	}
	begin := len(dst)
	own := uint64(0)
	if without >= 0 {
		if l, ok := m.w.Apply(&m.w.Scripts[without], norm); ok {
			own = baseKey(m.w.lowerString(l), upos)
		}
	}
	shape := uint64(shapeOf(form))
	for i, g := range list {
		if len(dst)-begin == maxLemmas {
			break
		}
		l, ok := m.w.Apply(&m.w.Scripts[g.value], form)
		if !ok || l == "" || hasCandidate(dst[begin:], g.value, l) {
			continue
		}
		c := Candidate{Script: g.value, Lemma: l}
		s := uint64(g.value)
		kind := uint64(0)
		if i >= n {
			kind = 1
		}
		odds := uint64(0)
		for p := g.p; p < 1 && odds < 8; p *= 2 {
			odds++
		}
		low := m.w.lowerString(l)
		key := baseKey(low, upos)
		known := m.bases[key]
		if key == own && known > 0 {
			known--
		}
		offer := uint64(3)
		if offered != nil {
			offer = offered[g.value]
		}
		f := append(c.Features, mix(kOffer, offer, 0), mix(kOffer, offer, uint64(upos)+1), mix(kOffer, offer, s+1000), mix(kRank, uint64(len(dst)-begin), kind), mix(kOdds, odds, kind),
			mix(kBase, min(uint64(known), 2), 0), mix(kBase, min(uint64(known), 2), uint64(upos)+1), mix(kBase, min(uint64(known), 2), s+1000),
			mix(kScriptTag, s, uint64(tag)), mix(kScriptShape, s, shape))
		i := len(norm)
		for n := uint64(1); n <= 7 && i > 0; n++ {
			_, size := utf8.DecodeLastRuneInString(norm[:i])
			i -= size
			f = append(f, mix(kScriptSuffix, xxh3.HashString(norm[i:]), s))
		}
		i = 0
		for n := uint64(1); n <= 3 && i < len(norm); n++ {
			_, size := utf8.DecodeRuneInString(norm[i:])
			i += size
			f = append(f, mix(kScriptPrefix, xxh3.HashString(norm[:i]), s))
		}
		i = len(low)
		for n := uint64(1); n <= 4 && i > 0; n++ {
			_, size := utf8.DecodeLastRuneInString(low[:i])
			i -= size
			f = append(f, mix(kLemmaEnd, xxh3.HashString(low[i:]), uint64(upos)))
		}
		c.Features = f
		dst = append(dst, c)
	}
	return dst
}

func hasCandidate(list []Candidate, script uint16, lemma string) bool {
	for i := range list {
		if list[i].Script == script || list[i].Lemma == lemma {
			return true
		}
	}
	return false
}

// BestLemma returns the index of the candidate with the highest score.
func BestLemma[T int16 | int32](list []Candidate, table []T) int {
	best, at := int32(0), 0
	for i := range list {
		sum := int32(0)
		for _, f := range list[i].Features {
			sum += int32(table[f>>(64-LemmaBits)])
		}
		if i == 0 || sum > best {
			best, at = sum, i
		}
	}
	return at
}

// guessLemma returns the most probable lemma of a form that the lexicon does not have with the tag.
func (m *Model) guessLemma(form, norm string, tag uint16) string {
	list := m.LemmaCandidates(nil, form, norm, tag, -1)
	switch {
	case len(list) == 0:
		return form
	case len(m.lemmaTable) == 0:
		return list[0].Lemma
	}
	return list[BestLemma(list, m.lemmaTable)].Lemma
}
