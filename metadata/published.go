package metadata

import (
	"strings"
	"time"
	"unicode/utf8"

	"chaffinch/page"
)

// published returns the date of publication, RFC 3339.
func (d *reading) published() string {
	cands := d.s.of(published)
	inURL := urlDate(d.address(canonical))
	if inURL == "" {
		inURL = urlDate(d.p.URL)
	}
	n := 0
	for ; n < len(cands) && cands[n].rank <= timePub; n++ {
		v := d.dateOf(&cands[n])
		if v != "" && nextDay(v, inURL) {
			return inURL // the same day, told in another time zone
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
			if d.near(cands[i].from.at) != near {
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

// nextDay tells whether b is the day before or after that of a.
func nextDay(a, b string) bool {
	if len(a) <= len(time.DateOnly) || b == "" {
		return false
	}
	x, err1 := time.Parse(time.DateOnly, a[:len(time.DateOnly)])
	y, err2 := time.Parse(time.DateOnly, b)
	diff := x.Sub(y).Abs()
	return err1 == nil && err2 == nil && diff == 24*time.Hour
}

// scriptDates are members of the data that scripts draw pages from.
var scriptDates = [...]string{`"publishedDate":"`, `"datePublished":"`, `"published_at":"`, `"publishedAt":"`, `"publish_date":"`, `"publishDate":"`, `"createdAt":"`}

// dateInScript returns the date of publication from such data.
func (d *reading) dateInScript() string {
	for _, key := range scriptDates {
		if i := strings.Index(d.src, key); i >= 0 {
			v, _, _ := strings.Cut(d.src[i+len(key):min(len(d.src), i+len(key)+40)], `"`)
			if t := parseDate(v); t != "" {
				return t
			}
		}
	}
	return ""
}

// inText is how many blocks of a page are searched for a date.
const inText = 80

// dateInText returns the first date in a short block, or at the beginning of a
// longer one.
func (d *reading) dateInText() string {
	for i := range d.p.Blocks[:min(inText, len(d.p.Blocks))] {
		b := &d.p.Blocks[i]
		if b.Hidden {
			continue
		}
		t := b.Text
		if len(t) > 150 {
			t = cut(t, 60)
		}
		if v, _ := findDate(t, d.monthFirst()); v != "" {
			return v
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
			return blocks[max(i-1, 0):min(i+nearTitle, len(blocks))]
		}
	}
	return nil
}

// near tells whether a byte of the source stands about the title.
func (d *reading) near(at int) bool {
	b := d.around()
	return len(b) > 0 && b[0].Start <= at && at <= b[len(b)-1].End
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
