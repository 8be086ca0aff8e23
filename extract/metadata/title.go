package metadata

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/page"
)

// separators part the title of a page from the name of its site.
const separators = "|–—-·•»«:›/~"

// title chooses the title: the heading of level 1 that agrees with what the
// head of the page states, or with a part of it; else what is stated, less the
// name of the site.
func (d *reading) title(site string) string {
	cands := d.s.of(title)
	var stated []string
	for i := range cands {
		if t := cands[i].text(d.src); t != "" && len(t) < 1000 {
			stated = append(stated, strings.ReplaceAll(t, "\n", " "))
		}
	}
	heads := d.headings()
	for _, t := range stated {
		key := normal(t)
		for _, h := range heads {
			if k := normal(h); len(k) > 3 && (k == key || strings.Contains(key, k) && 2*len(k) >= len(key) || firstPart(k, t) && !d.isSite(h, site)) {
				return beforeBar(h)
			}
		}
	}
	if h := lonely(heads); len(h) > 3 {
		for _, t := range stated {
			if shared(h, t) >= 0.3 {
				return beforeBar(h)
			}
		}
	}
	if len(stated) > 0 {
		return beforeBar(d.strip(stated[0], site))
	}
	if len(heads) > 0 {
		return heads[0]
	}
	return ""
}

// firstPart tells whether key is, in normal form, the first part of t.
func firstPart(key, t string) bool {
	i, _ := firstSeparator(t)
	return i > 0 && normal(t[:i]) == key
}

// beforeBar cuts off what stands behind a bar, where two words or more stand
// before it.
func beforeBar(t string) string {
	if head, _, ok := strings.Cut(t, " | "); ok && strings.Count(head, " ") > 0 {
		return head
	}
	return t
}

// lonely returns the heading if there is only one, in whatever many copies.
func lonely(heads []string) string {
	for _, h := range heads[min(1, len(heads)):] {
		if h != heads[0] {
			return ""
		}
	}
	if len(heads) == 0 {
		return ""
	}
	return heads[0]
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

// headings returns the texts of the level 1 headings that the page shows.
func (d *reading) headings() (out []string) {
	for i := range d.p.Blocks {
		if b := &d.p.Blocks[i]; b.Kind == page.Heading && b.Level == 1 && !b.Hidden && len(b.Text) < 400 {
			if out = append(out, b.Text); len(out) == 8 {
				break
			}
		}
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
	host := hostWord(d.p.URL)
	if host == "" {
		host = hostWord(d.p.Meta.Canonical)
	}
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

// squeeze is normal without blanks.
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
