package langid

import (
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/language"

	"chaffinch/page"
)

// The weights of hints at the language of a page, in natural logarithms of odds. They were
// estimated on web pages with text in a certain language (lab/results/langid.md).
const (
	declaredWeight = 3.9 // a declared language
	commonWeight   = 2.2 // a declared language that templates declare for others
	domainWeight   = 3.4 // the top-level domain of a country
	pathWeight     = 2   // a host label, a path segment or a parameter that is a language tag
)

// common lists languages that templates declare on pages in others.
var common = map[string]bool{"en": true, "es": true, "nb": true, "no": true, "ru": true, "zh": true}

// hint is a sign at the language of a page, other than its text.
type hint struct {
	lang   string // a BCP 47 tag, possibly more general or more exact than a language of the detector
	weight float64
}

// supports reports whether h is a sign for lang.
func (h hint) supports(lang string) bool { return Covers(h.lang, lang) || Covers(lang, h.lang) }

// hintsOf appends the hints of p to dst: the declared languages, the domain, and tags in the
// address. A language is counted once for its declarations and once for tags in the address.
func hintsOf(dst []hint, p *page.Page) []hint {
	add := func(tag string, weight float64) {
		dst = append(dst, hint{tag, weight})
	}
	var buf [4]string
	seen := buf[:0]
	for _, stated := range append([]string{p.Meta.Lang}, p.Stated.Langs...) {
		tag := statedTag(stated)
		base, _, _ := strings.Cut(tag, "-")
		if tag == "" || slices.Contains(seen, tag) {
			continue
		}
		seen = append(seen, tag)
		if common[base] {
			add(tag, commonWeight)
		} else {
			add(tag, declaredWeight)
		}
	}
	address := p.URL
	if address == "" {
		address = p.Stated.Canonical
	}
	host, path, query := splitAddress(address)
	if i := strings.LastIndexByte(host, '.'); i >= 0 {
		for _, tag := range domains()[host[i+1:]] {
			add(tag, domainWeight)
		}
	}
	seen = seen[:0]
	for _, tag := range addressTags(host, path, query) {
		if !slices.Contains(seen, tag) {
			seen = append(seen, tag)
			add(tag, pathWeight)
		}
	}
	return dst
}

// statedTag returns the tag of a declared language in canonical form, "" for none.
func statedTag(stated string) string {
	stated, _, _ = strings.Cut(strings.ReplaceAll(stated, "_", "-"), ",")
	tag, err := language.Raw.Parse(strings.TrimSpace(stated))
	if err != nil {
		return ""
	}
	switch base, _, _ := tag.Raw(); base.String() {
	case "und", "mul", "zxx", "mis":
		return ""
	}
	return tag.String()
}

// splitAddress returns the parts of an address in lower case, without port and fragment.
func splitAddress(address string) (host, path, query string) {
	_, rest, ok := strings.Cut(strings.ToLower(address), "://")
	if !ok || len(rest) > maxAddress {
		return "", "", ""
	}
	rest, _, _ = strings.Cut(rest, "#")
	rest, query, _ = strings.Cut(rest, "?")
	host, path, _ = strings.Cut(rest, "/")
	host, _, _ = strings.Cut(host, ":")
	return strings.TrimSuffix(host, "."), path, query
}

const (
	maxAddress  = 4096
	maxSegments = 3 // first segments of a path that may be a language tag
)

// addressTags returns the language tags in an address: the first label of the host, a
// segment of the path, and the parameters lang, locale and hl.
func addressTags(host, path, query string) (tags []string) {
	add := func(s string) {
		if tag := addressTag(s); tag != "" {
			tags = append(tags, tag)
		}
	}
	if first, rest, ok := strings.Cut(host, "."); ok && strings.Contains(rest, ".") {
		add(first)
	}
	for range maxSegments {
		var segment string
		if segment, path, _ = strings.Cut(path, "/"); segment == "" {
			break
		}
		add(segment)
	}
	for field := range strings.SplitSeq(query, "&") {
		switch name, value, _ := strings.Cut(field, "="); name {
		case "lang", "language", "locale", "hl", "lng":
			add(value)
		}
	}
	return tags
}

// addressTag returns a part of an address as a language tag, "" if it is none. Only tags with a
// language of two letters count, possibly with a region or script, as in "pt-br".
func addressTag(s string) string {
	if len(s) < 2 || len(s) > 7 || len(s) > 2 && s[2] != '-' && s[2] != '_' {
		return ""
	}
	return statedTag(s)
}

// domains maps top-level domains to the languages of most of their sites.
var domains = sync.OnceValue(func() map[string][]string {
	m := map[string][]string{}
	for _, line := range strings.Split(domainLanguages, ",") {
		f := strings.Fields(line)
		m[f[0]] = f[1:]
	}
	return m
})

const domainLanguages = "ad ca,al sq,am hy,ar es,at de,az az,ba bs hr sr,bd bn,be nl fr,bg bg,bo es,br pt-BR,by be ru,cat ca,cl es,cn zh-Hans,cr es,cu es,cy el," +
	"cz cs,de de,dk da,do es,ec es,ee et,es es ca gl eu ast,eus eu,fi fi sv,fo fo,fr fr,gal gl,gl kl da,gr el,gt es,hk zh-Hant yue,hn es,hr hr,hu hu," +
	"id id,ie en ga,il he,ir fa,is is,it it,jp ja,ke sw en,kg ky ru,kh km,kr ko,kz kk ru,la lo,lt lt,lu fr de lb,lv lv,ma ar fr,md ro,mk mk,mm my,mn mn," +
	"mo zh-Hant,mt mt en,mx es,my ms,ni es,nl nl fy,no nb nn,np ne,pa es,pe es,pk ur en,pl pl,pt pt-PT,py es gn,ro ro,rs sr sr-Latn,ru ru,se sv,si sl,sk sk,sv es," +
	"th th,tj tg,tm tk,tr tr,tw zh-Hant,ua uk ru,uk en,uy es,uz uz,ve es,vn vi,za en af zu xh,xn--p1ai ru,xn--j1amh uk,xn--90ais be,xn--e1a4c bg,xn--90a3ac sr"
