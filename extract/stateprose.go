package extract

import (
	"html"
	"iter"
	"path"
	"strings"
	"unicode"

	"chaffinch/internal/residue"
	"chaffinch/internal/runes"
)

// write adds the text of a member to b: prose, HTML, or a state in a string. In a rich text, it
// adds any natural language.
func (r *stateReader) write(b *strings.Builder, name, text string, inline, rich bool) {
	if !inline {
		b.WriteString(text)
		return
	}
	text = strings.TrimSpace(text)
	if text == "" || isAddress(text) || r.jsonLD && !rich && !isLinkedText(name) {
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
	case len(text) > minEmbedded && (text[0] == '{' || text[0] == '['):
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
	if isSummary(name, text) {
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

// isFileName reports whether text is a file name, as titles of images often are.
func isFileName(text string) bool {
	ext := path.Ext(text)
	return len(ext) > 2 && len(ext) <= 5 && !strings.ContainsFunc(ext, unicode.IsSpace) && !unicode.IsDigit(rune(ext[1]))
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

// isProse reports whether text, with or without tags, is prose: at least eight words, four fifths
// letters and spaces, and no code.
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
			words++ // two characters count as a word
		}
		inWord = letter
		if letter || c == ' ' {
			letters++
		}
	}
	return words >= 16 && 5*letters >= 4*all && all/words < 15 && (code || residue.Share(text) < .3)
}

// isLinkedText reports whether a member of JSON-LD with this name holds the text of the page.
func isLinkedText(name string) bool {
	return name == "articleBody" || name == "reviewBody" || name == "text"
}

// isRichName reports whether the value of a member with this name is a text in parts.
func isRichName(name string) bool { return name == "children" || name == "content" }

// isSummary reports whether a member repeats other members in short. A long description, as of a
// product, is text.
func isSummary(name, text string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "excerpt") || strings.Contains(name, "summary") || strings.Contains(name, "teaser") || strings.Contains(name, "shortdesc") ||
		strings.Contains(name, "description") && len(text) < longDescription
}

// longDescription is the fewest bytes of a description that is text.
const longDescription = 300

// frameNames holds words in names of members without text of the page: navigation, forms, settings,
// search results. frameStems holds beginnings of such words.
var (
	frameNames = map[string]bool{"locale": true, "messages": true, "setting": true, "intl": true, "dictionary": true, "css": true, "style": true, "query": true, "script": true, "svg": true,
		"seo": true, "meta": true, "internal": true, "file": true, "filename": true, "consent": true, "footer": true, "menu": true, "alt": true, "aria": true, "href": true, "url": true, "slug": true, "classname": true,
		"related": true, "sidebar": true, "nav": true, "cart": true, "minicart": true, "checkout": true, "modal": true, "popup": true, "newsletter": true, "signup": true, "promo": true,
		"promotion": true, "banner": true, "toast": true, "tooltip": true, "placeholder": true, "label": true, "error": true, "paywall": true}
	frameStems = [...]string{"i18", "config", "translation", "cookie", "navigation", "recommend", "subscri"}
)

// isSkippedName reports whether a member with this name is skipped.
func isSkippedName(name string) bool {
	switch lower := strings.ToLower(name); {
	case lower == "style": // of a paragraph: its kind
		return false
	case frameNames[lower]:
		return true
	}
	for word := range nameWords(name) {
		word = strings.ToLower(word)
		if frameNames[word] || frameNames[strings.TrimSuffix(word, "s")] {
			return true
		}
		for _, stem := range frameStems {
			if strings.HasPrefix(word, stem) {
				return true
			}
		}
	}
	return false
}

// nameWords yields the words of a name such as "relatedPosts", "menu_items" or "SEOData".
func nameWords(name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		from := 0
		for i := range len(name) {
			c := name[i]
			next := i+1 < len(name) && 'a' <= name[i+1] && name[i+1] <= 'z'
			upper := 'A' <= c && c <= 'Z'
			mark := !isLetter(c) && (c < '0' || c > '9')
			if !mark && (!upper || i == from || 'A' <= name[i-1] && name[i-1] <= 'Z' && !next) {
				continue
			}
			if from < i && !yield(name[from:i]) {
				return
			}
			if from = i; mark {
				from++
			}
		}
		if from < len(name) {
			yield(name[from:])
		}
	}
}
