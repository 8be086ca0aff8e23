package metadata

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/page"
)

// separators holds the marks between the title of a page and the name of its site.
const separators = "|–—-·•»«:›/~"

// title chooses the title: the heading that agrees with a title stated in the head of the page, or
// with a part of it, and is not the name of the site or the book; else the stated title without the
// name of the site.
func (d *fieldReader) title(site string) string {
	heads := d.headings()
	stated := d.stated(heads)
	for _, t := range stated {
		if h := d.headingFor(t, heads, site); h != "" {
			return beforeBar(h)
		}
	}
	if h := singleHeading(heads); len(h.text) > 3 {
		for _, t := range stated {
			if wordOverlap(h.text, t) >= 0.3 && !d.isSiteHeading(h.text, t, site) && !(h.isLink && isLastPart(h.text, t)) {
				return beforeBar(d.chapterHeading(h, t, heads, site))
			}
		}
	}
	if len(stated) > 0 {
		return beforeBar(d.strip(stated[0], site))
	}
	for _, h := range heads {
		if h.level == 1 {
			return h.text
		}
	}
	return ""
}

// stated returns the titles in the head of the page, best first. Default titles of editors and
// frameworks ("Untitled Document") count only if the page has no heading.
func (d *fieldReader) stated(heads []heading) (out []string) {
	cands := d.s.candidates(title)
	for i := range cands {
		t := unprefixed(strings.ReplaceAll(cands[i].text(d.src), "\n", " "))
		if t == "" || len(t) >= 1000 || (len(heads) > 0 || len(out) > 0) && isTemplate(t) {
			continue
		}
		out = append(out, t)
	}
	return out
}

// headingFor returns the heading that equals t or its first part; else the heading with the best part
// of t; "" if there is none.
func (d *fieldReader) headingFor(t string, heads []heading, site string) string {
	key := normal(t)
	for i := range heads {
		h := &heads[i]
		switch {
		case h.level > 1 && len(h.text) <= 2*len(t) && len(t) <= 2*len(h.text) && len(key) > 3 && h.normal() == key && d.titleTagBegins(key):
			return h.text
		case len(h.key) <= 3:
		case h.key == key,
			h.level == 1 && firstPart(h.key, t) && !d.isSite(h.text, site) && headingAfterLink(*h, t, heads) == "":
			return h.text
		}
	}
	for _, h := range heads {
		if h.level > 1 || len(h.key) <= 3 || !strings.Contains(key, h.key) || 2*len(h.key) < len(key) || d.isSiteHeading(h.text, t, site) || h.isLink && isLastPart(h.text, t) {
			continue
		}
		if c := headingAfterLink(h, t, heads); c != "" {
			return c
		}
		return d.chapterHeading(h, t, heads, site)
	}
	return ""
}

// chapterHeading returns h or, if h is the last part of t, a heading after h that is the first part of t:
// books repeat their title above the title of each chapter.
func (d *fieldReader) chapterHeading(h heading, t string, heads []heading, site string) string {
	if isLastPart(h.text, t) {
		for _, c := range heads {
			if c.at > h.at && strings.IndexByte(c.text, ' ') > 0 && firstPart(normal(c.text), t) && !d.isSite(c.text, site) {
				return c.text
			}
		}
	}
	return h.text
}

// isSiteHeading reports whether heading h is the name of the site: it equals the site's name or the
// host, or resembles one of them and is the last part of t.
func (d *fieldReader) isSiteHeading(h, t, site string) bool {
	k := normalNoSpaces(h)
	return k != normalNoSpaces(t) && (k == normalNoSpaces(site) || k == d.host() || d.isSite(h, site) && isLastPart(h, t))
}

// titleTagBegins reports whether the title element begins with key, in normal form.
func (d *fieldReader) titleTagBegins(key string) bool {
	cands := d.s.candidates(title)
	for i := range cands {
		if cands[i].rank == titleTag {
			return strings.HasPrefix(normal(cands[i].text(d.src)), key)
		}
	}
	return false
}

// headingAfterLink returns the heading of level 1 after h that is the last part of t, if h is a link, as
// the name of a site or a book often is.
func headingAfterLink(h heading, t string, heads []heading) string {
	if !h.isLink {
		return ""
	}
	for _, c := range heads {
		if c.at > h.at && c.level == 1 && !c.isLink && isLastPart(c.text, t) {
			return c.text
		}
	}
	return ""
}

