package extract

import (
	"html"
	"strings"
	"unicode"

	"chaffinch/internal/residue"
	"chaffinch/internal/runes"
)

// write adds the text of a member: prose, HTML, a state in a string, or in a rich text
// anything that reads as text.
func (r *stateReader) write(b *strings.Builder, name, text string, inline, rich bool) {
	if !inline {
		b.WriteString(text)
		return
	}
	text = strings.TrimSpace(text)
	if text == "" || r.linked && !rich && !isLinkedText(name) {
		return
	}
	switch {
	case rich:
		if plain := html.UnescapeString(text); strings.ContainsFunc(plain, unicode.IsLetter) && !isAddress(plain) && residue.Share(plain) < .5 && !strings.HasPrefix(plain, "$") {
			b.WriteString("<p>" + text + "</p>")
			if isProse(plain) {
				r.prose += textBytes(text)
			}
		}
		return
	case len(text) > leastEmbedded && (text[0] == '{' || text[0] == '['):
		inner := &stateReader{src: text, values: r.values, seen: r.seen}
		inner.all()
		r.values = inner.values
		r.prose += inner.prose
		b.WriteString(inner.out.String())
		return
	}
	if !strings.Contains(text, "<") && strings.Contains(text, "&lt;p") {
		text = html.UnescapeString(text)
	}
	if r.seen[text] || !isProse(text) {
		return
	}
	r.seen[text] = true
	if isSummary(name) {
		b = &r.aside
	} else {
		r.prose += textBytes(text)
	}
	if isFragment(text) {
		b.WriteString("<div>" + text + "</div>")
		return
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			b.WriteString("<p>" + html.EscapeString(line) + "</p>")
		}
	}
}

// isAddress reports whether text is a URL, a path or a name of the framework.
func isAddress(text string) bool {
	return strings.HasPrefix(text, "__") || strings.Contains(text, "/") && !strings.ContainsFunc(text, unicode.IsSpace) && strings.IndexFunc(text, runes.IsUnspaced) < 0
}

// isFragment reports whether text is HTML.
func isFragment(text string) bool {
	for _, mark := range [...]string{"</p>", "<p>", "<br", "</li>", "</div>", "</h2>", "</a>"} {
		if strings.Contains(text, mark) {
			return true
		}
	}
	return false
}

// isProse reports whether text, perhaps with tags, reads as prose: eight words or more, most
// of it letters and spaces, and no code.
func isProse(text string) bool {
	if len(text) < 24 || len(text) > maxStateText {
		return false
	}
	words, letters, all := 0, 0, 0
	inTag, inWord, code := false, false, isFragment(text)
	for _, c := range text {
		if code && (c == '<' || inTag) {
			inTag = c != '>'
			continue
		}
		all++
		letter := unicode.IsLetter(c) || unicode.IsMark(c)
		if letter && !inWord && !runes.IsUnspaced(c) {
			words += 2
		} else if runes.IsUnspaced(c) {
			words++ // two characters make a word
		}
		inWord = letter
		if letter || c == ' ' {
			letters++
		}
	}
	return words >= 16 && 5*letters >= 4*all && all/words < 15 && (code || residue.Share(text) < .3)
}

// isLinkedText reports the members of JSON-LD that hold the text of the page.
func isLinkedText(name string) bool {
	return name == "articleBody" || name == "reviewBody" || name == "text"
}

// isRichName reports the members whose value is a text in parts.
func isRichName(name string) bool { return name == "children" || name == "content" }

// isSummary reports the members that repeat in short what others say.
func isSummary(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "description") || strings.Contains(name, "excerpt") || strings.Contains(name, "summary") || strings.Contains(name, "teaser")
}

// skipped reports the members that hold no text of the page but that of its frame and of
// its search results.
func skipped(name string) bool {
	name = strings.ToLower(name)
	for _, part := range [...]string{"i18n", "locale", "translation", "messages", "intl", "dictionary", "css", "style", "query", "script", "svg", "seo", "meta", "config",
		"cookie", "consent", "footer", "menu", "alt", "aria", "href", "url", "slug", "classname", "navigation", "related", "recommend", "sidebar"} {
		if strings.Contains(name, part) && name != "style" {
			return name != "metadata" && name != "description"
		}
	}
	return false
}
