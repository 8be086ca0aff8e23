package conllu

import (
	"bufio"
	"cmp"
	"io"
	"strconv"
	"strings"
)

// Writer writes sentences. Call Flush at the end.
type Writer struct {
	out *bufio.Writer
	row []byte
}

// NewWriter returns a writer to w.
func NewWriter(w io.Writer) *Writer { return &Writer{out: bufio.NewWriter(w)} }

// Write writes a sentence, as [Sentence.Append].
func (w *Writer) Write(s *Sentence) error {
	w.row = s.Append(w.row[:0])
	_, err := w.out.Write(w.row)
	return err
}

// Append appends the lines of the sentence and an empty line to dst. An empty column becomes "_", and
// tabs and line breaks become spaces.
func (s *Sentence) Append(dst []byte) []byte {
	for _, c := range s.Comments {
		dst = append(appendColumn(dst, c), '\n')
	}
	for i := range s.Words {
		x := &s.Words[i]
		dst = strconv.AppendInt(dst, int64(x.ID), 10)
		switch {
		case x.Last > 0:
			dst = strconv.AppendInt(append(dst, '-'), int64(x.Last), 10)
		case x.Empty > 0:
			dst = strconv.AppendInt(append(dst, '.'), int64(x.Empty), 10)
		}
		for _, col := range [...]string{x.Form, x.Lemma, x.UPOS, x.XPOS, x.Feats, x.Head, x.DepRel, x.Deps, x.Misc} {
			dst = appendColumn(append(dst, '\t'), cmp.Or(col, "_"))
		}
		dst = append(dst, '\n')
	}
	return append(dst, '\n')
}

// appendColumn appends a value without tabs and line breaks.
func appendColumn(row []byte, s string) []byte {
	if !strings.ContainsAny(s, "\t\n\r") {
		return append(row, s...)
	}
	for i := range len(s) {
		if c := s[i]; c == '\t' || c == '\n' || c == '\r' {
			row = append(row, ' ')
		} else {
			row = append(row, c)
		}
	}
	return row
}

// Flush writes buffered lines.
func (w *Writer) Flush() error { return w.out.Flush() }
