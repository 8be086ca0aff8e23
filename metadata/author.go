package metadata

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/page"
)

// authors returns the names of the authors: those of the best source that can
// be trusted or names people in full, else of the best that names anybody.
func (d *reading) authors() []string {
	var single []string
	looked := false
	for cands := d.s.of(author); len(cands) > 0; {
		n := 1
		for n < len(cands) && cands[n].rank == cands[0].rank {
			n++
		}
		group := cands[:n]
		cands = cands[n:]
		rank := group[0].rank
		if rank > authorName && !looked {
			looked = true
			if names := d.byline(); names != nil {
				return names
			}
		}
		for _, names := range d.groups(group) {
			names, isSite := d.lessSite(names)
			if !isSite && (full(names[0]) || rank <= authorCitation || rank == authorRel) {
				return names
			}
			if single == nil {
				single = names
			}
		}
	}
	if !looked {
		if names := d.byline(); names != nil && (single == nil || full(names[0])) {
			return names
		}
	}
	if single == nil {
		if names := d.bylineIn(d.p.Blocks[:min(len(d.p.Blocks), inText)]); names != nil && full(names[0]) {
			return names
		}
	}
	return single
}

const strictFrom = authorLink

// lessSite leaves out the name of the site, which stands beside the authors;
// it tells if it is all that there is.
func (d *reading) lessSite(names []string) (people []string, isSite bool) {
	for _, n := range names {
		if !d.isSite(n, d.p.Meta.Site) {
			people = append(people, n)
		}
	}
	if people == nil {
		return names, true
	}
	return people, false
}

// groups returns the names in sources of one rank: of attributes all
// together, of elements those that stand close together.
func (d *reading) groups(cands []candidate) (out [][]string) {
	at := 0
	for i := range cands {
		c := &cands[i]
		if c.rank >= strictFrom && !d.near(c.from.at) {
			continue
		}
		names := d.namesOf(c)
		if len(names) == 0 {
			continue
		}
		if last := len(out) - 1; last >= 0 && c.rank <= authorName && c.from.at <= at+maxApart {
			out[last] = add(out[last], names...)
		} else {
			out = append(out, names)
		}
		at = c.from.at
		if len(out) > 4 {
			break
		}
	}
	return out
}

// maxApart is the most bytes between the elements of two authors of one page;
// beyond, they are of comments or other articles.
const maxApart = 400

// namesOf returns the names that a candidate states.
func (d *reading) namesOf(c *candidate) []string {
	if c.value == "" && c.from.at > 0 {
		if n := d.nameIn(c); n != "" {
			return people(n, false)
		}
	}
	v := c.text(d.src)
	if c.rank == authorCitation && strings.Count(v, ",") == 1 && !strings.Contains(v, ";") { // Family, Given
		family, given, _ := strings.Cut(v, ",")
		v = strings.TrimSpace(given) + " " + family
	}
	return people(v, c.value == "" && c.rank >= authorItem)
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
	by = regexp.MustCompile(`(?i)^\W*(?:(?:view all posts|show all articles|(?:\pL+ ){0,2}(?:written|posted|published|reported|reviewed|story|article|words|text|report|submitted|created|post|recipe|photos?)|geschrieben|veröffentlicht|verfasst|erstellt|artikel|beitrag|posté|publié|écrit|escrito|publicado|pubblicato|scritto)\s+)?` +
		`(?:(?:by|of|von|par|por|di|da|door|przez|od|av|af)\b\s*:?\s*|(?:authors?|by|autor(?:in|en|es|a)?|auteurs?|autore|автор|συντάκτης|text|interview|words|redaktion|reporter|作者|文|记者|撰文|来源|编辑)\s*[:：/|]\s*)+`)
	// address is an address of the web or of mail.
	address = regexp.MustCompile(`\S*(?:://|www\.|@)\S*`)
)

// openings are how bylines begin.
var openings = [...]string{"by ", "by:", "von ", "von:", "par ", "por ", "por:", "written by", "posted by", "text by", "text:", "words by", "autor:", "autorin:", "author:", "auteur :", "автор:",
	"作者:", "作者：", "文/", "文|", "记者"}

