package tagger

import (
	"cmp"
	"maps"
	"slices"
	"strings"

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
	if lemma == "" {
		lemma = form
	}
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
		c = &counted{readings: map[tag.Reading]int{}}
		v.words[norm] = c
	}
	c.readings[r] += n
}

// read counts the words of a treebank.
func (v *vocabulary) read(list []sentence) {
	for _, s := range list {
		for _, w := range s.words {
			norm := v.cfg.Normalize(w.form)
			v.add(norm, tag.Reading{Tag: v.tag(w.Tag), Script: v.script(w.form, w.lemma)}, 1)
			v.words[norm].count++
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

// lexicon adds the entries of a lexicon whose tags the treebank has.
func (v *vocabulary) lexicon(list []Entry) (used int) {
	type key struct{ upos, feats string }
	tags := map[key]uint16{}
	for i := len(v.list) - 1; i >= 0; i-- { // the first ones are more frequent
		t := v.list[i]
		tags[key{t.UPOS, t.Feats}] = uint16(i)
	}
	outer := map[string]map[tag.Reading]int{}
	for _, e := range list {
		t, ok := tags[key{e.UPOS, e.Feats}]
		if !ok {
			continue
		}
		used++
		norm := v.cfg.Normalize(e.Form)
		if outer[norm] == nil {
			outer[norm] = map[tag.Reading]int{}
		}
		outer[norm][tag.Reading{Tag: t, Script: v.script(e.Form, e.Lemma)}] += e.Count
	}
	for norm, readings := range outer {
		for r := range readings {
			if c := v.words[norm]; c == nil || !hasTag(c.readings, r.Tag) {
				v.add(norm, r, 0)
			}
		}
	}
	return used
}

func hasTag(m map[tag.Reading]int, t uint16) bool {
	for r := range m {
		if r.Tag == t {
			return true
		}
	}
	return false
}

// weights returns the parameters of a model without a table.
func (v *vocabulary) weights() tag.Weights {
	w := tag.Weights{Config: v.cfg, Tags: v.list, Scripts: v.edits}
	for _, form := range slices.Sorted(maps.Keys(v.words)) {
		c := v.words[form]
		x := tag.Word{Form: form, Count: min(c.count, tag.MaxCount)}
		x.Readings = slices.SortedFunc(maps.Keys(c.readings), func(a, b tag.Reading) int {
			return cmp.Or(-cmp.Compare(c.readings[a], c.readings[b]), cmp.Compare(a.Tag, b.Tag), cmp.Compare(a.Script, b.Script))
		})
		// The most frequent script of a tag is the lemma.
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
