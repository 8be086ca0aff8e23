// Package tag measures taggers by the measures of the CoNLL 2018 shared task (Zeman et al., CoNLL
// 2018 Shared Task: Multilingual Parsing from Raw Text to Universal Dependencies). [Run] scores a model
// on a treebank.
package tag

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"chaffinch/format/conllu"
	"chaffinch/internal/sets"
	"chaffinch/internal/truth"
)

// Count holds the numbers of units of the gold, of units found, and of right ones.
type Count struct{ Gold, Found, Right int }

// F returns the F1 measure, 0 to 1.
func (c Count) F() float64 {
	if c.Gold+c.Found == 0 {
		return 0
	}
	return 2 * float64(c.Right) / float64(c.Gold+c.Found)
}

func (c *Count) add(d Count) {
	c.Gold, c.Found, c.Right = c.Gold+d.Gold, c.Found+d.Found, c.Right+d.Right
}

// Score holds the counts of the measures. Features are the universal ones.
type Score struct {
	Tokens, Sentences, Words, UPOS, XPOS, Feats, All, Lemmas Count
}

// Add adds the counts of d.
func (s *Score) Add(d *Score) {
	s.Tokens.add(d.Tokens)
	s.Sentences.add(d.Sentences)
	s.Words.add(d.Words)
	s.UPOS.add(d.UPOS)
	s.XPOS.add(d.XPOS)
	s.Feats.add(d.Feats)
	s.All.add(d.All)
	s.Lemmas.add(d.Lemmas)
}

// universal are the features that are compared.
var universal = sets.Words("PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number Case Definite Degree VerbForm Mood Tense Aspect Voice Evident Polarity Person Polite")

// universalFeats returns the universal features of a column, sorted.
func universalFeats(column string) string {
	var list []string
	for f := range strings.SplitSeq(column, "|") {
		if name, _, _ := strings.Cut(f, "="); universal[name] {
			list = append(list, f)
		}
	}
	slices.Sort(list)
	return strings.Join(list, "|")
}

// word is a word with the characters of its token.
type word struct {
	start, end int
	multi      bool // one of several words of a token
	form       string
	*conllu.Word
}

// span is a range of characters.
type span struct{ start, end int }

// text is a treebank as characters without spaces and without zero-width spaces, which our tokenizer
// drops.
type text struct {
	chars     []rune
	tokens    []span
	sentences []span
	words     []word
}

func newText(list []*conllu.Sentence) *text {
	t := &text{}
	for _, s := range list {
		begin := len(t.chars)
		for _, tok := range s.Tokens() {
			from := len(t.chars)
			for _, r := range tok.Form {
				if !unicode.Is(unicode.Zs, r) && r != '\u200b' && r != '\ufeff' {
					t.chars = append(t.chars, r)
				}
			}
			t.tokens = append(t.tokens, span{from, len(t.chars)})
			for _, w := range tok.Words {
				t.words = append(t.words, word{from, len(t.chars), tok.Multiword, strings.ToLower(w.Form), w})
			}
		}
		t.sentences = append(t.sentences, span{begin, len(t.chars)})
	}
	return t
}

// compare scores a tagged text against the gold. Both must have the same characters besides spaces.
func compare(gold, found []*conllu.Sentence) (*Score, error) {
	g, f := newText(gold), newText(found)
	if !slices.Equal(g.chars, f.chars) {
		at := 0
		for at < min(len(g.chars), len(f.chars)) && g.chars[at] == f.chars[at] {
			at++
		}
		return nil, fmt.Errorf("texts differ: %q, gold %q", string(f.chars[at:min(at+20, len(f.chars))]), string(g.chars[at:min(at+20, len(g.chars))]))
	}
	s := &Score{Tokens: compareSpans(g.tokens, f.tokens), Sentences: compareSpans(g.sentences, f.sentences)}
	words := Count{Gold: len(g.words), Found: len(f.words)}
	s.UPOS, s.XPOS, s.Feats, s.All, s.Lemmas = words, words, words, words, words
	align(g.words, f.words, func(a, b *word) {
		words.Right++
		upos, xpos, feats := a.UPOS == b.UPOS, a.XPOS == b.XPOS, universalFeats(a.Feats) == universalFeats(b.Feats)
		s.UPOS.Right += truth.Int(upos)
		s.XPOS.Right += truth.Int(xpos)
		s.Feats.Right += truth.Int(feats)
		s.All.Right += truth.Int(upos && xpos && feats)
		s.Lemmas.Right += truth.Int(a.Lemma == "_" || a.Lemma == b.Lemma)
	})
	s.Words = words
	return s, nil
}