// openers tells which bytes, in lower case, begin an opening.
var openers = func() (t [256]bool) {
	for _, o := range openings {
		t[o[0]|0x20] = true
		if o[0] >= utf8.RuneSelf {
			upper := strings.ToUpper(o)
			t[upper[0]|0x20] = true
		}
	}
	return t
}()

// opens tells whether a block begins as a byline does.
func opens(s string) bool {
	for len(s) > 0 && s[0] < utf8.RuneSelf && !isLetter(s[0]) {
		s = s[1:]
	}
	if s == "" || !openers[s[0]|0x20] {
		return false
	}
	for _, o := range &openings {
		if len(s) > len(o) && (s[0]|0x20 == o[0] || s[0] >= utf8.RuneSelf) && strings.EqualFold(s[:len(o)], o) {
			return true
		}
	}
	// "By" and a name whose elements touch
	rest, ok := strings.CutPrefix(s, "By")
	r, _ := utf8.DecodeRuneInString(rest)
	return ok && unicode.IsUpper(r)
}

// joins are the words between two names, as a comma.
var joins = strings.NewReplacer(" and ", ",", " AND ", ",", " und ", ",", " et ", ",", " y ", ",", " e ", ",", " och ", ",", " og ", ",", " en ", ",", " i ", ",", " и ", ",", " και ", ",",
	" with ", ",", " mit ", ",")

// isJoin reports the marks between two names.
func isJoin(r rune) bool { return strings.ContainsRune(",;|\n/、，；&", r) }

// tails are words that no name goes on behind.
var tails = map[string]bool{"-": true, "–": true, "—": true, "on": true, "am": true, "at": true, "for": true, "le": true, "el": true, "il": true, "in": true, "en": true, "updated": true,
	"published": true, "posted": true, "last": true, "modified": true, "via": true, "from": true, "to": true, "is": true, "has": true}

// cutTail cuts off what stands behind a name: a date, a place, a role.
func cutTail(p string) string {
	if i := strings.IndexAny(p, "|•·([»"); i >= 0 {
		p = p[:i]
	}
	for i := 0; i < len(p); i++ {
		if p[i] != ' ' {
			continue
		}
		w, _, _ := strings.Cut(p[i+1:], " ")
		if w == "" || digitAt(w, 0) || tails[strings.ToLower(w)] {
			return p[:i]
		}
	}
	return p
}

// maxByline is the most bytes of a byline that are read.
const maxByline = 300

// people returns the names in a byline, at most 20. In loose text names must
// be written as names are.
func people(s string, loose bool) (out []string) {
	s = cut(s, maxByline)
	if isPlain(s) {
		return []string{strings.Clone(s)}
	}
	if strings.ContainsAny(s, ":@.") {
		s = address.ReplaceAllString(s, "\n")
	}
	for l := range strings.SplitSeq(s, "\n") {
		if _, end := findDate(l, true); end > 0 {
			if head := beforeDate(l); head != "" {
				l = head
			} else {
				l = strings.TrimLeft(l[end:], " |·•–—-,")
			}
		}
		l = by.ReplaceAllString(l, "")
		for _, p := range strings.FieldsFunc(joins.Replace(l), isJoin) {
			p = strings.TrimSpace(p)
			if isPlain(p) {
				out = add(out, strings.Clone(p))
				continue
			}
			if len(p) < len(l) { // one of several
				p = by.ReplaceAllString(p, "")
			}
			p = cutTail(p)
			p = strings.Trim(p, " \t.:*-–—\"“”'")
			if isName(p) && (!loose || isCased(p)) {
				out = add(out, strings.Clone(p))
			}
		}
		if len(out) > 0 && loose {
			break // the lines behind tell other things
		}
	}
	return out
}

// isPlain tells whether s is one name and nothing else: two or three words of
// letters that begin with capitals, the first of which begins no byline.
func isPlain(s string) bool {
	words, capital := 0, true // capital is wanted
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == ' ' && !capital:
			capital = true
		case capital && 'A' <= c && c <= 'Z':
			words++
			capital = false
		case capital || !isLetter(c):
			return false
		}
	}
	return (words == 2 || words == 3) && !capital && isName(s) && !opens(s) && by.FindString(s) == ""
}

