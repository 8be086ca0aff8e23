package extract

import (
	"slices"
	"strings"
)

// Link is what a page refers to by an element of its own.
type Link struct {
	// Element is "a", "area", "link", "iframe" or "frame".
	Element string
	// URL is the address as the page writes it, relative perhaps, without white
	// space around it.
	URL string
	// Rel and Lang are the attributes rel and hreflang, as they stand.
	Rel, Lang string
	// Start is the byte offset of the start tag.
	Start int
}

// maxURL is the length in bytes above which a link is none.
const maxURL = 8 << 10

// Links calls link for each link of a page in its order, also for those without
// text, and meta for the name and content of each meta element. It returns the
// address that the page has links begin at: that of its first base element, ""
// without one. Of what stands in scripts, styles and comments nothing counts.
func Links(html string, link func(Link), meta func(name, content string)) (base string) {
	var l lexer
	l.reset(html)
	var unclosed []string // raw text elements that never end are none
	for {
		switch l.next() {
		case tokEOF:
			return base
		case tokStart:
		default:
			continue
		}
		name, ref := "", "href"
		switch l.tag {
		case tagA:
			name = "a"
		default:
			switch strings.ToLower(l.name) {
			case "meta":
				what, _ := l.attr("name")
				if content, ok := l.attr("content"); ok && what != "" {
					meta(fold(what, true), fold(content, true))
				}
				continue
			case "area":
				name = "area"
			case "link":
				name = "link"
			case "iframe", "frame":
				name, ref = strings.ToLower(l.name), "src"
			case "base":
				if href, ok := l.attr("href"); ok && base == "" {
					base = fold(href, true)
				}
				continue
			case "script", "style", "textarea", "title", "xmp", "noembed", "noframes":
				raw := strings.ToLower(l.name)
				if slices.Contains(unclosed, raw) {
					continue
				}
				if _, ok := l.rawText(raw); !ok {
					if raw == "script" || raw == "style" {
						return base
					}
					unclosed = append(unclosed, raw)
				}
				continue
			default:
				continue
			}
		}
		url, ok := l.attr(ref)
		if !ok || len(url) > maxURL {
			continue
		}
		found := Link{Element: name, URL: fold(url, true), Start: l.start}
		found.Rel, _ = l.attr("rel")
		found.Lang, _ = l.attr("hreflang")
		link(found)
	}
}
