package extract

import (
	"context"
	"strings"
	"unicode/utf8"

	"chaffinch/page"
)

// span is a stretch of bytes of the page.
type span struct{ start, end int }

// plainText cuts plain text into blocks. A blank line ends a block. Lines that
// stand together are one block if they were wrapped to a width, as in mail,
// else each is a block, as in text that was dumped from a page.
func (s *scan) plainText(ctx context.Context) error {
	src := s.lex.src
	s.flat = true
	s.paths = append(s.paths[:0], pathNode{}) // the path is ""
	s.stack[len(s.stack)-1].block = 0
	run := s.lines[:0]
	defer func() { s.lines = run }()
	for i := 0; i < len(src); {
		end := len(src)
		if n := strings.IndexByte(src[i:], '\n'); n >= 0 {
			end = i + n
		}
		if s.nodes++; s.nodes > s.cfg.MaxNodes {
			s.cut(page.TooManyNodes)
			break
		}
		if s.nodes%everyTokens == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		if strings.TrimSpace(src[i:end]) == "" {
			s.paragraph(run)
			run = run[:0]
		} else {
			run = append(run, span{i, end})
		}
		i = end + 1
	}
	s.paragraph(run)
	return nil
}

// paragraph makes blocks of lines that stand together.
func (s *scan) paragraph(lines []span) {
	one := wrapped(s.lex.src, lines)
	for _, l := range lines {
		s.text(l.start, l.end, true)
		if !s.w.open { // nothing in it shows
			continue
		}
		if one {
			s.w.pend = pendBlank
		} else {
			s.w.block.kind = uint8(page.Line)
			s.endBlock()
		}
	}
	s.endBlock()
}

// Bounds of the width that people and mail programs wrap text to, in
// characters.
const minWidth, maxWidth = 40, 100

// wrapped reports whether the lines were wrapped to a width: nearly every line
// but the last ends where the next word would not have fitted.
func wrapped(src string, lines []span) bool {
	if len(lines) < 2 {
		return false
	}
	width := 0
	for _, l := range lines {
		if l.end-l.start > 4*maxWidth {
			return false
		}
		width = max(width, utf8.RuneCountInString(strings.TrimRight(src[l.start:l.end], " \t\r")))
	}
	if width < minWidth || width > maxWidth {
		return false
	}
	full := 0
	for i, l := range lines[:len(lines)-1] {
		next := strings.TrimLeft(src[lines[i+1].start:lines[i+1].end], " \t")
		if n := strings.IndexAny(next, " \t\r"); n >= 0 {
			next = next[:n]
		}
		line := strings.TrimRight(src[l.start:l.end], " \t\r")
		if utf8.RuneCountInString(line)+1+utf8.RuneCountInString(next) > width-3 {
			full++
		}
	}
	return full*5 >= (len(lines)-1)*4
}
