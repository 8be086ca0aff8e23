// Package scope decides which URLs belong to a crawl. [New] returns the [Scope] of [Rules], and
// [Scope.Excludes] the rule that excludes a URL. [List] holds patterns of URLs.
//
// Unstable: this package may change in any release.
package scope

import (
	"fmt"
	"strings"

	"chaffinch/page/weburl"
	"chaffinch/page/weburl/registered"
)

// Values of [Rules.Within].
const (
	// Seeds are URLs in the folders of the seeds: the path of a seed up to its last "/".
	Seeds = "seeds"
	// Host are URLs on the hosts of the seeds.
	Host = "host"
	// Domain are URLs on the registered domains of the seeds, such as example.co.uk.
	Domain = "domain"
)

// Rules are the rules of a scope. A URL belongs to it if no rule excludes it. The zero Rules exclude
// nothing.
type Rules struct {
	// Within is [Seeds], [Host] or [Domain], or "" for no such rule. "www.", the scheme and default
	// ports do not count.
	Within string `json:"within,omitempty"`
	// Sites holds patterns. A URL must match one. Default: no such rule.
	Sites []string `json:"sites,omitempty"`
	// Include holds patterns. A URL must match one of them, too. Default: no such rule.
	Include []string `json:"include,omitempty"`
	// Exclude holds patterns. A URL must match none.
	Exclude []string `json:"exclude,omitempty"`
}

// Scope holds the rules of a crawl. It is safe for concurrent use after the last AddSeed.
type Scope struct {
	within                  string
	sites, include, exclude *List
	folders                 map[string][]string // paths by site, for Seeds
	known                   map[string]bool     // sites of seeds, except for Seeds
}

// New returns the scope of r. Patterns that are not valid are an error.
func New(r Rules) (*Scope, error) {
	s := &Scope{within: r.Within, folders: map[string][]string{}, known: map[string]bool{}}
	switch r.Within {
	case "", Seeds, Host, Domain:
	default:
		return nil, fmt.Errorf("within %q: wanted %s, %s or %s", r.Within, Seeds, Host, Domain)
	}
	for _, l := range []struct {
		to   **List
		from []string
	}{{&s.sites, r.Sites}, {&s.include, r.Include}, {&s.exclude, r.Exclude}} {
		if l.from == nil {
			continue
		}
		var err error
		if *l.to, err = NewList(l.from); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// AddSeed adds a seed, for Within and for lists of URLs.
func (s *Scope) AddSeed(origin, target string) {
	switch s.within {
	case Seeds:
		path, _, _ := strings.Cut(target, "?")
		folder := path[:strings.LastIndexByte(path, '/')+1]
		site := siteOf(origin)
		for _, f := range s.folders[site] {
			if strings.HasPrefix(folder, f) {
				return
			}
		}
		s.folders[site] = append(s.folders[site], folder)
	case Host:
		s.known[siteOf(origin)] = true
	case Domain:
		s.known[domainOf(origin)] = true
	default:
		if s.UsesSeeds() {
			s.known[siteOf(origin)] = true
		}
	}
}

// UsesSeeds reports whether the scope depends on the seeds.
func (s *Scope) UsesSeeds() bool { return s.within != "" || s.sites != nil || s.include != nil }

// hasSeed reports whether a seed has the site of an origin.
func (s *Scope) hasSeed(origin string) bool {
	switch s.within {
	case Seeds:
		return len(s.folders[siteOf(origin)]) > 0
	case Domain:
		return s.known[domainOf(origin)]
	}
	return s.known[siteOf(origin)]
}

// ExcludesList is like Excludes for a list of URLs, such as a sitemap: lists of the sites of seeds are read
// regardless of their paths.
func (s *Scope) ExcludesList(origin, target string) (rule string) {
	if s.hasSeed(origin) {
		return s.Refuses(origin, target)
	}
	return s.Excludes(origin, target)
}

// Excludes returns the rule that excludes the URL with an origin, such as "https://example.org", and
// a target: its path and query. It returns "" for a URL in the scope.
func (s *Scope) Excludes(origin, target string) (rule string) {
	if rule = s.Refuses(origin, target); rule != "" {
		return rule
	}
	switch {
	case !s.isWithin(origin, target):
		return "within " + s.within
	case s.sites != nil && s.sites.Match(origin, target) == "":
		return "within the list"
	case s.include != nil && s.include.Match(origin, target) == "":
		return "include"
	}
	return ""
}

// Refuses returns the pattern of Exclude that excludes a URL, which also applies to seeds. It returns
// "" if there is none.
func (s *Scope) Refuses(origin, target string) (rule string) {
	if p := s.exclude.Match(origin, target); p != "" {
		return "exclude " + p
	}
	return ""
}

func (s *Scope) isWithin(origin, target string) bool {
	switch s.within {
	case Seeds:
		for _, f := range s.folders[siteOf(origin)] {
			if strings.HasPrefix(target, f) {
				return true
			}
		}
		return false
	case Host:
		return s.known[siteOf(origin)]
	case Domain:
		return s.known[domainOf(origin)]
	}
	return true
}

// siteOf returns the host and port of an origin without "www.".
func siteOf(origin string) string {
	_, host, _ := strings.Cut(origin, "://")
	return strings.TrimPrefix(host, "www.")
}

// domainOf returns the registered domain of an origin.
func domainOf(origin string) string {
	name, _ := splitPort(origin)
	return registered.Domain(name)
}

// splitPort returns the name and the port of an origin, "" for the default port.
func splitPort(origin string) (name, port string) {
	_, host, _ := strings.Cut(origin, "://")
	return cutPort(host)
}

// cutPort returns a host without its port, and the port or "".
func cutPort(host string) (name, port string) {
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		return host[:i], host[i+1:]
	}
	return host, ""
}

// Origin returns the origin and the target of a URL.
func Origin(u weburl.URL) (origin, target string) {
	return u.Scheme() + "://" + u.HostPort(), u.Target()
}