// beforeDate returns the part of a line before its date.
func beforeDate(l string) string {
	for i, r := range l {
		if unicode.IsDigit(r) {
			return l[:i]
		}
		if i > 0 && l[i-1] == ' ' {
			w, _, _ := strings.Cut(l[i:], " ")
			if months[strings.ToLower(strings.TrimRight(w, ".,"))] > 0 || weekdays[strings.ToLower(strings.TrimRight(w, ".,"))] {
				return l[:i]
			}
		}
	}
	return ""
}

var weekdays = map[string]bool{"mon": true, "tue": true, "wed": true, "thu": true, "fri": true, "sat": true, "sun": true, "monday": true, "tuesday": true, "wednesday": true,
	"thursday": true, "friday": true, "saturday": true, "sunday": true}

// particles are words in names that are written small.
var particles = map[string]bool{"de": true, "la": true, "van": true, "von": true, "der": true, "den": true, "di": true, "da": true, "del": true, "dos": true, "du": true, "le": true,
	"al": true, "bin": true, "el": true, "zu": true, "ten": true, "ter": true, "y": true, "v.": true, "und": true, "the": true, "of": true}

// isCased tells whether the words of a name begin with capitals, where its
// script has them; a single word may be the name of a user.
func isCased(name string) bool {
	words := strings.Fields(name)
	for _, w := range words {
		r, _ := utf8.DecodeRuneInString(w)
		if len(words) > 1 && unicode.IsLower(r) && !particles[w] {
			return false
		}
	}
	return true
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
	"about": true, "profile": true, "view profile": true, "view all posts": true, "contributor": true, "staff writer": true, "senior editor": true, "reporter": true, "writer": true, "wordpress": true,
	"sign in": true, "sign": true, "join us": true, "privacy policy": true, "log in": true, "login": true, "register": true, "subscribe": true, "min read": true, "mins read": true, "minutes read": true, "updated": true, "facebook": true,
	"twitter": true, "linkedin": true, "instagram": true, "email": true, "print": true, "no comments": true, "leave a comment": true, "reply": true, "post": true, "quote": true,
	"home": true, "search": true, "menu": true, "date": true, "datum": true, "today": true, "yesterday": true, "mr": true, "dr": true, "ph.d": true, "m.d": true, "esq": true,
	"follow us": true, "shares": true, "read": true, "von": true, "por": true, "par": true, "autor": true, "artikel von": true, "journalist": true, "redakteur": true, "new": true,
	"member": true, "moderator": true, "senior member": true, "junior member": true, "new member": true, "well-known member": true, "active member": true}

// isName tells whether s may be the name of a person or a body.
func isName(s string) bool {
	n := utf8.RuneCountInString(s)
	if n < 2 || n > 60 || notNames[strings.ToLower(s)] || strings.Contains(s, "://") || strings.Contains(s, "www.") || strings.ContainsAny(s, "@{}<>=?!") {
		return false
	}
	if months[strings.ToLower(s)] > 0 || weekdays[strings.ToLower(s)] {
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
// byline does, or that is a date and a name.
func (d *reading) byline() []string {
	return d.bylineIn(d.around())
}

func (d *reading) bylineIn(blocks []page.Block) []string {
	for i := range blocks {
		b := &blocks[i]
		if b.Hidden || len(b.Text) > 160 {
			continue
		}
		says := opens(b.Text)
		if !says {
			if !strings.ContainsAny(b.Text[:min(len(b.Text), 30)], "0123456789") {
				continue
			}
			_, end := findDate(b.Text, true)
			if end == 0 || end > 30 || end+6 > len(b.Text) || len(b.Text) > end+40 || strings.IndexByte(" |-", b.Text[end]) < 0 {
				continue
			}
		}
		// The source tells where inline elements part the words.
		text := textOf(d.src[:min(b.End, len(d.src))], span{at: b.Start})
		if names := people(text, true); len(names) > 0 && (says || full(names[0])) {
			return names
		}
	}
	return nil
}
