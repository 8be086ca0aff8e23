package tagger

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"chaffinch/format/conllu"
	"chaffinch/text/tag"
)

// word is an annotated word.
type word struct {
	form, lemma string
	tag.Tag
}

// surface is a token of a text with its words words[first:end] of the sentence.
type surface struct {
	form       string
	first, end int
}

// sentence is an annotated sentence.
type sentence struct {
	words  []word
	tokens []surface
}

// convert returns the sentences of a treebank for training. Words without a form or without a part of
// speech are skipped.
func convert(list []*conllu.Sentence) (out []sentence) {
	for _, in := range list {
		var s sentence
		for _, t := range in.Tokens() {
			first := len(s.words)
			for _, w := range t.Words {
				if w.Form == "_" && w.Lemma != "_" || w.UPOS == "_" {
					continue
				}
				lemma, t := w.Analysis()
				s.words = append(s.words, word{form: w.Form, lemma: lemma, Tag: t})
			}
			s.tokens = append(s.tokens, surface{form: t.Form, first: first, end: len(s.words)})
		}
		if len(s.words) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// Entry is an entry of a lexicon of the user.
type Entry struct {
	Form, Lemma string
	// UPOS and Feats are the tag. Feats is "" if unknown.
	UPOS, Feats string
	Count       int
}

// ReadLexicon reads a lexicon: lines with a word, its lemma, its tag and optionally its count,
// separated by tabs. A tag is a part of speech, optionally followed by | and features, such as
// NOUN|Case=Nom|Number=Sing. Lines that begin with # are comments.
func ReadLexicon(name string, r io.Reader) ([]Entry, error) {
	in := bufio.NewScanner(r)
	var list []Entry
	for n := 1; in.Scan(); n++ {
		line := strings.TrimSuffix(in.Text(), "\r")
		if line == "" || line[0] == '#' && strings.Count(line, "\t") < 2 {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) < 3 || len(f) > 4 || f[0] == "" || f[2] == "" {
			return nil, fmt.Errorf("%s:%d: %d columns, wanted a word, a lemma, a tag and optionally a count, separated by tabs", name, n, len(f))
		}
		e := Entry{Form: f[0], Lemma: f[1], Count: 1}
		e.UPOS, e.Feats, _ = strings.Cut(f[2], "|")
		if len(f) == 4 {
			var err error
			if e.Count, err = strconv.Atoi(f[3]); err != nil || e.Count < 0 {
				return nil, fmt.Errorf("%s:%d: count %q: wanted a number", name, n, f[3])
			}
		}
		list = append(list, e)
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return list, nil
}
