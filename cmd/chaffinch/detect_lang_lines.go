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
	"chaffinch/pipeline"
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
	return eachMember(ctx, name, aText.as(c.InputFormat), con, func(name string, in io.Reader) error { return c.text(ctx, w, name, in) })
}

// text detects the language of every line of one text.
func (c *detectLangCmd) text(ctx context.Context, w *langWriter, name string, in io.Reader) error {
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
	n, begins := 0, true
	return pipeline.Flow[[]piece]{Read: func(b *[]piece) error {
		*b = (*b)[:0]
		for size := 0; size < enough && pieces.Scan(); begins = ends {
			if begins {
				n++
			}
			line := bytes.TrimRight(pieces.Bytes(), "\r")
			text := string(line)
			if !utf8.Valid(line) {
				text = charset.Decode(line, "").Text
			}
			*b = append(*b, piece{number: n, text: text})
			size += len(text) + 16 // empty lines count as well
		}
		if err := pieces.Err(); err != nil && len(*b) == 0 {
			return fmt.Errorf("%s: after line %d: %w", name, n, err)
		} else if len(*b) == 0 {
			return io.EOF
		}
		return nil
	}, Work: func(_ int, b *[]piece) error {
		for i := range *b {
			p := &(*b)[i]
			p.lang = w.d.Detect(p.text)
		}
		return nil
	}, Use: func(b *[]piece) error {
		for _, p := range *b {
			if err := w.write(answer{ID: name, Number: p.number, guessJSON: rounded(p.lang), Text: p.text}, p.text); err != nil {
				return err
			}
		}
		return nil
	}}.Run(ctx)
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
