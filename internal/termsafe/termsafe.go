// Package termsafe escapes control characters in text for terminals, since file names, field names
// and page text can contain escape sequences. [Quote] escapes a string; a [Writer] escapes all
// output.
package termsafe

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode/utf8"
)

// isControl reports whether a character controls a terminal instead of being displayed: control
// characters except line feed and tab, marks of writing direction, and separators of lines and
// paragraphs.
func isControl(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < 0x20, r >= 0x7F && r <= 0x9F, r == 0x061C, r >= 0x2028 && r <= 0x202E, r == 0x200E || r == 0x200F, r >= 0x2066 && r <= 0x2069, r == 0xFEFF:
		return true
	}
	return false
}

// Quote escapes terminal control characters and invalid UTF-8 as in a Go string: \x1b, \u202e.
func Quote(s string) string {
	clean := true
	for _, r := range s {
		if r == utf8.RuneError || isControl(r) {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1, r < 0x80 && isControl(r):
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case isControl(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

// fieldEscaper escapes characters that end a field or a line.
var fieldEscaper = strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`)

// Field returns s as one field of a line, so that a file name with a line feed does not start a new
// record. All other characters are unchanged.
func Field(s string) string { return fieldEscaper.Replace(s) }

// Line returns s quoted and on one line, for lists of messages.
func Line(s string) string {
	return Quote(strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(s), "\r\n", "\n"), "\n", " | "))
}

// Writer quotes everything written to it: messages, and output of commands on a terminal.
type Writer struct {
	to  io.Writer
	mu  sync.Mutex
	cut []byte // an incomplete character at the end of the last write
}

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer) *Writer { return &Writer{to: w} }

// Write writes b quoted.
func (w *Writer) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := string(w.cut) + string(b)
	end := len(s)
	for k := 1; k < utf8.UTFMax && k <= len(s); k++ {
		if at := len(s) - k; utf8.RuneStart(s[at]) {
			if !utf8.FullRuneInString(s[at:]) {
				end = at
			}
			break
		}
	}
	w.cut = append(w.cut[:0], s[end:]...)
	if _, err := io.WriteString(w.to, Quote(s[:end])); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Flush writes an incomplete last character.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err := io.WriteString(w.to, Quote(string(w.cut)))
	w.cut = w.cut[:0]
	return err
}

// Raw returns the destination of a [Writer], for trusted output, or w if it is not a Writer.
func Raw(w any) any {
	if s, ok := w.(*Writer); ok {
		return s.to
	}
	return w
}
