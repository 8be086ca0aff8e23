package conllu

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
)

// Limits of a file.
const (
	maxLine  = 1 << 20 // bytes
	maxWords = 1 << 17 // lines of a sentence
)

// Reader reads the sentences of a file.
type Reader struct {
	name string
	in   *bufio.Scanner
	line int
	err  error
}

// NewReader returns a reader of r. name is the name of r in errors.
func NewReader(name string, r io.Reader) *Reader {
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxLine)
	return &Reader{name: name, in: in}
}

// Next returns the next sentence, or io.EOF at the end. Errors name the file, the line and the rule
// that the line breaks. After an error, Next returns it again.
func (r *Reader) Next() (*Sentence, error) {
	if r.err != nil {
		return nil, r.err
	}
	s, err := r.sentence()
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("%s:%d: %w", r.name, r.line, err)
	}
	if r.err = err; err != nil {
		return nil, err
	}
	return s, nil
}

// All returns the sentences, up to the first error.
func (r *Reader) All() iter.Seq2[*Sentence, error] {
	return func(yield func(*Sentence, error) bool) {
		for {
			s, err := r.Next()
			if errors.Is(err, io.EOF) || !yield(s, err) || err != nil {
				return
			}
		}
	}
}

// sentence reads a sentence.
func (r *Reader) sentence() (*Sentence, error) {
	s := &Sentence{}
	c := checker{}
	for r.in.Scan() {
		r.line++
		line := strings.TrimSuffix(r.in.Text(), "\r")
		if r.line == 1 {
			line = strings.TrimPrefix(line, "\ufeff")
		}
		if s.Line == 0 {
			s.Line = r.line
		}
		switch {
		case strings.TrimSpace(line) == "":
			if len(s.Words) > 0 {
				return s, c.end()
			}
			if len(s.Comments) == 0 {
				s.Line = 0
			}
		case line[0] == '#':
			if len(s.Words) > 0 {
				return nil, errors.New("comment inside a sentence: comments are before its words, and an empty line ends the sentence before")
			}
			s.Comments = append(s.Comments, line)
		case len(s.Words) == maxWords:
			return nil, fmt.Errorf("more than %d lines in a sentence: an empty line ends a sentence", maxWords)
		default:
			w, err := parseWord(line)
			if err == nil {
				err = c.add(&w)
			}
			if err != nil {
				return nil, err
			}
			s.Words = append(s.Words, w)
		}
	}
	r.line++
	switch err := r.in.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("line of more than %d bytes", maxLine)
	case err != nil:
		return nil, err
	case len(s.Words) == 0:
		return nil, io.EOF
	}
	return s, c.end()
}

// parseWord parses a line.
func parseWord(line string) (w Word, err error) {
	var f [columns]string
	n := 0
	for col := range strings.SplitSeq(line, "\t") {
		if n < columns {
			f[n] = col
		}
		n++
	}
	if n != columns {
		return w, fmt.Errorf("%d columns, wanted the %d of CoNLL-U, separated by tabs", n, columns)
	}
	for i, col := range f {
		if col == "" {
			return w, fmt.Errorf("column %d is empty: wanted _ for no value", i+1)
		}
	}
	w = Word{Form: f[1], Lemma: f[2], UPOS: f[3], XPOS: f[4], Feats: f[5], Head: f[6], DepRel: f[7], Deps: f[8], Misc: f[9]}
	id := f[0]
	if first, last, ok := strings.Cut(id, "-"); ok {
		w.ID, w.Last = number(first), number(last)
		if w.ID < 1 || w.Last < w.ID {
			return w, fmt.Errorf("range %q: wanted FIRST-LAST, such as 3-4", id)
		}
		return w, nil
	}
	if before, empty, ok := strings.Cut(id, "."); ok {
		w.ID, w.Empty = number(before), number(empty)
		if w.ID < 0 || w.Empty < 1 {
			return w, fmt.Errorf("empty node %q: wanted WORD.NUMBER, such as 8.1", id)
		}
		return w, nil
	}
	if w.ID = number(id); w.ID < 1 {
		return w, fmt.Errorf("word number %q: wanted a number from 1", id)
	}
	return w, nil
}

// number returns the value of a decimal number, -1 for other strings.
func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || s[0] == '+' {
		return -1
	}
	return n
}

// checker checks the numbers of the lines of a sentence.
type checker struct {
	words int // so far
	last  int // word of the last multiword token
	empty int // nodes after the last word
}

// add returns an error if a line cannot follow the lines before it.
func (c *checker) add(w *Word) error {
	switch {
	case w.Empty > 0:
		if w.ID != c.words || w.Empty != c.empty+1 {
			return fmt.Errorf("empty node %d.%d: wanted %d.%d", w.ID, w.Empty, c.words, c.empty+1)
		}
		c.empty++
	case w.Last > 0:
		if w.ID != c.words+1 {
			return fmt.Errorf("range %d-%d before word %d: a range is before its first word", w.ID, w.Last, c.words+1)
		}
		if w.ID <= c.last {
			return fmt.Errorf("range %d-%d overlaps the range that ends with word %d", w.ID, w.Last, c.last)
		}
		c.last = w.Last
	default:
		if w.ID != c.words+1 {
			return fmt.Errorf("word number %d: wanted %d", w.ID, c.words+1)
		}
		c.words, c.empty = w.ID, 0
	}
	return nil
}

// end returns an error if the sentence cannot end after the lines so far.
func (c *checker) end() error {
	if c.words < c.last {
		return fmt.Errorf("sentence of %d words ends inside a range up to word %d", c.words, c.last)
	}
	return nil
}
