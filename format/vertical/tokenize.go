package vertical

import (
	"bytes"
	"io"
	"unsafe"

	"chaffinch/text/token"
)

// Tokenize converts a prevertical to a vertical. It splits running text into sentences and
// tokens and copies other lines unchanged. The language of a line is lang or, if that is "",
// the attribute lang of its <p> or document. tokens tokenizes the text; nil uses only the
// rules of each language. It returns the report of the reader and the number of tokens
// written.
func Tokenize(out io.Writer, in io.Reader, cfg ReaderConfig, lang string, tokens *token.Family) (ReaderReport, int64, error) {
	cfg.Text = true
	r := NewReader(in, cfg)
	w := newWriter(tokens, nil)
	defer w.free()
	first := w.tokens
	var buf []byte
	var docLang, parLang string
	var text, tail []byte            // tail is the white space at the end of the previous line
	inSentence, more := false, false // more: a line of the same text precedes
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
			w.use(lang, "")
		case known(parLang):
			w.use(parLang, docLang)
		default:
			w.use(docLang, "")
		}
		text = append(text[:0], tail...)
		if more {
			text = append(text, '\n')
		}
		text = append(text, l.Fields[0]...)
		end := len(bytes.TrimRightFunc(text, token.IsSpace))
		tail = append(tail[:0], text[end:]...)
		line := unsafe.String(unsafe.SliceData(text), end) // not retained
		if inSentence {
			buf = w.line(buf, line)
		} else {
			buf = w.text(buf, line)
		}
		more = true
	}
}

// known reports whether a tag identifies a language.
func known(lang string) bool { return lang != "" && lang != "und" && lang != "zxx" }
