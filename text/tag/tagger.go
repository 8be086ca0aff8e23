package tag

import "github.com/zeebo/xxh3"

// maxSentence is the number of words of a sentence that are tagged at once. Longer sentences are
// tagged in parts of this length.
const maxSentence = 1000

// Tagger tags sentences. It is not safe for concurrent use; use one for each goroutine.
type Tagger struct {
	m        *Model
	cache    *cache
	sentence []*Analysis
	words    []string
	features []uint64
	scores   []int32
	buffers  buffers
}

// NewTagger returns a tagger.
func NewTagger(m *Model) *Tagger {
	t := &Tagger{m: m}
	t.cache = &cache{buffers: &t.buffers}
	return t
}

// Tag appends the tagged words of a sentence to dst, given its tokens. Multiword tokens are split.
// A form with combining marks is tagged like the composed form (NFC), which its lemma has.
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
	e := t.cache.entry(form)
	if !e.split {
		e.split = true
		norm := t.m.w.Normalize(e.text)
		if words := t.m.splits.find(norm, t.m.words.has(norm)); words != nil {
			e.words = t.m.w.cased(nil, e.text, words)
		}
	}
	return e.words
}

// TagWords sets the tags and lemmas of words, given their forms.
func (t *Tagger) TagWords(words []Token) {
	for len(words) > maxSentence {
		t.tag(words[:maxSentence])
		words = words[maxSentence:]
	}
	t.tag(words)
}

func (t *Tagger) tag(words []Token) {
	m := t.m
	t.words = t.words[:0]
	for i := range words {
		t.words = append(t.words, words[i].Form)
	}
	s := t.analyze()
	if shouts(s) {
		for i := range t.words {
			t.words[i] = m.w.lowerString(t.words[i])
		}
		s = t.analyze()
	}
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

// analyze returns the analyses of the words of a sentence.
func (t *Tagger) analyze() []*Analysis {
	s := t.sentence[:0]
	start := 1
	for _, form := range t.words {
		e := t.cache.entry(form)
		if e.analyses[start] == nil {
			e.analyses[start] = t.analysis(e.text, start == 1, e.analyses[1-start])
		}
		s = append(s, e.analyses[start])
		if e.hasWord {
			start = 0
		}
	}
	t.sentence = s
	return s
}

// analysis returns the analysis of a form, given the analysis of the form with the other value of
// start, or nil.
func (t *Tagger) analysis(form string, start bool, other *Analysis) *Analysis {
	b := &t.buffers
	var a *Analysis
	if other == nil {
		a = t.m.analyze(b, form, Options{Start: start})
		if !t.m.w.NoLemmas {
			b.none = append(b.none[:0], make([]string, len(a.Tags))...)
			a.lemmas = b.strings.clone(b.none)
		}
	} else {
		a = new(Analysis)
		*a = *other
		hash := xxh3.HashString(a.norm)
		t.m.setStatic(a, b, t.m.words.find(a.norm, hash), t.m.more.find(a.norm, hash), Options{Start: start})
	}
	t.scores = append(t.scores[:0], make([]int32, len(a.Parts))...)
	t.m.add(t.scores, b.static, a.Parts)
	a.scores = b.scores.clone(t.scores)
	return a
}

// lemma returns the lemma of a form with the i-th candidate.
func (t *Tagger) lemma(a *Analysis, i int) string {
	if t.m.w.NoLemmas {
		return ""
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
			if ok && !m.misfit(norm, &m.w.Scripts[r.Script], l) {
				return l
			}
		}
	}
	return m.guessLemma(b, form, norm, tag)
}
