package warc

import (
	"strings"
	"time"
)

// dates are the formats of a WARC-Date. WARC 1.0 has the first; WARC 1.1 also allows dates
// of less precision.
var dates = [...]string{time.RFC3339Nano, "2006-01-02T15:04Z07:00", "2006-01-02", "2006-01", "2006"}

// Date returns a WARC-Date with upper-case letters, or "" if it is not a date.
func Date(stated string) string {
	stated = strings.ToUpper(strings.TrimSpace(stated))
	for _, form := range dates {
		if _, err := time.Parse(form, stated); err == nil {
			return stated
		}
	}
	return ""
}
