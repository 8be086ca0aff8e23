package extract

import (
	"slices"
	"strings"

	"chaffinch/page"
)

const (
	// maxURL is the most bytes of a link's address; longer ones are not recorded.
	maxURL = 8 << 10
	// maxLinks is the most links of a page that are recorded, as in Heritrix.
	maxLinks = 6000
)

// Links returns the links of a page in order, including links without text, and the href of its
// first base element, "" if none. They are the links that Config.Links records, without the cost of
// extracting blocks. Links in scripts, styles and comments do not count.
func Links(html string) (list []page.Hyperlink, base string) {
	l := lexer{xml: isXHTML("", html)}
	l.reset(html)
	var unclosed []tagID // raw text elements that never end are read as other elements
	for {
		switch l.next() {
		case tokEOF:
			return list, base
		case tokStart:
		default:
			continue
		}
		switch t := l.tag; t {
		case tagBase:
			if href, ok := l.attrs.get(attrHref); ok && base == "" {
				base = address(href)
			}
		case tagScript, tagStyle, tagTextarea, tagTitle, tagXmp, tagNoembed, tagNoframes:
			if slices.Contains(unclosed, t) || l.xml && l.selfClose {
				continue
			}
			if _, ok := l.rawText(tags[t].name); !ok {
				if t == tagScript || t == tagStyle {
					return list, base
				}
				unclosed = append(unclosed, t)
			}
		default:
			if link, ok := l.link(); ok && len(list) < maxLinks {
				list = append(list, link)
			}
		}
	}
}

// link returns the link of the current start tag, if it is one.
func (l *lexer) link() (page.Hyperlink, bool) {
	var url string
	var ok bool
	switch l.tag {
	case tagA, tagArea, tagLink:
		url, ok = l.attrs.get(attrHref)
	case tagIframe, tagFrame:
		url, ok = l.attrs.get(attrSrc)
	case tagMeta:
		if equiv := l.attrs.value(attrHTTPEquiv); strings.EqualFold(strings.TrimSpace(equiv), "refresh") {
			content := l.attrs.value(attrContent)
			url, ok = refreshURL(content)
		}
	}
	if !ok || len(url) > maxURL {
		return page.Hyperlink{}, false
	}
	found := page.Hyperlink{Element: tags[l.tag].name, URL: address(url), Start: int32(l.start)}
	found.Rel = l.attrs.value(attrRel)
	found.Lang = l.attrs.value(attrHreflang)
	if l.tag == tagLink {
		found.Type = l.attrs.value(attrType)
	}
	return found, true
}

// refreshURL returns the address in the content of a meta refresh, as in the HTML standard ("shared
// declarative refresh steps"): a number of seconds, a comma, semicolon or white space, and
// optionally "url=" and quotation marks. It returns false if there is no address: then the page
// reloads itself.
func refreshURL(content string) (url string, ok bool) {
	const white = " \t\n\f\r"
	rest := strings.TrimLeft(content, white)
	after := strings.TrimLeft(rest, "0123456789.")
	if len(after) == len(rest) {
		return "", false
	}
	rest = strings.TrimLeft(after, white)
	if rest == "" || len(rest) == len(after) && rest[0] != ';' && rest[0] != ',' {
		return "", false
	}
	if rest[0] == ';' || rest[0] == ',' {
		rest = strings.TrimLeft(rest[1:], white)
	}
	if len(rest) >= 3 && strings.EqualFold(rest[:3], "url") {
		if value, found := strings.CutPrefix(strings.TrimLeft(rest[3:], white), "="); found {
			rest = strings.TrimLeft(value, white)
		}
	}
	if rest != "" && (rest[0] == '"' || rest[0] == '\'') {
		quoted, _, _ := strings.Cut(rest[1:], rest[:1])
		rest = quoted
	}
	return rest, rest != ""
}

// noteLink records the link of the current start tag, if it is one. A link is recorded once, even
// if a part of the page is read again.
func (s *scan) noteLink() {
	l := &s.lex
	if n := len(s.found); n == maxLinks || n > 0 && int(s.found[n-1].Start) >= l.start {
		return
	}
	if link, ok := l.link(); ok {
		s.found = append(s.found, link)
	}
}

// noteLinks records the links in a raw text element whose content begins at from.
func (s *scan) noteLinks(html string, from int) {
	list, _ := Links(html)
	for _, link := range list[:min(len(list), maxLinks-len(s.found))] {
		link.Start += int32(from)
		s.found = append(s.found, link)
	}
}
