package pdf

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"chaffinch/format/document"
	"chaffinch/format/pdf/internal/wire"
	"chaffinch/internal/external"
)

// OCR is an external program that recognises the text of pages that show it as images, or whose
// characters have no reliable Unicode values.
type OCR struct {
	// Args are the program and its arguments. It is run without a shell for each page, reads the
	// page as PNG from standard input, and prints the text: plain text in UTF-8, or hOCR.
	Args []string
}

// ParseOCR parses a command line: a program and its arguments, see [external.Split].
func ParseOCR(command string) (*OCR, error) {
	args, err := external.Split(command)
	if err != nil {
		return nil, fmt.Errorf("OCR: %w", err)
	}
	return &OCR{args}, nil
}

// Limits of OCR.
const (
	ocrTime   = time.Minute // per page
	ocrMemory = 4 << 30     // address space of the program
	ocrOutput = 8 << 20     // bytes of a page
	ocrDPI    = 300         // resolution of images
	ocrPixels = 16_000_000  // of an image
)

// ReadOCR converts a document to HTML like [Reader.Read], and reads pages without usable text by
// OCR. Blocks of such pages have the class [page.OCR]. A page on which the program exceeds
// its limits is left out. The error reports a program that fails.
func (r *Reader) ReadOCR(ctx context.Context, raw []byte, limits document.Limits, o *OCR) (document.Document, error) {
	return r.read(ctx, raw, limits, o)
}

// page returns the text of a page as a page with characters; nil if none was recognised.
func (o *OCR) page(ctx context.Context, s *session, number int, p *wire.Page) (*wire.Page, error) {
	width := ocrWidth(p)
	image, err := s.page(ctx, wire.Render, number, binary.LittleEndian.AppendUint32(nil, uint32(max(width, 1))))
	if _, ok := dropReason(err); ok { // the page is left out
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	out, err := external.Run(ctx, image, external.Config{Args: o.Args, Time: ocrTime, MaxOutput: ocrOutput, MaxMemory: ocrMemory})
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, external.ErrTimeout) || errors.Is(err, external.ErrOutputTooLarge):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("OCR of page %d by %s: %w", number+1, o.Args[0], err)
	}
	lines, placed := hocrLines(out, p.Width/width)
	if !placed {
		lines = textLines(string(bytes.ToValidUTF8(out, []byte("\uFFFD"))))
	}
	read := ocrPage(p, lines)
	read.Unplaced = !placed
	if judge(read) != good {
		return nil, nil
	}
	return read, nil
}

// ocrWidth returns the width of the image of a page in pixels: of the resolution ocrDPI, or less for
// large pages.
func ocrWidth(p *wire.Page) float32 {
	width, height := float64(p.Width)*ocrDPI/72, float64(p.Height)*ocrDPI/72
	return float32(width * min(1, math.Sqrt(ocrPixels/(width*height))))
}

// ocrLine is a line of recognised text. The boxes of its words are in points, in logical order.
type ocrLine struct {
	words      []ocrWord
	base, size float32
	paragraph  int32 // number of the paragraph, from 1; 0 if it is unknown
}

type ocrWord struct {
	wire.Box
	text string
}

// ocrPage returns a page with the characters of lines. Each has an equal part of its word's box.
func ocrPage(p *wire.Page, lines []ocrLine) *wire.Page {
	out := &wire.Page{Width: p.Width, Height: p.Height, Fonts: []wire.Font{{}}, OCR: true}
	evenSizes(lines)
	for _, l := range lines {
		for int(l.paragraph) > len(out.Tags) {
			out.Tags = append(out.Tags, wire.Tag{Type: "P", Parent: -1})
		}
		for i, w := range l.words {
			n := utf8.RuneCountInString(w.text)
			if n == 0 {
				continue
			}
			step, x := (w.X1-w.X0)/float32(n), w.X0
			if strings.ContainsFunc(w.text, isRTL) {
				step, x = -step, w.X1
			}
			for _, r := range w.text {
				out.Chars = append(out.Chars, wire.Char{Rune: r, Base: l.base, Size: l.size, Tag: l.paragraph - 1,
					Box: wire.Box{X0: min(x, x+step), X1: max(x, x+step), Y0: l.base - float32(.8*l.size), Y1: l.base + float32(.2*l.size)}})
				x += step
			}
			if i+1 < len(l.words) {
				next := l.words[i+1].Box
				out.Chars = append(out.Chars, wire.Char{Rune: ' ', Base: l.base, Size: l.size, Tag: l.paragraph - 1,
					Box: wire.Box{X0: min(w.X1, next.X1), X1: max(w.X0, next.X0), Y0: w.Y0, Y1: w.Y1}})
			}
			if len(out.Chars) >= maxOCRChars {
				return out
			}
		}
		out.Height = max(out.Height, l.base+l.size)
	}
	return out
}

// maxOCRChars is the most characters of a page that OCR returns.
const maxOCRChars = 200_000

// evenSizes gives lines of about the usual size that size: measured sizes vary with the letters
// of a line.
func evenSizes(lines []ocrLine) {
	if len(lines) == 0 {
		return
	}
	var sizes []float32
	for _, l := range lines {
		for range l.words {
			sizes = append(sizes, l.size)
		}
	}
	if len(sizes) == 0 {
		return
	}
	slices.Sort(sizes)
	usual := sizes[len(sizes)/2]
	for i := range lines {
		if l := &lines[i]; l.size > .75*usual && l.size < 1.3*usual {
			l.size = usual
		}
	}
}

// textLines places lines of plain text below each other. Paragraphs end at empty lines, and before
// items of lists.
func textLines(text string) []ocrLine {
	const size, leading, margin, right = 10, 12, 50, 550
	var lines []ocrLine
	y, paragraph := float32(margin), int32(1)
	for row := range strings.SplitSeq(strings.ReplaceAll(text, "\f", "\n\n"), "\n") {
		y += leading
		words := strings.Fields(row)
		if len(words) == 0 || marker(strings.Join(words, " ")) != "" {
			paragraph++
		}
		l := ocrLine{base: y, size: size, paragraph: paragraph}
		x := float32(0)
		for _, word := range words {
			width := float32(0)
			for _, r := range word {
				if width += size / 2; unspaced(r) {
					width += size / 2
				}
			}
			l.words = append(l.words, ocrWord{wire.Box{X0: margin + x, X1: margin + x + width, Y0: y - size, Y1: y}, word})
			x += width + size/2
		}
		if strings.ContainsFunc(row, isRTL) {
			for i := range l.words {
				w := &l.words[i]
				w.X0, w.X1 = right-(w.X1-margin), right-(w.X0-margin)
			}
		}
		if len(l.words) > 0 {
			lines = append(lines, l)
		}
	}
	return lines
}

func isRTL(r rune) bool { return directionOf(r) == toLeft }
