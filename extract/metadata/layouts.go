package metadata

import (
	"strings"
	"time"
)

// layouts holds the formats of dates on pages, in addition to RFC 3339. Times without a zone, or with
// an abbreviation such as EST, are read as UTC. Ambiguous formats (3/4/2020) are left out.
var layouts = []struct {
	layout string
	day    bool // no time of day
}{
	{time.RFC3339Nano, false},
	{"2006-01-02T15:04:05Z0700", false},
	{"2006-01-02T15:04:05.999Z0700", false},
	{"2006-01-02T15:04Z07:00", false},
	{"2006-01-02T15:04:05", false},
	{"2006-01-02T15:04", false},
	{"2006-01-02 15:04:05 -0700", false},
	{"2006-01-02 15:04:05-07:00", false},
	{"2006-01-02 15:04:05 MST", false},
	{"2006-01-02 15:04:05", false},
	{"2006-01-02 15:04", false},
	{"2006/01/02 15:04:05", false},
	{"2006/01/02 15:04", false},
	{"20060102T150405Z", false},
	{"20060102T150405", false},
	{"20060102150405", false},
	{time.RFC1123, false},
	{time.RFC1123Z, false},
	{"Mon, 2 Jan 2006 15:04:05 MST", false},
	{"Mon, 2 Jan 2006 15:04:05 -0700", false},
	{time.RFC850, false},
	{time.ANSIC, false},
	{time.UnixDate, false},
	{"Mon Jan 02 15:04:05 -0700 2006", false},
	{"Jan 2, 2006 3:04 PM", false},
	{"January 2, 2006 3:04 PM", false},
	{"2006-01-02", true},
	{"2006-1-2", true},
	{"2006/01/02", true},
	{"2006/1/2", true},
	{"2006.01.02", true},
	{"20060102", true},
	{"02.01.2006", true},
	{"2.1.2006", true},
	{"2006-01-02-0700", true},
	{"2006-01-02Z07:00", true},
	{"January 2, 2006", true},
	{"Jan 2, 2006", true},
	{"2 January 2006", true},
	{"2 Jan 2006", true},
	{"Mon, January 2, 2006", true},
	{"Monday, January 2, 2006", true},
	{"Mon, 2 Jan 2006", true},
}

// parseDate returns s as a date or date-time in RFC 3339; "" if it is not a date, its year is not
// between 1900 and 2200, or it is January 1, 1970 or Unix time 0, which are missing values.
func parseDate(s string) string {
	s = strings.TrimSpace(s)
	if len(s) < 8 || len(s) > 40 || !strings.ContainsAny(s, "0123456789") {
		return ""
	}
	for _, l := range layouts {
		t, err := time.ParseInLocation(l.layout, s, time.UTC) // not the zone of the machine
		if err != nil {
			continue
		}
		if y := t.Year(); y < 1900 || y > 2200 || y == 1970 && t.YearDay() == 1 || t.Unix() == 0 {
			continue
		}
		if l.day {
			return t.Format(time.DateOnly)
		}
		return t.Format(time.RFC3339)
	}
	return ""
}
