package extract

import (
	"strings"

	"chaffinch/page"
)

// metadata gathers what a page says of itself. Each field keeps the value of
// the best source seen so far; a smaller rank is better.
type metadata struct {
	title, lang, date, canonical sourced
}

type sourced struct {
	value string
	rank  int
}

func (m *metadata) reset() {
	none := sourced{rank: 1 << 10}
	*m = metadata{title: none, lang: none, date: none, canonical: none}
}

// offer keeps value if its source ranks before that of the value at hand.
func (s *sourced) offer(rank int, value string) {
	if rank < s.rank && value != "" {
		*s = sourced{value, rank}
	}
}

// Sources of a date, best first.
const (
	datePublished = iota
	dateJSONLD
	dateItemprop
	dateMeta
	dateTimePub
	dateTime
	dateModified
	dateMetaModified
	dateLastModified
)

// dateNames are the meta tags that hold dates.
var dateNames = map[string]int{
	"article:published_time":    datePublished,
	"og:article:published_time": datePublished,
	"datepublished":             dateItemprop,
	"dateposted":                dateItemprop,
	"og:published_time":         dateItemprop,
	"rnews:datepublished":       dateItemprop,
	"bt:pubdate":                dateMeta,
	"citation_date":             dateMeta,
	"citation_publication_date": dateMeta,
	"date":                      dateMeta,
	"date.created":              dateMeta,
	"dc.date":                   dateMeta,
	"dc.date.created":           dateMeta,
	"dc.date.issued":            dateMeta,
	"dcterms.created":           dateMeta,
	"dcterms.date":              dateMeta,
	"dcterms.issued":            dateMeta,
	"article.published":         dateMeta,
	"parsely-pub-date":          dateMeta,
	"pubdate":                   dateMeta,
	"publication_date":          dateMeta,
	"publish-date":              dateMeta,
	"publish_date":              dateMeta,
	"publishdate":               dateMeta,
	"published_time":            dateMeta,
	"sailthru.date":             dateMeta,
	"weibo: article:create_at":  dateMeta,
	"article:modified_time":     dateModified,
	"datemodified":              dateModified,
	"dcterms.modified":          dateMetaModified,
	"dc.date.modified":          dateMetaModified,
	"last-modified":             dateLastModified,
	"lastmod":                   dateLastModified,
	"revised":                   dateLastModified,
	"og:updated_time":           dateLastModified,
}

// metaTag reads a meta element: name, property, itemprop or http-equiv, and
// content.
func (m *metadata) metaTag(l *lexer) {
	content, ok := l.attr("content")
	if !ok || len(content) > 4096 {
		return
	}
	for i := range l.attrs {
		a := &l.attrs[i]
		switch {
		case strings.EqualFold(a.name, "name"), strings.EqualFold(a.name, "property"),
			strings.EqualFold(a.name, "itemprop"), strings.EqualFold(a.name, "http-equiv"):
		default:
			continue
		}
		if len(a.val) > 64 {
			continue
		}
		name := strings.ToLower(strings.TrimSpace(a.val))
		switch name {
		case "og:title":
			m.title.offer(1, fold(content, true))
		case "twitter:title", "dc.title":
			m.title.offer(2, fold(content, true))
		case "content-language", "language":
			m.lang.offer(1, firstLang(content))
		case "dc.language", "dcterms.language":
			m.lang.offer(2, firstLang(content))
		case "og:locale":
			m.lang.offer(3, firstLang(content))
		case "og:url":
			m.canonical.offer(1, fold(content, true))
		default:
			if rank, ok := dateNames[name]; ok {
				m.offerDate(rank, fold(content, true))
			}
		}
	}
}

// html reads the attributes of the html element.
func (m *metadata) html(l *lexer) {
	for _, name := range [...]string{"lang", "xml:lang"} {
		if v, ok := l.attr(name); ok && len(v) <= 64 {
			m.lang.offer(0, firstLang(v))
		}
	}
}

// link reads a link element.
func (m *metadata) link(l *lexer) {
	rel, _ := l.attr("rel")
	href, ok := l.attr("href")
	if ok && len(href) <= 4096 && strings.EqualFold(strings.TrimSpace(rel), "canonical") {
		m.canonical.offer(0, fold(href, true))
	}
}

// time reads the start tag of a time element.
func (m *metadata) time(l *lexer) {
	v, ok := l.attr("datetime")
	if !ok || len(v) > 64 {
		return
	}
	rank := dateTime
	if _, ok := l.attr("pubdate"); ok {
		rank = dateTimePub
	}
	switch p, _ := l.attr("itemprop"); {
	case strings.EqualFold(p, "datePublished"):
		rank = dateItemprop
	case strings.EqualFold(p, "dateModified"):
		rank = dateModified
	}
	m.offerDate(rank, v)
}

// titleTag takes the content of the first title element that has text.
func (m *metadata) titleTag(content string) {
	m.title.offer(0, fold(cutRunes(content, 2000), false))
}

// jsonLD looks for the dates in a JSON-LD script. The script may be broken, so
// it is searched and not parsed.
func (m *metadata) jsonLD(content string) {
	if len(content) > 1<<20 {
		content = content[:1<<20]
	}
	for _, key := range [...]struct {
		name string
		rank int
	}{{`"datePublished"`, dateJSONLD}, {`"dateModified"`, dateModified}} {
		if m.date.rank <= key.rank {
			continue
		}
		_, rest, ok := strings.Cut(content, key.name)
		if !ok {
			continue
		}
		rest = strings.TrimLeft(rest, " \t\r\n:")
		if !strings.HasPrefix(rest, `"`) {
			continue
		}
		if v, _, ok := strings.Cut(rest[1:], `"`); ok && len(v) <= 64 {
			m.offerDate(key.rank, v)
		}
	}
}

func (m *metadata) offerDate(rank int, value string) {
	if rank < m.date.rank {
		m.date.offer(rank, parseDate(value))
	}
}

// fill completes p.Meta; what the source of the page already knows stays.
func (m *metadata) fill(p *page.Page) {
	if !m.title.isSet() {
		for i := range p.Blocks {
			if b := &p.Blocks[i]; b.Kind == page.Heading && b.Level == 1 && !b.Hidden {
				m.title.offer(3, b.Text)
				break
			}
		}
	}
	for _, f := range [...]struct {
		to   *string
		from *sourced
	}{{&p.Meta.Title, &m.title}, {&p.Meta.Lang, &m.lang}, {&p.Meta.Date, &m.date}, {&p.Meta.Canonical, &m.canonical}} {
		if *f.to == "" && f.from.isSet() {
			*f.to = strings.Clone(f.from.value)
		}
	}
}

func (s *sourced) isSet() bool { return s.value != "" }

// firstLang returns the first language tag of a list, "" if it is none.
func firstLang(v string) string {
	v = fold(v, true)
	if i := strings.IndexAny(v, ",; "); i >= 0 {
		v = v[:i]
	}
	v = strings.ReplaceAll(v, "_", "-")
	if len(v) < 2 || len(v) > 35 { // the longest that RFC 5646 asks to support
		return ""
	}
	for i := 0; i < len(v); i++ {
		if c := v[i]; !isLetter(c) && (i < 2 || c != '-' && (c < '0' || c > '9')) {
			return ""
		}
	}
	return v
}

// cutRunes returns the first n bytes of s, less the bytes of a cut character.
func cutRunes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n]
}
