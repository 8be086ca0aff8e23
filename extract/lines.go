package extract

import (
	"context"
	"slices"
	"strings"

	"chaffinch/page"
)

// span is a line of plain text: its bytes in the page, without the line break.
type span struct {
	start, end int
	first      bool // it begins the text or follows an empty line
}

// plainText splits plain text into blocks. Each line is a block, as in text dumped from a page.
// Lines wrapped to a width, as in mail, are joined to paragraphs (wrap.go). A blank line ends a
// block.
func (s *scan) plainText(ctx context.Context) error {
	src := s.lex.src
	s.flat = true
	s.paths = append(s.paths[:0], pathNode{}) // the path is ""
	s.stack[len(s.stack)-1].block = 0
	if err := s.readLines(ctx); err != nil {
		return err
	}
	width := wrapWidth(src, s.lines)
	s.nodes = 0 // from here on, nodes count blocks
	s.done = slices.Grow(s.done, len(s.lines))
	for run := range runs(s.lines) {
		if wrapped(src, run, width) {
			s.nodes += len(run)
			s.joinLines(run)
		} else if err := s.lineBlocks(ctx, run); err != nil {
			return err
		}
		if s.nodes > s.cfg.MaxNodes {
			s.cut(page.TooManyNodes)
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// lineBlocks adds a block for each line, up to the limit of nodes.
func (s *scan) lineBlocks(ctx context.Context, run []span) error {
	for i, l := range run {
		if s.nodes++; s.nodes > s.cfg.MaxNodes {
			return nil
		}
		if i%everyTokens == everyTokens-1 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		s.text(l.start, l.end, true)
		if s.w.open { // it shows something
			s.w.block.kind = uint8(page.Line)
			s.endBlock()
		}
	}
	return nil
}

// readLines records the lines that are not blank; only these count as nodes. Lines end at LF, CR,
// CR LF and form feeds. Each byte is read once.
func (s *scan) readLines(ctx context.Context) error {
	src := s.lex.src
	s.lines = s.lines[:0]
	first := true
	read := 0
	endOf := func(rest string) int { return strings.IndexAny(rest, "\n\r\f") }
	if strings.IndexByte(src, '\r') < 0 && strings.IndexByte(src, '\f') < 0 {
		endOf = func(rest string) int { return strings.IndexByte(rest, '\n') } // true of most files
	}
	for i := 0; i < len(src); {
		end := len(src)
		if n := endOf(src[i:]); n >= 0 {
			end = i + n
		}
		if read++; read%everyTokens == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		if isBlank(src[i:end]) {
			first = true
		} else {
			if s.nodes++; s.nodes > s.cfg.MaxNodes {
				s.cut(page.TooManyNodes)
				return nil
			}
			s.lines = append(s.lines, span{i, end, first})
			first = false
		}
		var empty bool
		i, empty = lineEnd(src, end)
		first = first || empty
	}
	return nil
}

// lineEnd returns where the line after the line end at i begins, and whether an empty line is
// between them. CRs before an LF belong to the same line end, whatever their number.
func lineEnd(src string, i int) (next int, empty bool) {
	from := i
	for i < len(src) && src[i] == '\r' {
		i++
	}
	if i < len(src) && (src[i] == '\n' || i == from) { // an LF, or a form feed alone
		return i + 1, false
	}
	return i, i > from+1
}

// isBlank reports whether a line contains only white space.
func isBlank(line string) bool {
	return line == "" || class[line[0]] != plain && strings.TrimSpace(line) == ""
}

// joinLines adds the blocks of lines that were wrapped: one block, or more if a line begins a new
// paragraph.
func (s *scan) joinLines(run []span) {
	src := s.lex.src
	width := longestLine(src, run)
	for i, l := range run {
		if i > 0 {
			if s.w.open && beginsParagraph(src, run, i, width) {
				s.endBlock()
			} else if s.w.open && breakIsSpace(src, run[i-1], l) {
				s.w.pend = pendBlank
			}
		}
		s.text(l.start, l.end, true)
	}
	s.endBlock()
}