// compareSpans counts equal spans.
func compareSpans(gold, found []span) Count {
	c := Count{Gold: len(gold), Found: len(found)}
	for g, f := 0, 0; g < len(gold) && f < len(found); {
		switch {
		case found[f].start < gold[g].start:
			f++
		case gold[g].start < found[f].start || gold[g].end == gold[g].start:
			g++
		default:
			c.Right += truth.Int(gold[g].end == found[f].end)
			g, f = g+1, f+1
		}
	}
	return c
}

// align calls fn for each pair of aligned words: words of the same characters, and in the characters
// of multiword tokens the longest common subsequence of forms.
func align(gold, found []word, fn func(a, b *word)) {
	g, f := 0, 0
	for g < len(gold) && f < len(found) {
		if gold[g].multi || found[f].multi {
			g0, f0, g1, f1 := multiword(gold, found, g, f)
			common(gold[g0:g1], found[f0:f1], fn)
			g, f = g1, f1
			continue
		}
		switch a, b := &gold[g], &found[f]; {
		case a.start == b.start && a.end == b.end:
			fn(a, b)
			g, f = g+1, f+1
		case a.start <= b.start:
			g++
		default:
			f++
		}
	}
}

// multiword returns the words of the shortest span of characters around multiword tokens.
func multiword(gold, found []word, g, f int) (g0, f0, g1, f1 int) {
	var end int
	if gold[g].multi {
		end = gold[g].end
		if !found[f].multi && found[f].start < gold[g].start {
			f++
		}
	} else {
		end = found[f].end
		if !gold[g].multi && gold[g].start < found[f].start {
			g++
		}
	}
	g0, f0 = g, f
	for !beyond(gold, g, end) || !beyond(found, f, end) {
		if g < len(gold) && (f >= len(found) || gold[g].start <= found[f].start) {
			end = extend(&gold[g], end)
			g++
		} else {
			end = extend(&found[f], end)
			f++
		}
	}
	return g0, f0, g, f
}

// beyond reports whether the i-th word is after a span that ends at end.
func beyond(words []word, i, end int) bool {
	switch {
	case i >= len(words):
		return true
	case words[i].multi:
		return words[i].start >= end
	}
	return words[i].end > end
}

// extend returns the end of a span with a word.
func extend(w *word, end int) int {
	if w.multi {
		return max(end, w.end)
	}
	return end
}

// common calls fn for the words of the longest common subsequence.
func common(gold, found []word, fn func(a, b *word)) {
	lcs := make([][]int, len(gold)+1)
	for i := range lcs {
		lcs[i] = make([]int, len(found)+1)
	}
	for i := len(gold) - 1; i >= 0; i-- {
		for j := len(found) - 1; j >= 0; j-- {
			if gold[i].form == found[j].form {
				lcs[i][j] = 1 + lcs[i+1][j+1]
			}
			lcs[i][j] = max(lcs[i][j], lcs[i+1][j], lcs[i][j+1])
		}
	}
	for i, j := 0, 0; i < len(gold) && j < len(found); {
		switch {
		case gold[i].form == found[j].form:
			fn(&gold[i], &found[j])
			i, j = i+1, j+1
		case lcs[i][j] == lcs[i+1][j]:
			i++
		default:
			j++
		}
	}
}
