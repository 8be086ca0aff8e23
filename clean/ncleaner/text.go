package ncleaner

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/page"
)

// Limits of Segments.
const (
	maxWrap      = 130 // text with longer lines is not wrapped: each line is a segment
	headingWords = 12
)

// Segments splits a text dump, such as the output of "lynx -dump", into segments: the text
// mode of section 2. Kinds are page.Paragraph, page.Item and page.Heading. Start and End are
// byte offsets in text. The rules:
//
//   - An empty line or a rule ends a segment.
//   - A bullet or the number of an enumeration begins an item. A line with vertical
//     bars (a navigation bar) is a separate segment.
//   - If the first word of a line would have fitted on the line before, the line
//     break is intended and begins a new segment. The width is the length of the
//     longest line. A text with lines over 130 characters, or without empty lines,
//     is not wrapped: each line is a segment.
//   - A line that is indented by at least 4 more than the line before begins a
//     segment. In dumps this is centred text or a quotation.
//   - A heading is one line of at most 12 words before a paragraph. It starts with a
//     capital or a digit and does not end like a sentence.
//   - The names of images ("[logo.gif]") are removed.
func Segments(text string) []page.Block {
	w := wrap{}
	if hasEmptyLines(text) {
		w.add(text)
	}
	return segments(text, w.width())
}

// hasEmptyLines reports whether there is an empty line between lines of text.
func hasEmptyLines(text string) bool {
	empty, any := false, false
	for line := range strings.Lines(text) {
		switch blank := strings.TrimSpace(line) == ""; {
		case blank:
			empty = any
		case empty:
			return true
		default:
			any = true
		}
	}
	return false
}

// segments is [Segments] for a known line width, 0 if lines are not wrapped.
func segments(text string, width int) []page.Block {
	s := segmenter{width: width}
	for at := 0; at < len(text); {
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 {
			end = len(text)
		} else {
			end += at
		}
		s.line(text[at:end], at)
		at = end + 1
	}
	s.flush()
	markHeadings(s.out, s.lines)
	return s.out
}

// wrap measures the width of wrapped lines: the length of the longest line.
type wrap struct{ longest int }

func (w *wrap) add(text string) {
	for line := range strings.Lines(text) {
		w.longest = max(w.longest, utf8.RuneCountInString(strings.TrimRight(line, " \t\r\n")))
	}
}

// width returns the width in characters, 0 if the text is not wrapped.
func (w *wrap) width() int {
	if w.longest > maxWrap {
		return 0
	}
	return w.longest
}

type segmenter struct {
	width  int
	out    []page.Block
	lines  []int // number of lines of each segment
	cur    page.Block
	text   strings.Builder // text of cur
	n      int             // lines in cur
	last   int             // characters of the last line of cur, with its indentation
	indent int             // indentation of the last line of cur
	bar    bool
}

func (s *segmenter) flush() {
	if s.n > 0 {
		s.cur.Text = s.text.String()
		s.out = append(s.out, s.cur)
		s.lines = append(s.lines, s.n)
	}
	s.text.Reset()
	s.n, s.bar = 0, false
}

// line adds one line, which starts at byte at of the text.
func (s *segmenter) line(raw string, at int) {
	line := strings.TrimRightFunc(raw, unicode.IsSpace)
	indented := utf8.RuneCountInString(line)
	words := strings.TrimLeftFunc(line, unicode.IsSpace)
	indent := indented - utf8.RuneCountInString(words)
	start := at + len(line) - len(words)
	end := at + len(line)
	cut := cutImages(words)
	text := strings.Join(strings.Fields(cut), " ")
	if text == "" || isRule(text) {
		s.flush()
		return
	}
	kind := page.Paragraph
	if _, ok := cutBullet(text); ok || isEnumerated(text) {
		kind = page.Item
	}
	bar := isBar(text) || s.bar && strings.Contains(text, "|")
	first, _, _ := strings.Cut(text, " ")
	switch {
	case s.n == 0:
	case kind == page.Item, len(cut) < len(words), bar != s.bar,
		s.width == 0,
		indent >= s.indent+4 && !(s.cur.Kind == page.Item),
		s.last+1+utf8.RuneCountInString(first) <= s.width-2:
		s.flush()
	}
	if s.n == 0 {
		s.cur = page.Block{Kind: kind, Start: start}
	} else {
		s.text.WriteByte(' ')
	}
	s.text.WriteString(text)
	s.cur.End = end
	s.n++
	s.last, s.indent, s.bar = indented, indent, bar
}

// markHeadings sets the kind of segments of one line that look like headings.
func markHeadings(segs []page.Block, lines []int) {
	for i := range segs {
		if lines[i] != 1 || segs[i].Kind != page.Paragraph || i+1 == len(segs) || segs[i+1].Kind != page.Paragraph {
			continue
		}
		text := segs[i].Text
		first, _ := utf8.DecodeRuneInString(text)
		last, _ := utf8.DecodeLastRuneInString(text)
		if (unicode.IsUpper(first) || unicode.IsDigit(first)) && !strings.ContainsRune(".,;:…|", last) &&
			strings.Count(text, " ") < headingWords && lines[i+1] > 1 && !isBar(text) {
			segs[i].Kind = page.Heading
		}
	}
}

// PageSegments returns the segments of a page: its visible blocks, with multi-line blocks
// split by [Segments]. Plain text is split by [Segments] as a whole.
func PageSegments(p *page.Page) []string {
	if isDump(p) {
		return textsOf(Segments(p.HTML))
	}
	var segs []string
	width := widthOf(p.Blocks)
	for i := range p.Blocks {
		b := &p.Blocks[i]
		switch {
		case b.Hidden:
		case hasLines(b):
			for _, s := range segments(b.Text, width) {
				segs = append(segs, s.Text)
			}
		default:
			segs = append(segs, b.Text)
		}
	}
	return segs
}

func textsOf(blocks []page.Block) []string {
	out := make([]string, len(blocks))
	for i := range blocks {
		out[i] = blocks[i].Text
	}
	return out
}
