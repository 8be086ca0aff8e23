// Package hostname returns the hosts of addresses, valid or not.
package hostname

import (
	"net/url"
	"strings"
)

// Of returns the host of an address in lower case without a final dot, "" if it has none. Only the
// part before the path is parsed: paths of pages are often invalid, such as /100%.
func Of(address string) string {
	if i := strings.Index(address, "//") + 2; i >= 2 {
		if n := strings.IndexAny(address[i:], `/?#\`); n >= 0 {
			address = address[:i+n]
		}
	}
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
}
