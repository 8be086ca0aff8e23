// Package conllu reads and writes annotated sentences in CoNLL-U, the format of Universal
// Dependencies (https://universaldependencies.org/format.html).
//
// [Reader] checks the structure of a sentence: columns, numbers of words, ranges of multiword tokens
// and empty nodes. It does not check tags, features and relations against lists of values.
//
// Unstable: this package may change in any release.
package conllu

import (
	"strings"
)

// columns is the number of columns of a line.
const columns = 10

// Sentence is an annotated sentence.
type Sentence struct {
	// Comments are the lines that begin with #, without line ends.
	Comments []string
	// Words are the lines of the sentence in order: words, multiword tokens before their words, and
	// empty nodes.
	Words []Word
	// Line is the number of the first line in the file, from 1.
	Line int
}

// Word is a line of a sentence. An unspecified column is "_".
type Word struct {
	// ID is the number of the word, from 1. An empty node has the number of the word before it, 0 at
	// the start, and Empty is its second number, from 1.
	ID, Empty int
	// Last is the number of the last word of a multiword token, whose first word has the number ID.
	// It is 0 for words and empty nodes.
	Last int

	Form, Lemma, UPOS, XPOS, Feats, Head, DepRel, Deps, Misc string
}

// IsWord reports whether w is a word: neither a multiword token nor an empty node.
func (w *Word) IsWord() bool { return w.Last == 0 && w.Empty == 0 }

// SpaceAfter reports whether white space follows the token in the text. The words of a multiword
// token have no spaces between them: the line of the token states what follows the last one.
func (w *Word) SpaceAfter() bool {
	for f := range strings.SplitSeq(w.Misc, "|") {
		if f == "SpaceAfter=No" {
			return false
		}
	}
	return true
}

// Comment returns the value of the first comment "# KEY = VALUE", and reports whether there is one.
func (s *Sentence) Comment(key string) (value string, ok bool) {
	for _, c := range s.Comments {
		k, v, _ := strings.Cut(strings.TrimLeft(c, "# "), "=")
		if strings.TrimSpace(k) == key {
			return strings.TrimSpace(v), true
		}
	}
	return "", false
}

// Begins reports whether the sentence is the first of a paragraph or a document.
func (s *Sentence) Begins() bool {
	for _, c := range s.Comments {
		if strings.HasPrefix(c, "# newpar") || strings.HasPrefix(c, "# newdoc") {
			return true
		}
	}
	return false
}

// Token is a token of the text: a word, or a multiword token with its words.
type Token struct {
	Form      string
	Space     bool // follows the token
	Multiword bool // the token is a range of words
	Words     []*Word
}

// Tokens returns the tokens of the text.
func (s *Sentence) Tokens() []Token {
	var list []Token
	last := 0 // word of the current multiword token
	for i := range s.Words {
		switch w := &s.Words[i]; {
		case w.Empty > 0:
		case w.Last > 0:
			list = append(list, Token{Form: w.Form, Space: w.SpaceAfter(), Multiword: true})
			last = w.Last
		case w.ID <= last:
			t := &list[len(list)-1]
			t.Words = append(t.Words, w)
		default:
			list = append(list, Token{Form: w.Form, Space: w.SpaceAfter(), Words: []*Word{w}})
		}
	}
	return list
}

// Segments returns the tokens of the text, with the words of a multiword token instead of the token
// if their forms concatenate to its form: don't is do and n't.
func (s *Sentence) Segments() []Token {
	var list []Token
	for _, t := range s.Tokens() {
		joined := ""
		for _, w := range t.Words {
			joined += w.Form
		}
		if len(t.Words) < 2 || joined != t.Form {
			list = append(list, t)
			continue
		}
		for i, w := range t.Words {
			list = append(list, Token{Form: w.Form, Space: t.Space && i == len(t.Words)-1, Words: t.Words[i : i+1]})
		}
	}
	return list
}

// Text returns the text of the sentence: the comment text, or the tokens with the spaces between
// them.
func (s *Sentence) Text() string {
	if text, ok := s.Comment("text"); ok {
		return text
	}
	var b strings.Builder
	for _, t := range s.Tokens() {
		b.WriteString(t.Form)
		if t.Space {
			b.WriteByte(' ')
		}
	}
	return strings.TrimRight(b.String(), " ")
}
