package metadata

import (
	"strings"
	"unicode"

	"chaffinch/page"
)

// separators part the title of a page from the name of its site.
const separators = "|–—-·•»«:›/~"

// title chooses the title: what a source in the head says, less the name of
// the site; in the words of the heading on the page where they agree.
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
			if k := normal(h); len(k) > 3 && (k == key || strings.Contains(key, k) && 2*len(k) >= len(key)) {
				return h
			}
		}
	}
	if len(stated) > 0 {
		return d.strip(stated[0], site, heads)
	}
	if len(heads) > 0 {
		return heads[0]
	}
	return ""
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
func (d *reading) strip(t, site string, heads []string) string {
	host := hostWord(d.p.URL)
	if host == "" {
		host = hostWord(d.p.Meta.Canonical)
	}
	key := squeeze(site)
	isSite := func(s string) bool {
		k := squeeze(s)
		return k != "" && (k == key || key != "" && len(k) > 3 && strings.Contains(key, k) || host != "" && len(k) > 2 && (strings.Contains(host, k) || k == host+"com" || len(host) > 3 && strings.HasPrefix(k, host)))
	}
	for {
		i, j := lastSeparator(t)
		if i < 0 || !isSite(t[j:]) {
			break
		}
		t = t[:i]
	}
	if i, j := firstSeparator(t); i > 0 && isSite(t[:i]) {
		t = t[j:]
	}
	return t
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
	var b strings.Builder
	blank := false
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r) {
			if blank && b.Len() > 0 {
				b.WriteByte(' ')
			}
			blank = false
			b.WriteRune(unicode.ToLower(r))
		} else if r != '\'' && r != '’' {
			blank = true
		}
	}
	return b.String()
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
	host := strings.ToLower(strings.TrimPrefix(rest, "www."))
	labels := strings.Split(host, ".")
	for len(labels) > 1 && (len(labels[len(labels)-1]) <= 3 || len(labels) == 2) {
		labels = labels[:len(labels)-1]
	}
	return squeeze(strings.Join(labels, ""))
}
