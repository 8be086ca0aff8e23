package metadata

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// authors returns the names of the authors: those of the best source that
// names people in full, else of the best that names anybody.
func (d *reading) authors() []string {
	var single []string
	cands := d.s.of(author)
	for i := 0; i < len(cands); i++ {
		c := &cands[i]
		if c.rank > authorName {
			if names := d.byline(); names != nil {
				return names
			}
		}
		var names []string
		if c.rank <= authorRel { // several elements, one for each
			for j := i; j < len(cands) && cands[j].rank == c.rank; j++ {
				names = add(names, d.namesOf(&cands[j])...)
				i = j
			}
		} else {
			names = d.namesOf(c)
		}
		if len(names) == 0 {
			continue
		}
		if full(names[0]) {
			return names
		}
		if single == nil {
			single = names
		}
	}
	if names := d.byline(); names != nil && (single == nil || full(names[0])) {
		return names
	}
	return single
}

// namesOf returns the names that a candidate states.
func (d *reading) namesOf(c *candidate) []string {
	if c.value == "" && c.from.at > 0 {
		if n := d.nameIn(c); n != "" {
			return people(n)
		}
	}
	v := c.text(d.src)
	if c.rank == authorCitation && strings.Count(v, ",") == 1 && !strings.Contains(v, ";") { // Family, Given
		family, given, _ := strings.Cut(v, ",")
		v = strings.TrimSpace(given) + " " + family
	}
	return people(v)
}

// nameIn returns the text of an element with itemprop "name" inside that of c.
func (d *reading) nameIn(c *candidate) string {
	for _, n := range d.s.names {
		if n.at <= c.from.at || n.at > c.from.at+1500 {
			continue
		}
		if end := strings.Index(d.src[c.from.at:n.at], "</"+c.from.element); end >= 0 {
			return ""
		}
		if n.content != "" {
			return unescape(n.content)
		}
		return textOf(d.src, n)
	}
	return ""
}

var (
	// by begins a byline.
	by = regexp.MustCompile(`(?i)^\W*(?:(?:written|posted|published|reported|reviewed|story|article|words|text|report|submitted|created|geschrieben|veröffentlicht|verfasst|posté|publié|écrit|escrito|publicado|pubblicato|scritto|door|autor(?:in|en)?|author|authors|auteur|autore|автор|συντάκτης|redaktion|opublikowane|napisał[a]?|作者|文|记者|撰文|来源)\s*[:：/|]?\s*)?(?:\b(?:by|von|par|por|di|da|door|przez|od|av|af)\s*:?\s+)?`)
	// tail is what bylines have behind the names.
	tail = regexp.MustCompile(`(?i)\s(?:[|•·–—-]|on|am|at|for|le|el|il|in|updated|published|posted|last|modified|via|from)\s.*$|\s*[|•·(\[].*$|\s\d.*$`)
	// parts splits a list of names.
	parts = regexp.MustCompile(`\s*(?:[,;|\n/、，；&]|\s(?:and|und|et|y|e|och|og|en|i|и|και|with)\s)\s*`)
	// byText is a block that begins as a byline does.
	byText = regexp.MustCompile(`(?i)^\W*(?:by|von|par|por|written by|posted by|text:|autor:|author:|автор:|作者[:：]|文[/|])\s*\S`)
)

// people returns the names in a byline, at most 20.
func people(s string) (out []string) {
	if len(s) > 600 {
		return nil
	}
	s = strings.ReplaceAll(s, "\u00a0", " ")
	for _, l := range strings.Split(s, "\n") {
		l = by.ReplaceAllString(l, "")
		for _, p := range parts.Split(l, -1) {
			p = by.ReplaceAllString(p, "")
			p = tail.ReplaceAllString(p, "")
			p = strings.Trim(p, " \t.:*-–—\"“”'")
			if isName(p) {
				out = add(out, strings.Clone(p))
			}
		}
		if len(out) > 0 && strings.Count(s, "\n") > 0 {
			break // the lines behind tell other things
		}
	}
	return out
}

func add(names []string, more ...string) []string {
next:
	for _, m := range more {
		for _, n := range names {
			if strings.EqualFold(n, m) {
				continue next
			}
		}
		if len(names) < 20 {
			names = append(names, m)
		}
	}
	return names
}

// notNames are words that stand where names are expected.
var notNames = map[string]bool{"admin": true, "administrator": true, "author": true, "authors": true, "editor": true, "by": true, "unknown": true, "undefined": true, "null": true, "none": true,
	"guest": true, "share": true, "read more": true, "follow": true, "comments": true, "about the author": true, "more": true, "anonymous": true, "webmaster": true, "jr": true, "md": true,
	"phd": true, "rd": true, "ms": true, "mba": true, "rn": true, "cpa": true, "false": true, "true": true, "default": true, "root": true, "user": true, "posted": true, "published": true,
	"about": true, "profile": true, "view profile": true, "view all posts": true, "contributor": true, "staff writer": true, "senior editor": true, "reporter": true, "writer": true, "wordpress": true}

// isName tells whether s may be the name of a person or a body.
func isName(s string) bool {
	n := utf8.RuneCountInString(s)
	if n < 2 || n > 60 || notNames[strings.ToLower(s)] || strings.Contains(s, "://") || strings.Contains(s, "www.") || strings.ContainsAny(s, "@{}<>=?!") {
		return false
	}
	letters, digits, words := 0, 0, 1
	for _, r := range s {
		switch {
		case unicode.IsLetter(r):
			letters++
		case unicode.IsDigit(r):
			digits++
		case r == ' ':
			words++
		}
	}
	return letters >= 2 && words <= 6 && (digits == 0 || words == 1 && letters > digits)
}

// full tells whether a name has two parts, or is of a script without blanks.
func full(name string) bool {
	if strings.IndexByte(name, ' ') > 0 {
		return true
	}
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana)
}

// byline returns the names of the first block near the title that begins as a
// byline does.
func (d *reading) byline() []string {
	blocks := d.around()
	for i := range blocks {
		b := &blocks[i]
		if b.Hidden || len(b.Text) > 160 || !byText.MatchString(b.Text) {
			continue
		}
		if names := people(b.Text); len(names) > 0 && (full(names[0]) || b.Text != names[0]) {
			return names
		}
	}
	return nil
}
