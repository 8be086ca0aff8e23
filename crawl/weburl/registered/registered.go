// Package registered tells the registered domains of hosts by the public suffix list. It
// stands apart from package weburl, which every program has that cleans pages: the list
// links net/http.
package registered

import "golang.org/x/net/publicsuffix"

// Domain returns the registered domain of a host in lower case, such as "example.co.uk";
// the host itself if it is an IP address or a suffix.
func Domain(host string) string {
	if host == "" || host[0] == '[' || host[len(host)-1] >= '0' && host[len(host)-1] <= '9' {
		return host
	}
	if site, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return site
	}
	return host
}
