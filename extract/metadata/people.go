package metadata

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/internal/lazyregexp"
)

// addressPattern matches web and mail addresses.
var addressPattern = lazyregexp.New(`\S*(?:://|www\.|@)\S*`)

// nameJoiner replaces words between two names by a comma.
var nameJoiner = strings.NewReplacer(" and ", ",", " AND ", ",", " und ", ",", " et ", ",", " y ", ",", " e ", ",", " och ", ",", " og ", ",", " en ", ",", " i ", ",", " и ", ",", " και ", ",",
	" with ", ",", " mit ", ",")

// isJoin reports whether r separates names.
func isJoin(r rune) bool { return strings.ContainsRune(",;|\n/、，；&", r) }

// nameEnds holds words that end a name.
var nameEnds = map[string]bool{"-": true, "–": true, "—": true, "on": true, "am": true, "at": true, "for": true, "le": true, "el": true, "il": true, "in": true, "en": true, "updated": true,
	"published": true, "posted": true, "last": true, "modified": true, "via": true, "from": true, "to": true, "is": true, "has": true}

// capitalParticles holds words of nameEnds that are parts of names if they are capitalised.
var capitalParticles = map[string]bool{"Le": true, "El": true, "Il": true}

// trimAfterName cuts off the text after a name: a date, a place, a role.
func trimAfterName(p string) string {
	if i := strings.IndexAny(p, "|•·([»"); i >= 0 {
		p = p[:i]
	}
	for i := 0; i < len(p); i++ {
		if p[i] != ' ' {
			continue
		}
		w, _, _ := strings.Cut(p[i+1:], " ")
		if w == "" || digitAt(w, 0) || nameEnds[strings.ToLower(w)] && !capitalParticles[w] {
			return p[:i]
		}
	}
	return p
}

// maxByline is the most bytes of a byline that are read.
const maxByline = 300

// truncateNames returns the first n bytes of a list of names, without a cut name.
func truncateNames(s string, n int) string {
	if len(s) <= n {
		return s
	}
	s = truncate(s, n)
	if i := strings.LastIndexFunc(s, isJoin); i > 0 {
		s = s[:i]
	}
	return s
}

// givenFirst returns a list of names with the family name first, "Lee, Ann; Ray, Bob", with the given names
// first. Other lists are returned unchanged.
func givenFirst(s string) string {
	if !strings.Contains(s, ";") {
		return s
	}
	list := strings.Split(s, ";")
	for i, name := range list {
		family, given, ok := strings.Cut(name, ",")
		if !ok || strings.Contains(given, ",") {
			return s
		}
		list[i] = strings.TrimSpace(given) + " " + strings.TrimSpace(family)
	}
	return strings.Join(list, ";")
}

// maxPeople is the maximum number of authors of a page.
const maxPeople = 20

// people returns the names in a stated list or, if loose is set, a byline, whose names must be
// capitalised. It returns at most maxPeople names.
func people(s string, loose bool) (out []string) {
	limit := maxValue
	if loose {
		limit = maxByline
	}
	s = truncateNames(s, limit)
	if !loose {
		s = givenFirst(s)
	}
	if isPlain(s) {
		return []string{strings.Clone(s)}
	}
	if strings.IndexByte(s, '@') >= 0 || strings.Contains(s, "://") || strings.Contains(s, "www.") {
		s = addressPattern().ReplaceAllString(s, "\n")
	}
	for l := range strings.SplitSeq(s, "\n") {
		if _, end := findDate(l, true); end > 0 {
			if head := beforeDate(l); head != "" {
				l = head
			} else {
				l = strings.TrimLeft(l[end:], " |·•–—-,")
			}
		}
		l = cutByline(l)
		for _, p := range strings.FieldsFunc(nameJoiner.Replace(l), isJoin) {
			p = strings.TrimSpace(p)
			if isPlain(p) {
				out = add(out, strings.Clone(p))
				continue
			}
			if len(p) < len(l) { // one of several
				p = cutByline(p)
			}
			p = trimAfterName(p)
			p = strings.Trim(p, " \t.:*-–—\"“”'")
			if isName(p) && (!loose || isCased(p)) {
				out = add(out, strings.Clone(p))
			}
		}
		if len(out) > 0 && loose {
			break // later lines are about other things
		}
	}
	return out
}

// isPlain reports whether s is a single name: two or three capitalised words of letters that do not
// begin a byline.
func isPlain(s string) bool {
	words, capital := 0, true // a capital is expected
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
	return (words == 2 || words == 3) && !capital && isName(s) && !startsByline(s) && cutByline(s) == s
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

// nameParticles holds words in names that are not capitalised.
var nameParticles = map[string]bool{"de": true, "la": true, "van": true, "von": true, "der": true, "den": true, "di": true, "da": true, "del": true, "dos": true, "du": true, "le": true,
	"al": true, "bin": true, "el": true, "zu": true, "ten": true, "ter": true, "y": true, "v.": true, "und": true, "the": true, "of": true}

// isCased reports whether the words of a name are capitalised, in scripts with capitals. A single
// word may be a user name.
func isCased(name string) bool {
	words := strings.Fields(name)
	for _, w := range words {
		r, _ := utf8.DecodeRuneInString(w)
		if len(words) > 1 && unicode.IsLower(r) && !nameParticles[w] {
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
		if len(names) < maxPeople {
			names = append(names, m)
		}
	}
	return names
}

// notNames holds words found in place of names.
var notNames = map[string]bool{"admin": true, "administrator": true, "author": true, "authors": true, "editor": true, "by": true, "unknown": true, "undefined": true, "null": true, "none": true,
	"guest": true, "share": true, "read more": true, "follow": true, "comments": true, "about the author": true, "more": true, "anonymous": true, "webmaster": true, "jr": true, "md": true,
	"phd": true, "rd": true, "ms": true, "mba": true, "rn": true, "cpa": true, "false": true, "true": true, "default": true, "root": true, "user": true, "posted": true, "published": true,
	"about": true, "profile": true, "view profile": true, "view all posts": true, "contributor": true, "staff writer": true, "senior editor": true, "reporter": true, "writer": true, "wordpress": true,
	"sign in": true, "sign": true, "join us": true, "privacy policy": true, "log in": true, "login": true, "register": true, "subscribe": true, "min read": true, "mins read": true, "minutes read": true, "updated": true, "facebook": true,
	"twitter": true, "linkedin": true, "instagram": true, "email": true, "print": true, "no comments": true, "leave a comment": true, "reply": true, "post": true, "quote": true,
	"home": true, "search": true, "menu": true, "date": true, "datum": true, "today": true, "yesterday": true, "mr": true, "dr": true, "ph.d": true, "m.d": true, "esq": true,
	"follow us": true, "shares": true, "read": true, "von": true, "por": true, "par": true, "autor": true, "artikel von": true, "journalist": true, "redakteur": true, "new": true,
	"people": true, "our people": true, "contributors": true, "profiles": true, "member": true, "moderator": true, "senior member": true, "junior member": true, "new member": true, "well-known member": true, "active member": true}

// isName reports whether s may be the name of a person or an organisation.
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

// isFullName reports whether a name has two parts, or is in a script without spaces.
func isFullName(name string) bool {
	if strings.IndexByte(name, ' ') > 0 {
		return true
	}
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana)
}
