package tag

import (
	"strings"
)

// MaxSentence is the number of words of a sentence that are tagged at once. Longer sentences are
// tagged in parts of this length.
const MaxSentence = 1000

// maxCache is the maximum number of cached analyses.
const maxCache = 1 << 15

// Tagger tags sentences. It is not safe for concurrent use; use one for each goroutine.
type Tagger struct {
	m        *Model
	cache    [2]map[string]*Analysis
	forms    map[string]*surface
	sentence []*Analysis
	words    []string
	features []uint64
	scores   []int32
	buffers  buffers
}

// surface is a token of the text: its words, nil if it is one word.
type surface struct{ words []string }

// NewTagger returns a tagger.
func NewTagger(m *Model) *Tagger {
	t := &Tagger{m: m}
	t.reset()
	return t
}

// reset empties the caches.
func (t *Tagger) reset() {
	t.cache = [2]map[string]*Analysis{{}, {}}
	t.forms = map[string]*surface{}
}

// Tag appends the tagged words of a sentence to dst, given its tokens. Multiword tokens are split.
func (t *Tagger) Tag(dst []Token, sentence []string) []Token {
	begin := len(dst)
	for i, form := range sentence {
		words := t.split(form)
		if words == nil {
			dst = append(dst, Token{Form: form, Index: i})
			continue
		}
		for k, w := range words {
			dst = append(dst, Token{Form: w, Index: i})
			if k == 0 {
				dst[len(dst)-1].Parts = len(words)
			}
		}
	}
	t.TagWords(dst[begin:])
	return dst
}

// split returns the words of a multiword token, nil for other tokens.
func (t *Tagger) split(form string) []string {
	if len(t.m.w.Splits) == 0 {
		return nil
	}
	s := t.forms[form]
	if s == nil {
		s = &surface{}
		form = strings.Clone(form)
		norm := t.m.w.Normalize(form)
		if words := t.m.splits.find(norm, t.m.words.has(norm)); words != nil {
			s.words = t.m.w.cased(nil, form, words)
		}
		if len(t.forms) >= maxCache {
			t.reset()
		}
		t.forms[form] = s
	}
	return s.words
}

// TagWords sets the tags and lemmas of words, given their forms.
func (t *Tagger) TagWords(words []Token) {
	for len(words) > MaxSentence {
		t.tag(words[:MaxSentence])
		words = words[MaxSentence:]
	}
	t.tag(words)
}

func (t *Tagger) tag(words []Token) {
	m := t.m
	t.words = t.words[:0]
	for i := range words {
		t.words = append(t.words, words[i].Form)
	}
	shout := shouts(t.words)
	s := t.sentence[:0]
	start := true
	for _, form := range t.words {
		if shout {
			form = m.w.lowerString(form)
		}
		s = append(s, t.analysis(form, start))
		start = start && !HasWord(form)
	}
	t.sentence = s
	titles := Titles(s)
	tag1, tag2 := uint16(None), uint16(None)
	for i, a := range s {
		best := 0
		if len(a.Tags) > 1 {
			t.features = Context(t.features[:0], s, titles, i)
			t.features = m.History(t.features, s, i, tag1, tag2)
			t.scores = append(t.scores[:0], a.scores...)
			m.add(t.scores, t.features, a.Parts)
			best = a.Best(t.scores)
		}
		tag1, tag2 = a.Tags[best], tag1
		words[i].Tag = m.w.Tags[tag1]
		words[i].Lemma = t.lemma(a, best)
	}
}

// analysis returns the analysis of a form from the cache.
func (t *Tagger) analysis(form string, start bool) *Analysis {
	k := 0
	if start {
		k = 1
	}
	if a := t.cache[k][form]; a != nil {
		return a
	}
	form = strings.Clone(form)
	a := t.m.analyze(&t.buffers, form, Options{Start: start})
	t.scores = append(t.scores[:0], make([]int32, len(a.Parts))...)
	t.m.add(t.scores, t.buffers.static, a.Parts)
	a.scores = t.buffers.scores.clone(t.scores)
	if len(t.cache[k]) >= maxCache {
		clear(t.cache[k])
	}
	t.cache[k][form] = a
	return a
}

// lemma returns the lemma of a form with the i-th candidate.
func (t *Tagger) lemma(a *Analysis, i int) string {
	if t.m.w.NoLemmas {
		return ""
	}
	if a.lemmas == nil {
		a.lemmas = make([]string, len(a.Tags))
	}
	if a.lemmas[i] == "" {
		a.lemmas[i] = t.m.lemma(&t.buffers, a.form, a.norm, a.Tags[i])
	}
	return a.lemmas[i]
}

// lemma returns the lemma of a form with a tag.
func (m *Model) lemma(b *buffers, form, norm string, tag uint16) string {
	if norm != "" && norm[0] == '\x01' {
		return form
	}
	for _, r := range m.words.get(norm).Readings {
		if r.Tag == tag {
			l, ok := m.w.Apply(&m.w.Scripts[r.Script], form)
			if ok {
				l, ok = keepDigits(form, l)
			}
			if ok {
				return l
			}
		}
	}
	return m.guessLemma(b, form, norm, tag)
}
