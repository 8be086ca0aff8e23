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

// Word is an annotated word.
type Word struct {
	Form, Lemma string
	tag.Tag
}

// Token is a token of a text with its words Words[First:End] of the sentence.
type Token struct {
	Form       string
	First, End int
}

// Sentence is an annotated sentence.
type Sentence struct {
	Words  []Word
	Tokens []Token
}

// value returns a column, "" for "_".
func value(column string) string {
	if column == "_" {
		return ""
	}
	return column
}

// Read reads a treebank in CoNLL-U. name is the name of r in errors. Words without a form and
// without a part of speech are skipped.
func Read(name string, r io.Reader) ([]Sentence, error) {
	var list []Sentence
	for in, err := range conllu.NewReader(name, r).All() {
		if err != nil {
			return nil, err
		}
		var s Sentence
		for _, t := range in.Tokens() {
			first := len(s.Words)
			for _, w := range t.Words {
				if w.Form == "_" && w.Lemma != "_" || w.UPOS == "_" {
					continue
				}
				lemma := w.Lemma
				if lemma == "_" && w.Form != "_" {
					lemma = ""
				}
				s.Words = append(s.Words, Word{Form: w.Form, Lemma: lemma, Tag: tag.Tag{UPOS: w.UPOS, XPOS: value(w.XPOS), Feats: value(w.Feats)}})
			}
			s.Tokens = append(s.Tokens, Token{Form: t.Form, First: first, End: len(s.Words)})
		}
		if len(s.Words) > 0 {
			list = append(list, s)
		}
	}
	return list, nil
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
			return nil, fmt.Errorf("%s:%d: %d columns, wanted word, lemma, tag and optionally a count, separated by tabs", name, n, len(f))
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
