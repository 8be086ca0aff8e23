package sitemap

import (
	"strings"
	"time"
)

// layouts holds the formats of dates in sitemaps (W3C), Atom and RSS (RFC 822), and common
// variants.
var layouts = []string{
	"2006-01-02", "2006-01-02T15:04:05Z07:00", "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05", "2006-01-02T15:04",
	"2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01", "2006",
	"2 Jan 2006 15:04:05 -0700", "2 Jan 2006 15:04:05 MST", "2 Jan 06 15:04:05 -0700", "2 Jan 06 15:04:05 MST", "2 Jan 2006 15:04 -0700", "2 Jan 2006 15:04 MST",
}

// zones replaces the names of time zones in RFC 822, since package time would parse them without
// their offset.
var zones = strings.NewReplacer(" GMT", " +0000", " UTC", " +0000", " UT", " +0000", " EST", " -0500", " EDT", " -0400", " CST", " -0600", " CDT", " -0500",
	" MST", " -0700", " MDT", " -0600", " PST", " -0800", " PDT", " -0700")

// date parses a date and returns it in UTC; zero if it is invalid.
func date(s string) time.Time {
	if s = strings.TrimSpace(s); len(s) < 4 || len(s) > 40 {
		return time.Time{}
	}
	if s[0] < '0' || s[0] > '9' { // a day of the week
		_, s, _ = strings.Cut(s, " ")
		s = strings.TrimSpace(s)
	}
	s = zones.Replace(s)
	for _, l := range layouts {
		if t, err := time.Parse(l, s); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}
