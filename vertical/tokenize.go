package vertical

import (
	"io"
	"unsafe"
)

// Tokenize reads a prevertical and writes the vertical: the lines of running
// text cut into sentences and tokens, everything else as it is. The language of
// a line is lang, or if that is "", the attribute lang of its <p> or document.
// It returns what it read and mended, and the number of tokens written.
func Tokenize(out io.Writer, in io.Reader, cfg ReaderConfig, lang string) (Report, int64, error) {
	cfg.Text = true
	r := NewReader(in, cfg)
	w := writers.Get().(*writer)
	defer writers.Put(w)
	first := w.tokens
	var buf []byte
	var docLang, parLang string
	inSentence, more := false, false // more: a line of the same text stands before
	for {
		l, err := r.Next()
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
			more = false
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
		if more {
			buf = appendSpace(buf, "\n")
		}
		text := unsafe.String(unsafe.SliceData(l.Fields[0]), len(l.Fields[0])) // not kept
		if inSentence {
			buf = w.line(buf, text)
		} else {
			buf = w.text(buf, text)
		}
		more = true
	}
}

// known tells whether a tag names a language.
func known(lang string) bool { return lang != "" && lang != "und" && lang != "zxx" }
