// Package conllu reads words and sentences of treebanks in CoNLL-U
// (https://universaldependencies.org/format.html) with [Read].
package conllu

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// maxLine is the maximum length of a line in bytes.
const maxLine = 1 << 24

// Token is a token of the text. Space is set if a space follows it.
type Token struct {
	Form  string
	Space bool
}

// Sentence holds the tokens of a sentence.
type Sentence struct {
	Tokens []Token
	// Begins is set for the first sentence of a paragraph or a document.
	Begins bool
}

// Read calls fn for each sentence. If the words of a multiword token concatenate to the token, they
// count as tokens: don't is do and n't. name is the name of r in errors.
func Read(name string, r io.Reader, fn func(*Sentence)) error {
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxLine)
	var s sentence
	number := 0
	for in.Scan() {
		number++
		line := strings.TrimSuffix(in.Text(), "\r")
		switch {
		case line == "":
			s.flush(fn)
		case strings.HasPrefix(line, "# newpar"), strings.HasPrefix(line, "# newdoc"):
			s.Begins = true
		case line[0] != '#':
			if err := s.word(strings.Split(line, "\t")); err != nil {
				return fmt.Errorf("%s:%d: %w", name, number, err)
			}
		}
	}
	if err := in.Err(); err != nil {
		return fmt.Errorf("%s:%d: %w", name, number+1, err)
	}
	s.flush(fn)
	return nil
}

// sentence is a sentence while it is read.
type sentence struct {
	Sentence
	form  string   // current multiword token
	parts []string // its words
	left  int      // number of words still missing
	space bool     // after it
}

// word reads the columns of a line.
func (s *sentence) word(f []string) error {
	if len(f) != 10 {
		return fmt.Errorf("%d columns, wanted the 10 of CoNLL-U", len(f))
	}
	if strings.Contains(f[0], ".") {
		return nil // an empty node
	}
	space := !strings.Contains(f[9], "SpaceAfter=No")
	if from, to, ok := strings.Cut(f[0], "-"); ok {
		a, err1 := strconv.Atoi(from)
		b, err2 := strconv.Atoi(to)
		if err1 != nil || err2 != nil || b < a {
			return fmt.Errorf("word number %q", f[0])
		}
		s.form, s.parts, s.left, s.space = f[1], nil, b-a+1, space
		return nil
	}
	if s.left > 0 {
		s.parts = append(s.parts, f[1])
		if s.left--; s.left == 0 {
			if strings.Join(s.parts, "") != s.form {
				s.parts = []string{s.form}
			}
			for i, p := range s.parts {
				s.Tokens = append(s.Tokens, Token{p, s.space && i == len(s.parts)-1})
			}
		}
		return nil
	}
	s.Tokens = append(s.Tokens, Token{f[1], space})
	return nil
}

// flush passes the sentence to fn and clears it.
func (s *sentence) flush(fn func(*Sentence)) {
	s.left = 0
	if len(s.Tokens) == 0 {
		return
	}
	fn(&s.Sentence)
	s.Tokens, s.Begins = nil, false
}
