package metadata

import (
	"strings"

	"chaffinch/page"
)

// authors returns the names of the authors from the best source that is trusted or has full names,
// else from the best source with any name.
func (d *fieldReader) authors() []string {
	var single []string
	looked := false
	for cands := d.s.candidates(author); len(cands) > 0; {
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
			names, isSite := d.withoutSite(names)
			if !isSite && (isFullName(names[0]) || rank <= authorCitation || rank == authorRel) {
				return names
			}
			if single == nil {
				single = names
			}
		}
	}
	if !looked {
		if names := d.byline(); names != nil && (single == nil || isFullName(names[0])) {
			return names
		}
	}
	if single == nil {
		if names := d.bylineIn(d.p.Blocks[:min(len(d.p.Blocks), maxDateBlocks)]); names != nil && isFullName(names[0]) {
			return names
		}
	}
	return single
}

const firstNearRank = authorLink

// withoutSite returns names without the name of the site. If that is the only name it is returned, and
// isSite is true.
func (d *fieldReader) withoutSite(names []string) (people []string, isSite bool) {
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

// groups returns the names in sources of one rank. Names in elements that are close together form
// one group.
func (d *fieldReader) groups(cands []candidate) (out [][]string) {
	at := 0
	for i := range cands {
		c := &cands[i]
		if c.rank >= firstNearRank && !d.isNearTitle(c.from.at) {
			continue
		}
		if c.value == "" && d.isInNav(c.from.at) {
			continue
		}
		names := d.namesOf(c)
		if len(names) == 0 {
			continue
		}
		if last := len(out) - 1; last >= 0 && c.rank <= authorName && c.from.at <= at+maxAuthorGap {
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

// maxNav is the maximum distance in bytes from the start of a nav element to the links in it.
const maxNav = 32 << 10

// isInNav reports whether the byte at lies in a nav element.
func (d *fieldReader) isInNav(at int) bool {
	rest := d.src[max(0, at-maxNav):min(at, len(d.src))]
	in := false
	for { // strings.LastIndex takes many times as long
		i := strings.Index(rest, "<nav")
		if i < 0 {
			return in && !strings.Contains(rest, "</nav>")
		}
		in, rest = true, rest[i+len("<nav"):]
	}
}

// maxAuthorGap is the most bytes between the elements of two authors of one page. Elements further
// apart belong to comments or other articles.
const maxAuthorGap = 400

// namesOf returns the names in a candidate.
func (d *fieldReader) namesOf(c *candidate) []string {
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

// nameIn returns the text of the element with itemprop "name" inside the element of c.
func (d *fieldReader) nameIn(c *candidate) string {
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

// byline returns the names in the first block near the title that begins like a byline, or holds a
// date and a name.
func (d *fieldReader) byline() []string {
	return d.bylineIn(d.nearTitleBlocks())
}

func (d *fieldReader) bylineIn(blocks []page.Block) []string {
	for i := range blocks {
		b := &blocks[i]
		if b.Hidden || len(b.Text) > 160 {
			continue
		}
		says := startsByline(b.Text)
		if !says {
			if digits(b.Text[:min(len(b.Text), 30)]) < dateDigits {
				continue
			}
			_, end := findDate(b.Text, true)
			if end == 0 || end > 30 || end+6 > len(b.Text) || len(b.Text) > end+40 || strings.IndexByte(" |-", b.Text[end]) < 0 {
				continue
			}
		}
		// In the source, the tags of inline elements separate words.
		text := textOf(d.src[:min(b.End, len(d.src))], span{at: b.Start})
		if names := people(text, true); len(names) > 0 && (says || isFullName(names[0])) {
			return names
		}
	}
	return nil
}
