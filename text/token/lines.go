package token

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"chaffinch/internal/swar"
	"chaffinch/pipeline"
)

// appendLines appends text to dst with one token per line. It writes <s> and </s> around each
// sentence, and <g/> between adjacent tokens. One blank between tokens is not written. Other
// white space is a line <sp s="..."/> with its characters as numbers. [ReadLines] thus restores
// text byte for byte. words and sentences are the results of [Tokenizer.Split].
func appendLines(dst []byte, text string, words, sentences []Span) []byte {
	end := 0
	for _, w := range words {
		if end == 0 || w.Start != end+1 || text[end] != ' ' {
			dst = appendGap(dst, text[end:w.Start], end == 0)
		}
		if len(sentences) > 0 && sentences[0].Start == w.Start {
			dst = append(dst, "<s>\n"...)
		}
		dst = append(appendEscaped(dst, text, w.Start, w.End), '\n')
		end = w.End
		if len(sentences) > 0 && sentences[0].End == w.End {
			dst = append(dst, "</s>\n"...)
			sentences = sentences[1:]
		}
	}
	return appendGap(dst, text[end:], true)
}

// appendEscaped appends text[i:end] with references for &, < and >. It copies eight bytes at a time
// up to the first of them.
func appendEscaped(dst []byte, text string, i, end int) []byte {
	for ; i+8 <= len(text); i += 8 {
		x := swar.Load(text[i:])
		odd := swar.Find(x, '&') | swar.Find(x, '<') | swar.Find(x, '>')
		n := min(end-i, 8)
		if odd<<(64-8*n) != 0 {
			break
		}
		if dst = binary.LittleEndian.AppendUint64(dst, x)[:len(dst)+n]; i+8 >= end {
			return dst
		}
	}
	for ; i < end; i++ {
		switch c := text[i]; c {
		case '&':
			dst = append(dst, "&amp;"...)
		case '<':
			dst = append(dst, "&lt;"...)
		case '>':
			dst = append(dst, "&gt;"...)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// appendGap appends the representation of the white space gap. edge reports whether gap is at
// the start or the end of the text.
func appendGap(dst []byte, gap string, edge bool) []byte {
	switch {
	case gap == "" && edge || gap == " " && !edge:
		return dst
	case gap == "":
		return append(dst, "<g/>\n"...)
	}
	dst = append(dst, `<sp s="`...)
	for _, r := range gap {
		dst = append(dst, "&#"...)
		dst = strconv.AppendInt(dst, int64(r), 10)
		dst = append(dst, ';')
	}
	return append(dst, "\"/>\n"...)
}

// WriteLines tokenizes the text of r, one paragraph at a time, and writes each paragraph
// between <p> and </p> in the form of appendLines. A paragraph is a line; with Config.Wrapped
// it extends to the next empty line. The last paragraph is <p end="no"> if no line break ends
// it. The error may be a [*CutError], returned after everything is written.
func (t *Tokenizer) WriteLines(w io.Writer, r io.Reader) error {
	return t.write(w, r, func(b *paragraphs, text string, ended bool) {
		b.words, b.sentences = t.Split(text, b.words[:0], b.sentences[:0])
		if ended {
			b.out = append(b.out, "<p>\n"...)
		} else {
			b.out = append(b.out, "<p end=\"no\">\n"...)
		}
		b.out = append(appendLines(b.out, text, b.words, b.sentences), "</p>\n"...)
	})
}

// WriteSentences splits the text of r as [Tokenizer.WriteLines] does. It writes one sentence
// per line, with white space in a sentence replaced by one space.
func (t *Tokenizer) WriteSentences(w io.Writer, r io.Reader) error {
	return t.write(w, r, func(b *paragraphs, text string, _ bool) {
		b.sentences = t.Sentences(text, b.sentences[:0])
		for _, s := range b.sentences {
			sentence := text[s.Start:s.End]
			for sentence != "" {
				i := strings.IndexFunc(sentence, IsSpace)
				if i < 0 {
					b.out = append(b.out, sentence...)
					break
				}
				b.out = append(append(b.out, sentence[:i]...), ' ')
				sentence = strings.TrimLeftFunc(sentence[i:], IsSpace)
			}
			b.out = append(b.out, '\n')
		}
	})
}

// paragraphs is a batch of paragraphs with the results for them.
type paragraphs struct {
	size             int64 // of the texts in bytes
	texts            []string
	open             bool // whether the last paragraph lacks its line break
	words, sentences []Span
	out              []byte
}

// reset empties b, with the memory for another batch of usual size.
func (b *paragraphs) reset() {
	if b.size > 2*batchBytes {
		*b = paragraphs{}
		return
	}
	clear(b.texts)
	*b = paragraphs{texts: b.texts[:0], words: b.words, sentences: b.sentences, out: b.out[:0]}
}

// batchBytes is the approximate amount of text that a worker processes at once.
const batchBytes = 32 << 10

// aheadBytes limits the text that is read and not yet written. A long paragraph takes many times
// its bytes while it is split, so it is processed alone.
const aheadBytes = 1 << 20

// write calls do for each paragraph of r, on several goroutines. It writes the bytes that do
// appends to b.out, in the order of the text.
func (t *Tokenizer) write(w io.Writer, r io.Reader, do func(b *paragraphs, text string, ended bool)) error {
	spare := sync.Pool{New: func() any { return new(paragraphs) }}
	return pipeline.Flow[*paragraphs]{Memory: aheadBytes, Size: func(b **paragraphs) int64 { return (*b).size }, Work: func(_ int, b **paragraphs) error {
		for i, text := range (*b).texts {
			do(*b, text, !(*b).open || i < len((*b).texts)-1)
		}
		return nil
	}, Use: func(b **paragraphs) error {
		_, err := w.Write((*b).out)
		(*b).reset()
		spare.Put(*b)
		*b = nil
		return err
	}}.RunFrom(context.Background(), func(send func(*paragraphs) bool) error {
		b := spare.Get().(*paragraphs)
		err := t.paragraphs(r, func(text string, ended bool) bool {
			b.texts, b.open = append(b.texts, text), !ended
			if b.size += int64(len(text)); b.size < batchBytes && ended {
				return true
			}
			full := b
			b = spare.Get().(*paragraphs)
			return send(full)
		})
		if len(b.texts) > 0 {
			send(b)
		}
		return err
	})
}

// MaxParagraph is the maximum length in bytes of a paragraph that is tokenized as a whole.
const MaxParagraph = 4 << 20

// CutError reports paragraphs of more than [MaxParagraph] bytes. They are written in parts, as
// paragraphs without a final line break, so that [ReadLines] restores them unchanged.
type CutError struct {
	// Paragraphs is their number, and Line is the line of the first, from 1.
	Paragraphs, Line int64
}

// Error describes the paragraphs.
func (e *CutError) Error() string {
	return fmt.Sprintf("line %d: a paragraph of more than %d bytes: written in parts, as are %d in all", e.Line, MaxParagraph, e.Paragraphs)
}

// paragraphs calls fn for each paragraph of r, without the line break that ends it. The error
// may be a *CutError, returned after the last paragraph.
func (t *Tokenizer) paragraphs(r io.Reader, fn func(text string, ended bool) bool) error {
	in := bufio.NewReaderSize(r, 1<<16)
	var part []byte
	var found CutError
	line, blank, cut := int64(1), true, false // of the last line; and whether the paragraph is cut
	for {
		b, err := in.ReadSlice('\n')
		part = append(part, b...)
		blank = blank && len(bytes.TrimSpace(b)) == 0
		last := err == io.EOF
		switch {
		case err == nil:
			line++
		case err != bufio.ErrBufferFull && !last:
			return err
		}
		more := err == bufio.ErrBufferFull
		if t.wrapped && err == nil && !blank {
			next, err := in.Peek(1)
			more = err == nil && next[0] != '\n' && next[0] != '\r'
		}
		if err == nil {
			blank = true
		}
		if more {
			if len(part) > MaxParagraph {
				n := cutAt(part)
				if !fn(string(part[:n]), false) {
					return nil
				}
				part = append(part[:0], part[n:]...)
				if !cut {
					cut = true
					found.Paragraphs++
					found.Line = cmp.Or(found.Line, line)
				}
			}
			continue
		}
		if len(part) > 0 {
			if !fn(strings.TrimSuffix(string(part), "\n"), part[len(part)-1] == '\n') {
				return nil
			}
		}
		part, cut = part[:0], false
		if last && found.Paragraphs > 0 {
			return &found
		}
		if last {
			return nil
		}
	}
}

// cutAt returns the position at which a long paragraph is cut: after white space near the end
// if there is any, otherwise between two characters.
func cutAt(part []byte) int {
	const near = 64 << 10
	if i := bytes.LastIndexAny(part[len(part)-near:], " \t\n"); i >= 0 {
		return len(part) - near + i + 1
	}
	n := len(part)
	for k := 0; k < utf8.UTFMax && !utf8.RuneStart(part[n-1]); k++ {
		n--
	}
	return n - 1 // the last character may be incomplete
}

// maxLine is the maximum length in bytes of a line that ReadLines reads: an escaped token that
// spans a whole paragraph.
const maxLine = 6 * MaxParagraph

// ReadLines writes the original text of the lines in r, which [Tokenizer.WriteLines] wrote,
// byte for byte. name is the name of r in errors.
func ReadLines(w io.Writer, r io.Reader, name string) error {
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxLine)
	out := bufio.NewWriter(w)
	first, glued, ended := true, false, true
	number := 0
	unescape := strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&")
	for in.Scan() {
		number++
		line := in.Text()
		if !isTag(line) {
			if !first && !glued {
				out.WriteByte(' ')
			}
			token, _, _ := strings.Cut(line, "\t")
			unescape.WriteString(out, token)
			first, glued = false, false
			continue
		}
		switch {
		case line == "<g/>":
			glued = true
		case strings.HasPrefix(line, `<sp s="`):
			if err := writeGap(out, line); err != nil {
				return fmt.Errorf("%s:%d: %w", name, number, err)
			}
			glued = true
		case line == "<p>" || strings.HasPrefix(line, "<p "):
			first, glued, ended = true, false, !strings.HasSuffix(line, ` end="no">`)
		case line == "</p>":
			if ended {
				out.WriteByte('\n')
			}
		}
	}
	if err := in.Err(); err != nil {
		return fmt.Errorf("%s:%d: %w", name, number+1, err)
	}
	return out.Flush()
}

// isTag reports whether a line is a tag, not a token: "<" and "<3" are tokens.
func isTag(line string) bool {
	if len(line) < 3 || line[0] != '<' || line[len(line)-1] != '>' {
		return false
	}
	c := line[1] | 0x20
	return line[1] == '/' || c >= 'a' && c <= 'z'
}

// writeGap writes the white space that a line <sp s="&#10;"/> represents.
func writeGap(out *bufio.Writer, line string) error {
	value, ok := strings.CutSuffix(strings.TrimPrefix(line, `<sp s="`), `"/>`)
	for ok && value != "" {
		var number string
		number, value, ok = strings.Cut(value, ";")
		digits, isNumber := strings.CutPrefix(number, "&#")
		n, err := strconv.ParseInt(digits, 10, 32)
		if ok = ok && isNumber && err == nil && IsSpace(rune(n)); ok {
			out.WriteRune(rune(n))
		}
	}
	if !ok {
		return fmt.Errorf("%q, wanted white space as <sp s=\"&#10;\"/>", line)
	}
	return nil
}
