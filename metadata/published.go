package metadata

import (
	"strings"

	"chaffinch/page"
)

// published returns the date of publication, RFC 3339.
func (d *reading) published() string {
	cands := d.s.of(published)
	for i := range cands {
		c := &cands[i]
		if c.rank > timePub {
			break
		}
		if v := d.dateOf(c); v != "" {
			return v
		}
	}
	if v := urlDate(d.address(canonical)); v != "" {
		return v
	}
	if v := urlDate(d.p.URL); v != "" {
		return v
	}
	if v := d.dateNearTitle(); v != "" {
		return v
	}
	for i := range cands {
		if c := &cands[i]; c.rank > timePub {
			if v := d.dateOf(c); v != "" {
				return v
			}
		}
	}
	return ""
}

// modified returns the date of the last change, RFC 3339.
func (d *reading) modified() string {
	cands := d.s.of(modified)
	for i := range cands {
		if v := d.dateOf(&cands[i]); v != "" {
			return v
		}
	}
	return ""
}

// dateOf returns the date that a candidate states.
func (d *reading) dateOf(c *candidate) string {
	if c.value != "" {
		v := unescape(c.value)
		if t := parseDate(v); t != "" {
			return t
		}
		if len(v) < 200 {
			if t, _ := findDate(v, d.monthFirst()); t != "" {
				return t
			}
		}
		if c.from.at == 0 {
			return ""
		}
	}
	t, _ := findDate(textOf(d.src, c.from), d.monthFirst())
	return t
}

// monthFirst tells how 3/9/2024 is read: in America the month comes first.
func (d *reading) monthFirst() bool {
	l := strings.ToLower(d.p.Meta.Lang)
	return l == "" || l == "en" || l == "en-us" || l == "en-ca" || l == "und"
}

// nearTitle is how many blocks behind the title a date or a byline may stand.
const nearTitle = 12

// around returns the span of blocks about the title: a few before its heading
// and more behind it.
func (d *reading) around() []page.Block {
	blocks := d.p.Blocks
	key := squeeze(d.p.Meta.Title)
	for i := range blocks {
		b := &blocks[i]
		if b.Hidden || b.Kind != page.Heading && len(b.Text) > 300 {
			continue
		}
		if b.Kind == page.Heading && b.Level == 1 || key != "" && len(b.Text) < 2*len(d.p.Meta.Title)+20 && squeeze(b.Text) == key {
			return blocks[max(i-3, 0):min(i+nearTitle, len(blocks))]
		}
	}
	return nil
}

// dateNearTitle returns a date from the short blocks about the title.
func (d *reading) dateNearTitle() string {
	blocks := d.around()
	for i := range blocks {
		b := &blocks[i]
		if b.Hidden || len(b.Text) > 200 {
			continue
		}
		if v, _ := findDate(b.Text, d.monthFirst()); v != "" {
			return v
		}
	}
	return ""
}
