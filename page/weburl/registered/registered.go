// Package registered returns registered domains by the public suffix list. [Domain] takes a
// host, [Site] an address. The package is separate from package weburl, which every cleaning
// program links, because the list links net/http.
package registered

import (
	"net/netip"
	"strings"

	"golang.org/x/net/publicsuffix"

	"chaffinch/internal/hostname"
)

// Domain returns the registered domain of a host in lower case, such as "example.co.uk". It
// returns the host itself if it is an IP address or a suffix.
func Domain(host string) string {
	if host == "" || host[0] == '[' || host[len(host)-1] >= '0' && host[len(host)-1] <= '9' {
		return host
	}
	if site, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return site
	}
	return host
}

// Site returns the registered domain of the host of an address, which may lack its scheme. An
// IP address is returned unchanged. Site returns "" if there is no host or no registered domain
// with a dot.
func Site(address string) string {
	address = strings.TrimSpace(address)
	if !strings.Contains(address, "//") {
		address = "//" + address
	}
	host := hostname.Of(address)
	if _, err := netip.ParseAddr(host); err == nil {
		return host
	}
	s, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil || !strings.Contains(s, ".") {
		return ""
	}
	return s
}
