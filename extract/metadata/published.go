package metadata

import (
	"strings"
	"time"
	"unicode/utf8"

	"chaffinch/page"
)

// published returns the date of publication in RFC 3339.
func (d *fieldReader) published() string {
	cands := d.s.candidates(published)
	inURL := urlDate(d.address(canonical))
	if inURL == "" {
		inURL = urlDate(d.p.URL)
	}
	n := 0
	for ; n < len(cands) && cands[n].rank <= timePub; n++ {
		v := d.dateOf(&cands[n])
		if v != "" && nextDay(v, inURL) {
			return inURL // the same day in another time zone
		}
		if strings.HasSuffix(v, "Z") {
			if shown := d.dateNearTitle(); nextDay(v, shown) {
				return shown // likewise
			}
		}
		if v != "" {
			return v
		}
	}
	if inURL != "" {
		return inURL
	}
	if v := d.dateNearTitle(); v != "" {
		return v
	}
	for _, near := range [...]bool{true, false} {
		for i := n; i < len(cands); i++ {
			if d.isNearTitle(cands[i].from.at) != near {
				continue
			}
			if v := d.dateOf(&cands[i]); v != "" {
				return v
			}
		}
	}
	if d.p.Meta.Modified != "" {
		return ""
	}
	if v := d.dateInScript(); v != "" {
		return v
	}
	return d.dateInText()
}

// nextDay reports whether b is the day before or after a.
func nextDay(a, b string) bool {
	if len(a) <= len(time.DateOnly) || b == "" {
		return false
	}
	x, err1 := time.Parse(time.DateOnly, a[:len(time.DateOnly)])
	y, err2 := time.Parse(time.DateOnly, b)
	diff := x.Sub(y).Abs()
	return err1 == nil && err2 == nil && diff == 24*time.Hour
}

// dateInScript returns the date of publication from JSON in scripts: members such as "publishedAt".
func (d *fieldReader) dateInScript() string {
	const start, end = `"pu`, `blish`
	rest := truncate(d.src, 1<<18)
	for n := 0; n < 8; {
		i := strings.IndexByte(rest, end[0]) // fewer places than of the quotation mark
		if i < 0 {
			break
		}
		found := strings.HasSuffix(rest[:i], start) && strings.HasPrefix(rest[i:], end)
		rest = rest[i+1:]
		if !found {
			continue
		}
		n++
		rest = rest[len(end)-1:]
		_, v, ok := strings.Cut(rest[:min(len(rest), 60)], `":"`)
		v, _, closed := strings.Cut(v, `"`)
		if t := parseDate(v); ok && closed && t != "" {
			return t
		}
	}
	return ""
}

// maxDateBlocks is the number of blocks that are searched for a date.
const maxDateBlocks = 120

// dateInText returns the first date in a short block, or at the start of a longer one.
func (d *fieldReader) dateInText() string {
	for i := range d.p.Blocks[:min(maxDateBlocks, len(d.p.Blocks))] {
		b := &d.p.Blocks[i]
		if b.Hidden {
			continue
		}
		t := b.Text
		if len(t) > 150 {
			t = truncate(t, 60)
		}
		if v, _ := findDate(t, d.monthFirst()); v != "" {
			return v
		}
	}
	return ""
}

// modified returns the date of the last change in RFC 3339.
func (d *fieldReader) modified() string {
	cands := d.s.candidates(modified)
	for i := range cands {
		if v := d.dateOf(&cands[i]); v != "" {
			return v
		}
	}
	return ""
}

// dateOf returns the date in a candidate.
func (d *fieldReader) dateOf(c *candidate) string {
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

// monthFirst reports whether 3/9/2024 is read as March 9, as in the United States and Canada.
func (d *fieldReader) monthFirst() bool {
	l := strings.ToLower(d.p.Meta.Lang)
	return l == "en" || l == "en-us" || l == "en-ca" || l == "" && isASCII(d.p.Meta.Title)
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// nearTitle is the most blocks between the title and a date or byline.
const nearTitle = 12

// nearTitleBlocks returns the blocks near the title: one before its heading and several after it.
func (d *fieldReader) nearTitleBlocks() []page.Block {
	if d.searched {
		return d.nearby
	}
	d.searched = true
	title := d.p.Meta.Title
	key := ""
	for i := range d.p.Blocks {
		b := &d.p.Blocks[i]
		if b.Hidden {
			continue
		}
		found := b.Kind == page.Heading && b.Level == 1
		if n := len(b.Text); !found && len(title) > 0 && n < 2*len(title) && len(title) < 2*n && sameFirstLetter(title, b.Text) {
			if key == "" {
				key = normalNoSpaces(title)
			}
			found = isNormalNoSpaces(b.Text, key)
		}
		if found {
			d.nearby = d.p.Blocks[max(i-1, 0):min(i+nearTitle, len(d.p.Blocks))]
			break
		}
	}
	return d.nearby
}

// sameFirstLetter reports whether the first letters of a and b are equal or not both ASCII.
func sameFirstLetter(a, b string) bool {
	return !isLetter(a[0]) || !isLetter(b[0]) || a[0]|0x20 == b[0]|0x20
}

// isNearTitle reports whether byte at of the source is near the title.
func (d *fieldReader) isNearTitle(at int) bool {
	b := d.nearTitleBlocks()
	return len(b) > 0 && b[0].Start <= at && at <= b[len(b)-1].End
}

// dateNearTitle returns the first date in the short blocks near the title.
func (d *fieldReader) dateNearTitle() string {
	blocks := d.nearTitleBlocks()
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
