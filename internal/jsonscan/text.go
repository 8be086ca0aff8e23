package jsonscan

import (
	"bytes"
	"math"
	"unicode/utf8"
	"unsafe"

	"chaffinch/internal/swar"
)

// Text decodes s, the content of a string without its quotes, like package encoding/json. ok is false
// if s is not valid JSON or not valid UTF-8.
func Text(s []byte) (text string, ok bool) {
	if hasControl(s) || !utf8.Valid(s) {
		return "", false
	}
	if bytes.IndexByte(s, '\\') < 0 {
		return string(s), true
	}
	if bytes.Contains(s[max(len(s)-len(`\u000`), 0):], []byte(`\u`)) {
		return "", false // Unquote would drop it
	}
	out, _, err := Unquote(make([]byte, 0, len(s)), s, math.MaxInt32)
	return unsafe.String(unsafe.SliceData(out), len(out)), err == nil
}

// IsPlain reports whether s, the content of a string without its quotes, is valid JSON without escapes.
// It does not check UTF-8.
func IsPlain(s []byte) bool { return bytes.IndexByte(s, '\\') < 0 && !hasControl(s) }

// hasControl reports whether s has control characters of ASCII below the space.
func hasControl(s []byte) bool {
	text := unsafe.String(unsafe.SliceData(s), len(s))
	for ; len(text) >= 8; text = text[8:] {
		if swar.Within(swar.Load(text), 0, ' '-1) != 0 {
			return true
		}
	}
	for i := range len(text) {
		if text[i] < ' ' {
			return true
		}
	}
	return false
}
