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

	"chaffinch/internal/archive"
	"chaffinch/text/charset"
)

// maxLine bounds the bytes of a line that is looked at as a whole; a longer one
// is cut into pieces, all with its number.
const maxLine = 1 << 20

// lines detects the language of every line.
func (c *detectLangCmd) lines(ctx context.Context, con *console, w *langWriter) error {
	return eachInput(ctx, con, c.Input, w.out, func(name string) error { return c.file(ctx, con, w, name) })
}

// file detects the language of every line of a file, or of the files of a folder.
func (c *detectLangCmd) file(ctx context.Context, con *console, w *langWriter, name string) error {
	if info, err := os.Stat(name); name != "-" && err == nil && info.IsDir() {
		return archive.Walk(name, func(file string, _ io.Reader) error {
			return c.file(ctx, con, w, path.Join(name, file))
		})
	}
	return eachMember(ctx, name, aText.as(c.InputFormat), con, func(name string, in io.Reader) error { return c.text(w, name, in) })
}

// text detects the language of every line of one text.
func (c *detectLangCmd) text(w *langWriter, name string, in io.Reader) error {
	pieces := bufio.NewScanner(in)
	pieces.Buffer(nil, maxLine+1)
	ends := true // the last piece was the end of a line
	pieces.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		if i := bytes.IndexByte(data, '\n'); i >= 0 {
			ends = true
			return i + 1, data[:i], nil
		}
		if len(data) >= maxLine {
			ends = false
			n := cut(data)
			return n, data[:n], nil
		}
		if atEOF && len(data) > 0 {
			return len(data), data, nil
		}
		return 0, nil, nil
	})
	n := 0
	for next := true; pieces.Scan(); next = ends {
		if next {
			n++
		}
		line := bytes.TrimRight(pieces.Bytes(), "\r")
		text := string(line)
		if !utf8.Valid(line) {
			text = charset.Decode(line, "").Text
		}
		if err := w.piece(piece{name: name, number: n, text: text}); err != nil {
			return err
		}
	}
	if err := w.settle(); err != nil {
		return err
	}
	if err := pieces.Err(); err != nil {
		return fmt.Errorf("%s: after line %d: %w", name, n, err)
	}
	return nil
}

// cut returns where a piece of a long line ends: behind its last blank if there
// is one near the end, else between two characters.
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