// firstPart reports whether key is, in normal form, the first part of t.
func firstPart(key, t string) bool {
	i, _ := firstSeparator(t)
	return i > 0 && normal(t[:i]) == key
}

// isLastPart reports whether h is the last of several parts of t.
func isLastPart(h, t string) bool {
	i, j := lastSeparator(t)
	return i > 0 && normal(t[j:]) == normal(h)
}

// templates holds default titles of editors and frameworks, and common titles of start pages.
var templates = map[string]bool{
	"home": true, "home page": true, "homepage": true, "index": true, "start": true, "startseite": true, "accueil": true, "inicio": true, "welcome": true,
	"untitled": true, "untitled document": true, "untitled page": true, "unbenanntes dokument": true, "documento sin título": true, "document sans titre": true,
	"new page": true, "new page 1": true, "no title": true, "page title": true, "title": true, "document": true, "blank page": true,
	"loading": true, "react app": true, "vite app": true, "vite react": true,
}

// isTemplate reports whether t is a default title or an unfilled template.
func isTemplate(t string) bool {
	return templates[normal(t)] || strings.Contains(t, "{{") || strings.Contains(t, "${") || strings.Contains(t, "<%")
}

// unprefixed removes the prefix that forum software adds to the title of a thread, with the name of the
// forum before it.
func unprefixed(t string) string {
	if strings.IndexByte(t, ':') < 0 && !strings.Contains(t, " - ") {
		return t
	}
	for _, mark := range [...]string{"View topic - ", "View Topic - ", "Thread: ", "Topic: "} {
		before, after, ok := strings.Cut(t, mark)
		if _, end := lastSeparator(before); ok && after != "" && (before == "" || end == len(before)) {
			return after
		}
	}
	return t
}

// beforeBar returns the part of t before a bar, if it has at least two words; else t.
func beforeBar(t string) string {
	if head, _, ok := strings.Cut(t, " | "); ok && strings.Count(head, " ") > 0 {
		return head
	}
	return t
}

// singleHeading returns the heading of level 1 if all such headings have the same text.
func singleHeading(heads []heading) (one heading) {
	for _, h := range heads {
		switch {
		case h.level > 1:
		case one.text == "":
			one = h
		case h.text != one.text:
			return heading{}
		}
	}
	return one
}

// wordOverlap returns the share of the words of a that also occur in b.
func wordOverlap(a, b string) float64 {
	words := strings.Fields(normal(a))
	in := " " + normal(b) + " "
	n := 0
	for _, w := range words {
		if strings.Contains(in, " "+w+" ") {
			n++
		}
	}
	return float64(n) / float64(max(1, len(words)))
}

// heading is a shown heading.
type heading struct {
	text, key  string // key is text in normal form, for level 1 only
	level      uint8
	at         int    // index of its block
	isLink     bool   // all of it is a link
	normalized string // text in normal form, computed on demand
}

// normal returns the text in normal form.
func (h *heading) normal() string {
	if h.normalized == "" {
		h.normalized = normal(h.text)
	}
	return h.normalized
}

// headings returns the first 8 headings of level 1, and the first 16 of level 2 and of level 3.
func (d *fieldReader) headings() (out []heading) {
	var n [4]int
	out = d.s.heads[:0]
	for i := range d.p.Blocks {
		b := &d.p.Blocks[i]
		if b.Kind != page.Heading || b.Level > 3 || b.Hidden || len(b.Text) >= 400 {
			continue
		}
		if n[b.Level]++; b.Level == 1 && n[1] > 8 || b.Level > 1 && n[b.Level] > 16 {
			continue
		}
		text := unprefixed(b.Text)
		key := ""
		if b.Level == 1 {
			key = normal(text)
		}
		out = append(out, heading{text, key, b.Level, i, b.LinkChars > 0 && b.LinkDensity() > 0.9, key})
	}
	d.s.heads = out
	return out
}

