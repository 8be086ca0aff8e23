package extract

import (
	"context"
	"strings"

	"chaffinch/page"
)

// span is a line of plain text: its bytes in the page, without the line break.
type span struct {
	start, end int
	first      bool // it begins the text or follows an empty line
}

// plainText cuts plain text into blocks. A line is a block, as in text that was
// dumped from a page; lines that were wrapped to a width, as in mail, are one
// paragraph together (wrap.go). A blank line ends a block.
func (s *scan) plainText(ctx context.Context) error {
	src := s.lex.src
	s.flat = true
	s.paths = append(s.paths[:0], pathNode{}) // the path is ""
	s.stack[len(s.stack)-1].block = 0
	if err := s.readLines(ctx); err != nil {
		return err
	}
	width := wrapWidth(src, s.lines)
	for run := range runs(s.lines) {
		if wrapped(src, run, width) {
			s.joined(run)
			continue
		}
		for _, l := range run {
			s.text(l.start, l.end, true)
			if s.w.open { // something in it shows
				s.w.block.kind = uint8(page.Line)
				s.endBlock()
			}
		}
	}
	return nil
}

// readLines finds the lines that are not blank. They end at LF, CR, CR LF and
// form feeds.
func (s *scan) readLines(ctx context.Context) error {
	src := s.lex.src
	s.lines = s.lines[:0]
	first := true
	for i := 0; i < len(src); {
		end, next := len(src), len(src)
		if n := strings.IndexByte(src[i:], '\n'); n >= 0 {
			end, next = i+n, i+n+1
		}
		for end > i && src[end-1] == '\r' {
			end--
		}
		if n := strings.IndexByte(src[i:end], '\r'); n >= 0 {
			end, next = i+n, i+n+1
		}
		if n := strings.IndexByte(src[i:end], '\f'); n >= 0 {
			end, next = i+n, i+n+1
		}
		if s.nodes++; s.nodes > s.cfg.MaxNodes {
			s.cut(page.TooManyNodes)
			return nil
		}
		if s.nodes%everyTokens == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		if isBlank(src[i:end]) {
			first = true
		} else {
			s.lines = append(s.lines, span{i, end, first})
			first = false
		}
		i = next
	}
	return nil
}

// isBlank reports whether nothing but white space stands in the line.
func isBlank(line string) bool {
	return line == "" || class[line[0]] != plain && strings.TrimSpace(line) == ""
}

// joined makes blocks of lines that were wrapped: one of all, or more where a
// line begins a paragraph of its own.
func (s *scan) joined(run []span) {
	src := s.lex.src
	width := widest(src, run)
	for i, l := range run {
		if i > 0 {
			if s.w.open && begins(src, run, i, width) {
				s.endBlock()
			} else if s.w.open && spaced(src, run[i-1], l) {
				s.w.pend = pendBlank
			}
		}
		s.text(l.start, l.end, true)
	}
	s.endBlock()
}
