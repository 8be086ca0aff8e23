package metadata

import (
	"net/url"
	"strings"

	"chaffinch/internal/lazyregexp"
)

// firstLang returns the first language tag of a list; "" if it is not valid, as the name of a language.
func firstLang(v string) string {
	if i := strings.IndexAny(v, ",; "); i >= 0 {
		v = v[:i]
	}
	v = strings.ReplaceAll(v, "_", "-")
	if len(v) < 2 || len(v) > 35 { // the longest tag that RFC 5646 requires support for
		return ""
	}
	if base, _, _ := strings.Cut(v, "-"); len(base) > 3 {
		return ""
	}
	for i := 0; i < len(v); i++ {
		if c := v[i]; !isLetter(c) && (i < 2 || c != '-' && (c < '0' || c > '9')) {
			return ""
		}
	}
	return v
}

// address returns the best value of a field as an address, absolute if the address of the page is
// known.
func (d *fieldReader) address(f field) string {
	for _, c := range d.s.candidates(f) {
		v := c.value
		if !c.plain {
			v = unescapeURL(v)
		}
		if v = strings.TrimSpace(v); v == "" || strings.HasPrefix(v, "data:") || strings.ContainsAny(v, " \n\"<>") {
			continue
		}
		if u, err := url.Parse(v); err == nil && !u.IsAbs() && d.p.URL != "" {
			if base, err := url.Parse(d.p.URL); err == nil {
				return base.ResolveReference(u).String()
			}
		}
		return v
	}
	return ""
}

// site returns the name of the site.
func (d *fieldReader) site() string {
	for _, c := range d.s.candidates(site) {
		v := strings.TrimPrefix(c.text(d.src), "@")
		if v != "" && len(v) <= 100 && !strings.Contains(v, "://") {
			return v
		}
	}
	return ""
}

// list returns the distinct values of a field, split at commas and similar marks, from the best
// rank with any values.
func (d *fieldReader) list(f field) []string {
	var out []string
	seen := map[string]bool{}
	best := -1
	for _, c := range d.s.candidates(f) {
		if best >= 0 && int(c.rank) != best {
			break
		}
		for _, v := range strings.FieldsFunc(c.text(d.src), func(r rune) bool { return strings.ContainsRune(",;，、；\n|", r) }) {
			v = collapse(strings.TrimPrefix(strings.TrimSpace(v), "#"))
			key := strings.ToLower(v)
			if v == "" || len(v) > 100 || seen[key] || len(out) == 50 {
				continue
			}
			seen[key] = true
			out = append(out, strings.Clone(v))
			best = int(c.rank)
		}
	}
	return out
}

// ccURL matches the licence in an address of Creative Commons, ccText in words.
var (
	ccURL  = lazyregexp.New(`creativecommons\.org/(?:licenses/(by-nd-nc|by(?:-nc)?(?:-nd|-sa)?|(?:sa|nd-nc|nd|nc(?:-[a-z]+)?)\b)|publicdomain/(zero|mark))(?:/([1-4]\.[0-9]))?(?:/([a-z]{2,3})\b)?`)
	ccText = lazyregexp.New(`(?i)\b(?:cc|creative commons)[ -](by(?:-nc)?(?:-nd|-sa)?|zero)\b(?:[ -]([1-4]\.[0-9]))?(?:[ -]([a-z]{2})\b)?`)
)

// ccLicense returns the licence of Creative Commons that s names, as "CC BY-SA 4.0"; "" if none.
func ccLicense(s string) string {
	if s == "" {
		return ""
	}
	if m := ccURL().FindStringSubmatch(s); m != nil {
		port := m[4]
		if len(port) != 2 || m[3] == "4.0" {
			port = ""
		}
		switch m[2] {
		case "zero":
			return join("CC0", m[3], "")
		case "mark":
			return "Public Domain Mark"
		}
		return join("CC "+strings.ToUpper(m[1]), m[3], port)
	}
	if m := ccText().FindStringSubmatch(s); m != nil {
		return join("CC "+strings.ToUpper(m[1]), m[2], "")
	}
	return ""
}

func join(name, version, port string) string {
	if version != "" {
		name += " " + version
	}
	if port != "" {
		name += " " + strings.ToUpper(port)
	}
	return name
}

// isCCLink reports whether href is an address of Creative Commons.
func isCCLink(href string) bool {
	const host = "creativecommons.org/"
	i := strings.IndexByte(href[:min(len(href), 16)], 'c')
	return i >= 0 && strings.HasPrefix(href[i:], host)
}

// license returns the licence of the page: from the best source, else from the last link to
// Creative Commons, since links further up often belong to pictures.
func (d *fieldReader) license() string {
	for _, c := range d.s.candidates(license) {
		v := c.text(d.src)
		if cc := ccLicense(v); cc != "" {
			return cc
		}
		if c.rank < 4 && v != "" && len(v) <= 300 {
			return v
		}
	}
	return ccLicense(d.s.ccLink)
}
