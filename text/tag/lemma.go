package tag

import (
	"strings"
	"unicode"
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
	for w := range m.words.all() {
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

// LemmaCandidates returns the possible lemmas of a form with a tag, without the readings that the
// lexicon has for the form. If without is 0 or more, the form is in the lexicon once, with this
// script.
func (m *Model) LemmaCandidates(form, norm string, tag uint16, without int) []Candidate {
	return m.lemmaCandidates(new(buffers), form, norm, tag, without)
}

// Levels of support of a lemma script by the dictionary.
const (
	offerNone     = iota // it does not have it for the form
	offerOther           // it has it with another part of speech
	offerSame            // it has it with the part of speech
	offerNoReport        // it does not have the form
)

func (m *Model) lemmaCandidates(b *buffers, form, norm string, tag uint16, without int) []Candidate {
	upos := m.upos[tag]
	list := b.guesses[:0]
	entry := m.more.get(norm).Readings
	// The scripts of the dictionary come first, then the scripts of the tag and of its part of speech.
	for _, r := range entry {
		list = append(list, guess{value: r.Script, p: 1})
	}
	first := len(list)
	list = m.lemmas.distribute(list, &b.lemmas, norm, seedLemmas+uint64(tag), without)
	second := len(list)
	list = m.lemmas.distribute(list, &b.lemmas, norm, seedUPOS+uint64(upos), without)
	b.guesses = list
	for _, g := range list[first:] {
		for k := range list[:first] {
			if list[k].value == g.value {
				list[k].p = max(g.p, 1./256)
			}
		}
	}
	own := uint64(0)
	if without >= 0 {
		if l, ok := m.w.Apply(&m.w.Scripts[without], norm); ok {
			own = baseKey(m.w.lowerString(l), upos)
		}
	}
	shape := uint64(shapeOf(form))
	cases := cased{c: &m.w.Config, form: form}
	var e ends
	e.set(norm)
	out, f := b.lemmaList[:0], b.lemmaStatic[:0]
	for i := range list {
		if len(out) == maxLemmas {
			break
		}
		if i >= first {
			end := len(list)
			if i < second {
				end = second
			}
			best(list[i:end])
		}
		g := list[i]
		l, ok := cases.apply(&m.w.Scripts[g.value])
		if !ok || l == "" || hasCandidate(out, g.value, l) {
			continue
		}
		s, from := uint64(g.value), len(f)
		kind := uint64(0)
		if i >= second {
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
		offer := m.offer(entry, g.value, tag)
		f = append(f, mix(kOffer, offer, 0), mix(kOffer, offer, uint64(upos)+1), mix(kOffer, offer, s+1000), mix(kRank, uint64(len(out)), kind), mix(kOdds, odds, kind),
			mix(kBase, min(uint64(known), 2), 0), mix(kBase, min(uint64(known), 2), uint64(upos)+1), mix(kBase, min(uint64(known), 2), s+1000),
			mix(kScriptTag, s, uint64(tag)), mix(kScriptShape, s, shape))
		for _, h := range e.suffixes[:e.nSuffixes] {
			f = append(f, mix(kScriptSuffix, h, s))
		}
		for _, h := range e.prefixes[:e.nPrefixes] {
			f = append(f, mix(kScriptPrefix, h, s))
		}
		at := len(low)
		for n := uint64(1); n <= 4 && at > 0; n++ {
			_, size := utf8.DecodeLastRuneInString(low[:at])
			at -= size
			f = append(f, mix(kLemmaEnd, xxh3.HashString(low[at:]), uint64(upos)))
		}
		out = append(out, Candidate{Script: g.value, Lemma: l, Features: f[from:len(f):len(f)]})
	}
	b.lemmaList, b.lemmaStatic = out, f
	return out
}

// offer reports how the readings of the dictionary support a script for a tag.
func (m *Model) offer(entry []Reading, script, tag uint16) uint64 {
	switch {
	case m.more.len() == 0:
		return offerNone
	case entry == nil:
		return offerNoReport
	}
	offer := uint64(offerNone)
	for _, r := range entry {
		if r.Script == script {
			if m.w.LexiconTags[r.Tag].UPOS == m.w.Tags[tag].UPOS {
				return offerSame
			}
			offer = offerOther
		}
	}
	return offer
}

// ends holds hashes of the last and first characters of a form.
type ends struct {
	suffixes             [7]uint64
	prefixes             [3]uint64
	nSuffixes, nPrefixes int
}

func (e *ends) set(form string) {
	for i := len(form); e.nSuffixes < len(e.suffixes) && i > 0; e.nSuffixes++ {
		_, size := utf8.DecodeLastRuneInString(form[:i])
		i -= size
		e.suffixes[e.nSuffixes] = xxh3.HashString(form[i:])
	}
	for i := 0; e.nPrefixes < len(e.prefixes) && i < len(form); e.nPrefixes++ {
		_, size := utf8.DecodeRuneInString(form[i:])
		i += size
		e.prefixes[e.nPrefixes] = xxh3.HashString(form[:i])
	}
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
func (m *Model) guessLemma(b *buffers, form, norm string, tag uint16) string {
	list := m.lemmaCandidates(b, form, norm, tag, -1)
	fit := list[:0]
	for _, c := range list {
		if l, ok := keepDigits(form, c.Lemma); ok && m.fits(norm, tag, &c) {
			c.Lemma = l
			fit = append(fit, c)
		}
	}
	switch {
	case len(fit) == 0:
		return form
	case len(m.lemmaTable) == 0:
		return fit[0].Lemma
	}
	return fit[BestLemma(fit, m.lemmaTable)].Lemma
}

// fits reports whether the script of a candidate may apply to a form that the lexicon does not have
// with the tag. A script that changes the beginning of a form is learned from words with that
// beginning, such as cellular and extracellular: its result must be a known word. A script that
// replaces the whole form must be listed for the form.
func (m *Model) fits(norm string, tag uint16, c *Candidate) bool {
	s := &m.w.Scripts[c.Script]
	switch {
	case s.Head == 0 && s.Front == "" && s.Tail != whole, strings.ContainsFunc(norm, unicode.IsDigit):
		return true
	case m.more.offers(norm, c.Script), m.words.offers(norm, c.Script) && !m.misfit(norm, s, c.Lemma):
		return true
	case s.Tail == whole:
		return false
	case m.more.len() == 0: // few words are listed
		return s.Front == "" || m.bases[baseKey(m.w.lowerString(c.Lemma), m.upos[tag])] > 0
	}
	return m.listed(c.Lemma)
}

// misfit reports whether a script replaces the first letter of a form, and the result is neither in
// the lexicon nor in the dictionary. Treebanks that programs have tagged contain such lemmas. The
// particle of a separable verb, as in op_richten, is not a misfit.
func (m *Model) misfit(norm string, s *Script, lemma string) bool {
	if m.more.len() == 0 || s.Front == "" || s.Tail == whole || strings.Contains(s.Front, "_") || strings.ContainsFunc(norm, unicode.IsDigit) {
		return false
	}
	before, _ := utf8.DecodeRuneInString(norm)
	after, _ := utf8.DecodeRuneInString(m.w.lowerString(lemma))
	return before != after && !m.listed(lemma)
}

// listed reports whether a word is in the lexicon or in the dictionary.
func (m *Model) listed(word string) bool {
	norm := m.w.Normalize(word)
	return m.words.has(norm) || m.more.has(norm)
}
