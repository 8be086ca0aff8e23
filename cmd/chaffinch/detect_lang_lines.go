package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"unicode/utf8"
	"unsafe"

	"chaffinch/internal/archive"
	"chaffinch/pipeline"
	"chaffinch/text/charset"
)

// maxLine is the maximum number of bytes of a line that is classified as a whole. A longer one is
// divided into parts with the same number.
const maxLine = 1 << 20

// piece is a line, or a part of a long one, with the detected properties.
type piece[T any] struct {
	number int
	text   string // valid until the lines are used
	found  T
}

// batch holds some lines, and the bytes of their texts. It is recycled: fresh memory for 20 MB of lines
// costs 3,400 page faults.
type batch[T any] struct {
	raw    []byte
	pieces []piece[T]
}

// enough is the number of bytes of lines that a worker takes at once.
const enough = 16 << 10

// eachLine calls detect for each line of the inputs, concurrently, and use in their order. Inputs are
// read as text in the given format.
func eachLine[T any](ctx context.Context, con *console, inputs []string, format string, out *bufio.Writer, detect func(text string) T, use func(name string, p piece[T]) error) error {
	var file func(name string) error
	file = func(name string) error {
		if info, err := os.Stat(name); name != "-" && err == nil && info.IsDir() {
			return archive.Walk(name, func(inside string, _ io.Reader) error { return file(path.Join(name, inside)) })
		}
		return eachMember(ctx, name, aText.as(format).orLegacy(), con, func(name string, in io.Reader) error {
			lines := newTextLines(in)
			return pipeline.Flow[batch[T]]{Read: func(b *batch[T]) error {
				b.pieces = b.pieces[:0]
				err := lines.read(&b.raw, func(number int, text string) { b.pieces = append(b.pieces, piece[T]{number: number, text: text}) })
				if err != nil && err != io.EOF {
					return fmt.Errorf("%s: %w", name, err)
				}
				return err
			}, Work: func(_ int, b *batch[T]) error {
				for i := range b.pieces {
					b.pieces[i].found = detect(b.pieces[i].text)
				}
				return nil
			}, Use: func(b *batch[T]) error {
				for _, p := range b.pieces {
					if err := use(name, p); err != nil {
						return err
					}
				}
				return nil
			}}.Run(ctx)
		})
	}
	return eachInput(ctx, con, inputs, out, file)
}

// textLines reads the lines of a text. It divides lines of more than maxLine bytes into parts.
type textLines struct {
	pieces       *bufio.Scanner
	number       int
	begins, ends bool // whether the next part begins a line, and the last part ends one

	lines []textLine // buffer of read
}

// textLine is a line, or a part of a long one, in a buffer.
type textLine struct{ number, end int }

func newTextLines(in io.Reader) *textLines {
	t := &textLines{pieces: bufio.NewScanner(in), begins: true, ends: true}
	t.pieces.Buffer(nil, maxLine+1)
	t.pieces.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		if i := bytes.IndexByte(data, '\n'); i >= 0 {
			t.ends = true
			return i + 1, data[:i], nil
		}
		if len(data) >= maxLine {
			t.ends = false
			n := cut(data)
			return n, data[:n], nil
		}
		if atEOF && len(data) > 0 {
			return len(data), data, nil
		}
		return 0, nil, nil
	})
	return t
}

// read calls add with the numbers and texts of some lines. The texts are valid until raw, which holds
// them, is used again. It returns io.EOF after the last line.
func (t *textLines) read(raw *[]byte, add func(number int, text string)) error {
	b := (*raw)[:0]
	t.lines = t.lines[:0]
	size := 0
	for ; size < enough && t.pieces.Scan(); t.begins = t.ends {
		line := bytes.TrimRight(t.pieces.Bytes(), "\r")
		if t.begins {
			t.number++
		}
		if t.number == 1 && t.begins {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		b = append(b, line...)
		t.lines = append(t.lines, textLine{t.number, len(b)})
		b = append(b, '\n')
		size += len(line) + 16 // empty lines count as well
	}
	*raw = b
	all := unsafe.String(unsafe.SliceData(b), len(b)) // of which the texts are parts
	valid := utf8.ValidString(all)
	from := 0
	for _, l := range t.lines {
		text := all[from:l.end]
		if !valid && !utf8.ValidString(text) {
			text = charset.Decode(b[from:l.end], "").Text
		}
		add(l.number, text)
		from = l.end + 1
	}
	switch err := t.pieces.Err(); {
	case size > 0:
		return nil
	case err != nil:
		return fmt.Errorf("after line %d: %w", t.number, err)
	}
	return io.EOF
}

// cut returns the end of a piece of a long line: after its last space if there is one near
// the end, else between two characters.
func cut(data []byte) int {
	if i := bytes.LastIndexByte(data, ' '); i > len(data)-1024 && i > 0 {
		return i + 1
	}
	for n := len(data) - 1; n > len(data)-utf8.UTFMax; n-- {
		if utf8.RuneStart(data[n]) {
			return n
		}
	}
	return len(data)
}