// strip removes the name of the site from a title.
func (d *fieldReader) strip(t, site string) string {
	for {
		i, j := lastSeparator(t)
		if i < 0 || !d.isSite(t[j:], site) {
			break
		}
		t = t[:i]
	}
	if i, j := firstSeparator(t); i > 0 && d.isSite(t[:i], site) {
		t = t[j:]
	}
	// Chinese and Japanese titles have no spaces around the separator.
	if i := strings.LastIndexAny(t, "-_|"); i > 0 && isFullName(t[i+1:]) && strings.IndexByte(t[i:], ' ') < 0 && len(t)-i <= 1+3*8 && 2*i > len(t) {
		t = strings.TrimRight(t[:i], "-_| ")
	}
	return t
}

// isSite reports whether s, a part of a title, resembles the name of the site or the host of the
// page.
func (d *fieldReader) isSite(s, site string) bool {
	host := d.host()
	k, key := normalNoSpaces(s), normalNoSpaces(site)
	switch {
	case k == "":
		return false
	case key != "" && (k == key || len(k) > 3 && strings.Contains(key, k)):
		return true
	case len(host) < 3:
		return false
	}
	return len(k) > 2 && strings.Contains(host, k) || strings.HasPrefix(k, host) && len(k) < 2*len(host)+8
}

// host returns the label of the page's host that names the site; "" if it is unknown.
func (d *fieldReader) host() string {
	if host := hostWord(d.p.URL); host != "" {
		return host
	}
	return hostWord(d.p.Meta.Canonical)
}

// lastSeparator returns the span of the last separator with spaces around it; -1, -1 if there is
// none.
func lastSeparator(t string) (i, j int) {
	for i := len(t) - 1; i > 0; i-- {
		if i, j := separatorAt(t, i); i > 0 {
			return i, j
		}
	}
	return -1, -1
}

func firstSeparator(t string) (i, j int) {
	for i := 1; i < len(t); i++ {
		if i, j := separatorAt(t, i); i > 0 {
			return i, j
		}
	}
	return -1, -1
}

// separatorAt returns the span of the separator that begins with the space t[i]; -1, -1 if there is
// none.
func separatorAt(t string, i int) (from, to int) {
	if t[i] != ' ' {
		return -1, -1
	}
	from = i
	if t[i-1] == ':' {
		return i - 1, i + 1
	}
	n := 0
	for _, r := range t[i+1:] {
		if !strings.ContainsRune(separators, r) {
			if r == ' ' && n > 0 {
				return from, i + 1 + n + 1
			}
			return -1, -1
		}
		n += len(string(r))
	}
	return -1, -1
}

// normal returns s for comparison: letters and digits in lower case, one space between words.
func normal(s string) string {
	var short [256]byte
	b := short[:0]
	blank := false
	for _, r := range s {
		low, ok := normalRune(r)
		if !ok {
			blank = blank || r != '\'' && r != '’'
			continue
		}
		if blank && len(b) > 0 {
			b = append(b, ' ')
		}
		blank = false
		b = utf8.AppendRune(b, low)
	}
	return string(b)
}

// normalRune returns a letter or a digit in lower case; false for other characters.
func normalRune(r rune) (rune, bool) {
	switch {
	case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
	case 'A' <= r && r <= 'Z':
		r += 'a' - 'A'
	case r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)):
		r = unicode.ToLower(r)
	default:
		return r, false
	}
	return r, true
}

// normalNoSpaces is normal without spaces.
func normalNoSpaces(s string) string { return strings.ReplaceAll(normal(s), " ", "") }

// isNormalNoSpaces reports whether key is normalNoSpaces of s.
func isNormalNoSpaces(s, key string) bool {
	for _, r := range s {
		low, ok := normalRune(r)
		if !ok {
			continue
		}
		k, n := utf8.DecodeRuneInString(key)
		if n == 0 || k != low {
			return false
		}
		key = key[n:]
	}
	return key == ""
}

// hostWord returns the host of an address without www and public suffix: example for
// https://www.example.co.uk/x.
func hostWord(url string) string {
	_, rest, ok := strings.Cut(url, "://")
	if !ok {
		return ""
	}
	if i := strings.IndexAny(rest, "/?#:"); i >= 0 {
		rest = rest[:i]
	}
	labels := strings.Split(strings.ToLower(rest), ".")
	if n := len(labels); n > 1 {
		labels = labels[:n-1]
	}
	if n := len(labels); n > 1 && len(labels[n-1]) <= 3 && labels[0] != "www" || n > 2 && len(labels[n-1]) <= 3 {
		labels = labels[:n-1] // co.uk
	}
	return normalNoSpaces(labels[len(labels)-1])
}
