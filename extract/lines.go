package extract

import (
	"context"
	"strings"

	"chaffinch/page"
)

// plainText cuts plain text into blocks: paragraphs where blank lines stand
// between them, else one block for each line.
func (s *scan) plainText(ctx context.Context) error {
	src := s.lex.src
	paragraphs := hasBlankLines(src)
	for i := 0; i < len(src); {
		if err := ctx.Err(); err != nil {
			return err
		}
		end := i + strings.IndexByte(src[i:], '\n')
		if end < i {
			end = len(src)
		}
		line := src[i:end]
		if strings.TrimSpace(line) == "" || !paragraphs {
			s.endBlock()
		}
		if s.nodes++; s.nodes > s.cfg.MaxNodes {
			s.cut(page.TooManyNodes)
			break
		}
		s.text(i, end, true)
		if s.w.open {
			s.w.block.kind = uint8(page.Line)
			s.w.pend = pendLine
		}
		i = end + 1
	}
	s.endBlock()
	return nil
}

// hasBlankLines reports whether a blank line stands between two lines of text.
func hasBlankLines(src string) bool {
	src = strings.TrimSpace(src)
	for {
		i := strings.IndexByte(src, '\n')
		if i < 0 {
			return false
		}
		src = src[i+1:]
		if rest := strings.TrimLeft(src, " \t\r"); strings.HasPrefix(rest, "\n") {
			return true
		}
	}
}
