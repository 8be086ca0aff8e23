package ncleaner

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file has the heuristics of the paper's third stage (section 2). They recognise marks
// in the text without a model.

// bullets holds the marks that browsers and writers put before list items. Lynx writes *, +,
// o, # and others, depending on the depth.
var bullets = [...]string{"*", "•", "·", "◦", "▪", "●", "○", "‣", "+", "-", "–", "o", "#", "@"}

// cutBullet removes a bullet and the spaces after it from the start of text.
func cutBullet(text string) (rest string, ok bool) {
	for _, b := range bullets {
		if r, found := strings.CutPrefix(text, b); found && strings.HasPrefix(r, " ") {
			return strings.TrimLeft(r, " "), true
		}
	}
	return text, false
}

// isEnumerated reports whether text begins with a number or letter of an enumeration and a
// space: "1.", "12)", "(3)", "a)", "(b)", "iv)". A single letter with a full stop does not
// count, since it is more often an initial.
func isEnumerated(text string) bool {
	mark, _, ok := strings.Cut(text, " ")
	if !ok || len(mark) < 2 || len(mark) > 5 {
		return false
	}
	open := mark[0] == '('
	if open {
		mark = mark[1:]
	}
	end := mark[len(mark)-1]
	body := mark[:len(mark)-1]
	if body == "" || end != ')' && (open || end != '.') {
		return false
	}
	if strings.Trim(body, "0123456789") == "" {
		return len(body) <= 3
	}
	return end == ')' && (len(body) == 1 && isLetter(rune(body[0])) || strings.Trim(body, "ivx") == "")
}

// isRule reports whether line is a rule: at least three marks, all from one or two of - _ =
// * ~ # . + and spaces.
func isRule(line string) bool {
	marks := 0
	for i := range len(line) {
		switch line[i] {
		case ' ':
		case '-', '_', '=', '*', '~', '#', '.', '+':
			marks++
		default:
			return false
		}
	}
	return marks >= 3
}

// Limits of isBar.
const (
	barFields     = 3  // minimum number of fields
	barFieldChars = 24 // maximum mean length of a field in characters
)

// isBar reports whether text is a navigation bar or a footer: at least three short fields
// between vertical bars, as in "Home | News | Contact". A bar character at the start or end
// of text counts as a field, since such bars are often wrapped.
func isBar(text string) bool {
	bars := strings.Count(text, "|")
	if bars == 0 || bars+1 < barFields {
		return false
	}
	return utf8.RuneCountInString(text)/(bars+1) <= barFieldChars && strings.IndexFunc(text, unicode.IsLetter) >= 0
}

// cutImages removes the names that text browsers write for images without alternative text:
// [logo.gif], [photo.jpg], [INLINE], [IMAGE].
func cutImages(line string) string {
	if !strings.Contains(line, "[") {
		return line
	}
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(line, "[")
		out.WriteString(before)
		if !ok {
			return out.String()
		}
		name, after, ok := strings.Cut(rest, "]")
		if ok && isImageName(name) {
			line = after
			continue
		}
		out.WriteByte('[')
		line = rest
	}
}

func isImageName(name string) bool {
	if name == "INLINE" || name == "IMAGE" {
		return true
	}
	name, _, _ = strings.Cut(strings.ToLower(name), "#")
	if len(name) > 100 || strings.ContainsAny(name, " [") {
		return false
	}
	for _, ext := range [...]string{".gif", ".jpg", ".jpeg", ".png", ".bmp", ".svg", ".webp"} {
		if strings.HasSuffix(name, ext) {
			return true
		}
	}
	return false
}
