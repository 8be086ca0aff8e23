package vertical

import (
	"bytes"
	"io"
	"unsafe"

	"chaffinch/text/token"
)

// Tokenize reads a prevertical and writes the vertical: the lines of running
// text cut into sentences and tokens, everything else as it is. The language of
// a line is lang, or if that is "", the attribute lang of its <p> or document.
// tokens cuts the text; nil takes the rules of each language alone. It returns
// what it read and mended, and the number of tokens written.
func Tokenize(out io.Writer, in io.Reader, cfg ReaderConfig, lang string, tokens *token.Family) (Report, int64, error) {
	cfg.Text = true
	r := NewReader(in, cfg)
	w := newWriter(tokens)
	defer writers.Put(w)
	first := w.tokens
	var buf []byte
	var docLang, parLang string
	var text, tail []byte            // tail is white space at the end of the line before
	inSentence, more := false, false // more: a line of the same text stands before
	for {
		l, err := r.Next()
		if err == io.EOF && len(tail) > 0 {
			buf = appendSpace(buf, string(tail))
		}
		if err == io.EOF || len(buf) >= 1<<16 {
			if _, err := out.Write(buf); err != nil {
				return r.report, w.tokens - first, err
			}
			buf = buf[:0]
		}
		if err == io.EOF {
			return r.report, w.tokens - first, nil
		}
		if err != nil {
			out.Write(buf)
			return r.report, w.tokens - first, err
		}
		if l.Kind != Text {
			if len(tail) > 0 {
				buf = appendSpace(buf, string(tail))
			}
			more, tail = false, tail[:0]
			switch string(l.Name) {
			case sentence:
				inSentence = l.Kind == Open
			case r.cfg.Doc:
				docLang, parLang = string(l.Value("lang")), ""
			case paragraph:
				parLang = string(l.Value("lang"))
			}
			buf = AppendLine(buf, l)
			continue
		}
		switch {
		case lang != "":
			w.use(lang)
		case known(parLang):
			w.use(parLang)
		default:
			w.use(docLang)
		}
		text = append(text[:0], tail...)
		if more {
			text = append(text, '\n')
		}
		text = append(text, l.Fields[0]...)
		end := len(bytes.TrimRightFunc(text, token.IsSpace))
		tail = append(tail[:0], text[end:]...)
		line := unsafe.String(unsafe.SliceData(text), end) // not kept
		if inSentence {
			buf = w.line(buf, line)
		} else {
			buf = w.text(buf, line)
		}
		more = true
	}
}

// known tells whether a tag names a language.
func known(lang string) bool { return lang != "" && lang != "und" && lang != "zxx" }
