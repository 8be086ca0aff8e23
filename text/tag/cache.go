package tag

import (
	"strings"

	"github.com/zeebo/xxh3"
	"golang.org/x/text/unicode/norm"
)

// cacheSize is the maximum number of forms of a generation of a cache.
const cacheSize = 1 << 13

// cache holds the words and analyses of forms in two generations. If the younger one is full, the older
// one is dropped. Forms of the older one that occur again move to the younger one, so that frequent
// words stay.
type cache struct {
	young, old generation
	buffers    *buffers
}

// generation is a hash table of forms.
type generation struct {
	slots   [2 * cacheSize]uint16 // open addressing: index of the entry plus one
	entries []entry
}

// entry is a form.
type entry struct {
	hash uint64
	form string
	// text is the composed form.
	text string
	// words are the words of a multiword token, if split is set; nil if it is one word.
	words []string
	split bool
	// hasWord is the result of [HasWord].
	hasWord bool
	// analyses are the analyses of the form within a sentence and at its start, nil if unknown.
	analyses [2]*Analysis
}

// find returns the slot of a form and its entry, nil if there is none.
func (g *generation) find(hash uint64, form string) (at uint64, e *entry) {
	const mask = uint64(len(g.slots) - 1)
	for at = hash & mask; ; at = (at + 1) & mask {
		n := g.slots[at]
		if n == 0 {
			return at, nil
		}
		if e := &g.entries[n-1]; e.hash == hash && e.form == form {
			return at, e
		}
	}
}

// entry returns the entry of a form, which is valid until the next call.
func (c *cache) entry(form string) *entry {
	hash := xxh3.HashString(form)
	at, e := c.young.find(hash, form)
	if e != nil {
		return e
	}
	if len(c.young.entries) == cacheSize {
		c.turn()
		at, _ = c.young.find(hash, form)
	}
	var found entry
	if _, e := c.old.find(hash, form); e != nil {
		found = *e
		for i, a := range found.analyses {
			if a != nil {
				found.analyses[i] = c.buffers.copy(a)
			}
		}
	} else {
		found = entry{hash: hash, form: strings.Clone(form), hasWord: HasWord(form)}
		found.text = composed(found.form)
	}
	c.young.entries = append(c.young.entries, found)
	c.young.slots[at] = uint16(len(c.young.entries))
	return &c.young.entries[len(c.young.entries)-1]
}

// composed returns a form without combining marks (U+0300 to U+036F) where Unicode has a character of
// letter and mark.
func composed(form string) string {
	if strings.IndexByte(form, 0xcc) < 0 && strings.IndexByte(form, 0xcd) < 0 { // their first bytes
		return form
	}
	return norm.NFC.String(form)
}

// turn makes the younger generation the older one. The slices of analyses start again, so that the
// dropped ones are garbage.
func (c *cache) turn() {
	c.young, c.old = c.old, c.young
	clear(c.young.slots[:])
	clear(c.young.entries)
	c.young.entries = c.young.entries[:0]
	b := c.buffers
	b.numbers, b.bytes, b.hashes, b.scores, b.strings = nil, nil, nil, nil, nil
}

// copy returns a copy of an analysis with its own slices.
func (b *buffers) copy(a *Analysis) *Analysis {
	c := *a
	c.Tags, c.Parts, c.Of = b.numbers.clone(a.Tags), b.hashes.clone(a.Parts), b.bytes.clone(a.Of)
	if len(a.Parts) > 0 {
		c.Ends = b.numbers.clone(a.Ends)
	}
	c.scores, c.lemmas = b.scores.clone(a.scores), b.strings.clone(a.lemmas)
	return &c
}
