package pdf

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// clean replaces ligatures and presentation forms by letters and composes letters and marks.
func clean(text string) string {
	text = ligatures.Replace(text)
	if strings.ContainsFunc(text, presentation) {
		var b strings.Builder
		for _, r := range text {
			if presentation(r) {
				b.WriteString(norm.NFKC.String(string(r)))
			} else {
				b.WriteRune(r)
			}
		}
		text = b.String()
	}
	return norm.NFC.String(text)
}

// presentation reports whether r is a form of Hebrew or Arabic letters.
func presentation(r rune) bool {
	return r >= 0xFB1D && r <= 0xFDFF && r != 0xFD3E && r != 0xFD3F && !(r >= 0xFDD0 && r <= 0xFDEF) || r >= 0xFE70 && r <= 0xFEFC
}

// marker returns the mark of a list item at the begin of a line, "" if there is none.
func marker(text string) string {
	first, rest, ok := strings.Cut(text, " ")
	if !ok || first == "" || rest == "" || len(first) > 12 {
		return ""
	}
	runes := []rune(first)
	if len(runes) == 1 && strings.ContainsRune("•◦▪■□●○‣⁃–—-*·►➢✓❖\uf0b7\uf0a7\uf0d8", runes[0]) || len(runes) == 1 && unicode.Is(unicode.Co, runes[0]) { // a symbol of a font
		return first
	}
	end := runes[len(runes)-1]
	if end != '.' && end != ')' || len(runes) < 2 {
		return ""
	}
	body := strings.Trim(first, "().")
	letters := []rune(body)
	switch {
	case body == "" || len(letters) > 3:
		return ""
	case strings.IndexFunc(body, func(r rune) bool { return !unicode.IsDigit(r) }) < 0:
		return first
	case len(letters) == 1 && unicode.IsLetter(letters[0]) && end == ')':
		return first
	case strings.Trim(body, "ivx") == "" && end == ')':
		return first
	}
	return ""
}
