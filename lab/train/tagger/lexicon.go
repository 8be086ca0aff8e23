package tagger

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"chaffinch/internal/sorts"
	"chaffinch/text/tag"
)

// vocabulary numbers the tags and scripts of a treebank and counts the readings of its words.
type vocabulary struct {
	cfg     tag.Config
	tags    map[tag.Tag]uint16
	list    []tag.Tag
	scripts map[tag.Script]uint16
	edits   []tag.Script
	words   map[string]*counted
}

// counted is a word with its readings.
type counted struct {
	count    int
	readings map[tag.Reading]int
	lemmas   map[lemma]int
}

// lemma is a lemma of a form with a tag.
type lemma struct {
	tag         uint16
	form, lemma string
}

func newVocabulary(cfg tag.Config) *vocabulary {
	return &vocabulary{cfg: cfg, tags: map[tag.Tag]uint16{}, scripts: map[tag.Script]uint16{}, words: map[string]*counted{}}
}

func (v *vocabulary) tag(t tag.Tag) uint16 {
	n, ok := v.tags[t]
	if !ok {
		n = uint16(len(v.list))
		v.tags[t] = n
		v.list = append(v.list, t)
	}
	return n
}

func (v *vocabulary) script(form, lemma string) uint16 {
	if v.cfg.NoLemmas {
		return 0
	}
	lemma = cmp.Or(lemma, form)
	s := v.cfg.Script(form, lemma)
	n, ok := v.scripts[s]
	if !ok {
		n = uint16(len(v.edits))
		v.scripts[s] = n
		v.edits = append(v.edits, s)
	}
	return n
}

// add counts a reading of a word.
func (v *vocabulary) add(norm string, r tag.Reading, n int) {
	c := v.words[norm]
	if c == nil {
		c = &counted{readings: map[tag.Reading]int{}, lemmas: map[lemma]int{}}
		v.words[norm] = c
	}
	c.readings[r] += n
}

// read counts the words of a treebank.
func (v *vocabulary) read(list []sentence) {
	for _, s := range list {
		for _, w := range s.words {
			norm := v.cfg.Normalize(w.form)
			r := tag.Reading{Tag: v.tag(w.Tag), Script: v.script(w.form, w.lemma)}
			v.add(norm, r, 1)
			v.words[norm].count++
			v.words[norm].lemmas[lemma{r.Tag, w.form, w.lemma}]++
		}
	}
}

// web adds web tokens that the treebank does not have.
func (v *vocabulary) web() {
	for _, w := range tag.Web {
		if v.words[w.Form] == nil {
			xpos := map[string]int{}
			for _, t := range v.list {
				if t.UPOS == w.UPOS {
					xpos[t.XPOS]++
				}
			}
			best := ""
			for _, x := range slices.Sorted(maps.Keys(xpos)) {
				if xpos[x] > xpos[best] {
					best = x
				}
			}
			v.add(w.Form, tag.Reading{Tag: v.tag(tag.Tag{UPOS: w.UPOS, XPOS: best}), Script: v.script("a", "a")}, 1)
		}
	}
}

// maxLikely is the maximum number of candidates for a tag of the lexicon.
const maxLikely = 3

// lexicon returns the words of a lexicon and its tags. Entries after the maximum number of scripts or
// tags are left out.
func (v *vocabulary) lexicon(list []Entry) (words []tag.Word, tags []tag.Tag) {
	other := newVocabulary(v.cfg)
	other.scripts, other.edits = v.scripts, v.edits
	for _, e := range list {
		if len(other.edits) == tag.MaxScripts || len(other.list) == tag.MaxTags {
			break
		}
		r := tag.Reading{Tag: other.tag(tag.Tag{UPOS: e.UPOS, Feats: e.Feats}), Script: other.script(e.Form, e.Lemma)}
		other.add(v.cfg.Normalize(e.Form), r, e.Count)
	}
	v.edits = other.edits
	w := other.weights()
	return w.Words, w.Tags
}

// likely returns the tags of the treebank that words with each tag of the lexicon have most often,
// relative to their frequency.
func (v *vocabulary) likely(words []tag.Word, tags int) [][]uint16 {
	counts := make([]map[uint16]float64, tags)
	for i := range counts {
		counts[i] = map[uint16]float64{}
	}
	for _, w := range words {
		c := v.words[w.Form]
		if c == nil {
			continue
		}
		for _, r := range w.Readings {
			for own, n := range c.readings {
				counts[r.Tag][own.Tag] += float64(n) / float64(c.count*len(w.Readings))
			}
		}
	}
	out := make([][]uint16, tags)
	for i, m := range counts {
		list := sorts.ByValue(m)
		out[i] = append([]uint16{}, list[:min(len(list), maxLikely)]...)
	}
	return out
}

// weights returns the parameters of a model without a table.
func (v *vocabulary) weights() tag.Weights {
	w := tag.Weights{Config: v.cfg, Tags: v.list, Scripts: v.edits}
	for _, form := range slices.Sorted(maps.Keys(v.words)) {
		c := v.words[form]
		x := tag.Word{Form: form, Count: min(c.count, tag.MaxCount)}
		// The script of a tag is the one that is right for most occurrences.
		right := v.right(c)
		x.Readings = slices.SortedFunc(maps.Keys(c.readings), func(a, b tag.Reading) int {
			return cmp.Or(-cmp.Compare(right[a], right[b]), -cmp.Compare(c.readings[a], c.readings[b]), cmp.Compare(a.Tag, b.Tag), cmp.Compare(a.Script, b.Script))
		})
		seen := map[uint16]bool{}
		x.Readings = slices.DeleteFunc(x.Readings, func(r tag.Reading) bool {
			before := seen[r.Tag]
			seen[r.Tag] = true
			return before
		})
		w.Words = append(w.Words, x)
	}
	return w
}

// right returns the number of occurrences of a word for which each reading is right: its forms in lower
// and upper case may have the same lemma.
func (v *vocabulary) right(c *counted) map[tag.Reading]int {
	n := map[tag.Reading]int{}
	if v.cfg.NoLemmas {
		return n
	}
	for r := range c.readings {
		for x, count := range c.lemmas {
			if x.tag == r.Tag {
				if l, ok := v.cfg.Apply(&v.edits[r.Script], x.form); ok && l == x.lemma {
					n[r] += count
				}
			}
		}
	}
	return n
}

// isTurkic reports whether a treebank is of a language with a dotless i: its share of the letters i
// and ı is considerable.
func isTurkic(list []sentence) bool {
	dotted, dotless := 0, 0
	for _, s := range list {
		for _, w := range s.words {
			dotted += strings.Count(w.form, "i")
			dotless += strings.Count(w.form, "ı")
		}
	}
	return dotless*20 > dotted && dotless > 100
}
