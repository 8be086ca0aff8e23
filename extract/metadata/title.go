package metadata

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/page"
)

// separators part the title of a page from the name of its site.
const separators = "|–—-·•»«:›/~"

// title chooses the title: the heading that agrees with what the head of the
// page states, or with a part of it, and is not the name of the site or the book; else
// what is stated, less the name of the site.
func (d *reading) title(site string) string {
	heads := d.headings()
	stated := d.stated(heads)
	for _, t := range stated {
		if h := d.agreeing(t, heads, site); h != "" {
			return beforeBar(h)
		}
	}
	if h := lonely(heads); len(h.text) > 3 {
		for _, t := range stated {
			if shared(h.text, t) >= 0.3 && !d.namesSite(h.text, t, site) && !(h.linked && isLastPart(h.text, t)) {
				return beforeBar(d.chapter(h, t, heads, site))
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

// stated returns the titles that the head of the page states, best first. What
// an editor or a framework has left there ("Untitled Document") counts only where the
// page has no heading.
func (d *reading) stated(heads []heading) (out []string) {
	cands := d.s.of(title)
	for i := range cands {
		t := unprefixed(strings.ReplaceAll(cands[i].text(d.src), "\n", " "))
		if t == "" || len(t) >= 1000 || (len(heads) > 0 || len(out) > 0) && isTemplate(t) {
			continue
		}
		out = append(out, t)
	}
	return out
}

// agreeing returns the heading that is, as far as t tells, the title: t or its
// first part as a whole; else the best part of t.
func (d *reading) agreeing(t string, heads []heading, site string) string {
	key := normal(t)
	for i := range heads {
		h := &heads[i]
		switch {
		case h.level > 1 && len(h.text) <= 2*len(t) && len(t) <= 2*len(h.text) && len(key) > 3 && h.normal() == key && d.inTag(key):
			return h.text
		case len(h.key) <= 3:
		case h.key == key,
			h.level == 1 && firstPart(h.key, t) && !d.isSite(h.text, site) && partBehind(*h, t, heads) == "":
			return h.text
		}
	}
	for _, h := range heads {
		if h.level > 1 || len(h.key) <= 3 || !strings.Contains(key, h.key) || 2*len(h.key) < len(key) || d.namesSite(h.text, t, site) || h.linked && isLastPart(h.text, t) {
			continue
		}
		if c := partBehind(h, t, heads); c != "" {
			return c
		}
		return d.chapter(h, t, heads, site)
	}
	return ""
}

// chapter returns the heading behind h that is the first part of t where h is the
// last one, as the name of a book stands above that of each chapter; else h.
func (d *reading) chapter(h heading, t string, heads []heading, site string) string {
	if isLastPart(h.text, t) {
		for _, c := range heads {
			if c.at > h.at && strings.IndexByte(c.text, ' ') > 0 && firstPart(normal(c.text), t) && !d.isSite(c.text, site) {
				return c.text
			}
		}
	}
	return h.text
}

// namesSite tells whether the heading h is the name of the site: it is the name
// given or that of the host, or like it and the last part of t.
func (d *reading) namesSite(h, t, site string) bool {
	k := squeeze(h)
	return k != squeeze(t) && (k == squeeze(site) || k == d.host() || d.isSite(h, site) && isLastPart(h, t))
}

// inTag tells whether the title element begins with key, in normal form.
func (d *reading) inTag(key string) bool {
	cands := d.s.of(title)
	for i := range cands {
		if cands[i].rank == titleTag {
			return strings.HasPrefix(normal(cands[i].text(d.src)), key)
		}
	}
	return false
}

// partBehind returns the heading of level 1 that is the last part of t, where
// h, which stands above it, is a link as the name of a site or a book is.
func partBehind(h heading, t string, heads []heading) string {
	if !h.linked {
		return ""
	}
	for _, c := range heads {
		if c.at > h.at && c.level == 1 && !c.linked && isLastPart(c.text, t) {
			return c.text
		}
	}
	return ""
}

// firstPart tells whether key is, in normal form, the first part of t.
func firstPart(key, t string) bool {
	i, _ := firstSeparator(t)
	return i > 0 && normal(t[:i]) == key
}

// isLastPart tells whether h is the last of several parts of t.
func isLastPart(h, t string) bool {
	i, j := lastSeparator(t)
	return i > 0 && normal(t[j:]) == normal(h)
}

// templates are titles that editors and frameworks write into every new page,
// and names of any first page.
var templates = map[string]bool{
	"home": true, "home page": true, "homepage": true, "index": true, "start": true, "startseite": true, "accueil": true, "inicio": true, "welcome": true,
	"untitled": true, "untitled document": true, "untitled page": true, "unbenanntes dokument": true, "documento sin título": true, "document sans titre": true,
	"new page": true, "new page 1": true, "no title": true, "page title": true, "title": true, "document": true, "blank page": true,
	"loading": true, "react app": true, "vite app": true, "vite react": true,
}

// isTemplate tells whether t is what a template has for a title.
func isTemplate(t string) bool {
	return templates[normal(t)] || strings.Contains(t, "{{") || strings.Contains(t, "${") || strings.Contains(t, "<%")
}

// unprefixed cuts off what programs of forums write before the title of a
// thread.
func unprefixed(t string) string {
	for _, mark := range [...]string{"View topic - ", "View Topic - ", "Thread: ", "Topic: "} {
		if before, after, ok := strings.Cut(t, mark); ok && (before == "" || strings.HasSuffix(before, " ")) && after != "" {
			return after
		}
	}
	return t
}

// beforeBar cuts off what stands behind a bar, where two words or more stand
// before it.
func beforeBar(t string) string {
	if head, _, ok := strings.Cut(t, " | "); ok && strings.Count(head, " ") > 0 {
		return head
	}
	return t
}

// lonely returns the heading of level 1 if there is only one, in whatever many
// copies.
func lonely(heads []heading) (one heading) {
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

// shared returns the share of the words of a that stand in b, too.
func shared(a, b string) float64 {
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

// heading is a heading that the page shows.
type heading struct {
	text, key string // key is text in normal form; of level 1 alone
	level     uint8
	at        int    // its block
	linked    bool   // all of it is a link
	lower     string // text in normal form, once it was wanted
}

// normal returns the text in normal form.
func (h *heading) normal() string {
	if h.lower == "" {
		h.lower = normal(h.text)
	}
	return h.lower
}

// headings returns the headings of level 1, at most 8, and those of level 2 and
// 3 among the first.
func (d *reading) headings() (out []heading) {
	var n [4]int
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
	return out
}

// strip cuts the name of the site off a title.
func (d *reading) strip(t, site string) string {
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
	// Chinese and Japanese titles have no blanks around the mark.
	if i := strings.LastIndexAny(t, "-_|"); i > 0 && full(t[i+1:]) && strings.IndexByte(t[i:], ' ') < 0 && len(t)-i <= 1+3*8 && 2*i > len(t) {
		t = strings.TrimRight(t[:i], "-_| ")
	}
	return t
}

// isSite tells whether s, a part of a title, is the name of the site: it is
// like the name given, or like the host of the page.
func (d *reading) isSite(s, site string) bool {
	host := d.host()
	k, key := squeeze(s), squeeze(site)
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

// host returns the word of the page's host that names the site, "" if it is not
// known.
func (d *reading) host() string {
	if host := hostWord(d.p.URL); host != "" {
		return host
	}
	return hostWord(d.p.Meta.Canonical)
}

// lastSeparator returns the span of the last separator with blanks around.
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

// separatorAt reads a separator at the blank t[i].
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

// normal returns s for comparison: letters and digits in lower case, a blank
// between words.
func normal(s string) string {
	b := make([]byte, 0, len(s)+8)
	blank := false
	for _, r := range s {
		switch {
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
		case 'A' <= r && r <= 'Z':
			r += 'a' - 'A'
		case r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)):
			r = unicode.ToLower(r)
		default:
			blank = blank || r != '\'' && r != '’'
			continue
		}
		if blank && len(b) > 0 {
			b = append(b, ' ')
		}
		blank = false
		b = utf8.AppendRune(b, r)
	}
	return string(b)
}

// squeeze is normal without spaces.
func squeeze(s string) string { return strings.ReplaceAll(normal(s), " ", "") }

// hostWord returns the host of an address without www and the last label:
// example of https://www.example.co.uk/x.
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
	return squeeze(labels[len(labels)-1])
}
