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

// Write writes a sentence. An empty column becomes "_", and tabs and line breaks become spaces.
func (w *Writer) Write(s *Sentence) error {
	for _, c := range s.Comments {
		w.row = append(appendColumn(w.row[:0], c), '\n')
		w.out.Write(w.row)
	}
	for i := range s.Words {
		x := &s.Words[i]
		row := strconv.AppendInt(w.row[:0], int64(x.ID), 10)
		switch {
		case x.Last > 0:
			row = strconv.AppendInt(append(row, '-'), int64(x.Last), 10)
		case x.Empty > 0:
			row = strconv.AppendInt(append(row, '.'), int64(x.Empty), 10)
		}
		for _, col := range [...]string{x.Form, x.Lemma, x.UPOS, x.XPOS, x.Feats, x.Head, x.DepRel, x.Deps, x.Misc} {
			row = appendColumn(append(row, '\t'), cmp.Or(col, "_"))
		}
		w.row = append(row, '\n')
		w.out.Write(w.row)
	}
	return w.out.WriteByte('\n')
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
